"""The structure: imports point down, facts travel, records hold their own, starting is light."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import podium
from podium.core.base import rooms
from podium.core.base.options import OPTIONS, SECTIONS
from podium.core.base.rooms import GROUPS
from podium.core.inference.procedures.procedure import Options
from podium.core.questions import options as _declared  # noqa: F401 # all that are shared
from podium.core.questions.options import AnalysisPlan
from podium.core.questions.targets import BLOCKS, TARGETS
from podium.core.samplings import KINDS
from podium.errors import InferenceError

SOURCE = Path(podium.__file__).parent
WINGS = ("core", "reading", "showing", "running", "asking", "cli", "testing")  # from the floor up
PLACES = {room.rpartition(".")[2]: room for room in (*rooms.FLOOR, *rooms.ABOVE, "testing")}
ROOMS = (*PLACES,)
FLOOR = ROOMS[: len(rooms.FLOOR)]
DOORS = {"errors", "plots", "samplings"}  # public names of what stands in wings
ON_TOP = {"__init__", "__main__", "core", "showing", "asking", *DOORS}
OPTIONAL = {"pyarrow", "polars", "dask", "distributed", "statsmodels"}
LATE = {"matplotlib", "jinja2", "pooch"}  # loaded when they are used
RUNNING = {"sklearn", "joblib"}  # what only running a study needs
SLOW = {f"scipy.{part}" for part in ("stats", "optimize", "interpolate", "sparse", "linalg")}


@cache
def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@cache
def names() -> set[str]:
    return {name_of(path) for path in modules()}


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def room_of(module: str) -> str:
    """The room of a module: inference of podium.core.inference.layouts."""
    name = module.partition(".")[2]
    fitting = [place for place in PLACES.values() if f"{name}.".startswith(f"{place}.")]
    whole = max(fitting, key=len) if fitting else name.partition(".")[0] or "__init__"
    return whole.rpartition(".")[2]


def part(path: Path) -> str:
    return room_of(name_of(path))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """The podium modules that a file imports, also inside functions and for type checkers."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("podium"):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in names() else str(node.module)
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("podium."))


def modules_after(statement: str) -> set[str]:
    script = f"import sys, json\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {".".join(name.split(".")[:2]) for name in json.loads(run.stdout.splitlines()[-1])}


# -- imports ------------------------------------------------------------------------------------


def test_imports_are_absolute() -> None:
    """The tests below would not see any other."""
    for path in modules():
        relative = [n for n in ast.walk(tree(path)) if isinstance(n, ast.ImportFrom) and n.level]
        assert relative == [], path


def test_imports_point_down() -> None:
    for path in modules():
        own = part(path)
        if own in ON_TOP:
            continue
        assert own in ROOMS, f"say in core/base/rooms.py where '{own}' stands"
        parts = {room_of(name) for name in imported(path) if "." in name}
        assert parts <= {*ROOMS[: ROOMS.index(own) + 1], "errors"}, path


def test_wings_import_wings_below() -> None:
    for path in modules():
        own = path.relative_to(SOURCE).parts[0]
        if own in WINGS:
            used = {name.split(".")[1] for name in imported(path) if "." in name}
            assert used - DOORS <= {*WINGS[: WINGS.index(own) + 1]}, path


def test_rooms_import_what_their_records_say() -> None:
    """Also inside functions; a room that says more than it needs has grown apart from it."""
    for place, record in zip(rooms.ABOVE, rooms.capabilities()[1:], strict=True):
        room = place.rpartition(".")[2]
        files = [path for path in modules() if part(path) == room]
        names = {name for path in files for name in imported(path) if "." in name}
        others = {room_of(name) for name in names} - {*FLOOR, room, "errors"}
        assert others == {*record.needs}, room


