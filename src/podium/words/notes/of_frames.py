"""What is said of a frame of data sets, of the draw from it, and of what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from podium.words.phrases import counted


def frame_lines(
    catalogue: str,
    counts: tuple[int, int, int],
    lost: Mapping[str, int],
    seed: int,
    development: Sequence[str],
) -> list[str]:
    """What was drawn, and from how many."""
    there, eligible, drawn = counts
    text = "; ".join(f"{criterion} took away {count}" for criterion, count in lost.items())
    how = "all of them" if drawn == eligible else f"by lot, seed {seed}"
    lines = [
        f"{drawn} of {counted(eligible, 'eligible data set')} drawn ({how}); '{catalogue}' has "
        f"{there}."
    ]
    lines += [f"Criteria: {text}."] if lost else []
    rest = drawn - len(development)
    return lines + (
        [f"{len(development)} for development, {rest} for confirmation."] if development else []
    )


def unknown_value(name: str) -> str:
    """Of an entry of a catalogue that is several data sets."""
    return (
        f"The data set '{name}' of the catalogue is several: name them one by one, or give their "
        "characteristics as columns."
    )


STEPS = {
    "catalogue": "in the catalogue",
    "eligible": "eligible",
    "drawn": "drawn",
    "in the study": "in the study",
    "analysed": "analysed",
}


def flow_label(step: str, datasets: int) -> str:
    """What stands in the box of a step."""
    return f"{counted(datasets, 'data set')} {STEPS[step]}"


def flow_side(step: str, datasets: int, why: str) -> str:
    """What stands beside the way, of those who leave it."""
    return f"{datasets} {step}: {why}"


def flow_caption() -> str:
    """Of the figure in a report."""
    return (
        "How many data sets were there, met the criteria, were drawn, and have scores of all "
        "algorithms. To the right those who left, and why."
    )
