"""Study files whose samplings, measures, sources and algorithms do not exist or do not match."""

from corpus_case import FILE_STUDY, FLOWERS, STUDY, case

_SAMPLING = 'sampling = "cv:2"'
_SOURCE = 'source = "sklearn:iris"'
_TREE = "sklearn.tree.DecisionTreeClassifier"


def _sampling(name: str, value: str, *says: str) -> object:
    return case(name, {_SAMPLING: f'sampling = "{value}"  #!'}, *says)


SAMPLINGS = [
    _sampling("an unknown sampling", "bootstap:5", "'bootstap' is not a sampling", "'bootstrap'?"),
    _sampling("an empty sampling", "", "not a sampling", "Known: bootstrap, "),
    _sampling("a sampling without a number", "bootstrap", "'bootstrap'", "bootstrap:250"),
    _sampling("a sampling with an empty number", "cv:", "'cv:'", "cv:10"),
    _sampling("one fold", "cv:1", "folds", "at least 2", "not 1"),
    _sampling("no samples", "bootstrap:0", "samples", "at least 1", "not 0"),
    _sampling("a negative number of folds", "cv:-3", "'cv:-3'", "cv:10"),
    _sampling("a fraction of a fold", "cv:2.5", "'cv:2.5'", "a number of folds", "cv:10"),
    _sampling("samples as a power", "bootstrap:1e3", "'bootstrap:1e3'", "bootstrap:250"),
    _sampling("words for numbers", "cv:ten", "'cv:ten'", "a number of folds"),
    _sampling("one number of two", "repeated-cv:10", "'repeated-cv:10'", "repeated-cv:10x10"),
    _sampling("two numbers for one", "cv:10x10", "'cv:10x10'", "cv:10"),
    _sampling("a number where none belongs", "loo:5", "'loo:5'", "nothing may stand"),
    _sampling("a training share of 1", "holdout:1", "share", "between 0 and 1"),
    _sampling("a training share in percent", "subsampling:90", "share", "between 0 and 1"),
    _sampling("a training share of nan", "holdout:nan", "'holdout:nan'", "holdout:0.67"),
    _sampling("an unknown option", "cv:2+stratifed", "'stratifed'", "Did you mean 'stratified'?"),
    _sampling("an option that does not suit", "loo+stratified", "'loo'", "stratified"),
    _sampling("a sampling of tables only", "items", "'items'", "cannot be run"),
    _sampling("a sampling of Python only", "splitter", "'splitter'"),
    _sampling("more samples than can be counted", f"bootstrap:{10**25}", str(10**25)),
    _sampling("more folds than rows", "cv:151", "needs 151 rows", "'iris' has 150"),
    _sampling("grouped without groups", "cv:2+grouped", "groups", "'iris'"),
    _sampling("competition without a test sample", "competition:5", "test sample", "'iris'"),
    _sampling("bootstrap-2n without a test sample", "bootstrap-2n:5", "test sample", "'iris'"),
    case(
        "stratified regression",
        {
            _SAMPLING: 'sampling = "cv:2+stratified"  #!',
            "iris": "fat",
            "sklearn:iris": "sklearn:diabetes",
            'measures = ["error"]': 'measures = ["squared"]',
            _TREE: "sklearn.linear_model.LinearRegression",
        },
        "'cv:2+stratified'",
        "regression",
        "'fat'",
    ),
    case(
        "a simulation of a bundled table",
        {_SAMPLING: 'sampling = "simulation:5"  #!'},
        "'iris' is no process",
        "builtin:twonorm",
    ),
    case(
        "a simulation of a file",
        {_SAMPLING: 'sampling = "simulation:5"  #!'},
        "'flowers' is no process",
        files={"flowers.csv": FLOWERS},
        base=FILE_STUDY,
    ),
    case(
        "a simulation of a built-in table",
        {
            _SAMPLING: 'sampling = "simulation:5"',
            _SOURCE: 'source = "builtin:monks3"  #!',
        },
        "builtin:monks3 is a fixed table",
        "twonorm",
    ),
]


def _measure(name: str, value: str, *says: str) -> object:
    return case(name, {'measures = ["error"]': f"measures = {value}  #!"}, *says)