def test_no_file_imports_itself_through_others() -> None:
    graph = {name_of(path): set(imported(path)) - {name_of(path)} for path in modules()}
    graph["podium.core.words.saying"] |= {*rooms.modules("words")}  # by name, when it is loaded
    graph["podium.core.inference.comparing.known"] |= {*rooms.modules("procedures")}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_every_folder_keeps_a_promise_and_is_small() -> None:
    for folder in {path.parent for path in modules()}:
        promise = ast.get_docstring(tree(folder / "__init__.py"))
        assert (promise or "").split("\n")[0].endswith((".", ":", "?")), folder
        assert len(list(folder.glob("*.py"))) <= 20, folder


def test_podium_never_imports_its_laboratory() -> None:
    """But for two commands, which are told where it lives when it is not installed."""
    told = {"cli/__init__.py", "cli/laboratory.py"}
    with_it = {
        str(p.relative_to(SOURCE)) for p in modules() if "podium_lab" in p.read_text("utf-8")
    }
    assert with_it == told


def _is_record(node: ast.ClassDef) -> bool:
    made = [*node.decorator_list, *node.bases]
    return any(re.search("dataclass|NamedTuple", ast.unparse(each)) for each in made)


def _fields(node: ast.ClassDef) -> int:
    declared = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    return sum("ClassVar" not in ast.unparse(each.annotation) for each in declared)


def test_records_are_thin() -> None:
    """A field that makes sense only sometimes belongs to a record of its own."""
    records = [
        (path.name, node.name, _fields(node))
        for path in modules()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef) and _is_record(node)
    ]
    assert len(records) > 100
    assert [record for record in records if record[2] > 20] == []


