"""Tests that permute within blocks: of ranks, of raw scores, of signs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from podium.core.inference.bricks import estimates as est
from podium.core.inference.bricks import scales as sc
from podium.core.inference.bricks.nulls import (
    iman_davenport,
    largest,
    quade_f,
    quadratic,
    statistic_3,
)
from podium.core.inference.procedures.procedure import (
    ADJUST,
    BY_HOLM,
    CLOSED,
    EXCHANGEABLE,
    INDEPENDENT,
    NULL,
    PAIRS,
    SYMMETRIC,
    WEAK,
    Bare,
    Cited,
    Needs,
    Procedure,
    Procedures,
    Reports,
)

PROCEDURES = Procedures()


_sums = est.block_sums
FRIEDMAN = PROCEDURES.new(
    Procedure(
        "friedman",
        "Friedman test with all pairs of rank sums",
        partial(_sums, scores=sc.ranks),
        quadratic,
        "single-step",
        "no algorithm tends to rank higher than another",
        EXCHANGEABLE,
        WEAK,
        (Cited("Friedman (1937)"), Cited("Hollander, Wolfe (1999)")),
        INDEPENDENT,
        words="the Friedman test and comparisons of rank sums",
        bare=Bare((PAIRS,), title="Friedman test and comparisons of rank sums"),
    )
)
PROCEDURES.like(
    FRIEDMAN,
    name="nemenyi",
    bare=Bare((ADJUST, PAIRS), title="comparisons of rank sums", words="comparisons of rank sums"),
    words="the Wilcoxon-Nemenyi-McDonald-Thompson test of rank sums",
    title="Wilcoxon-Nemenyi-McDonald-Thompson test",
    references=(
        Cited("Hollander, Wolfe (1999)", ", section 7.3"),
        Cited("eugster2008", ", section 3.2"),
    ),
)
PROCEDURES.like(
    FRIEDMAN,
    name="nemenyi-control",
    bare=Bare((ADJUST, PAIRS), title="comparisons of rank sums", words="comparisons of rank sums"),
    words="the Nemenyi-Wilcoxon-Wilcox-Miller test of rank sums",
    title="Nemenyi-Wilcoxon-Wilcox-Miller test against a control",
    references=(Cited("Hollander, Wolfe (1999)", ", section 7.4"),),
    needs=replace(FRIEDMAN.needs, control=True),
)
PROCEDURES.like(
    FRIEDMAN,
    name="iman-davenport",
    bare=Bare((PAIRS,), title="Iman-Davenport test and comparisons of rank sums"),
    words="the Iman-Davenport test and comparisons of rank sums",
    overall=iman_davenport,
    title="Iman-Davenport test with all pairs of rank sums",
    references=(Cited("Iman, Davenport (1980)"),),
)
PROCEDURES.like(
    FRIEDMAN,
    name="quade",
    bare=Bare((PAIRS,), title="Quade test and comparisons of weighted rank sums"),
    words="the Quade test and comparisons of weighted rank sums",
    overall=quade_f,
    estimate=partial(_sums, scores=sc.quade),
    title="Quade test with all pairs of weighted rank sums",
    references=(Cited("Quade (1979)"),),
)
PROCEDURES.like(
    FRIEDMAN,
    name="aligned-ranks",
    words="the aligned rank test of Hodges and Lehmann",
    estimate=partial(_sums, scores=sc.aligned_ranks),
    title="aligned rank test of Hodges and Lehmann",
    references=(Cited("Hodges, Lehmann (1962)"),),
)
PROCEDURES.like(
    FRIEDMAN,
    name="normal-scores",
    words="the normal scores test of van der Waerden",
    estimate=partial(_sums, scores=sc.normal_scores),
    title="van der Waerden's normal scores test",
    references=(Cited("van der Waerden (1952)"),),
)
PERMUTATION = PROCEDURES.new(
    Procedure(
        "permutation",
        "permutation test of statistic (3), closed testing",
        partial(_sums, scores=sc.raw),
        statistic_3,
        "closed",
        "equal performance distributions",
        EXCHANGEABLE + "; unequal variances alone can reject (11 % with one sd five times larger)",
        CLOSED,
        (Cited("hothorn2005", ", section 4.2"),),
        INDEPENDENT,
        words="a permutation test of mean scores",
        reports=Reports(of_all=True),
        bare=Bare(
            (ADJUST, NULL),
            title="comparisons of mean scores by statistic (3)",
            words="comparisons of mean scores",
        ),
    )
)
PROCEDURES.like(
    PERMUTATION,
    name="permutation-max",
    bare=Bare(
        (ADJUST, NULL),
        title="comparisons of mean scores by statistic (3)",
        words="comparisons of mean scores",
    ),
    words="a permutation test of the largest difference of mean scores",
    adjust="single-step",
    controls=WEAK,
    title="permutation test of the largest difference of means",
)
WILCOXON = PROCEDURES.new(
    Procedure(
        "wilcoxon",
        "Wilcoxon signed rank test of each pair",
        partial(_sums, scores=sc.signed_ranks, step=1.0),
        largest,
        "holm",
        "the differences of two algorithms are symmetric about zero",
        SYMMETRIC,
        BY_HOLM,
        (Cited("Wilcoxon (1945)"), Cited("", "blocks without a difference are left out")),
        INDEPENDENT,
        pairwise=True,
        words="the Wilcoxon signed rank test of each pair, blocks without a difference left out",
        needs=Needs(margins=True),
    )
)
PROCEDURES.like(
    WILCOXON,
    name="pratt",
    words="the Wilcoxon signed rank test of each pair with Pratt's treatment of zeros",
    estimate=partial(_sums, scores=sc.pratt, step=1.0),
    title="signed rank test of each pair with Pratt's zeros",
    references=(Cited("Pratt (1959)"),),
    needs=replace(WILCOXON.needs, margins=False),
)
PROCEDURES.like(
    WILCOXON,
    name="sign",
    words="the sign test of each pair",
    estimate=partial(_sums, scores=sc.signs, step=1.0),
    title="sign test of each pair",
    null="a difference is as often positive as negative",
    hypothesis="each of two algorithms wins as often as the other",
    references=(Cited("Arbuthnott (1710)"), Cited("Dixon, Mood (1946)")),
    needs=replace(WILCOXON.needs, margins=False),
    reports=Reports(conservative=True),
)
PROCEDURES.like(
    WILCOXON,
    name="sign-flip",
    bare=Bare(
        (NULL,),
        title="test of each pair's mean difference",
        words="tests of each pair's mean difference",
    ),
    words="a sign-flip permutation test of each pair's mean difference",
    estimate=partial(_sums, scores=sc.raw),
    title="sign-flip permutation test of each pair",
    hypothesis="the differences of two algorithms are symmetric about zero",
    references=(Cited("Fisher (1935)", of=NULL), Cited("Pesarin (2001)", of=NULL)),
)
