"""The code behind an algorithm that is nobody's release: the user's own modules, and the versions
of packages that Podium does not come with.

A module counts by its syntax tree, so that comments, docstrings and layout do not; with it those
of the user's modules that it imports. Of a script that was run itself, which often holds the study
too, only what the class or function uses counts.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from podium.core.base.errors import ResultsError
from podium.core.base.places import place_within
from podium.running.design.data.identity import PACKAGES as OURS

MAIN = "__main__"
_LAMBDA = "<lambda>"
UNREADABLE = "?"  # stands for code whose source nobody has
# Podium and what it comes with, or is tested by; their versions are kept with every session
STANDARD = {
    *(
        "podium",
        "sklearn",
        "numpy",
        "scipy",
        "pandas",
        "joblib",
        "threadpoolctl",
        "cloudpickle",
    ),
    *("matplotlib", "click", "pooch", "requests", "pyarrow"),
    *("polars", "dask", "distributed", "statsmodels", "pytest", "_pytest", "hypothesis"),
}
_FOREIGN = ("site-packages", "dist-packages")
_LIBRARY = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))


def own_code(*things: Any) -> dict[str, str]:
    """Digests of the user's own files that these things need, and versions of packages."""
    digests: dict[str, str] = {}
    for thing in dict.fromkeys(_definitions(things, set())):
        module = sys.modules.get(str(getattr(thing, "__module__", "")))
        if module is None or module.__name__ == MAIN:
            if module is not None:
                digests |= _of_script(thing, module)
        else:
            digests |= _of_module(module.__name__)
    return dict(sorted(digests.items()))


def _definitions(values: Any, seen: set[int]) -> Iterator[Any]:
    """The classes and functions that a parameter is made of."""
    for value in values:
        if id(value) in seen or isinstance(value, (str, bytes, int, float, type(None))):
            continue
        seen.add(id(value))
        if inspect.isclass(value) or inspect.isroutine(value):
            yield value
            yield from _definitions([getattr(value, "__self__", None)], seen)
        elif isinstance(value, Mapping):
            yield from _definitions(value.values(), seen)
        elif isinstance(value, (list, tuple, set, frozenset)):
            yield from _definitions(value, seen)
        elif hasattr(value, "func") and hasattr(value, "keywords"):  # functools.partial
            yield from _definitions([value.func, value.args, value.keywords], seen)
        else:
            yield type(value)
            inner = value.get_params(deep=False) if hasattr(value, "get_params") else None
            yield from _definitions([inner or getattr(value, "__dict__", None)], seen)


# -- modules --------------------------------------------------------------------------------------


def _of_module(name: str) -> dict[str, str]:
    """A module of the user's with those that it imports; of other packages, the version."""
    digests: dict[str, str] = {}
    left = [name]
    seen: set[str] = set()
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        file = _file(name)
        package = name.partition(".")[0]
        if package in STANDARD | OURS.keys() | sys.stdlib_module_names or file is None:
            continue
        if _is_foreign(file):
            digests[package] = _version(package)
            continue
        digest, imports = _read(file, name, file.name == "__init__.py")
        digests[_shown(name, file)] = digest
        left += [*imports, package]
    return digests


def _file(name: str) -> Path | None:
    module = sys.modules.get(name)
    if module is not None:
        file = getattr(module, "__file__", None)
        return Path(file) if file else None
    parent = name.rpartition(".")[0]
    if parent and parent not in sys.modules:  # to find it would import, hence run, its parent
        return None
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.has_location and spec.origin else None


def _is_foreign(file: Path) -> bool:
    inside = any(file.is_relative_to(place) for place in _LIBRARY)
    return inside or any(part in _FOREIGN for part in file.parts)


def _shown(name: str, file: Path) -> str:
    """What a module is called to its author: tree.py, package/tree.py."""
    depth = name.count(".") + (file.name == "__init__.py")
    return "/".join(file.parts[-1 - depth :])


def _read(file: Path, name: str, is_package: bool) -> tuple[str, tuple[str, ...]]:
    try:
        state = file.stat()
        return _parsed(file, state.st_mtime_ns, state.st_size, name, is_package)
    except OSError:
        return UNREADABLE, ()


@cache
def _parsed(
    file: Path, changed: int, size: int, name: str, is_package: bool
) -> tuple[str, tuple[str, ...]]:
    """The digest of a file, and what it imports; a file that is no Python counts by its bytes."""
    content = file.read_bytes()
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return _digest(content), ()
    home = name if is_package else name.rpartition(".")[0]
    return _digest(_plain(tree)), tuple(_imports(tree, home))