def test_optional_packages_are_imported_through_one_door() -> None:
    for path in modules():
        for node in ast.walk(tree(path)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {n.split(".")[0] for n in names} & OPTIONAL, path


# -- the public face ----------------------------------------------------------------------------


def inside() -> dict[str, object]:
    """What stands in rooms, by "room.name"."""
    return {
        f"{one.face}.{at.partition(':')[2]}": one.load(at)
        for one in rooms.capabilities()
        for at in one.inside
    }


def functions() -> dict[str, Callable[..., object]]:
    every = {name: getattr(podium, name) for name in rooms.public()} | inside()
    return {name: each for name, each in every.items() if inspect.isfunction(each)}


def test_public_names_are_sorted_exist_and_are_all_that_is_public() -> None:
    assert sorted(podium.__all__) == podium.__all__ == dir(podium)
    for name in podium.__all__:
        assert getattr(podium, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = podium.nothing  # type: ignore[attr-defined]


def test_the_face_fits_a_screen() -> None:
    assert 40 <= len(podium.__all__) <= 50


def test_no_two_public_names_differ_by_a_letter() -> None:
    """But for a type and what makes it, as `Order` and `order`."""
    names = sorted({name.lower() for name in podium.__all__})
    cut = {name: {name[:i] + name[i + 1 :] for i in range(len(name))} | {name} for name in names}
    near = [
        (one, other)
        for i, one in enumerate(names)
        for other in names[i + 1 :]
        if cut[one] & cut[other]
    ]
    # a type and the folder that makes it; a verb and a type, in which only the sound is alike
    assert near == [("sampling", "samplings"), ("score", "store")]


def test_what_stands_in_a_room_is_hidden_by_no_file() -> None:
    for name, each in inside().items():
        room, _, own = name.partition(".")
        package = SOURCE.parent / rooms.with_names()[room].replace(".", "/")
        assert not (package / f"{own}.py").exists()
        assert not (package / own).exists()
        assert getattr(getattr(podium, room), own) is each
        assert own not in podium.__all__


def test_types_that_are_returned_can_be_reached() -> None:
    known = {*rooms.public(), *(name.partition(".")[2] for name in inside())}
    for name, each in functions().items():
        own = inspect.unwrap(each)
        for word in re.findall(r"(?<![.\w])[A-Z]\w+", str(own.__annotations__["return"])):
            found = own.__globals__.get(word)
            ours = found is not None and str(getattr(found, "__module__", "")).startswith("podium")
            assert not ours or word in known, (name, word)


def test_public_functions_tell_what_they_take_and_give_with_an_example_that_is_run() -> None:
    for name in rooms.public():
        each = getattr(podium, name)
        if not inspect.isfunction(each):
            continue
        text = inspect.getdoc(each) or ""
        for part_of_it in ("Parameters\n-----", "Returns\n-----", ">>> "):
            assert part_of_it in text, (name, part_of_it)
        examples = [line for line in text.splitlines() if line.startswith(">>> ")]
        only_there = name == "from_openml"  # which needs the network
        assert only_there or not any("+SKIP" in line for line in examples), name
        for one in inspect.signature(each).parameters:
            assert re.search(rf"^[\w, *]*\b{one}\b", text, re.M), (name, one)


def test_options_of_functions_are_those_that_are_declared() -> None:
    """A declared option is in no signature of its own: it is taken from its record."""
    given = {"procedure"}  # stands first, and has defaults of its own
    others = {  # other things of the same name, or first arguments
        "algorithm": {"output", "recipe"},
        "measure": {"higher_is_better"},
        "from_openml": {"target"},
        "read_items": {"store", "measure", "dataset"},
        "consensus": {"family", "weights"},
        "decide": {"alpha", "relevance"},  # None: those of the comparisons
        "plan": {"progress"},
        "by_dataset": {"weights"},
        "explain_differences": {"columns"},
        "recommend": {"columns"},
        "run": {"jobs", "store", "quiet"},
        "score": {"store"},
        "register": {"store"},
        "design.frame": {"seed", "where"},
        "design.pipeline": {"scale"},
        "design.subsamples": {"seed"},
        "predictions.add_measure": {"higher_is_better"},
        "gate": {"margin"},  # of one measure a number, of several those that a front has
        "factors.effects": {"factors"},
        "factors.fraction": {"factors"},
        "reading.exclude_datasets": {"reason"},
        "reading.learning_curve": {"measure"},
        "reading.export_openml": {"store"},
        "inference.permutation": {"seed"},
        "robustness.joint_stability": {"weights"},
        "fronts.utility": {"weights"},  # of measures
        "robustness.randomness": {"measure"},
        "surveys.true_differences": {"measure"},
        "reports.scores_latex": {"control", "measure"},
    }
    verbs = [name for name, each in functions().items() if hasattr(each, "options")]
    assert len(verbs) > 25
    for name, each in functions().items():
        own = {*inspect.signature(inspect.unwrap(each)).parameters} & {*OPTIONS}
        assert own - given - others.get(name, set()) == set(), name
        taken = getattr(each, "options", ())
        shown = inspect.signature(each).parameters
        assert all(shown[option].annotation == OPTIONS[option].kind for option in taken)


def forwards(function: ast.FunctionDef) -> bool:
    """Whether a function hands its own arguments to another one, and does nothing else."""
    done = [each for each in function.body if not isinstance(each, (ast.Import, ast.ImportFrom))]
    done = done[1:] if ast.get_docstring(function) else done
    if len(done) != 1 or not isinstance(done[0], (ast.Return, ast.Expr)):
        return False
    call = done[0].value
    if not isinstance(call, ast.Call):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    names = [each.value if isinstance(each, ast.Starred) else each for each in given]
    own = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    return bool(names) and all(isinstance(each, ast.Name) and each.id in own for each in names)


def test_no_public_function_only_forwards() -> None:
    """It would be a second name, with a second description, of what it hands everything to."""
    homes = {inspect.getsourcefile(inspect.unwrap(each)) for each in functions().values()}
    known = {inspect.unwrap(each).__name__ for each in functions().values()}
    found = [
        (home, node.name)
        for home in sorted(filter(None, homes))
        for node in tree(Path(home)).body
        if isinstance(node, ast.FunctionDef) and node.name in known and forwards(node)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("def f(x, *, y):\n    'Same.'\n    return g(x, y=y)", True),
        ("def f(x, **options):\n    from m import g\n    return g(x, **options)", True),
        ("def f(x):\n    return g(read(x))", False),
        ("def f(x):\n    return g(x, 'exact')", False),
        ("def f(x):\n    y = g(x)\n    return g(y)", False),
    ],
)
def test_what_counts_as_forwarding(text: str, only: bool) -> None:
    assert forwards(ast.parse(text).body[0]) is only  # type: ignore[arg-type]


def test_records_of_a_request_have_the_options_and_defaults_that_are_declared() -> None:
    kept = (AnalysisPlan, "gaps")  # written out in stores, and part of their fingerprints
    for record in (Options, AnalysisPlan):
        for field in fields(record):
            if (record, field.name) == kept:
                continue
            if field.name in OPTIONS and field.default is not MISSING:
                assert field.default == OPTIONS[field.name].default, (record, field.name)
    plan = {field.name for field in fields(AnalysisPlan)} - {"subgroups", "sequential"}
    assert plan == {name for name, option in OPTIONS.items() if option.in_plan}


def test_an_option_that_is_not_there_is_refused_with_the_one_that_is_meant() -> None:
    with pytest.raises(TypeError, match=r"no argument 'alhpa'\. Did you mean 'alpha'"):
        podium.compare({}, alhpa=0.05)  # type: ignore[call-arg]
    with pytest.raises(InferenceError, match="alpha must lie between 0 and 1, not 5"):
        podium.compare({}, alpha=5)


def stated(text: str) -> list[str]:
    """What a stub says, each import by itself."""
    lines = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom):
            lines += [f"from {node.module} import {ast.unparse(name)}" for name in node.names]
        else:
            lines.append(ast.unparse(node))
    return sorted(lines)


