"""Writes docs/json.md from the schema of `podium analyze --json`: python docs/make_json.py."""

import json
from importlib.resources import files
from pathlib import Path

PAGE = Path(__file__).with_name("json.md")
HEAD = """# The JSON of an analysis

`podium analyze FILE --json OUT.json` writes one object; `--json -` prints it. Page, terminal and
notebook show the same record. `schema` names the version ({name}): later versions add keys
and rename none. The JSON Schema is `podium/asking/comparison/analysis.schema.json` in the
installed package.
This page is made by `python docs/make_json.py`.

| key | always | is |
|---|---|---|
"""


def text() -> str:
    """The page, from the schema that is shipped."""
    source = (
        files("podium.asking.comparison")
        .joinpath("analysis.schema.json")
        .read_text(encoding="utf-8")
    )
    schema = json.loads(source)
    always = {key: "yes" if key in schema["required"] else "" for key in schema["properties"]}
    rows = [
        f"| `{key}` | {always[key]} | {about.get('description', '')} |"
        for key, about in schema["properties"].items()
    ]
    pair = schema["properties"]["pairs"]["items"]["properties"]
    of_pairs = [f"| `{key}` | {about.get('description', '')} |" for key, about in pair.items()]
    below = ["", "## One comparison", "", "| key | is |", "|---|---|", *of_pairs]
    return HEAD.format(name=schema["$id"]) + "\n".join([*rows, *below]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
