"""The laws of a sampling, as a suite that any record can be held against."""

from __future__ import annotations

import numpy as np

from podium.inference.layouts import Layout
from podium.inference.legality import stated
from podium.measures import parse as parse_measure
from podium.samplings import KINDS, Drawn, Kind, Sampling, drawn_in_words, parse
from podium.targets import BLOCKS, TARGETS
from podium.testing.laws import law
from podium.wording.statements import statement

ROWS = (40, 100, 1000)


def check_sampling(kind: Kind) -> None:
    """Hold a sampling's record against its laws; the first one that it breaks raises.

    The laws:

    1. It is registered under its own name, and its example names it.
    2. Its texts are read back as they were written.
    3. Its identity tells how samples are drawn, not how many (unless a sample depends on that).
    4. Its sizes are numbers: rows learned from, rows tested on where known; a learning sample of
       the least size can be sampled.
    5. Its blocks are of a kind that is known, and something can be said about every target.
    6. A paper can say how samples were drawn, whatever is known of them.
    """
    sampling = parse(kind.example)
    law(1, KINDS[kind.name] is kind and sampling.name == kind.name, "it is another sampling")
    _is_read_back(kind, sampling)
    _keeps_its_identity(kind, sampling)
    _has_sizes(sampling)
    _is_told(kind, sampling)
    _is_told_in_papers(sampling)


def _is_read_back(kind: Kind, sampling: Sampling) -> None:
    law(2, str(sampling) == kind.example, f"'{kind.example}' is written '{sampling}'")
    law(2, parse(str(sampling)) == sampling, f"'{sampling}' is not read back")
    law(2, parse(kind.name) == Sampling(kind.name), "numbers may be left out")
    for option in kind.options:
        text = f"{kind.example}+{option}"
        law(2, str(parse(text)) == text, f"'{text}' is not read back")


def _keeps_its_identity(kind: Kind, sampling: Sampling) -> None:
    if sampling.samples is not None and not kind.counted:
        more = sampling.with_count(sampling.samples + 1)
        law(3, more.identity == sampling.identity, "more samples are another sampling")
    law(3, sampling.identity.split(":")[0] == kind.name, "the identity lacks the name")


def _has_sizes(sampling: Sampling) -> None:
    law(4, sampling.count is None or sampling.count > 0, "it has no samples")
    for n in ROWS:
        if n < sampling.least_rows():
            continue
        learned, tested = sampling.sizes(n, test=n // 2)
        law(4, learned > 0, f"nothing is learned from {n} rows")
        law(4, tested is None or tested >= 0, f"{tested} of {n} rows are tested on")
    share = sampling.train_share
    law(4, share is None or 0 < share <= 1, f"{share} is no share of rows")


def _is_told(kind: Kind, sampling: Sampling) -> None:
    block, nothing = BLOCKS[kind.block], np.zeros((0, 2))
    for target in TARGETS:
        made = Layout(nothing, ("a", "b"), block.name, target, parse_measure("error"), sampling)
        law(5, statement(stated(made, None)), f"nothing is said about '{target}'")


def _is_told_in_papers(sampling: Sampling) -> None:
    for rows in (None, 100):
        for several, shared in ((False, False), (False, True), (True, True)):
            drawn = Drawn(sampling, 7, rows, 50, several, shared)
            said = drawn_in_words(drawn, lambda *keys: "")
            law(6, said.strip(), "a paper says nothing")
