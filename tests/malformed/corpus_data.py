"""Data files that are no tables, or tables that cannot be learned from."""

import gzip

from corpus_case import FLOWERS, case, in_file

_HEADER, _ROWS = FLOWERS.split("\n", 1)
_ZIPPED = gzip.compress(FLOWERS.encode(), mtime=0)


def _parquet(**columns: object) -> bytes:
    import io

    import pyarrow as pa
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def _dates() -> list[object]:
    import datetime

    return [datetime.date(2025, 1, d) for d in range(1, 5)]


def _moments() -> list[object]:
    import datetime

    return [datetime.datetime(2025, 1, d) for d in range(1, 5)]


_FOUR = ["a", "b", "a", "b"]
UNREADABLE = [
    in_file("an empty file", "", "'flowers'", "flowers.csv' is empty"),
    in_file("a file of one byte order mark", b"\xef\xbb\xbf", "is empty"),
    in_file("a file of empty lines", "\n\n\n", "is empty"),
    in_file("a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "'flowers'", "UTF-8"),
    in_file("a file of NUL bytes", bytes(200), "'flowers'", "binary"),
    in_file("a NUL byte in a cell", FLOWERS.replace("blue", "bl\0ue"), "'flowers'", "binary"),
    in_file("a table in latin-1", FLOWERS.replace("red", "grün").encode("latin-1"), "UTF-8"),
    in_file("a table in utf-16", FLOWERS.encode("utf-16"), "UTF-8"),
    in_file("latin-1 far below", (FLOWERS + "1,2,grün,a\n" * 3).encode("latin-1"), "UTF-8"),
    in_file("gz that is no gz", FLOWERS, "'flowers'", "gz", file="flowers.csv.gz"),
    in_file("a truncated gz", _ZIPPED[:-20], "'flowers'", "gz", file="flowers.csv.gz"),
    in_file("a damaged gz", _ZIPPED[:30] + b"??" + _ZIPPED[32:], "gz", file="flowers.csv.gz"),
    in_file("an empty gz", b"", "'flowers'", "empty", file="flowers.csv.gz"),
    in_file("zip that is no zip", FLOWERS, "'flowers'", "flowers.csv.zip", file="flowers.csv.zip"),
    in_file("xz that is no xz", FLOWERS, "'flowers'", "flowers.csv.xz", file="flowers.csv.xz"),
    in_file("bz2 that is no bz2", FLOWERS, "'flowers'", "flowers.bz2", file="flowers.bz2"),
    in_file("zst that is no zst", FLOWERS, "'flowers'", "flowers.zst", file="flowers.zst"),
    in_file("tar that is no tar", FLOWERS, "'flowers'", "flowers.tar", file="flowers.tar"),
    in_file("parquet that is no parquet", FLOWERS, "as Parquet", file="flowers.parquet"),
    in_file("an empty parquet", b"", "as Parquet", file="flowers.parquet"),
    in_file(
        "a truncated parquet",
        _parquet(x=[1, 2, 3, 4], **{"class": _FOUR})[:-30],
        "as Parquet",
        file="flowers.pq",
    ),
    in_file(
        "a web page", "<!DOCTYPE html>\n<html><body>404, not found</body></html>\n", "'flowers.csv'"
    ),
]

SHAPES = [
    in_file("a header alone", _HEADER + "\n", "'flowers' has 0 rows", "at least 2"),
    in_file("one row", _HEADER + "\n1,2,red,a\n", "'flowers' has 1 row", "at least 2"),
    in_file("a row that is too long", FLOWERS + "1,2,red,a,7\n", "line 8", "saw 5"),
    in_file("a row that is too short", FLOWERS + "1,2\n", "'flowers'"),
    in_file(
        "a short row where only attributes are lost",
        "class,length,width\na,1,2\nb,2\na,3,4\nb,4,5\n",
        "'flowers.csv'",
    ),
    in_file(
        "rows longer than the header", "length,class\n" + "1,2,a\n2,3,b\n" * 2, "2 column", "3"
    ),
    in_file("a column twice", "x,x,class\n" + "1,2,a\n2,3,b\n" * 2, "two columns called 'x'"),
    in_file("a column without a name", ",x,class\n" + "1,2,a\n2,3,b\n" * 2, "column"),
    in_file("two columns without names", ",,class\n" + "1,2,a\n2,3,b\n" * 2, "column"),
    in_file(
        "semicolons",
        FLOWERS.replace(",", ";"),
        "'class'",
        "length;width;colour;class",
        changes={'"class"': '"class"  #!'},
    ),
    in_file("tabs", FLOWERS.replace(",", "\t"), "'class'", changes={'"class"': '"class"  #!'}),
    in_file("an open quote in a table", FLOWERS + '1,2,"red,a\n', "'flowers.csv'"),
    in_file(
        "a line break in the name of a column",
        FLOWERS.replace("width", '"wi\ndth"'),
        "no column 'clas'",
        changes={'"class"': '"clas"  #!'},
    ),
    in_file("a cell without end", f"{'x' * 200_000},class\n1,a\n2,b\n", "'flowers'"),
    in_file("a target and nothing else", "class\na\nb\na\nb\n", "'flowers'", "no attributes"),
]

TARGETS = [
    in_file(
        "no target said",
        FLOWERS,
        "say which column is the target",
        "length, width, colour, class",
        changes={'target = "class"\n': ""},
    ),
    in_file(
        "a target that is not there",
        FLOWERS,
        "no column 'clas'",
        "Did you mean 'class'?",
        changes={'"class"': '"clas"  #!'},
    ),
    in_file("an empty target", FLOWERS, "no column ''", changes={'"class"': '""  #!'}),
    in_file("a missing class", FLOWERS + "1,2,red,\n", "target is missing in 1 of 7 rows", "row 7"),
    in_file(
        "only missing classes",
        _HEADER + "\n" + "1,2,red,\n" * 6,
        "target is missing in 6 of 6 rows",
    ),
    in_file("NA for classes", FLOWERS + "1,2,red,NA\n1,2,red,?\n", "missing in 2 of 8 rows"),
    in_file("a single class", FLOWERS.replace(",b", ",a"), "single class 'a'"),
    in_file(
        "a regression of names",
        FLOWERS,
        "regression",
        "'a'",
        changes={'"class"': '"class"\ntask = "regression"'},
    ),
    in_file(
        "a regression with one name among numbers",
        FLOWERS.replace("2.9,", "abc,"),
        "regression",
        "'abc'",
        changes={'"class"': '"length"\ntask = "regression"'},
    ),
    in_file(
        "an infinite quantity",
        FLOWERS.replace("2.9,", "inf,"),
        "infinite",
        changes={'"class"': '"length"\ntask = "regression"'},
    ),
    in_file(
        "an infinite quantity without a task",
        FLOWERS.replace("2.9,", "-inf,"),
        "infinite",
        changes={'"class"': '"length"'},
    ),
    in_file(
        "a positive class that is not there",
        FLOWERS,
        "positive class 'c'",
        "a, b",
        changes={'"class"': '"class"\npositive = "c"  #!'},
    ),
    in_file(
        "the target ignored",
        FLOWERS,
        "'class'",
        changes={'target = "class"': 'target = "class"  #!\nignore = ["class"]'},
    ),
    in_file(
        "the target as the group",
        FLOWERS,
        "'class'",
        changes={'target = "class"': 'target = "class"  #!\ngroup = "class"'},
    ),
    in_file(
        "dates for a target",
        _parquet(x=[1, 2, 3, 4], when=_dates()),
        "'when'",
        changes={'target = "class"': 'target = "when"  #!'},
        file="flowers.parquet",
    ),
]

COLUMNS = [
    in_file("an infinite value", FLOWERS.replace("2.9", "inf"), "'length'", "infinite"),
    in_file("a number out of range", FLOWERS.replace("2.9", "1e999"), "'length'", "infinite"),
    in_file(
        "an unknown column to ignore",
        FLOWERS,
        "no column 'color' to ignore",
        "Did you mean 'colour'?",
        changes={'"class"': '"class"\nignore = ["color"]  #!'},
    ),
    in_file(
        "an unknown nominal column",
        FLOWERS,
        "no column 'color'",
        "Did you mean 'colour'?",
        changes={'"class"': '"class"\nnominal = ["color"]  #!'},
    ),
    in_file(
        "an unknown group",
        FLOWERS,
        "no column 'plot' for its group",
        changes={'"class"': '"class"\ngroup = "plot"  #!'},
    ),
    in_file(
        "a row without a group",
        FLOWERS.replace("blue", ""),
        "some rows have no group",
        changes={'"class"': '"class"\ngroup = "colour"  #!'},
    ),
    in_file(
        "all attributes ignored",
        FLOWERS,
        "no attributes",
        changes={'"class"': '"class"\nignore = ["length", "width", "colour"]'},
    ),
    in_file(
        "fewer groups than folds",
        FLOWERS,
        "needs 3 groups",
        "'flowers' has 2",
        changes={'"class"': '"class"\ngroup = "colour"', '"cv:2"': '"cv:3+grouped"  #!'},
    ),
    in_file(
        "more folds than rows in a file",
        FLOWERS,
        "needs 7 rows",
        "'flowers' has 6",
        changes={'"cv:2"': '"cv:7"  #!'},
    ),
    in_file(
        "moments in a column",
        _parquet(x=_moments(), **{"class": _FOUR}),
        "'x'",
        "neither numbers nor names",
        file="flowers.parquet",
    ),
    in_file(
        "lists in a column",
        _parquet(x=[[1], [2], [3], [4]], **{"class": _FOUR}),
        "'x'",
        "neither numbers nor names",
        file="flowers.parquet",
    ),
    in_file(
        "dates in a column",
        _parquet(x=_dates(), **{"class": _FOUR}),
        "'x'",
        "neither numbers nor names",
        file="flowers.parquet",
    ),
]


def _test(name: str, content: str | None, *says: str, sampling: str = "") -> object:
    """A case of a test sample beside a sound learning sample."""
    return in_file(
        name,
        FLOWERS,
        *says,
        changes={'"class"': '"class"\ntest = "more.csv"' + "  #!" * (not sampling)}
        | ({'"cv:2"': f'"{sampling}"  #!'} if sampling else {}),
        files={} if content is None else {"more.csv": content},
    )


TESTS = [
    _test("a missing test sample", None, "'flowers'", "no file", "more.csv"),
    _test("an empty test sample", "", "more.csv' is empty"),
    _test("a binary test sample", bytes(50), "more.csv", "binary"),
    _test(
        "a test sample with other columns", FLOWERS.replace("width", "breadth"), "breadth, width"
    ),
    _test("a test sample in another order", "width,length,colour,class\n1,2,red,a\n", "order"),
    _test(
        "a test sample without its target", FLOWERS.replace(",class", ",kind"), "'class'", "test"
    ),
    _test("a test sample with a missing class", FLOWERS + "1,2,red,\n", "missing in 1 of", "test"),
    _test("a test sample with infinite values", FLOWERS.replace("2.9", "inf"), "infinite", "test"),
    _test("a test sample of a header", _HEADER + "\n", "test sample", sampling="competition:5"),
    in_file(
        "a folder for a data file",
        "",
        "'flowers'",
        "folder",
        changes={'"file:flowers.csv"': '"file:inner"  #!'},
        files={"inner/flowers.csv": FLOWERS},
    ),
]

_INDICES = "sampling,dataset,rows,sample,split,part,row\n"
SOUND_INDICES = _INDICES + "".join(
    f"cv:2,iris,150,{s},1,{'train' if (row < 75) == (s == 1) else 'test'},{row}\n"
    for s in (1, 2)
    for row in range(150)
)


def _indices(name: str, content: str | bytes | None, *says: str) -> object:
    return case(
        name,
        {'"cv:2"': '"indices:rows.csv"  #!'},
        *says,
        files={} if content is None else {"rows.csv": content},
    )


INDICES = [
    _indices("no file of indices", None, "no file"),
    _indices("an empty file of indices", "", "is empty"),
    _indices("a binary file of indices", b"\xff\xfe\x00\x01", "UTF-8"),
    _indices("indices without rows", _INDICES, "no samples"),
    _indices("indices without columns", "sampling,dataset\ncv:2,iris\n", "rows, sample, split"),
    _indices(
        "indices of two samplings", SOUND_INDICES + "cv:3,iris,150,3,1,test,5\n", "2 samplings"
    ),
    _indices(
        "indices of an unknown sampling", SOUND_INDICES.replace("cv:2", "vc:2"), "'vc' is not a"
    ),
    _indices(
        "indices of a simulation", SOUND_INDICES.replace("cv:2", "simulation:2"), "simulation"
    ),
    _indices(
        "indices of another data set", SOUND_INDICES.replace("iris", "wine"), "'iris'", "no samples"
    ),
    _indices("indices of more rows", SOUND_INDICES.replace("150", "151"), "151 rows", "150"),
    _indices("a row out of range", SOUND_INDICES + "cv:2,iris,150,2,1,test,150\n", "row 150"),
    _indices("a negative row", SOUND_INDICES + "cv:2,iris,150,2,1,test,-1\n", "row -1"),
    _indices("a row in words", SOUND_INDICES + "cv:2,iris,150,2,1,test,last\n", "'row'", "'last'"),
    _indices("half a row", SOUND_INDICES + "cv:2,iris,150,2,1,test,1.5\n", "'row'", "1.5"),
    _indices("a missing row", SOUND_INDICES + "cv:2,iris,150,2,1,test,\n", "'row'"),
    _indices("an infinite row", SOUND_INDICES + "cv:2,iris,150,2,1,test,inf\n", "'row'", "inf"),
    _indices("a row beyond all numbers", SOUND_INDICES + "cv:2,iris,150,2,1,test,1e300\n", "'row'"),
    _indices(
        "a part that is unknown",
        SOUND_INDICES.replace(",test,", ",tset,"),
        "train or test",
    ),
    _indices(
        "a sample without test rows",
        SOUND_INDICES + "cv:2,iris,150,3,1,train,4\n",
        "sample 3",
        "test",
    ),
    case(
        "a folder of indices",
        {'"cv:2"': '"indices:."  #!'},
        "folder",
    ),
    case(
        "indices of a process",
        {
            '"cv:2"': '"indices:rows.csv"  #!',
            "sklearn:iris": "builtin:twonorm",
        },
        "'iris'",
        "150",
        "1200",
        files={"rows.csv": SOUND_INDICES},
    ),
]

CASES = [*UNREADABLE, *SHAPES, *TARGETS, *COLUMNS, *TESTS, *INDICES]