MEASURES = [
    _measure("an unknown measure", '["eror"]', "'eror' is not a measure", "Did you mean 'error'?"),
    _measure("an unknown measure in capitals", '["Acuracy"]', "Did you mean 'accuracy'?"),
    _measure("an empty measure", '["error", ""]', "measure", "''"),
    _measure("no measures", "[]", "no measure"),
    _measure("a measure twice", '["error", "error"]', "'error'", "two measures"),
    _measure("an unknown functional", '["error:medain"]', "'medain'", "Did you mean 'median'?"),
    _measure("a functional of a time", '["time:median"]', "'time:median'", "no functional"),
    _measure("a quantile without its number", '["error:quantile"]', "error:quantile:0.95"),
    _measure("a quantile of 2", '["error:quantile:2"]', "'error:quantile:2'", "between 0 and 1"),
    _measure("a number for a mean", '["error:mean:2"]', "'error:mean:2'"),
    _measure("an unknown scorer", '["sklearn:acuracy"]', "'acuracy'", "Did you mean 'accuracy'?"),
    _measure("a regression's measure of classes", '["squared"]', "'squared'", "'iris'"),
    _measure("two measures, the second unknown", '["error", "logloss"]', "'log-loss'?"),
    case(
        "a classification's measure of quantities",
        {"sklearn:iris": "sklearn:diabetes", 'measures = ["error"]': 'measures = ["auc"]  #!'},
        "'auc' is for classification",
        "regression",
    ),
    case(
        "a thing to keep that is unknown",
        {"seed = 1": 'keep = ["prediction"]  #!'},
        "'prediction'",
        "Did you mean 'predictions'?",
    ),
    case("a negative seed", {"seed = 1": "seed = -1  #!"}, "seed", "from 0", "-1"),
    case(
        "probabilities of an algorithm that has none",
        {
            'measures = ["error"]': 'measures = ["log-loss"]',
            '"tree"': '"tree"  #!',
            _TREE: "sklearn.svm.LinearSVC",
        },
        "'tree'",
        "predict_proba",
        "'log-loss'",
    ),
    case(
        "probabilities of a support vector machine that was not asked for any",
        {
            'measures = ["error"]': 'measures = ["brier"]',
            '"tree"': '"tree"  #!',
            _TREE: "sklearn.svm.SVC",
        },
        "'tree'",
        "predict_proba",
        "'brier'",
    ),
    case(
        "auc of an algorithm with neither probabilities nor decisions",
        {
            'measures = ["error"]': 'measures = ["auc"]',
            '"tree"': '"means"  #!',
            _TREE: "sklearn.cluster.KMeans",
        },
        "'means'",
        "'auc'",
    ),
]


def _source(name: str, source: str, *says: str, keys: str = "") -> object:
    mark = "" if "#!" in keys else "  #!"
    return case(name, {_SOURCE: f'source = "{source}"{mark}\n{keys}'}, *says)


