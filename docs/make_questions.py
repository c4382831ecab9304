"""docs/questions.md: the nine questions of dietterich1998 as a tree, drawn from Podium's records.

    python docs/make_questions.py

Which kinds of blocks answer a question, the records of blocks say (`podium.core.questions.blocks`),
and which samplings make them, those of samplings. Commands are those of docs/papers_items.txt,
where they are tried.
"""

from __future__ import annotations

from pathlib import Path

from podium import samplings
from podium.core.base.writing import write_text
from podium.core.questions.targets import BLOCKS
from podium.core.words.statements import CONVERTED, QUESTIONS, THIS_SAMPLE

DOCS = Path(__file__).parent
PAGE, PICTURE = DOCS / "questions.md", DOCS / "questions.svg"
# what is asked about, by whom, with which data: leaves are numbers of questions
Branch = dict[str, "Branch | int"]
TREE: Branch = {
    "one domain": {
        "fitted models": {
            "how accurate is one": {"much data": 1, "one small sample": 2},
            "which one is better": {"much data": 3, "one small sample": 4},
        },
        "learning algorithms": {
            "how accurate is one": {"many samples": 5, "one small sample": 6},
            "which one is better": {"many samples": 7, "one small sample": 8},
        },
    },
    "many domains": {"which algorithm is better": 9},
}
COMMANDS = {
    1: "podium analyze alone.csv",
    2: "podium advise one.toml",
    3: "podium advise answers.csv",
    4: "podium advise folds.csv -m error --sampling cv",
    5: 'study: sampling = "simulation:50"',
    6: "podium advise one.toml",
    7: 'study: sampling = "training-sets:4x10"',
    8: "podium advise folds.csv -m error --sampling cv",
    9: "podium advise survey.csv -m error",
}
HEAD = """# The nine questions

Dietterich (1998) tells nine questions apart that a comparison may answer. `podium advise` says
which one a study or a file of scores answers, and by which test; `python docs/make_questions.py`
draws the tree from the records of designs.

![The nine questions as a tree](questions.svg)

| question | | blocks that answer it | samplings that make them | command |
|---:|---|---|---|---|
"""
TAIL = """
Questions 2 and 4 are about the models that one small sample gives. Nothing is left to test these
on, so they are converted: what an algorithm learns from the rows of a fold, or of a resample,
stands for what it learns from all of them. `podium advise` says so, and with how many rows.

Resamples of one sample answer a question that is none of the nine: "{this}"
With `--target population` they answer question 8, by a test that allows for shared rows
([targets](which-test.md#what-a-conclusion-holds-for)).

A study with training runs or timings (`seeds`, `runs`) is about the models of this very sample,
too: it knows the randomness of training, and not that of rows.
"""


def blocks_of(question: int) -> list[str]:
    """The kinds of blocks that answer a question."""
    if question in CONVERTED.values():  # by those of the other one
        question = next(k for k, v in CONVERTED.items() if v == question)
    return [
        name
        for name, block in BLOCKS.items()
        if question in (block.scope.questions.of_one, block.scope.questions.of_several)
    ]


def samplings_of(question: int) -> list[str]:
    """The samplings whose samples are such blocks."""
    known = blocks_of(question)
    return [name for name, kind in samplings.KINDS.items() if kind.block in known]


def row(question: int) -> str:
    """A line of the page."""
    command = COMMANDS[question]
    shown = command.removeprefix("study: ")
    code = f"study file: `{shown}`" if shown != command else f"`{command}`"
    told = [", ".join(f"`{n}`" for n in f(question)) or "–" for f in (blocks_of, samplings_of)]
    other = next((k for k, v in CONVERTED.items() if v == question), None)
    if other is not None:
        told = [f"converted to question {other}", "–"]
    return f"| {question} | {QUESTIONS[question]} | {told[0]} | {told[1]} | {code} |"


def page() -> str:
    """The page."""
    rows = "\n".join(row(question) for question in QUESTIONS)
    return HEAD + rows + "\n" + TAIL.format(this=THIS_SAMPLE[True])


def leaves(tree: Branch | int) -> int:
    """How many questions are below."""
    return 1 if isinstance(tree, int) else sum(map(leaves, tree.values()))


def draw() -> None:
    """The tree as SVG, whose texts are texts."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "questions"}):
        figure = Figure((9, 4.6), layout="constrained")
        ax = figure.add_subplot()
        _branch(ax, TREE, 0.0, 0.0)
        ax.set(xlim=(-0.1, 5.4), ylim=(-8.6, 0.6))
        ax.axis("off")
        figure.savefig(PICTURE, metadata={"Date": None})


def _branch(ax: object, tree: Branch, depth: float, top: float) -> float:
    """The branches below a point, the first at the top; where the next one begins."""
    for name, below in tree.items():
        size = leaves(below)
        end = top - size + 1
        y = (top + end) / 2
        last = isinstance(below, int)
        text = f"{name}: question {below}" if last else name
        ax.text(depth, y, text, va="center", fontsize=9,  # type: ignore[attr-defined]
                weight="bold" if last else "normal")  # fmt: skip
        if not isinstance(below, int):
            at = top
            for child in below.values():
                to = at - (leaves(child) - 1) / 2
                line = [depth + 0.9, depth + 1.2], [y, to]
                ax.plot(*line, color="0.6", linewidth=0.8)  # type: ignore[attr-defined]
                at -= leaves(child)
            _branch(ax, below, depth + 1.25, top)
        top = end - 1
    return top


def main() -> None:
    """Write the page and its picture."""
    draw()
    write_text(page(), PAGE)


if __name__ == "__main__":
    main()
