"""Study files that name estimators and parameters which do not exist or must not be called."""

import json
from dataclasses import replace

from corpus_case import STUDY, case

_ESTIMATOR = 'estimator = "sklearn.tree.DecisionTreeClassifier"'
TOUCH = "made-by-a-study.txt"  # what hostile cases try to make; the test sees that nothing is made


def _named(
    name: str, path: str, *says: str, trust: str = "", parameters: str = "", files: object = None
) -> object:
    """An estimator that is to blame."""
    lines = f'estimator = "{path}"  #!'
    if parameters:
        lines += f"\nparameters = {parameters}"
    changes = {_ESTIMATOR: lines} | ({"seed = 1": f"trust = {trust}"} if trust else {})
    made = case(name, changes, "'tree'", *says, files=files)
    return replace(made, granted=tuple(json.loads(trust)) if trust else ())


def _given(name: str, path: str, parameters: str, *says: str) -> object:
    """Parameters that are to blame."""
    lines = f'estimator = "{path}"\nparameters = {parameters}  #!'
    return case(name, {_ESTIMATOR: lines}, "'tree'", *says)


PATHS = [
    _named("an estimator without a module", "SVC", "'SVC'", "sklearn.svm.SVC"),
    _named("an empty path of an estimator", "", "''", "sklearn.svm.SVC"),
    _named("an estimator with empty parts", "sklearn..SVC", "'sklearn..SVC'", "dotted path"),
    _named("an estimator that is called", "sklearn.svm.SVC()", "'sklearn.svm.SVC()'", "dotted"),
    _named("an estimator with a colon", "sklearn:svm.SVC", "'sklearn:svm.SVC'", "dotted path"),
    _named("an unknown module", "sklearn.smv.SVC", "'sklearn.smv'", "'sklearn.svm.SVC'?"),
    _named("an unknown class", "sklearn.svm.SVCC", "'SVCC'", "Did you mean 'sklearn.svm.SVC'?"),
    _named("a class in small letters", "sklearn.svm.svc", "'svc'", "'sklearn.svm.SVC'?"),
    _named(
        "half of a name",
        "sklearn.ensemble.RandomForest",
        "'sklearn.ensemble.RandomForest",
    ),
    _named("a class without its module", "sklearn.SVC", "'SVC'", "'sklearn.svm.SVC'?"),
    _named("a removed function", "sklearn.datasets.load_boston", "load_boston"),
    _named("a module", "sklearn.svm", "'sklearn.svm' is not an estimator class"),
    _named("a function", "sklearn.utils.shuffle", "'sklearn.utils.shuffle'", "not an estimator"),
    _named("a method", "sklearn.svm.SVC.fit", "'sklearn.svm.SVC"),
    _named("a transformer", "sklearn.preprocessing.StandardScaler", "StandardScaler", "'predict'"),
    _named("a base class", "sklearn.base.BaseEstimator", "BaseEstimator"),
    _named("an abstract class", "sklearn.ensemble.BaseEnsemble", "BaseEnsemble"),
    _named("a compiled class", "sklearn.neighbors.KDTree", "KDTree"),
    _named("a splitter", "sklearn.model_selection.KFold", "KFold"),
    _named("an exception", "sklearn.exceptions.NotFittedError", "NotFittedError"),
]