def test_the_stubs_are_those_that_records_make() -> None:
    """Editors and type checkers read them; they must not say other names than the modules."""
    sys.path.insert(0, str(SOURCE.parents[1] / "docs"))
    import make_stub

    for path, text in make_stub.stubs().items():
        kept, made = stated(path.read_text(encoding="utf-8")), stated(text)
        assert kept == made, f"python docs/make_stub.py makes '{path}' anew"


def test_no_public_name_is_hidden_by_a_folder_of_the_same_name() -> None:
    files = {path.name.removesuffix(".py") for path in SOURCE.iterdir()}
    assert set(podium.__all__) & files == {"errors", "plots", "samplings"}  # public themselves


def test_the_plots_are_all_there() -> None:
    assert sorted(podium.plots.__all__) == podium.plots.__all__
    assert all(callable(getattr(podium.plots, name)) for name in podium.plots.__all__)


def test_public_verbs_show_their_whole_signature() -> None:
    verbs = [getattr(podium, n) for n in podium.__all__ if inspect.isfunction(getattr(podium, n))]
    verbs += [getattr(podium.plots, name) for name in podium.plots.__all__]
    assert len(verbs) > 50
    for verb in verbs:
        several = [
            p.name
            for p in inspect.signature(verb).parameters.values()
            if p.kind is inspect.Parameter.VAR_KEYWORD
        ]
        # the parameters of somebody's estimator, which only it knows
        # and of the plot that a trellis repeats
        known = [[], ["parameters"], *([["options"]] if verb is podium.plots.trellis else [])]
        assert several in known, verb


# -- facts instead of sentences -----------------------------------------------------------------

SENTENCE = re.compile(r"[A-Za-z'\"].* .* .* .*[.?]$", re.S)
# records hold the words of their own thing; these print, refuse, or are about another system
REFUSALS = (  # that are raised elsewhere than they are worded
    "The better algorithm comes first",
    "A double quote is not closed",
    "A '=' for",
    "A name with such a sign",
    "x data sets are too few",
    "The characteristic 'x' is the same",
    "There is no measure to compare.",
)
# in rooms, these files make English of facts, or hold the words of their own thing
SAYING = re.compile(
    r"__init__|(.+_)?words|(.+_)?command|verbs|verdict|terminal|findings|methods|settling|screen|"
    r"section|pages|standing|standings|queues|pytest_plugin|(.+_)?plots|decisions|gates|detection"
)
COUNTED = {*ROOMS[ROOMS.index("inference") :]} - {"cli", "judges", "drawing", "plots"}
COUNTED -= {"running", "testing", "store", "reading"}
COUNTED -= {"terminal", "design", "execution"}


