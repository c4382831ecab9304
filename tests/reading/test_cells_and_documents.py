"""Cells as people write them, encodings, and tables in spreadsheets, pages, Markdown and LaTeX."""

import zipfile
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from podium import read
from podium.errors import ResultsError
from podium.reading.cells.columns import numbers_in, unmarked
from podium.reading.files import documents


def number(text, decimal_comma=False):
    values, odd, percent, spread, failed = numbers_in(pd.Series([text, "x"]), decimal_comma)
    return values[0], odd[0], percent[0], spread[0], failed[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.763 ± 0.02", 0.763),
        ("0.763±.02", 0.763),
        ("0.763 +/- 0.02", 0.763),
        ("0.763 (0.02)", 0.763),
        ("0.763 (3)", 0.763),
        ("0.763 [0.74, 0.78]", 0.763),
        ("$0.763 \\pm 0.02$", 0.763),
        ("$0.763_{\\pm 0.02}$", 0.763),
        ("\\textbf{0.763} \\scriptsize{(0.02)}", 0.763),
        ("−1.5 ± 2", -1.5),
        ("1e-3 ± 1e-4", 0.001),
    ],
)
def test_a_spread_behind_a_score_is_told_and_not_used(text, value):
    assert number(text) == (value, False, False, True, False)


@pytest.mark.parametrize(
    "text",
    ["**0.763**", "__0.763__", "*0.763*", "`0.763`", "\\textbf{0.763}", "{\\bf 0.763}", "0.763*",
     "\\underline{\\textbf{0.763}}", "<b>0.763</b>", "\\cellcolor{gray!20} 0.763", "0.763†",
     "$\\mathbf{0.763}$", "0.763$^{\\dagger}$", "\\multicolumn{1}{c}{0.763}", "~~0.763~~"],
)  # fmt: skip
def test_marks_around_a_score_are_none_of_it(text):
    assert number(text) == (0.763, False, False, False, False)


def test_percent_signs_commas_and_thousands():
    assert number("76.3%") == (76.3, False, True, False, False)
    assert number("76.3 \\%") == (76.3, False, True, False, False)
    assert number("76.3 ± 0.2 %")[0] == 76.3
    assert number("0,763", decimal_comma=True)[0] == 0.763
    assert number("0,763 ± 0,02", decimal_comma=True)[0] == 0.763
    assert number("1,234.5")[0] == 1234.5
    assert number("1,234")[1]  # a thousand or a fraction: asked


@pytest.mark.parametrize("text", ["-", "--", "—", "OOM", "Timeout", ">1h", ">3600", "n.a.", "DNF"])
def test_words_for_no_score_are_missing_and_counted(text):
    value, odd, _, _, failed = number(text)
    assert np.isnan(value)
    assert (bool(odd), bool(failed)) == (False, True)


@pytest.mark.parametrize(
    "text",
    ["good", "0.7 0.8", "0.7/0.8", "12 a", "1_0", "0.7 ± x", "1.2.3", "<0.5", "≤ 3", ">0.9", ">95"],
)
def test_what_is_no_number_stays_odd(text):
    assert number(text)[1]


def test_a_unit_that_all_cells_have_is_no_part_of_the_number():
    def read(*cells):
        return numbers_in(pd.Series(cells, dtype=object), decimal_comma=False)

    assert read("12.5 ms", "3 ms", "").values[:2].tolist() == [12.5, 3.0]
    assert read("500 ms", "2 s", "1 min").values.tolist() == [0.5, 2.0, 60.0]
    assert read("1 MB", "1 GB").odd.all()  # which is more is not told by the numbers
    assert read("12 s", "7").odd.any()
    assert read("1,234,567", "5,955", "890").values.tolist() == [1234567.0, 5955.0, 890.0]
    assert read("5,955", "6,120").odd.all()  # may be decimal commas


def test_names_lose_their_marks():
    assert unmarked("[SVM](http://x) **(rbf)**") == "SVM (rbf)"
    assert unmarked(r"\textsc{Random\_Forest}~\cite{breiman}") == "Random_Forest~"


# --- tables ---

TABLE = pd.DataFrame({"dataset": ["iris", "zoo"], "svm": [0.1, 0.3], "knn": [0.25, 0.5]})
CSV = TABLE.to_csv(index=False)


def same(path):
    results = read(path, measure="error")
    wide = results.wide("error")
    assert wide["dataset"].tolist() == ["iris", "zoo"]
    assert wide[["svm", "knn"]].to_numpy().tolist() == [[0.1, 0.25], [0.3, 0.5]]
    return results


