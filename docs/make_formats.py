"""docs/formats.md: what is read of each format, from its record and its own small sample.

python docs/make_formats.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import podium
from podium.results.formats import FORMATS, Format

HERE = Path(__file__).parent
HEAD = """\
# Formats

Every command and `podium.read` take a file, several files or a folder: `podium analyze
runs/*.json`, `podium analyze mlruns`, `podium.read(["old.json", "new.json"])`. What they are is
recognised by their content; the first line of an analysis says it ("Read as lm-evaluation-harness
samples: 3 models, gsm8k, 60 items."). The format brings its design, so that the claim is legal
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
    order = " < ".join(means.sort_values(ascending=not measure.higher_is_better).index)
    design = "data sets" if results.sampling is None else f"`{results.sampling.name}`"
    said = ", ".join(f"`--{name} {value}`" for name, value in sample.options.items())
    words = record.words.replace("|", "\\|").replace("~", "\\~")
    return f"| `{record.name}` | {words} | {design} | {order} | {said} |"


def page() -> str:
    """The text of docs/formats.md."""
    tools = sorted((r for r in FORMATS.values() if r.title), key=lambda r: r.name)
    others = sorted((r for r in FORMATS.values() if not r.title), key=lambda r: r.name)
    plain = "\n".join(f"- `{r.name}`: {r.words}" for r in others)
    return HEAD + TABLE + "\n".join(map(row, tools)) + "\n" + PLAIN + plain + "\n"


if __name__ == "__main__":
    (HERE / "formats.md").write_text(page(), encoding="utf-8")