HOSTILE = [
    _named("a package without trust", "xgboost.XGBClassifier", "not trusted", "--trust xgboost"),
    _named(
        "os.system",
        "os.system",
        "'os' is not trusted",
        parameters=f'{{ command = "touch {TOUCH}" }}',
    ),
    _named("builtins.eval", "builtins.eval", "'builtins' is not trusted"),
    _named(
        "subprocess.Popen",
        "subprocess.Popen",
        "not trusted",
        parameters=f'{{ args = ["touch", "{TOUCH}"] }}',
    ),
    _named("a package that looks trusted", "sklearn_evil.svm.SVC", "'sklearn_evil' is not trusted"),
    _named("a private package", "_posixsubprocess.fork_exec", "not trusted"),
    _named("os within scikit-learn", "sklearn.datasets._base.os", "not an estimator"),
    _named("os.system within scikit-learn", "sklearn.datasets._base.os.system", "sklearn"),
    _named("joblib within scikit-learn", "sklearn.utils.parallel.joblib", "sklearn"),
    _named("Path within scikit-learn", "sklearn.datasets._base.Path", "not an estimator"),
    _named("a dunder", "sklearn.svm.__class__", "'sklearn.svm.__class__'"),
    _named("builtins within scikit-learn", "sklearn.svm.__builtins__", "not an estimator"),
    _named("the command itself", "podium.__main__.Model", "not an estimator"),
    _named("scikit-learn's tests", "sklearn.tests.test_common.Model", "not an estimator"),
    _named("a loader", "sklearn.svm.__loader__", "not an estimator"),
    _named("eval of a class", "sklearn.svm.SVC.__init__.__globals__", "sklearn"),
    _named("a path with slashes", "../../evil.SVC", "'../../evil.SVC'", "dotted path"),
    _named("the command line itself", "podium.cli.main.main", "not an estimator"),
    _named(
        "a store as an estimator",
        "podium.Store",
        "Store",
        parameters=f'{{ path = "{TOUCH}", create = true }}',
    ),
    _named("a trusted function", "os.system", "not an estimator", trust='["os"]'),
    _named(
        "a trusted class that is no estimator",
        "subprocess.Popen",
        "Popen",
        trust='["subprocess"]',
        parameters=f'{{ args = ["touch", "{TOUCH}"] }}',
    ),
    _named(
        "a trusted package that is missing",
        "nowhere.SVC",
        "no module 'nowhere'",
        trust='["nowhere"]',
    ),
    _named(
        "a trusted module that fails",
        "failing_module.Model",
        "'failing_module'",
        "ZeroDivisionError",
        trust='["failing_module"]',
        files={"failing_module.py": "1 / 0\n"},
    ),
    _named(
        "a trusted module with a wrong syntax",
        "broken_module.Model",
        "'broken_module'",
        "SyntaxError",
        trust='["broken_module"]',
        files={"broken_module.py": "class Model(:\n"},
    ),
    _named(
        "a trusted module that lacks another",
        "needy_module.Model",
        "'needy_module'",
        "'absent_package'",
        trust='["needy_module"]',
        files={"needy_module.py": "import absent_package\n"},
    ),
    _named(
        "a trusted module that exits",
        "leaving_module.Model",
        "'leaving_module'",
        trust='["leaving_module"]',
        files={"leaving_module.py": "raise SystemExit(0)\n"},
    ),
    _named(
        "a trusted class that fails",
        "failing_class.Model",
        "RuntimeError: no licence",
        trust='["failing_class"]',
        files={
            "failing_class.py": "class Model:\n"
            "    def __init__(self): raise RuntimeError('no licence')\n"
            "    def fit(self, X, y): return self\n"
            "    def predict(self, X): return X\n"
        },
    ),
    case(
        "a package that only the file trusts",
        {
            "seed = 1": 'trust = ["evil_module", "other"]  #!',
            _ESTIMATOR: 'estimator = "evil_module.Model"',
        },
        "'evil_module', 'other'",
        "--trust evil_module --trust other",
        files={"evil_module.py": f"open('{TOUCH}', 'w')\n"},
    ),
    case(
        "a pipeline with a cache",
        {
            _ESTIMATOR: 'estimator = "sklearn.pipeline.Pipeline"\nparameters.memory = "cache"  #!\n'
            'parameters.steps = [["tree", { estimator = "sklearn.tree.DecisionTreeClassifier" }]]'
        },
        "'memory'",
        "leave it out",
    ),
    case(
        "a cache in an inner pipeline",
        {
            _ESTIMATOR: 'estimator = "sklearn.ensemble.BaggingClassifier"\n'
            'parameters.estimator = { estimator = "sklearn.pipeline.Pipeline", parameters = { '
            'memory = "cache", steps = [["t", { estimator = "sklearn.svm.SVC" }]] } }  #!'
        },
        "'memory'",
    ),
    case(
        "a cache among values to tune",
        {
            _ESTIMATOR: 'estimator = "sklearn.model_selection.GridSearchCV"\n'
            'parameters.param_grid = { bagged__memory = ["cache"] }  #!\n'
            'parameters.estimator = { estimator = "sklearn.tree.DecisionTreeClassifier" }'
        },
        "'bagged__memory'",
    ),
    case(
        "data that are names of files",
        {
            _ESTIMATOR: 'estimator = "sklearn.pipeline.Pipeline"\nparameters.steps = '
            '[["t", { estimator = "sklearn.feature_extraction.text.CountVectorizer", parameters = '
            '{ input = "filename" } }], ["s", { estimator = "sklearn.svm.SVC" }]]  #!'
        },
        "'input'",
    ),
    _given("a path as a value", "sklearn.svm.SVC", '{ kernel = "/etc/passwd" }', "'/etc/passwd'"),
    _given("a home as a value", "sklearn.svm.SVC", '{ kernel = "~/x" }', "'~/x'"),
    case(
        "an inner estimator without trust",
        {
            _ESTIMATOR: 'estimator = "sklearn.ensemble.BaggingClassifier"\n'
            'parameters = { estimator = { estimator = "os.system" } }  #!'
        },
        "'os' is not trusted",
    ),
    case(
        "an estimator without trust in a list",
        {
            _ESTIMATOR: 'estimator = "sklearn.pipeline.Pipeline"\nparameters.steps = [  #!\n'
            '["a", { estimator = "builtins.exec" }]]'
        },
        "'builtins' is not trusted",
    ),
]

