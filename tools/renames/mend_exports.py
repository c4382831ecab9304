"""What renames.py leaves behind, mended after it:

- names in `__all__`
- imports of a renamed name from a module that only re-exports it
- doctests (`>>>` and `...`) that use the module's own or imported names
- `setattr(module, "old", ...)` of tests where the module only imports the name, and "dotted.module.old"

    python mend_exports.py CHECKOUT reading.csv running.csv lab.csv ...       (no packages needed)

Prints what it changed, and what it could not.
"""

import ast
import csv
import re
import sys
from functools import cache
from pathlib import Path

root, lists = Path(sys.argv[1]).resolve(), sys.argv[2:]
names: dict[tuple[str, str], str] = {}
for path in lists:
    for row in csv.DictReader(open(path, encoding="utf-8")):
        if "." not in row["old"]:
            names[row["module"], row["old"]] = row["new"]


@cache
def source(module: str) -> Path | None:
    for base in (root / "src", root / "lab/src"):
        for name in (module.replace(".", "/") + ".py", module.replace(".", "/") + "/__init__.py"):
            if (base / name).exists():
                return base / name
    return None


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def bound(path: Path) -> frozenset[str]:
    """What a file binds, anywhere."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {a.asname or a.name.partition(".")[0] for a in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return frozenset(found)


@cache
def origins(path: Path) -> dict[str, str]:
    """Where a file imports each name from, by the name there."""
    nodes = (n for n in ast.walk(tree_of(path)) if isinstance(n, ast.ImportFrom) and n.module)
    return {a.name: str(n.module) for n in nodes for a in n.names}


def module_of(path: Path) -> str:
    for base in (root / "src", root / "lab/src"):
        if path.is_relative_to(base):
            return ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")
    return path.stem


def renamed_in(path: Path, old: str) -> str | None:
    """What `old` is called now in a file that defines or imports it."""
    if old in bound(path):
        return None
    own = names.get((module_of(path), old))
    new = {n for (m, o), n in names.items() if o == old and origins(path).get(n) == m}
    new |= {own} if own else set()
    return new.pop() if len(new) == 1 else None


def imported_module(path: Path, called: str) -> Path | None:
    """The file of the module that a name of a test stands for."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == called:
                    return source(f"{node.module}.{alias.name}")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname == called:
                    return source(alias.name)
    return None


for folder in ("src", "lab", "tests", "benchmarks", "docs"):
    for path in (root / folder).rglob("*.py"):
        before = text = path.read_text(encoding="utf-8")
        said = []
        for node in tree_of(path).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
                if isinstance(node.value, ast.List):
                    for one in node.value.elts:
                        if isinstance(one, ast.Constant) and (new := renamed_in(path, one.value)):
                            lines = text.split("\n")
                            for i in range(node.lineno - 1, node.end_lineno or 0):
                                lines[i] = lines[i].replace(f'"{one.value}"', f'"{new}"')
                            text = "\n".join(lines)
                            said.append(f"__all__ {one.value} -> {new}")
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, ast.ImportFrom) or not node.module or not (home := source(node.module)):
                continue
            for alias in node.names:
                there = bound(home)
                if alias.name in there or alias.name == "*" or source(f"{node.module}.{alias.name}"):
                    continue
                if new := renamed_in(home, alias.name):
                    text = re.sub(rf"\b{alias.name}\b", new, text)
                    said.append(f"{alias.name} -> {new}, re-exported by {node.module}: all words of the file, look at them")
                elif "__getattr__" not in there:
                    said.append(f"LEFT: {node.module} has no {alias.name}")
        lines = text.split("\n")
        for i, line in enumerate(lines):
            if re.match(r"\s*(>>>|\.\.\.) ", line):
                for word in dict.fromkeys(re.findall(r"(?<![\w.\"'])[A-Za-z_]\w*(?=\(| for | in |\]|\)|,|$)", line)):
                    if (new := names.get((module_of(path), word))) and word not in bound(path):
                        lines[i] = re.sub(rf"(?<![\w.\"']){word}\b(?!=)", new, lines[i])
                        said.append(f"doctest {word} -> {new}")
            for called, old in re.findall(r"""(?:setattr|getattr|delattr|patch\.object)\(\s*(\w+), ["'](\w+)["']""", line):
                home = imported_module(path, called)
                if home and (new := renamed_in(home, old)):
                    lines[i] = lines[i].replace(f'"{old}"', f'"{new}"')
                    said.append(f"setattr {called}.{old} -> {new}")
            for dotted in re.findall(r"""["']((?:podium|podium_lab)(?:\.\w+)+)["':]""", line):
                module, _, old = dotted.rpartition(".")
                home = source(module)
                if home and not source(dotted) and (new := renamed_in(home, old)):
                    lines[i] = lines[i].replace(dotted, f"{module}.{new}")
                    said.append(f"text {dotted} -> {new}")
        text = "\n".join(lines)
        if text != before:
            path.write_text(text, encoding="utf-8")
        for one in said:
            print(f"{path.relative_to(root)}: {one}")
