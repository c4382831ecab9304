"""After renames: lines that became too long for a string in them are split at a blank of the string.

    python mend_long_strings.py CHECKOUT        (needs ruff; run `ruff format` afterwards)

Only the text is cut in two that stand behind each other; its content stays. What it could not mend is printed.
"""

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

root = Path(sys.argv[1]).resolve()
LONGEST = 99


def long_lines() -> dict[Path, list[int]]:
    out = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "-q", "--select", "E501", "--output-format", "concise",
         "src", "tests", "benchmarks", "docs", "lab"], cwd=root, capture_output=True, text=True).stdout
    found: dict[Path, list[int]] = {}
    for name, line in re.findall(r"(?m)^(\S+?):(\d+):\d+: E501", out):
        found.setdefault(root / name, []).append(int(line))
    return found


def cuts(text: str, is_f: bool) -> list[int]:
    """Where a string may be cut: behind a blank that is in no braces of an f-string."""
    depth, places, i = 0, [], 0
    while i < len(text):
        c = text[i]
        if is_f and depth == 0 and text[i:i + 2] in ("{{", "}}"):
            i += 2
            continue
        if is_f and c == "{":
            if depth == 0:
                places.append(i)
            depth += 1
        elif is_f and c == "}":
            depth -= 1
        elif c == " " and depth == 0:
            places.append(i + 1)
        i += 1
    return places


def mended(text: str, number: int) -> str | None:
    lines = text.split("\n")
    line = lines[number - 1]
    depth = 0
    best = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.start[0] > number:
            break
        if token.type == tokenize.OP:
            depth += token.string in "([{"
            depth -= token.string in ")]}"
        if token.type == tokenize.STRING and token.start[0] == token.end[0] == number:
            size = token.end[1] - token.start[1]
            if best is None or size > best[0].end[1] - best[0].start[1]:
                best = token, depth
    if best is None:
        return None
    token, depth = best
    match = re.match(r"""([A-Za-z]*)("(?!"")|'(?!''))(.*)\2$""", token.string, re.S)
    if match is None:
        return None
    prefix, quote, inside = match.groups()
    start, end = token.start[1], token.end[1]
    indent = re.match(r" *", line)[0] + ("" if depth and line.strip().startswith(token.string) else "    ")
    open_, close = ("", "") if depth else ("(", ")")
    room = LONGEST - start - len(prefix) - 3
    places = [p for p in cuts(inside, "f" in prefix.lower()) if 8 < p < len(inside) - 2]
    fit = [p for p in places if p <= room]
    if not fit:
        return None
    at = max(fit)
    tail = inside[at:]
    own = prefix if "{" in inside[:at] or "f" not in prefix.lower() else prefix.replace("f", "").replace("F", "")
    rest = prefix if "{" in tail or "f" not in prefix.lower() else prefix.replace("f", "").replace("F", "")
    if (own != prefix and "}}" in inside[:at]) or (rest != prefix and "}}" in tail):
        own = rest = prefix
    lines[number - 1] = f"{line[:start]}{open_}{own}{quote}{inside[:at]}{quote}"
    lines.insert(number, f"{indent}{rest}{quote}{tail}{quote}{close}{line[end:]}")
    return "\n".join(lines)


import ast

for path, numbers in long_lines().items():
    text = path.read_text(encoding="utf-8")
    for number in sorted(numbers, reverse=True):
        made = mended(text, number)
        if made is None:
            print("left:", path.relative_to(root), number, text.split("\n")[number - 1].strip()[:90])
            continue
        try:
            same = ast.dump(ast.parse(made)) == ast.dump(ast.parse(text))
        except SyntaxError:
            same = False
        if not same:
            print("left:", path.relative_to(root), number, text.split("\n")[number - 1].strip()[:90])
            continue
        text = made
    path.write_text(text, encoding="utf-8")