def test_files_that_may_make_sentences_are_there() -> None:
    """A name that no file has any more would excuse the next file of that name."""
    names = {name for name in SAYING.pattern.split("|") if name.isidentifier()}
    assert names <= {path.stem for path in modules()}


def constants(node: ast.AST) -> Iterator[str]:
    """The texts of an expression: constants, f-strings with their fields left out."""
    for child in ast.walk(node):
        if isinstance(child, ast.JoinedStr):
            parts = [v.value if isinstance(v, ast.Constant) else "x" for v in child.values]
            yield "".join(str(p) for p in parts)
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.value


def test_notes_hold_facts_and_no_sentences() -> None:
    for path in modules():
        for node in ast.walk(tree(path)):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if called and node.func.id == "Note":  # type: ignore[attr-defined]
                assert "text" not in {k.arg for k in node.keywords}, (path, node.lineno)  # type: ignore[attr-defined]
                for text in constants(node):
                    assert " " not in text.strip(), (path, node.lineno, text)  # type: ignore[attr-defined]


def raised(path: Path) -> set[ast.AST]:
    """All nodes inside errors that are raised or returned, help of options, and docstrings."""
    inside: set[ast.AST] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Raise) or (
            isinstance(node, ast.Call)
            and re.search(r"Error|Illegal|refus|^Option$", ast.unparse(node.func))
        ):
            inside |= set(ast.walk(node))
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            inside |= set(ast.walk(body[0]))
    return inside


def test_only_wording_builds_sentences_about_results() -> None:
    found = []
    for path in modules():
        if part(path) not in COUNTED or SAYING.fullmatch(path.stem) or "plots" in path.parts:
            continue
        told = raised(path)
        for node in ast.walk(tree(path)):
            if isinstance(node, (ast.JoinedStr, ast.Constant)) and node not in told:
                for text in constants(node):
                    if SENTENCE.match(text) and not text.startswith(REFUSALS):
                        found.append((str(path.relative_to(SOURCE)), node.lineno, text))
    assert found == []


