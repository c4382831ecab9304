"""Files as tools and people write them: read rightly, asked with a guess that is right, or refused.

Never is anything claimed of them that is not so.
"""

import math
import re

import odd_world_cells
import odd_world_habits
import odd_world_layouts
import odd_world_records
import odd_world_studies
import odd_world_tables
import odd_world_tools
import pytest
from odd_world import CASES

import podium
from podium import PodiumError
from podium.reading.inferring.asking import Question, options_of

assert odd_world_cells  # adds its cases
assert odd_world_habits  # as well
assert odd_world_layouts  # as well
assert odd_world_records  # as well
assert odd_world_studies  # as well
assert odd_world_tables  # as well
assert odd_world_tools  # and these
SCALES = (1, 100, 0.01, 1e3, 1e-3)


def words(name):
    return re.findall(r"[a-z]+|\d+(?:\.\d+)?", str(name).casefold())


def find(name, keys):
    """The algorithm that is called by all words of a name."""
    if name in keys:
        return name
    hits = [k for k in keys if all(w in words(k) for w in words(name))]
    exact = [k for k in hits if sorted(words(k)) == sorted(words(name))]
    return hits[0] if len(hits) == 1 else exact[0] if len(exact) == 1 else None


def why_not(results, reading, measure):
    """None where results say what a reading says, else what they say otherwise."""
    wide, names = results.wide(measure), results.algorithms
    if results.measures[measure].higher_is_better != reading.higher:
        return "direction"
    known = not any(map(math.isnan, reading.means.values()))
    if known and len(names) != len(reading.means):
        return f"{len(names)} algorithms"
    averaged = wide.groupby("dataset", observed=True)[names].mean().mean(), wide[names].mean()
    for name, mean in reading.means.items():
        key = find(name, names)
        if key is None:
            return f"no {name}"
        near = [abs(m[key] - s * mean) <= 0.005 * abs(s * mean) for m in averaged for s in SCALES]
        if known and not any(near):
            return f"{name}: {averaged[0][key]:.5g} for {mean:.5g}"
    cells = results.runs.groupby(["dataset", "algorithm"], observed=True).size()
    blocks = {len(results.datasets), int(cells.max()), len(wide)}
    return None if reading.blocks in (None, *blocks) else f"{blocks} blocks"


def is_right(results, truth):
    first = next(iter(results.measures))
    return any(why_not(results, reading, first) is None for reading in truth.readings)


def read(files, **options):
    return podium.read([str(f) for f in files], **options)


def followed(question, files):
    """What the first guess of a question gives."""
    told = options_of(question.words)
    options = {
        "sampling": None if told.sampling is None else str(told.sampling),
        "measure": told.measure,
        "higher_is_better": told.higher_is_better,
        "columns": told.columns or None,
        "step": told.step,
        "where": [f"{c}={';'.join(v)}" for c, v in told.where.items()] or None,
    }
    return read(files, **{k: v for k, v in options.items() if v is not None})


def tried(truth):
    """Right, wrong or refused, at once or after one question; and what was said."""
    try:
        return ("right" if is_right(read(truth.files), truth) else "wrong"), ""
    except Question as question:
        if len(question.words) == 1 and truth.readings:  # the direction is for the reader to know
            higher = truth.readings[0].higher
            question.words = ["--higher-is-better" if higher else "--lower-is-better"]
        found = is_right(followed(question, truth.files), truth)
        return ("right" if found else "wrong"), str(question)
    except PodiumError as error:
        if "--step last" in str(error):  # the one thing that is asked of a curve
            return ("right" if is_right(read(truth.files, step="last"), truth) else "wrong"), ""
        return "refused", str(error)


@pytest.mark.parametrize("name", CASES)
def test_a_file_of_the_world_is_never_read_wrongly(name, tmp_path):
    truth = CASES[name](tmp_path)
    outcome, said = tried(truth)
    assert outcome == "right" or (outcome == "refused" and truth.may_refuse), said
    assert "\n" not in said
    assert said.count("Best guess") <= 1


@pytest.mark.long
def test_nearly_all_files_that_hold_scores_are_read_at_once_or_after_one_question(tmp_path):
    found = []
    for name, make in CASES.items():
        (tmp_path / name).mkdir()
        truth = make(tmp_path / name)
        if truth.readings:  # others are rightly refused
            found.append(tried(truth)[0])
    assert found.count("right") >= max(150, len(found) - 2)


def test_a_row_of_another_kind_is_left_out_and_never_a_data_set(tmp_path):
    """A table of experiments repeats one of them in the row of the workspace."""
    scores = odd_world_tools.drawn("kinds", 6, {"svm": 0.8, "tree": 0.7})
    rows = ["typ,accuracy,params.yaml:model,params.yaml:seed", f"base,{scores['tree'][0]},tree,0"]
    rows += [f"commit,{v},{m},{s}" for m, vs in scores.items() for s, v in enumerate(vs)]
    path = odd_world_tools.text(tmp_path / "exp.csv", "\n".join(rows) + "\n")
    with pytest.raises(PodiumError, match="--where typ=commit") as caught:
        read([path])
    assert "dataset=typ" not in str(caught.value)
    means = read([path], where="typ=commit").wide("accuracy")[["svm", "tree"]].mean()
    assert means.to_dict() == pytest.approx(odd_world_tools.averaged(scores))


def test_limits_beside_scores_are_no_algorithms_whatever_is_said(tmp_path):
    truth = CASES["scores_between_their_limits"](tmp_path)
    with pytest.raises(Question, match="ignore=rf_low"):
        read(truth.files, higher_is_better=True)


def test_settings_in_cells_are_no_table(tmp_path):
    rows = [
        f"d{i},{m},lr=0.1 depth={k},0.{i + 2 * k}"
        for i in range(6)
        for k, m in ((1, "rf"), (2, "svm"))
    ]
    path = odd_world_tools.text(
        tmp_path / "t.csv", "\n".join(["dataset,model,params,accuracy", *rows])
    )
    assert read([path]).algorithms == ["rf", "svm"]
    path.write_text(path.read_text().replace(",", " "))
    with pytest.raises(PodiumError):  # their number of columns is not that of the header
        read([path], higher_is_better=True)