def put(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def spreadsheet(*sheets, **extra):
    """The bytes of an .xlsx file; a cell may be text, a number, a truth or raw XML."""
    out = BytesIO()
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        names = "".join(f'<sheet name="{n}" r:id="r{i}"/>' for i, (n, _) in enumerate(sheets))
        book = f'<workbook xmlns="{main}" xmlns:r="{links}"><sheets>{names}</sheets></workbook>'
        archive.writestr("xl/workbook.xml", book)
        each = "".join(f'<R Id="r{i}" Target="worksheets/s{i}.xml"/>' for i in range(len(sheets)))
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Rs>{each}</Rs>")
        for i, (_, rows) in enumerate(sheets):
            body = "".join(f"<row>{''.join(_cell(r, c, v) for c, v in enumerate(row))}</row>"
                           for r, row in enumerate(rows, 1))  # fmt: skip
            sheet = f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>'
            archive.writestr(f"xl/worksheets/s{i}.xml", sheet)
        for path, text in extra.items():
            archive.writestr(path.replace("__", "/") + ".xml", text)
    return out.getvalue()


def _cell(row, column, value):
    place = f'r="{chr(65 + column)}{row}"'
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith("<"):
        return f"<c {place}>{value}</c>"
    if isinstance(value, str):
        return f'<c {place} t="inlineStr"><is><t>{value}</t></is></c>'
    return f"<c {place}><v>{value!r}</v></c>"


ROWS = [["dataset", "svm", "knn"], ["iris", 0.1, 0.25], ["zoo", 0.3, 0.5]]


def test_a_spreadsheet_is_read_like_its_table(tmp_path):
    same(put(tmp_path, "a.xlsx", spreadsheet(("Scores", ROWS))))
    title = [["My results"], [None, None], *ROWS]
    same(put(tmp_path, "b.xlsx", spreadsheet(("Scores", title), ("Empty", []))))


def test_one_of_several_sheets_is_said_as_proposed(tmp_path):
    other = [["dataset", "svm", "knn"], ["x", 1.0, 1.0]]
    path = put(tmp_path, "a.xlsx", spreadsheet(("Scores", ROWS), ("More", other)))
    with pytest.raises(ResultsError, match=r"2 tables: Scores, More. .*--columns sheet=Scores"):
        read(path, measure="error")
    results = read(path, measure="error", columns="sheet=Scores")
    assert results.datasets == ["iris", "zoo"]
    with pytest.raises(ResultsError, match=r"'Mor' is not a table .* Did you mean 'More'"):
        read(path, measure="error", columns="sheet=Mor")


def test_spreadsheets_that_hold_something_else_are_refused(tmp_path):
    formula = [*ROWS, ["ape", "<f>B1+1</f>", 0.2]]
    with pytest.raises(ResultsError, match=r"cell B4: a formula without its value"):
        read(put(tmp_path, "a.xlsx", spreadsheet(("S", formula))), measure="error")
    bomb = "<!DOCTYPE x [<!ENTITY a 'b'>]><sst/>"
    content = spreadsheet(("S", ROWS), xl__sharedStrings=bomb)
    with pytest.raises(
        ResultsError, match=r"^'[^']*b.xlsx' declares entities, which no spreadsheet does\.$"
    ):
        read(put(tmp_path, "b.xlsx", content), measure="error")
    cut = spreadsheet(("S", ROWS))
    with pytest.raises(ResultsError, match="cannot be read as a spreadsheet"):
        read(put(tmp_path, "c.xlsx", cut[: len(cut) // 2]), measure="error")


def test_sheets_and_pages_that_would_become_a_flood_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "MOST_CELLS", 1000)
    far = _repacked(spreadsheet(("S", ROWS)), lambda text: text.replace('r="C3"', 'r="XFD3"'))
    with pytest.raises(ResultsError, match=r"sheet 'S' would have more than 1,000 cells"):
        read(put(tmp_path, "a.xlsx", far), measure="error")
    page = "<table><tr><td rowspan=100 colspan=100>1</td></tr>" + "<tr></tr>" * 99 + "</table>"
    with pytest.raises(ResultsError, match=r"more than 1,000 cells, with empty and spanned ones"):
        read(put(tmp_path, "b.html", page.encode()), measure="error")
    monkeypatch.setattr(documents, "LEAST_BYTES", 1000)
    packed = _repacked(spreadsheet(("S", ROWS)), lambda text: text + " " * 500_000)
    with pytest.raises(ResultsError, match=r"c.xlsx' is too large: 'xl/.*' has 500,\d+ bytes"):
        read(put(tmp_path, "c.xlsx", packed), measure="error")


def _repacked(raw, change):
    """A spreadsheet whose sheet is changed, and packed."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(raw)) as old, zipfile.ZipFile(out, "w", 8) as new:
        for name in old.namelist():
            text = old.read(name).decode()
            new.writestr(name, change(text) if "worksheets" in name else text)
    return out.getvalue()


def test_pages_markdown_and_latex_are_read_like_their_tables(tmp_path):
    same(put(tmp_path, "a.html", TABLE.to_html(index=False)))
    same(put(tmp_path, "c.html", TABLE.rename_axis(columns="algorithm").to_html(index=False)))
    indexed = TABLE.set_index("dataset").rename_axis(columns="algorithm")
    same(put(tmp_path, "b.html", indexed.to_html()))
    head = "# Results\n\n| dataset | svm | knn |\n|:--|--:|--:|\n"
    rows = "| iris | **0.1** | 0.25 |\n| [zoo](u) | **0.3** ± 0.1 | 0.5 |\n\nText.\n"
    same(put(tmp_path, "a.md", head + rows))
    same(put(tmp_path, "a.tex", r"""\begin{table}\caption{x}
\begin{tabular}{l@{}rr}\toprule % a comment & more
dataset & svm & knn \\ \midrule
iris & \textbf{0.1} $\pm$ 0.01 & 0.25 \\[2pt]
zoo & $\mathbf{0.3}$ & 0.5 \\ \bottomrule
\end{tabular}\end{table}"""))  # fmt: skip


def test_headers_of_two_rows_are_algorithm_and_measure(tmp_path):
    path = put(tmp_path, "a.tex", r"""\begin{tabular}{lrrrr}
 & \multicolumn{2}{c}{svm} & \multicolumn{2}{c}{knn} \\ \cmidrule{2-5}
dataset & acc & time & acc & time \\ \midrule
\multirow{1}{*}{iris} & 0.9 & 3 & 0.8 & 4 \\
zoo & 0.7 & 3 & 0.6 & 4 \\
\end{tabular}""")  # fmt: skip
    results = read(path)
    assert (results.algorithms, list(results.measures)) == (["svm", "knn"], ["acc", "time"])
    assert results.wide("acc")["svm"].tolist() == [0.9, 0.7]


def test_a_row_with_too_few_cells_is_refused_by_its_number(tmp_path):
    text = "| dataset | svm | knn |\n|--|--|--|\n| iris | 0.1 | 0.2 |\n| zoo | 0.1 |\n"
    with pytest.raises(ResultsError, match="row 2: 2 cells where the header has 3"):
        read(put(tmp_path, "a.md", text), measure="error")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "latin-1", "cp1252"])
def test_encodings_of_spreadsheet_programs(tmp_path, encoding):
    path = put(tmp_path, "a.csv", CSV.replace("svm", "süß").encode(encoding))
    results = read(path, measure="error")
    assert results.algorithms == ["süß", "knn"]
    told = {"utf-8-sig": [], "utf-16": ["encoding"], "utf-16-le": ["encoding"]}
    assert [n.code for n in results.notes][1:] == told.get(encoding, ["encoding"])


def test_what_cells_hold_besides_scores_is_said(tmp_path):
    text = "dataset,svm,knn\niris,0.1 ± 0.01,OOM\nzoo,0.3,>1h\nape,0.2,0.5\n"
    notes = {n.code: n for n in read(put(tmp_path, "a.csv", text), measure="error").notes}
    assert notes["spread-left-out"].cells == 1
    assert notes["cells-without-score"].by == (("OOM", 1), (">1h", 1))


def test_percent_signs_on_some_cells_are_asked_about(tmp_path):
    path = put(tmp_path, "a.csv", "dataset,svm,knn\niris,76.3%,75%\nzoo,80%,0.7\n")
    with pytest.raises(ResultsError, match=r"column 'knn', row 2: '0\.7' has no percent sign"):
        read(path, measure="accuracy")
    whole = put(tmp_path, "a.csv", "dataset,svm,knn\niris,0.3%,0.5%\nzoo,0.8%,0.7%\n")
    assert read(whole, measure="error").measures["error"].bounds == (0, 100)
