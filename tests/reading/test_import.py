"""`podium import` and `podium formats`, and commands that take several files."""

import json

import pytest

import podium
from podium.cli.main import main
from podium.reading.formats import FORMATS


def ran(capsys, *args):
    with pytest.raises(SystemExit) as end:
        main([str(arg) for arg in args])
    return end.value.code, capsys.readouterr()


@pytest.fixture
def files(tmp_path):
    return FORMATS["pytest-benchmark"].samples[0].make(tmp_path)


def test_what_is_imported_gives_the_same_analysis(files, tmp_path, capsys):
    status, said = ran(capsys, "import", *files, "-o", tmp_path / "scores.csv")
    assert status == 0
    assert "Read as pytest-benchmark timings: 2 algorithms, test_a, 3 runs." in said.out
    assert f"6 scores are in '{tmp_path / 'scores.csv'}'." in said.out
    found = []
    for source in (files, [tmp_path / "scores.csv"]):
        status, said = ran(capsys, "analyze", *source, "--json", "-")
        assert status == 0
        found.append(json.loads(said.out))
    assert found[0] == found[1]
    assert found[0]["order"]["groups"] == [["new"], ["old"]]


def test_a_line_says_what_was_recognised(files, capsys):
    status, said = ran(capsys, "analyze", *files)
    assert status == 0
    assert "Read as pytest-benchmark timings: 2 algorithms" in " ".join(said.out.split())
    assert said.out.count("pytest-benchmark") == 1


def test_a_table_on_the_screen_stands_alone(files, capsys):
    status, said = ran(capsys, "import", *files, "-o", "-")
    assert status == 0
    first, header, *rows = said.out.splitlines()
    assert json.loads(first.removeprefix("# podium scores: "))["origin"] == [str(f) for f in files]
    assert header == "dataset,algorithm,sample,measure,value"
    assert len(rows) == 6


def test_every_format_is_listed(capsys):
    status, said = ran(capsys, "formats")
    assert status == 0
    assert all(f"\n{name} " in "\n" + said.out for name in FORMATS)


def test_a_step_is_said_on_the_command_line(tmp_path, capsys):
    source = FORMATS["sb3-monitor"].samples[0].make(tmp_path)
    status, said = ran(capsys, "advise", source)
    assert status == 2
    assert "--step last" in said.err
    assert ran(capsys, "advise", source, "--step", "last")[0] == 0
    assert podium.read(source, step="last").algorithms == ["ppo", "sac"]


@pytest.fixture
def imported(tmp_path, capsys):
    rows = "".join(f"d{i},{i / 100 + 0.2},{i / 100 + 0.1234}\n" for i in range(50))
    (tmp_path / "table.csv").write_text("dataset,svm,lda\n" + rows)
    path = tmp_path / "scores.csv"
    status, _ = ran(capsys, "import", tmp_path / "table.csv", "--measure", "accuracy", "-o", path)
    assert status == 0
    return path


def test_a_table_that_was_cut_is_refused_with_a_way_out(imported, capsys):
    text = imported.read_text()
    for cut in (text[: len(text) // 2], text[: text.rindex("\n", 0, -1) + 1], text[:-2], text[:-1]):
        imported.write_text(cut)
        status, screen = ran(capsys, "analyze", imported)
        assert status == 2
        assert " rows of scores, and its first line says 100." in screen.err or (
            "ends within its last row. Import the scores again." in screen.err
        )
    imported.write_text("\n".join(text.splitlines()[:-20]) + "\n")
    status, screen = ran(capsys, "analyze", imported)
    assert "has 80 rows of scores, and its first line says 100." in screen.err
    assert 'write "rows": 80 there' in screen.err
    imported.write_text(imported.read_text().replace('"rows": 100', '"rows": 80'))
    assert ran(capsys, "analyze", imported)[0] == 0


def test_a_table_that_does_not_say_its_rows_is_read(imported, capsys):
    text = imported.read_text()
    imported.write_text(text.replace('"rows": 100, ', ""))
    assert ran(capsys, "analyze", imported)[0] == 0
    imported.write_bytes(text.replace("\n", "\r\n").encode())
    assert ran(capsys, "analyze", imported)[0] == 0