def test_no_layer_takes_a_sentence_apart() -> None:
    """No string method or regular expression on statements, headings, titles or notes."""
    prose = {"statement", "heading", "title", "text", "sentence", "claim", "agreement"}
    cutting = {"partition", "rpartition", "split", "replace", "startswith", "removeprefix"}
    cutting |= {"removesuffix", "endswith", "find", "index"}
    for path in modules():
        if part(path) == "reading":  # the text of a file is no sentence of ours
            continue
        for node in ast.walk(tree(path)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            of = node.func.value
            ours = isinstance(of, ast.Attribute) and of.attr in prose
            ours = ours or (isinstance(of, ast.Call) and getattr(of.func, "id", "") == "say")
            assert not (ours and node.func.attr in cutting), (path, node.lineno)
            if node.func.attr in ("findall", "sub", "match", "search", "split"):
                texts = [ast.unparse(argument) for argument in node.args]
                assert not any(re.search(r"\.(statement|heading)\b|say\(", t) for t in texts), path


# -- one record per thing -----------------------------------------------------------------------

COLUMNS = {"sample", "item", "items", "dataset", "datasets", "fold", "population", "split", "cv"}
# also names of columns, of keys of a study file, of arguments
COLUMNS |= {"origin", "simulation", "seeds", "runs", "study"}
HOMES = {f"core/questions/{name}.py" for name in ("aims", "blocks", "run_blocks", "targets")}
OTHER_THINGS = {  # of the same name: a noun
    "showing/plots/words.py": {"resample"},
    "factors": {"nested"},  # one factor within the levels of another
}


def names_of_records() -> set[str]:
    return {*KINDS, *BLOCKS, *TARGETS} - COLUMNS


def test_no_sampling_block_or_target_is_named_outside_its_record() -> None:
    known = names_of_records() - {"bootstrap"}  # also a null distribution
    for path in modules():
        own = str(path.relative_to(SOURCE))
        if part(path) == "samplings" or own in HOMES:
            continue
        left = known - OTHER_THINGS.get(own, set()) - OTHER_THINGS.get(part(path), set())
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in left, (path, node.lineno, node.value)


def declared_by_commands() -> dict[str, list[str]]:
    """The flags that commands declare themselves, and in which files."""
    declared: dict[str, list[str]] = {}
    for path in modules():
        for node in ast.walk(tree(path)):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called in ("click.option", "option", "output"):
                texts = [a.value for a in node.args if isinstance(a, ast.Constant)]  # type: ignore[attr-defined]
                for flag in (t for t in texts if str(t).startswith("--")):
                    declared.setdefault(flag, []).append(str(path.relative_to(SOURCE)))
    return declared


# one word, two things: a cluster of computers and one of items, seconds of a run and of a solver
DIFFERENT = {"--cluster", "--by", "--method", "--time-limit"}


def test_options_are_declared_once() -> None:
    declared = declared_by_commands()
    shared = {flag for option in OPTIONS.values() for flag in option.on_line}
    assert {flag: declared[flag] for flag in shared if flag in declared} == {}
    twice = {flag: where for flag, where in declared.items() if len(where) > 1}
    assert {flag: where for flag, where in twice.items() if flag not in DIFFERENT} == {}


# -- the command line ---------------------------------------------------------------------------


def helped(*words: str) -> list[str]:
    """The lines that a command shows of itself."""
    script = f"from podium.cli.main import status_of\nstatus_of({list(words)!r})"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_commands_are_few_and_stand_in_four_groups() -> None:
    listed = [command for _, command in rooms.commands().values() if command.listed]
    assert 17 <= len(listed) <= 20
    assert list(dict.fromkeys(command.group for command in listed)) == list(GROUPS)
    families = {command.name for command in listed}
    inner = [name for name in rooms.commands() if " " in name]
    assert {name.split()[0] for name in inner} <= families  # of `store merge` there is `store`
    assert all(len(command.does) <= 65 for command in listed)


def test_no_former_name_is_a_command_of_today() -> None:
    assert not {*rooms.other_names()} & {*rooms.commands()}
    for instead in rooms.other_names().values():
        words = " ".join(word for word in instead[:2] if not word.startswith("-"))
        assert words in rooms.commands()


def test_help_fits_a_screen() -> None:
    lines = helped("--help")
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert helped("help") == lines


def test_analyze_shows_some_25_options_and_the_rest_when_asked() -> None:
    flags = re.compile(r"^  (-\w, )?--")
    some, every = helped("analyze", "--help"), helped("analyze", "--help-all")
    assert helped("help", "analyze") == some
    assert 20 <= sum(bool(flags.match(line)) for line in some) <= 30
    assert sum(bool(flags.match(line)) for line in every) > 40
    assert [line.rstrip(":") for line in some if line.rstrip(":") in SECTIONS] == list(SECTIONS)


# -- one writer ---------------------------------------------------------------------------------

WRITING = {
    "write_text",
    "write_bytes",
    "savefig",
    "tofile",
    "savez",
    "savez_compressed",
    "symlink_to",
}
WRITING |= {"to_excel", "to_feather", "to_pickle", "hardlink_to", "truncate"}
INTO = {"to_csv", "to_parquet", "to_json", "to_html", "to_latex", "to_markdown", "dump", "save"}
MODULES = {"os", "shutil", "tempfile"}
MOVING = {"replace", "rename", "renames", "link", "copy", "copy2", "copyfile", "copytree", "move"}
MOVING |= {"mkstemp", "NamedTemporaryFile", "truncate"}
# their files are no outputs: a database, what workers share and throw away, samples for tests
OTHERS_FILES = (
    "core/base/writing.py",
    "reading/store/",
    "running/execution/",
    "reading/formats/",
    "testing/",
)


def writes(node: ast.Call) -> bool:
    """Whether a call may write into a file that a path names."""
    called = node.func
    if isinstance(called, ast.Name):
        return called.id == "open" and bool(re.search(r"[wax+]", _mode(node, 1)))
    if not isinstance(called, ast.Attribute):
        return False
    name, of = called.attr, ast.unparse(called.value)
    if name == "open" and of != "os":
        return bool(re.search(r"[wax+]", _mode(node, 0)))
    into = [ast.unparse(a) for a in node.args[:1]]
    if name in INTO:  # without a target it is a text
        return into not in ([], ["file"])
    if name in WRITING:
        return into not in (["file"], ["made"], ["in_memory"]) and of != "writing"
    return of in MODULES and name in MOVING


def _mode(node: ast.Call, place: int) -> str:
    given = [*node.args[place : place + 1], *(k.value for k in node.keywords if k.arg == "mode")]
    return next((str(m.value) for m in given if isinstance(m, ast.Constant)), "r")


def test_files_are_written_by_one_writer() -> None:
    """Which brings them to the disk and then puts them into their place, whole or not at all."""
    for path in modules():
        if str(path.relative_to(SOURCE)).startswith(OTHERS_FILES):
            continue
        calls = (node for node in ast.walk(tree(path)) if isinstance(node, ast.Call))
        assert [ast.unparse(node) for node in calls if writes(node)] == [], path


@pytest.mark.parametrize(
    "text",
    [
        "open(path, 'w')",
        "path.open(mode='ab')",
        "path.write_text(text)",
        "table.to_csv(target, index=False)",
        "figure.savefig(path)",
        "os.replace(a, b)",
        "shutil.copy(a, b)",
        "json.dump(x, opened)",
    ],
)
def test_what_counts_as_writing(text: str) -> None:
    assert writes(ast.parse(text, mode="eval").body)  # type: ignore[arg-type]


# -- names from elsewhere -------------------------------------------------------------------------

PATH_LIKE = re.compile(
    r"folder|path|place|root|\bdir|home|cache|here|parent|resources|board|files\(|store", re.I
)
# what is joined there is no name from elsewhere: one that the user typed, that the file system has
# just listed, or that Podium made itself
JOINED = {
    "asking/gates/pytest_plugin.py": "given",  # by whoever writes the test
    "asking/boards/site.py": "name",  # of a file of the site
    "asking/boards/verbs.py": "name",  # of a file of a new board
    "asking/boards/submissions.py": "each",  # looked for, not opened
    "reading/formats/record.py": "name file",  # listed; of a sample, by its record
    "reading/formats/records.py": "name",  # of a sample, as in the next ones
    "reading/formats/tools/inspect_logs.py": "name",
    "reading/formats/tools/trackers.py": "kind model fold",
    "reading/formats/tools/training_curves.py": "name seed",
    "running/design/data/arff.py": "folders digest name",  # of an address, without its odd signs
    "running/design/data/sources.py": "source rest test",  # of the user's study file
    "running/design/frames.py": "given",
    "running/design/study.py": "given",
    "running/execution/machine.py": "path limit use",  # of the kernel
    "showing/reports/page.py": "name",  # of a script of the page
    "testing/files.py": "file",
}


def joined_names(path: Path) -> Iterator[tuple[str, set[str]]]:
    """What a file joins to a path, less constants: the text, and its variables."""
    for node in ast.walk(tree(path)):
        right: list[ast.expr] = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            right = [node.right] if PATH_LIKE.search(ast.unparse(node.left)) else []
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            joins = called.endswith((".joinpath", ".extractall", ".extract"))
            right = [*node.args] if joins or called == "os.path.join" else []
        for each in right:
            if not isinstance(each, ast.Constant):
                variables = {n.id for n in ast.walk(each) if isinstance(n, ast.Name)}
                yield ast.unparse(node), {name for name in variables if not name.isupper()}


def test_one_function_joins_names_from_elsewhere_to_places() -> None:
    for path in modules():
        own = str(path.relative_to(SOURCE))
        with_paths = "from pathlib import" in path.read_text(encoding="utf-8")
        if not with_paths or own in ("core/base/places.py", "core/base/writing.py"):
            continue
        known = {*JOINED.get(own, "").split()}
        assert [text for text, names in joined_names(path) if not names <= known] == [], path


# -- a light start ------------------------------------------------------------------------------


def test_importing_podium_loads_nothing_heavy() -> None:
    heavy = {"numpy", "pandas", "scipy", "sklearn", "joblib", "narwhals", "rich", "click"}
    assert modules_after("import podium") & (heavy | OPTIONAL | LATE) == set()


def test_help_loads_nothing_heavy() -> None:
    statement = "from podium.cli.main import status_of\nstatus_of(['--version'])"
    script = f"import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()):\n {statement}"
    loaded = modules_after(script.replace("\nstatus_of", "\n status_of"))
    assert loaded & ({"numpy", "pandas", "scipy", "sklearn"} | OPTIONAL | LATE) == set()


def test_analysing_a_table_loads_neither_learners_nor_plots(tmp_path: Path) -> None:
    rows = "\n".join(f"{i},{0.1 + i / 100},{0.2 + i / 90}" for i in range(30))
    (tmp_path / "small.csv").write_text(f"sample,a,b\n{rows}\n")
    words = ["analyze", str(tmp_path / "small.csv"), "--sampling", "bootstrap", "-m", "error"]
    call = f"status_of({words!r})"
    loaded = modules_after(f"from podium.cli.main import status_of\nassert {call} == 0")
    assert loaded & (RUNNING | LATE | SLOW) == set()


def test_running_and_analysing_need_no_optional_package() -> None:
    loaded = modules_after("import podium\nfor name in podium.__all__: getattr(podium, name)")
    assert (
        loaded & ((OPTIONAL | LATE) - {"pyarrow"}) == set()
    )  # pandas loads pyarrow where it is there


# -- habits -------------------------------------------------------------------------------------


def calls(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def test_files_of_tests_have_names_of_their_own() -> None:
    """Tests are no package, so two files of one name hide each other."""
    names = [
        path.name for path in Path(__file__).parent.rglob("*.py") if path.name != "conftest.py"
    ]
    assert [name for name in set(names) if names.count(name) > 1] == []


def test_only_the_command_line_prints() -> None:
    talkative = [p for p in modules() if part(p) != "cli" and "print" in set(calls(p))]
    assert talkative == []


def test_nothing_is_pickled() -> None:
    """Messages between driver and workers aside, which no file keeps."""
    for path in modules():
        words = path.read_text(encoding="utf-8")
        if part(path) not in ("execution", "base", "testing"):
            assert "import pickle" not in words
            assert "joblib.dump" not in words
            assert "import cloudpickle" not in words
            assert 'require("cloudpickle' not in words


def test_nobody_draws_along_axes_that_a_library_chose() -> None:
    """Processors choose other axes: what is drawn goes through `core/inference/numbers/roots.py`.

    Samples of generated data are drawn as those were that stores hold.
    """
    drawing = re.compile(r"standard_normal\(|multivariate_normal\(|standard_t\(|qmc\.")
    factoring = re.compile(r"\b(?:eigh|svd|cholesky|qr|sqrtm)\(")
    both = [
        path.relative_to(SOURCE).as_posix()
        for path in modules()
        if drawing.search(text := path.read_text(encoding="utf-8")) and factoring.search(text)
    ]
    assert both == ["running/design/samples/generators.py"]


def test_no_two_scripts_of_a_page_declare_the_same_name():
    declared = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
    names = Counter(
        name for path in SOURCE.rglob("*.js") for name in declared.findall(path.read_text())
    )
    assert names
    assert [name for name, times in names.items() if times > 1] == []
