"""Study files that are no text, no TOML, or not the tables and keys that a study has."""

from corpus_case import STUDY, case

UNREADABLE = [
    case("an empty study", "", "a study needs 'sampling'"),
    case("a study of comments", "# nothing\n\n# yet\n", "a study needs 'sampling'"),
    case("a binary study", b"\x89PNG\r\n\x1a\n\xff\xfe\x00\x00", "study.toml", "UTF-8"),
    case("a study in latin-1", STUDY.replace("iris", "größe").encode("latin-1"), "UTF-8"),
    case("a study in utf-16", STUDY.encode("utf-16"), "UTF-8"),
    case("a NUL byte", STUDY.replace("seed", "se\0ed"), "not TOML", "line 2"),
    case("a study in JSON", '{"sampling": "cv:2"}', "not TOML", "line 1"),
    case("a study in YAML", "sampling: cv:2\ndatasets:\n  - iris\n", "not TOML", "line 1"),
    case("a study in Python", "import os\nsampling = 'cv:2'\n", "not TOML", "line 1"),
    case("no value", {"seed = 1": "seed ="}, "not TOML", "line 2"),
    case("no quotes", {'"cv:2"': "cv:2"}, "not TOML", "line 3"),
    case("an open quote", {'"cv:2"': '"cv:2'}, "not TOML", "line 3"),
    case("an open list", {'["error"]': '["error"'}, "not TOML", "line 6"),
    case("an open header", {"[[datasets]]": "[[datasets]"}, "not TOML", "line 6"),
    case("a key twice", {"seed = 1": "seed = 1\nseed = 2"}, "not TOML", "line 3"),
    case(
        "a table twice",
        STUDY + "[algorithms.parameters]\na = 1\n[algorithms.parameters]\nb = 1\n",
        "not TOML",
        "line 15",
    ),
    case("a list and a table", "datasets = []\n" + STUDY, "not TOML", "line 7"),
    case("an unknown escape", {'"malformed"': r'"mal\qformed"'}, "not TOML", "line 1"),
    case("a half of a character", {'"malformed"': r'"\ud800"'}, "not TOML", "line 1"),
    case("a date that is none", {"seed = 1": "seed = 2025-02-30"}, "not TOML", "line 2"),
    case("numbers with a leading zero", {"seed = 1": "seed = 007"}, "not TOML", "line 2"),
    case("lists in lists without end", f"x = {'[' * 5000}", "not TOML", "nested too deeply"),
    case("tables in tables without end", f"x = {'{a=' * 5000}", "not TOML", "nested too deeply"),
    case("an endless number", {"seed = 1": f"seed = {'9' * 5000}"}, "study.toml"),
    case("an endless hexadecimal number", {"seed = 1": f"seed = 0x{'f' * 5000}  #!"}, "seed"),
    case(
        "an endless number for a truth",
        STUDY + f"preprocess = 0x{'f' * 5000}  #!\n",
        "'preprocess'",
    ),
]

