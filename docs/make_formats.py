"""docs/formats.md: what is read of each format, from its record and its own small sample.

python docs/make_formats.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import podium
from podium.reading.formats import FORMATS, Format

HERE = Path(__file__).parent
HEAD = """\
# Formats

Every command and `podium.read` take a file, several files or a folder: `podium analyze
runs/*.json`, `podium analyze mlruns`, `podium.read(["old.json", "new.json"])`. What they are is
recognised by their content; a line of every analysis says it ("Read as  lm-evaluation-harness
samples: 3 models, gsm8k, 60 items."). The format brings its design, so that the test is valid
without a further word: items for evaluations, folds, seeds, repeated runs, or data sets.

Of several files each names its algorithm inside, or is called after it. Where one model is in two
files, leave one out or compare the files: `--columns algorithm=file`. Where runs are curves, say
which score counts: `--step last`, `best`, `mean` or a number of steps. Roles of runs in a tracker
are said by the names of parameters: `--columns algorithm=params.model,sample=params.fold`.

A leaderboard has one score per model, which tells no difference from chance; it is refused with the
name of the file that has the items. Reading is inert: nothing is unpickled or executed, databases
are opened read-only, archives are unpacked up to 2 GB.

`podium import SOURCE... -o scores.csv` writes what was read as one long table. Its first line, a
comment, has the sampling, the directions of the measures and the origin: `podium analyze
scores.csv` gives the same as for the files. `podium formats` lists the formats, also those of
[other packages](extending.md#a-file-format).

The table is made by `python docs/make_formats.py` from the formats' own samples: the design that is
read, and the order of their algorithms by means (the best first).

"""
TABLE = "| format | is | design | order in its sample | say |\n|---|---|---|---|---|\n"
REFUSED = """
What has no blocks, or not yet a score, is refused; the sentence names the file or the option that
helps. From small files in these layouts:

"""
PLAIN = """
Besides there are tables, which say less of themselves, and Podium's own files:

"""


def row(record: Format) -> str:
    """A format's line of the table, from reading its first sample."""
    sample = record.samples[0]
    with tempfile.TemporaryDirectory() as folder:
        results = podium.read(sample.make(Path(folder)), **sample.options)
    measure = results.measure(next(iter(results.measures)))
    means = results.values(measure.name).groupby("algorithm", observed=True)["value"].mean()
    order = " ≻ ".join(means.sort_values(ascending=not measure.higher_is_better).index)
    design = "data sets" if results.sampling is None else f"`{results.sampling.name}`"
    said = ", ".join(f"`--{name} {value}`" for name, value in sample.options.items())
    words = record.words.replace("|", "\\|").replace("~", "\\~")
    return f"| `{record.name}` | {words} | {design} | {order} | {said} |"


LAYOUTS: dict[str, tuple[str, str]] = {
    "leaderboard of AlpacaEval": (
        "leaderboard.csv",
        ",win_rate,standard_error,n_wins,n_total\na,50.1,1.2,40,80\nb,40.2,1.3,30,80\n",
    ),
    "leaderboard of AutoGluon": (
        "leaderboard.csv",
        "model,score_test,score_val,eval_metric,fit_time\na,0.9,0.8,acc,1\nb,0.8,0.8,acc,1\n",
    ),
    "hyperfine --export-csv": (
        "bench.csv",
        "command,mean,stddev,median,user,system,min,max\na,1,0.1,1,1,0,0.9,1.1\n",
    ),
    "means of lm-evaluation-harness": (
        "results_2026-01-01T00-00-00.json",
        '{"results": {"t": {"acc,none": 0.5}}, "higher_is_better": {"t": {"acc": true}}, '
        '"n-samples": {}, "configs": {}, "model_name": "m"}',
    ),
    "pytest-benchmark without rounds": (
        "bench.json",
        '{"machine_info": {}, "benchmarks": [{"name": "t", "stats": {"mean": 1}}], "version": "5"}',
    ),
    "trials of one study of Optuna": (
        "trials.csv",
        "number,value,datetime_start,params_x,state\n0,1.5,2026-01-01,0.3,COMPLETE\n",
    ),
    "metrics of one run (DVC)": ("metrics.json", '{"accuracy": 0.9, "f1": 0.8}'),
    "monitor of Stable-Baselines3": (
        "ppo_0.monitor.csv",
        '#{"t_start": 1.0, "env_id": "Cart"}\nr,l,t\n1.0,10,0.1\n2.0,10,0.2\n',
    ),
    "columns numbered as samples": (
        "curve.csv",
        "train_size,0,1,2,3\n10,0.5,0.6,0.5,0.6\n20,0.6,0.7,0.6,0.7\n",
    ),
}


def refusal(name: str) -> str:
    """The line of a layout that is refused."""
    file, text = LAYOUTS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        path.write_text(text, encoding="utf-8")
        try:
            podium.read(path)
        except podium.errors.ResultsError as error:
            said = str(error).replace(str(path), file).replace("|", "\\|")
            return f"- {name}: *{said.replace('*', chr(92) + '*')}*"
    raise AssertionError(f"{name} is read")


def page() -> str:
    """The text of docs/formats.md."""
    tools = sorted((r for r in FORMATS.values() if r.title), key=lambda r: r.name)
    others = sorted((r for r in FORMATS.values() if not r.title), key=lambda r: r.name)
    plain = "\n".join(f"- `{r.name}`: {r.words}" for r in others)
    refused = "\n".join(map(refusal, LAYOUTS))
    table = TABLE + "\n".join(map(row, tools)) + "\n"
    return HEAD + table + REFUSED + refused + "\n" + PLAIN + plain + "\n"


if __name__ == "__main__":
    (HERE / "formats.md").write_text(page(), encoding="utf-8")