def _imports(tree: ast.AST, home: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = home.rsplit(".", node.level - 1)[0] if node.level > 1 else home
                base = ".".join(filter(None, (above, base)))
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _plain(tree: ast.AST) -> bytes:
    """The code as Python writes it, without comments and docstrings."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_docstring(body[0]):
            body[0] = ast.Pass()
    return ast.unparse(tree).encode("utf-8", "surrogatepass")


def _is_docstring(node: ast.AST) -> bool:
    value = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


@cache
def _version(package: str) -> str:
    stated = getattr(sys.modules.get(package), "__version__", None)
    if isinstance(stated, str):
        return stated
    from importlib import metadata  # slow to load

    try:
        names = metadata.packages_distributions().get(package, [package])
        return metadata.version(names[0])
    except metadata.PackageNotFoundError:
        return UNREADABLE


# -- files, without importing anything ------------------------------------------------------------


def changed_files(definition: Mapping[str, Any], folders: Iterable[Path]) -> list[str]:
    """The files and packages of an algorithm's code that are others now than its definition says.

    Files are looked for in the folders; what is not there is left out. Nothing is imported.
    """
    names = set(re.findall(rf"{MAIN}\.(\w+)", repr(definition)))
    places = list(folders)
    return [
        name
        for name, digest in definition.get("code", {}).items()
        if digest != UNREADABLE and (now := _now(name, names, places)) and digest not in now
    ]


def _now(name: str, classes: Iterable[str], folders: list[Path]) -> set[str]:
    """The digests that a file may have, as a module or as a script; of a package, its version."""
    if not name.endswith(".py"):
        from importlib import metadata  # slow to load

        try:
            return {metadata.version(metadata.packages_distributions().get(name, [name])[0])}
        except metadata.PackageNotFoundError:
            return set()
    try:
        files = [place_within(folder, name) for folder in folders]
    except ResultsError:  # of a store from elsewhere, which names what it likes
        return set()
    file = next((f for f in files if f.is_file()), None)
    if file is None:
        return set()
    content = file.read_bytes()
    try:
        parts = [ast.Module(_used(ast.parse(content), c), []) for c in classes]
        return {_digest(_plain(part)) for part in (ast.parse(content), *parts)}
    except (SyntaxError, ValueError):
        return {_digest(content)}


# -- scripts --------------------------------------------------------------------------------------


def _of_script(thing: Any, module: ModuleType) -> dict[str, str]:
    """What a class or function of a script, a notebook or a session uses of it."""
    file = getattr(module, "__file__", None)
    name = str(getattr(thing, "__qualname__", "")).partition(".")[0]
    try:
        tree = ast.parse(Path(file).read_bytes() if file else _typed(thing))
    except (OSError, TypeError, SyntaxError, ValueError):
        return {name: UNREADABLE}
    used = _used(tree, name) if name != _LAMBDA else _of_lambda(tree, thing)
    if not used:
        return {name: UNREADABLE}
    part = ast.Module(used, [])
    results = {Path(file).name if file else name: _digest(_plain(part))}
    for imported in _imports(part, ""):
        if (other := sys.modules.get(imported)) is not None and imported != MAIN:
            results |= _of_module(other.__name__)
    return results


def _typed(thing: Any) -> str:
    """The source of what was typed into a notebook or a session."""
    if inspect.isclass(thing):
        own = [f for f in vars(thing).values() if inspect.isfunction(f)]
        lines = "".join(inspect.getsource(f.__code__) for f in own)
        return f"class {thing.__name__}:\n{lines or ' pass'}"
    return inspect.cleandoc(inspect.getsource(thing))


def _of_lambda(tree: ast.Module, function: Any) -> list[ast.stmt]:
    """The lambdas on the line of a function without a name, and what they need of the script."""
    line = function.__code__.co_firstlineno
    lambdas = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno == line]
    names = [n.id for one in lambdas for n in ast.walk(one) if isinstance(n, ast.Name)]
    return [*map(ast.Expr, lambdas), *_used(tree, *names)] if lambdas else []


def _used(tree: ast.Module, *first: str) -> list[ast.stmt]:
    """The statements of a script that bind these names, and all names that these need."""
    binding: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for bound in _bound(statement):
            binding.setdefault(bound, []).append(statement)
    left, names, needed = [*first], set(), set()
    while left:
        one = left.pop()
        if one in names or one not in binding:
            continue
        names.add(one)
        for statement in binding[one]:
            needed.add(statement)
            left += [n.id for n in ast.walk(statement) if isinstance(n, ast.Name)]
    return [statement for statement in tree.body if statement in needed]


def _bound(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