SOURCES = [
    _source("an unknown source", "sklaern:iris", "'sklaern:iris'", "Did you mean 'sklearn:"),
    _source("a source without a scheme", "irises", "'irises' is not a source", "sklearn:"),
    _source("a file without a scheme", "flowers.csv", "'flowers.csv' is not a source", "file:"),
    _source("an empty source", "", "'' is not a source", "file:"),
    _source("a web address", "https://example.org/x.csv", "'https://example.org/x.csv'", "file:"),
    _source("an unknown bundled table", "sklearn:irsi", "'irsi'", "Did you mean 'iris'?"),
    _source("a scheme alone", "sklearn:", "''", "Known: iris"),
    _source("an unknown built-in", "builtin:monk3", "'monk3'", "Did you mean 'monks3'?"),
    _source("a missing file", "file:no.csv", "'iris'", "no file", "no.csv"),
    _source("a file without a name", "file:", "'iris'", "file"),
    _source("a line break in a source", "file:a\\nb.csv", "'iris'", "no file"),
    _source("a NUL in a path", "file:a\\u0000b.csv", "'iris'", "no file"),
    _source("a path that is too long", f"file:{'x' * 5000}.csv", "'iris'", "xxx"),
    _source(
        "a size of a bundled table",
        "sklearn:iris",
        "'n' does not go with",
        keys="n = 20  #!",
    ),
    _source(
        "a size of a built-in table",
        "builtin:monks3",
        "'n' does not go with the source 'builtin:monks3'",
        keys="n = 20  #!",
    ),
    _source(
        "parameters of a built-in table",
        "builtin:tictactoe",
        "'parameters' does not go with the source 'builtin:tictactoe'",
        keys="parameters = { d = 2 }  #!",
    ),
    _source(
        "a fresh test sample without a simulation",
        "builtin:twonorm",
        "'fresh_test'",
        keys="fresh_test = true  #!",
    ),
    _source("no rows of a process", "builtin:twonorm", "'iris'", "n must", "0", keys="n = 0  #!"),
    _source("one row of a process", "builtin:twonorm", "'iris'", "n must", keys="n = 1  #!"),
    _source("too many rows", "builtin:twonorm", "'iris'", keys=f"n = {10**14}  #!"),
    _source(
        "an unknown parameter of a process",
        "builtin:friedman1",
        "'stdev'",
        "sd",
        keys="parameters = { stdev = 2 }  #!",
    ),
    _source(
        "a parameter of a process of the wrong type",
        "builtin:twonorm",
        "'iris'",
        "many",
        keys='parameters = { d = "many" }  #!',
    ),
    _source(
        "a parameter that is called n",
        "builtin:twonorm",
        "'n'",
        keys="parameters = { n = 7 }  #!",
    ),
    _source(
        "a parameter that is called seed",
        "builtin:twonorm",
        "'seed'",
        keys="parameters = { seed = 7 }  #!",
    ),
    _source(
        "no dimensions",
        "builtin:twonorm",
        "'iris'",
        "d = 0",
        keys="parameters = { d = 0 }  #!",
    ),
    _source(
        "a negative standard deviation",
        "builtin:friedman1",
        "'iris'",
        "sd = -1",
        keys="parameters = { sd = -1 }  #!",
    ),
    _source(
        "a negative seed of a data set",
        "builtin:twonorm",
        "seed",
        "-1",
        keys="seed = -1  #!",
    ),
    _source(
        "an unknown positive class",
        "sklearn:iris",
        "'iris'",
        "'rose'",
        "setosa, versicolor, virginica",
        keys='positive = "rose"  #!',
    ),
    _source(
        "an unknown task",
        "sklearn:iris",
        "'ranking'",
        "classification, regression",
        keys='task = "ranking"  #!',
    ),
    _source("an empty task", "sklearn:iris", "task ''", keys='task = ""  #!'),
    _source(
        "names as quantities",
        "sklearn:iris",
        "regression",
        "'setosa'",
        keys='task = "regression"',
    ),
    case(
        "a parameter called draw in a simulation",
        {
            _SAMPLING: 'sampling = "simulation:5"',
            _SOURCE: 'source = "builtin:twonorm"\nparameters = { draw = "x" }  #!',
        },
        "'draw'",
    ),
    case(
        "a parameter called name in a simulation",
        {
            _SAMPLING: 'sampling = "simulation:5"',
            _SOURCE: 'source = "builtin:twonorm"\nparameters = { name = "x" }  #!',
        },
        "'name'",
    ),
    case(
        "an empty test sample of a simulation",
        {
            _SAMPLING: 'sampling = "simulation:5"',
            _SOURCE: 'source = "builtin:twonorm"\nn_test = 0  #!',
        },
        "n_test must be",
        "not 0",
    ),
    case(
        "a classifier of quantities",
        {
            "sklearn:iris": "sklearn:diabetes",
            'measures = ["error"]': 'measures = ["squared"]',
            '"tree"': '"tree"  #!',
        },
        "'tree' does classification",
        "'iris' is a regression",
    ),
    case(
        "a regressor of classes",
        {'"tree"': '"tree"  #!', _TREE: "sklearn.linear_model.Ridge"},
        "'tree' does regression",
        "'iris' is a classification",
    ),
    case(
        "data sets of two tasks",
        STUDY + '[[datasets]]\nname = "fat"\nsource = "sklearn:diabetes"\n',
        "'error' is for classification",
        "'fat' is a regression",
    ),
]

CASES = [*SAMPLINGS, *MEASURES, *SOURCES]