KEYS = [
    case(
        "an unknown key of a study",
        {"seed = 1": "sede = 1  #!"},
        "a study has no key 'sede'",
        "Did you mean 'seed'?",
        "Known: name, seed, ",
    ),
    case(
        "an unknown key of a data set",
        {"source =": "sorce =", '"sklearn:iris"': '"sklearn:iris"  #!'},
        "a data set has no key 'sorce'",
        "Did you mean 'source'?",
    ),
    case(
        "an unknown key of an algorithm",
        {'"tree"': '"tree"\nparamaters = { max_depth = 2 }  #!'},
        "an algorithm has no key 'paramaters'",
        "Did you mean 'parameters'?",
    ),
    case(
        "a key in capitals",
        {"seed = 1": "Seed = 1  #!"},
        "no key 'Seed'",
        "Did you mean 'seed'?",
    ),
    case(
        "an unknown table",
        {"[[datasets]]": "[[dataset]]  #!"},
        "no key 'dataset'",
        "Did you mean 'datasets'?",
    ),
    case(
        "everything in a table of its own",
        {'name = "malformed"': '[study]  #!\nname = "malformed"'},
        "a study has no key 'study'",
    ),
    case("an unlike key", {"seed = 1": "zzz = 1  #!"}, "no key 'zzz'", "Known: name"),
    case("a dotted key", {"seed = 1": "seed.value = 1  #!"}, "'seed' must be a whole number"),
    case(
        "an unknown key in an inline table",
        'sampling = "cv:2"\ndatasets = [{ name = "a", sorce = "sklearn:iris" }]  #!\n'
        'algorithms = [{ name = "b", estimator = "sklearn.svm.SVC" }]\n',
        "no key 'sorce'",
        "Did you mean 'source'?",
    ),
    case(
        "a key of an algorithm in the study",
        {"seed = 1": "preprocess = true  #!"},
        "a study has no key 'preprocess'",
        "Known: name",
    ),
    case(
        "a key of the study in a data set",
        {'"iris"': '"iris"\nsampling = "cv:2"  #!'},
        "a data set has no key 'sampling'",
    ),
    case(
        "a key of a data set in an algorithm",
        {'"tree"': '"tree"\ntarget = "class"  #!'},
        "an algorithm has no key 'target'",
    ),
    case(
        "an unknown key behind an odd line break",
        {'"malformed"': '"a\u2028b\u0085c"', "seed = 1": "sede = 1  #!"},
        "no key 'sede'",
        "Did you mean 'seed'?",
    ),
    case(
        "an unknown key behind three quotes in a comment",
        {'"malformed"': '"malformed"  # not """ a text', "seed = 1": "sede = 1  #!"},
        "no key 'sede'",
    ),
    case(
        "an unknown key behind a long text",
        {'"malformed"': '"""\\\nseed = 3\n[[algorithms]]\n"""', "seed = 1": "sede = 1  #!"},
        "no key 'sede'",
    ),
    case(
        "an unknown key behind a list over several lines",
        {
            '"tree"': '"tree"\nparameters.class_weight = [\n  [1],\n  [2]\n]\nprepros = 1  #!',
        },
        "no key 'prepros'",
        "Did you mean 'preprocess'?",
    ),
    case(
        "an unknown key with a line break in it",
        {"seed = 1": '"se\\ned" = 1  #!'},
        "a study has no key",
    ),
    case(
        "an unknown key that colours the terminal",
        {"seed = 1": '"\\u001b[31mseed" = 1  #!'},
        "a study has no key",
    ),
]

MISSING = [
    case("no sampling", {'sampling = "cv:2"\n': ""}, "a study needs 'sampling'"),
    case(
        "no data sets",
        {'[[datasets]]\nname = "iris"\nsource = "sklearn:iris"\n': ""},
        "a study needs either [[datasets]] or a [frame]",
    ),
    case("no algorithms", STUDY.partition("[[algorithms]]")[0], "a study needs 'algorithms'"),
    case(
        "a data set without a name",
        {'[[datasets]]\nname = "iris"': "[[datasets]]  #!"},
        "a data set needs 'name'",
    ),
    case(
        "a data set without a source",
        {'[[datasets]]\nname = "iris"\nsource': '[[datasets]]  #!\nname = "iris"\n# source'},
        "a data set needs 'source'",
    ),
    case(
        "an algorithm without a name",
        {'[[algorithms]]\nname = "tree"': "[[algorithms]]  #!"},
        "an algorithm needs 'name'",
    ),
    case(
        "an algorithm without an estimator",
        {'[[algorithms]]\nname = "tree"\nestimator': '[[algorithms]]  #!\nname = "tree"\n#'},
        "an algorithm needs 'estimator'",
    ),
    case(
        "the second data set without a source",
        STUDY + '[[datasets]]  #!\nname = "wine"\n',
        "a data set needs 'source'",
    ),
    case("an empty list of data sets", 'sampling = "cv:2"\ndatasets = []  #!\n', "'datasets'"),
]


def _typed(key: str, old: str, value: str, kind: str) -> object:
    return case(
        f"{key} is {value}",
        {old: f"{key} = {value}  #!"},
        f"'{key}' must be {kind}, not ",
    )


