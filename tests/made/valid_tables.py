"""Scores of known truth, written in any order, layout and format."""

from __future__ import annotations

import gzip
import html
import io
import json
import math
import random
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

RENDERINGS = 25  # of one truth
Rows = list[list[str]]
PLAIN = ("svm", "knn", "tree", "ridge", "net-2", "boost")
ODD = (
    'say "hi"',
    "a, b",
    "k; l",
    "été",
    "x | y",
    "a ≻ b & c",
    "5-NN",
    "C4.5",
    "it's",
    "模型",
    "a b",
)
DATASETS = ("iris", "zoo", "glass", "wine", "sonar", "vowel", "letter", "heart", "d, e", "naïve")
HEADS = {"algorithm": ("algorithm", "method", "model", "Classifier"),
         "dataset": ("dataset", "task", "Data set"),
         "sample": ("sample", "bootstrap"),
         "value": ("accuracy", "acc", "Accuracy")}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One table: what is true of it, and how it is written."""

    seed: int
    truth: dict[tuple[str, str, int], float]  # data set, algorithm, sample
    rows: Rows
    wide: bool
    form: str
    said: dict[str, str] = field(default_factory=dict)


def made(seed: int) -> Case:
    """A table of one seed; `RENDERINGS` seeds in a row are renderings of one truth."""
    names, samples, truth = _true(random.Random(seed // RENDERINGS))
    rng = random.Random(f"rendering {seed}")
    wide = rng.random() < 0.5
    rows = (_wide if wide else _long)(rng, truth, names, samples > 1)
    said = {"measure": "accuracy"} | ({"sampling": "bootstrap"} if samples > 1 else {})
    return Case(seed, truth, rows, wide, rng.choice(sorted(FORMS)), said)


def _true(rng: random.Random) -> tuple[list[str], int, dict[tuple[str, str, int], float]]:
    """Scores of 2 to 5 algorithms on data sets, with samples or without."""
    names = rng.sample([*PLAIN, *rng.sample(ODD, 3)], rng.randint(2, 5))
    many = rng.random() < 0.7
    datasets = rng.sample(DATASETS, rng.randint(4, 8)) if many else [rng.choice(DATASETS)]
    samples = rng.choice((1, 3)) if many else rng.randint(6, 12)
    truth = {
        (d, a, s): rng.randrange(3001, 9999) / 10_000
        for d in datasets for a in names for s in range(1, samples + 1)
    }  # fmt: skip
    if rng.random() < 0.2:  # a run that gave no score
        truth[rng.choice(sorted(truth))] = math.nan
    return names, samples, truth


def _head(rng: random.Random, role: str) -> str:
    return rng.choice(HEADS[role])


def _shuffled(rng: random.Random, heads: list[str], rows: Rows) -> Rows:
    """Any order of rows and columns."""
    order = rng.sample(range(len(heads)), len(heads))
    return [[r[i] for i in order] for r in [heads, *rng.sample(rows, len(rows))]]


def _number(rng: random.Random, value: float) -> str:
    if math.isnan(value):
        return rng.choice(("", "NA", "nan", "?"))
    return f"{value:.4f}".rstrip("0") if rng.random() < 0.5 else f"{value:.4f}"


def _long(rng: random.Random, truth: dict, names: list[str], sampled: bool) -> Rows:
    heads = [_head(rng, r) for r in ("dataset", "algorithm", "value")]
    rows = [[d, a, _number(rng, v)] for (d, a, _), v in truth.items()]
    if sampled:
        heads.append(_head(rng, "sample"))
        rows = [[*row, str(s)] for row, (_, _, s) in zip(rows, truth, strict=True)]
    if rng.random() < 0.5:  # what is not there needs no row
        there = [not math.isnan(v) for v in truth.values()]
        rows = [row for row, kept in zip(rows, there, strict=True) if kept]
    return _shuffled(rng, heads, rows)


def _wide(rng: random.Random, truth: dict, names: list[str], sampled: bool) -> Rows:
    blocks = list(dict.fromkeys((d, s) for d, _, s in truth))
    heads = [_head(rng, "dataset"), *([_head(rng, "sample")] if sampled else []), *names]
    rows = [
        [d, *([str(s)] if sampled else []), *(_number(rng, truth[d, a, s]) for a in names)]
        for d, s in blocks
    ]
    return _shuffled(rng, heads, rows)


# -- formats --------------------------------------------------------------------------------------


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).isdecimal()


def _csv(rng: random.Random, rows: Rows) -> tuple[str, bytes]:
    separator = rng.choice(",;\t|")
    if separator != "," and rng.random() < 0.5:
        rows = [rows[0], *([_with_comma(c) for c in row] for row in rows[1:])]
    always, end = rng.random() < 0.2, rng.choice(("\n", "\r\n"))
    lines = [separator.join(_quoted(c, separator, always) for c in row) for row in rows]
    text = end.join(lines) + (end if rng.random() < 0.8 else "")
    raw = text.encode(rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16")))
    if rng.random() < 0.2:
        return "csv.gz", gzip.compress(raw, mtime=0)
    return "tsv" if separator == "\t" else "csv", raw


def _with_comma(cell: str) -> str:
    return cell.replace(".", ",") if _is_number(cell) and "." in cell else cell


def _quoted(cell: str, separator: str, always: bool) -> str:
    if not always and not {separator, '"', "\n", ","} & set(cell):
        return cell
    if not always and _is_number(cell.replace(",", ".")) and separator != ",":
        return cell
    return '"' + cell.replace('"', '""') + '"'


def _typed(rows: Rows) -> list[dict[str, object]]:
    heads = rows[0]
    return [{h: _value(c) for h, c in zip(heads, row, strict=True)} for row in rows[1:]]


def _value(cell: str) -> object:
    if cell in ("", "NA", "nan", "?"):
        return None
    return float(cell) if _is_number(cell) else cell


def _json(rng: random.Random, rows: Rows) -> tuple[str, bytes]:
    records = _typed(rows)
    kind = rng.choice(("records", "lines", "columns"))
    if kind == "lines":
        text = "\n".join(json.dumps(r, ensure_ascii=rng.random() < 0.5) for r in records)
        return "jsonl", text.encode()
    if kind == "columns":
        return "json", json.dumps({h: [r[h] for r in records] for h in rows[0]}).encode()
    return "json", json.dumps(records, indent=rng.choice((None, 2))).encode()


def _markdown(rng: random.Random, rows: Rows) -> tuple[str, bytes]:
    cells = [[html.escape(c, quote=False).replace("|", "\\|") for c in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "md", "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:], ""]).encode()


def _html(rng: random.Random, rows: Rows) -> tuple[str, bytes]:
    def line(row: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in row) + "</tr>"

    body = line(rows[0], "th") + "".join(line(r, "td") for r in rows[1:])
    return "html", f"<html><meta charset='utf-8'><body><table>{body}</table></body></html>".encode()


def _xlsx(rng: random.Random, rows: Rows) -> tuple[str, bytes]:
    """The least that a spreadsheet needs: cells with text of their own, or numbers."""

    def cell(text: str, row: int, column: int) -> str:
        place = f"{chr(65 + column)}{row}"
        if row > 1 and _is_number(text):
            return f'<c r="{place}"><v>{text}</v></c>'
        return f'<c r="{place}" t="inlineStr"><is><t>{html.escape(text)}</t></is></c>'

    lines = "".join(
        f'<row r="{i}">{"".join(cell(c, i, j) for j, c in enumerate(row))}</row>'
        for i, row in enumerate(rows, 1)
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    link = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{link}"><sheets>'
        '<sheet name="Scores" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/'
        f'package/2006/relationships"><Relationship Id="rId1" Type="{link}/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{lines}</sheetData>'
        "</worksheet>",
    }
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return "xlsx", raw.getvalue()


def _latex(rng: random.Random, rows: Rows) -> tuple[str, bytes]:
    signs = {"&": "\\&", "%": "\\%", "_": "\\_", "#": "\\#", "$": "\\$"}
    lines = [" & ".join("".join(signs.get(x, x) for x in c) for c in row) for row in rows]
    body = " \\\\\n".join([lines[0], "\\midrule\n" + lines[1], *lines[2:], ""])
    text = f"\\begin{{tabular}}{{{'l' * len(rows[0])}}}\n\\toprule\n{body}\\bottomrule\n"
    return "tex", (text + "\\end{tabular}\n").encode()


def _parquet(rng: random.Random, rows: Rows) -> tuple[str, bytes]:
    raw, packing = io.BytesIO(), rng.choice(("snappy", "gzip", "zstd", None))
    _frame(rng, rows).to_parquet(raw, index=False, compression=packing)
    return "parquet", raw.getvalue()


def _frame(rng: random.Random, rows: Rows) -> pd.DataFrame:
    """Names as text, objects or categories."""
    frame = pd.DataFrame(_typed(rows))
    kind = rng.choice(("str", "object", "category"))
    texts = [h for h in frame if not pd.api.types.is_numeric_dtype(frame[h])]
    return frame.astype({h: kind for h in texts if frame[h].notna().all()})


FORMS: dict[str, Any] = {
    "frame": _frame, "csv": _csv, "csv2": _csv, "csv3": _csv, "json": _json,
    "markdown": _markdown, "html": _html, "latex": _latex, "xlsx": _xlsx, "parquet": _parquet,
}  # fmt: skip


def written(case: Case, folder: Path) -> Path | pd.DataFrame:
    """The file of a case, or its frame."""
    if case.form == "frame":
        return _frame(random.Random(case.seed), case.rows)
    ending, raw = FORMS[case.form](random.Random(case.seed), case.rows)
    path = folder / f"{next(d for d, _, _ in case.truth)}.{ending}".replace(", ", "_")
    path.write_bytes(raw)
    return path