_SVC, _FOREST = "sklearn.svm.SVC", "sklearn.ensemble.RandomForestClassifier"
_BAGGING, _PIPELINE = "sklearn.ensemble.BaggingClassifier", "sklearn.pipeline.Pipeline"
_TREE = 'estimator = "sklearn.tree.DecisionTreeClassifier"'
PARAMETERS = [
    _given("an unknown parameter", _SVC, "{ c = 1 }", "SVC has no parameter 'c'", "'C'?"),
    _given("a misspelt parameter", _FOREST, "{ n_estimater = 5 }", "Did you mean 'n_estimators'?"),
    _given("a parameter called self", _SVC, "{ self = 1 }", "'self'"),
    _given("a parameter without a name", _SVC, '{ "" = 1 }', "''"),
    _given("a negative cost", _SVC, "{ C = -1 }", "'C' parameter", "-1"),
    _given("a cost of nan", _SVC, "{ C = nan }", "'C' parameter", "nan"),
    _given("a cost in words", _SVC, '{ C = "ten" }', "'C' parameter", "'ten'"),
    _given("a cost as a date", _SVC, "{ C = 1979-05-27 }", "'C' parameter", "1979"),
    _given("an unknown kernel", _SVC, '{ kernel = "rbff" }', "'kernel' parameter", "'rbff'"),
    _given("half a tree", _FOREST, "{ n_estimators = 0.5 }", "'n_estimators' parameter", "0.5"),
    _given("a list for a number", _FOREST, "{ max_depth = [1, 2] }", "'max_depth' parameter"),
    _given("a table for a number", _FOREST, "{ max_depth = { a = 1 } }", "'max_depth' parameter"),
    case(
        "a number of 5000 digits",
        STUDY + f"parameters = {{ max_depth = 0x{'f' * 5000} }}  #!\n",
        "max_depth",
    ),
    _named(
        "a required parameter left out", "sklearn.multiclass.OneVsRestClassifier", "'estimator'"
    ),
    _given("a pipeline without steps", _PIPELINE, "{ steps = [] }", "Pipeline"),
    _given("a pipeline of texts", _PIPELINE, '{ steps = ["pca", "svc"] }', "Pipeline"),
    _given(
        "a text for an inner estimator", _BAGGING, '{ estimator = "svm" }', "'estimator'", "'svm'"
    ),
    _given(
        "a path for an inner estimator",
        _BAGGING,
        '{ estimator = "sklearn.svm.SVC" }',
        "'estimator' parameter of BaggingClassifier",
    ),
    _given(
        "a path for an inner estimator beside another parameter",
        _BAGGING,
        '{ estimator = "sklearn.svm.SVC", n_estimators = 5 }',
        "'estimator' parameter of BaggingClassifier",
    ),
    _given(
        "an unknown key of an inner estimator",
        _BAGGING,
        f"{{ estimator = {{ {_TREE}, parameter = {{ max_depth = 2 }} }} }}",
        "'parameter'",
        "parameters",
    ),
    _given(
        "parameters of an inner estimator that are no table",
        _BAGGING,
        f"{{ estimator = {{ {_TREE}, parameters = 3 }} }}",
        "'parameters' must be a table",
        "3",
    ),
    _given(
        "an unknown parameter of an inner estimator",
        _BAGGING,
        f"{{ estimator = {{ {_TREE}, parameters = {{ max_dept = 2 }} }} }}",
        "no parameter 'max_dept'",
        "Did you mean 'max_depth'?",
    ),
    _given(
        "a wrong parameter of an inner estimator",
        _BAGGING,
        f"{{ estimator = {{ {_TREE}, parameters = {{ max_depth = -2 }} }} }}",
        "'max_depth' parameter",
        "-2",
    ),
    _given(
        "an inner transformer for an estimator",
        _BAGGING,
        '{ estimator = { estimator = "sklearn.preprocessing.StandardScaler" } }',
        "StandardScaler",
    ),
    case(
        "the second of two algorithms",
        STUDY + '[[algorithms]]\nname = "svm"\nestimator = "sklearn.svm.SVCs"  #!\n',
        "'svm'",
        "Did you mean 'sklearn.svm.SVC'?",
    ),
    case(
        "a table of parameters below its algorithm",
        STUDY + "[algorithms.parameters]\nmax_dept = 2  #!\n",
        "no parameter 'max_dept'",
        "Did you mean 'max_depth'?",
    ),
]

CASES = [*PATHS, *HOSTILE, *PARAMETERS]