_SOURCE = 'source = "sklearn:iris"'
_ESTIMATOR = 'estimator = "sklearn.tree.DecisionTreeClassifier"'
TYPES = [
    _typed("name", 'name = "malformed"', "3", "a text"),
    _typed("seed", "seed = 1", '"one"', "a whole number"),
    _typed("seed", "seed = 1", "1.0", "a whole number"),
    _typed("seed", "seed = 1", "true", "a whole number"),
    _typed("seed", "seed = 1", "1979-05-27", "a whole number"),
    _typed("population", "seed = 1", "[]", "a text"),
    _typed("sampling", 'sampling = "cv:2"', "2", "a text"),
    _typed("sampling", 'sampling = "cv:2"', '["cv:2"]', "a text"),
    _typed("measures", 'measures = ["error"]', '"error"', "a list of texts"),
    _typed("measures", 'measures = ["error"]', "[1]", "a list of texts"),
    _typed("keep", "seed = 1", '"predictions"', "a list of texts"),
    _typed("trust", "seed = 1", "{ xgboost = true }", "a list of texts"),
    case(
        "one table of data sets",
        {"[[datasets]]": "[datasets]  #!"},
        "'datasets' must be [[datasets]]",
    ),
    case(
        "one table of algorithms",
        {"[[algorithms]]": "[algorithms]  #!"},
        "'algorithms' must be [[algorithms]]",
    ),
    case(
        "data sets as texts",
        'sampling = "cv:2"\ndatasets = ["sklearn:iris"]  #!\nalgorithms = ["sklearn.svm.SVC"]\n',
        "'datasets' must be [[datasets]]",
    ),
    *(
        case(
            f"{key} of a data set is {value}",
            {_SOURCE: f"{_SOURCE}\n{key} = {value}  #!"},
            f"'{key}' must be {kind}, not ",
        )
        for key, value, kind in (
            ("target", "4", "a text, or a list of two texts"),
            ("test", "true", "a text"),
            ("task", "[]", "a text"),
            ("nominal", '"colour"', "a list of texts"),
            ("ignore", "[1, 2]", "a list of texts"),
            ("group", "{}", "a text"),
            ("positive", "[1]", "a text or number"),
            ("n", '"many"', "a whole number"),
            ("n_test", "1e3", "a whole number"),
            ("fresh_test", "1", "true or false"),
            ("seed", "inf", "a whole number"),
            ("parameters", "[]", "a table"),
        )
    ),
    case(
        "the name of a data set is a number",
        {'"iris"': "1  #!"},
        "'name' must be a text, not 1",
    ),
    case("a source is a list", {'"sklearn:iris"': "[]  #!"}, "'source' must be a text, not []"),
    case(
        "the name of an algorithm is a list",
        {'"tree"': "[1]  #!"},
        "'name' must be a text, not [1]",
    ),
    *(
        case(
            f"{key} of an algorithm is {value}",
            {_ESTIMATOR: f"{_ESTIMATOR}\n{key} = {value}  #!"},
            f"'{key}' must be {kind}, not ",
        )
        for key, value, kind in (
            ("preprocess", "1", "true, false or a name"),
            ("parameters", '"max_depth=2"', "a table"),
        )
    ),
    case(
        "a preprocessing that there is not",
        {_ESTIMATOR: f'{_ESTIMATOR}\npreprocess = "yes"  #!'},
        "'yes' is no preprocessing. Use true, false or one of: ",
    ),
    case(
        "an estimator is a table",
        {'"sklearn.tree.DecisionTreeClassifier"': "{}  #!"},
        "'estimator' must be a text, not {}",
    ),
    case(
        "a list of tables of parameters",
        STUDY + "[[algorithms.parameters]]  #!\nmax_depth = 2\n",
        "'parameters' must be a table",
    ),
    case(
        "a value of thousands of characters",
        {"seed = 1": f"seed = {list(range(5000))}  #!"},
        "'seed' must be a whole number, not [0, 1, 2",
        "...",
    ),
]

NAMES = [
    case(
        "a data set's name twice",
        STUDY + '[[datasets]]\nname = "iris"  #!\nsource = "sklearn:wine"\n',
        "'iris'",
        "taken",
        "line 7",
    ),
    case(
        "an algorithm's name twice",
        STUDY + '[[algorithms]]\nestimator = "sklearn.svm.SVC"\nname = "tree"  #!\n',
        "'tree'",
        "taken",
        "line 11",
    ),
    case("an empty name of a study", {'"malformed"': '""  #!'}, "name of a study", "printable"),
    case("an empty name of a data set", {'"iris"': '""  #!'}, "name of a data set", "printable"),
    case("a blank name of a data set", {'"iris"': '"  "  #!'}, "name of a data set", "printable"),
    case(
        "an empty name of an algorithm",
        {'"tree"': '""  #!'},
        "algorithm",
        "printable",
    ),
    case(
        "a line break in a name",
        {'"iris"': '"i\\nris"  #!'},
        "name of a data set",
        r"'i\nris'",
    ),
    case(
        "a NUL in a name",
        {'"tree"': '"tr\\u0000ee"  #!'},
        "algorithm",
        r"'tr\x00ee'",
    ),
    case(
        "an escape sequence in a name",
        {'"malformed"': '"\\u001b[31mred"  #!'},
        "name of a study",
        r"'\x1b[31mred'",
    ),
]

CASES = [*UNREADABLE, *KEYS, *MISSING, *TYPES, *NAMES]
