"""Statements and refusals as sentences: hypotheses, conditions, and why a request is not met."""

from __future__ import annotations

from collections.abc import Sequence

from podium.core.base.formatting import printable
from podium.core.words.facts import FewBlocks, Hypothesis, Statement, TrainingSize
from podium.core.words.phrases import capital

FORCED = "NOT VALID for this design, computed by force: nothing of this may be claimed. "
AREA = "{area}"
MANY_ALGORITHMS = 16
# family-wise errors of hull on 15 published tables and in the laboratory's table-wild
RATES = (
    "10 % with 10 rows, 7 % with 30 and 3 % with 100 on published ones; 20 %, 10 % and 7 % on "
    "wilder ones"
)


def statement(s: Statement) -> str:
    """A statement in full, for terminal, page and JSON."""
    if s.hypothesis is not None and s.hypothesis.prior:
        text = f"{chances(s.hypothesis)} This is a statement about {about(s)}."
        return FORCED * s.forced + text
    tested = (
        f"none; an expected {s.measure} is estimated"
        if s.hypothesis is None
        else hypothesis(s.hypothesis)
    )
    few = f" {few_blocks(s.few)}" if s.few else ""
    return f"{FORCED * s.forced}Hypothesis: {tested}. This is a statement about {about(s)}.{few}"


def chances(h: Hypothesis) -> str:
    """What the three chances of a pair are."""
    given = f"Given the model and {h.prior}, win is the probability that {h.equality}"
    if not h.margin:
        return f"{given}, and lose the same of the second."
    return (
        f"{given} by more than {h.margin:g}, lose the same of the second, and same the probability "
        "of neither."
    )


def few_blocks(few: FewBlocks) -> str:
    """That a test is not honest with so few blocks, and what it costs."""
    if few.skewness is None:
        return (
            f"With {few.blocks} rows a t test of ranks is somewhat liberal: at nominal 5 % it "
            "rejects 7 to 11 % of true hypotheses with 10 rows, of two algorithms, whose ranks "
            "are signs, 5 to 7 % with 50."
        )
    many = "; 14 to 17 % with 16 algorithms and more on 30 rows"
    rates = RATES + many * (few.algorithms >= MANY_ALGORITHMS)
    return (
        f"With {few.blocks} rows no test of means keeps a level of 5 % where differences are as "
        f"skewed as on many real tables (this test: {rates}); here the median skewness of the "
        f"pairs is {few.skewness:.1f}. Look at the ranks, too."
    )


def hypothesis(h: Hypothesis) -> str:
    """What is held to be true until the scores speak against it."""
    both = f"(one-sided; two-sided: {h.equality})"
    if h.alternative == "greater":
        return f"first - second is at most {h.margin:g} {both}"
    if h.alternative == "less":
        return f"first - second is at least {-h.margin + 0.0:g} {both}"
    return f"two algorithms differ by at most {h.margin:g}" if h.margin else h.equality


def about(s: Statement) -> str:
    """What the statement is about, with the area of application and the training size."""
    text = s.said.about.format(**_blanks(s, s.dataset))
    area = f"; area of application: {s.area}" if s.area and AREA not in s.said.about else ""
    return text + area + (f", {training_size(s.size)}" if s.size else "")


def holds_for(s: Statement) -> str:
    """For what the conclusion holds, in a few words."""
    here = printable(s.dataset)
    blanks = _blanks(s, s.dataset) | dict.fromkeys(("finding", "on_average"), "")
    text = s.said.may.format(**blanks | {"here": f"'{here}'" if here else "these data"})
    return text.strip().rstrip(".") + (f", trained on {_share(s.size)}" if s.size else "")


def training_size(size: TrainingSize) -> str:
    """How many rows the algorithms learned from."""
    return f"for algorithms that learn from {_rows(size)}"


def _share(size: TrainingSize) -> str:
    """How many of the rows, in percent, as a first screen says it."""
    if size.rows is not None or size.of_sample:
        return _rows(size)
    return f"{100 * (size.share or 0.0):.3g} % of the rows{_count(size)}{_given(size)}"


def _given(size: TrainingSize) -> str:
    return f", {size.given}" if size.given else ""


def _count(size: TrainingSize) -> str:
    share = size.share or 0.0
    return f" (about {round(share * size.total)} of {size.total})" if size.total else ""


def _rows(size: TrainingSize) -> str:
    if size.rows is not None:
        return f"{size.rows:g} rows"
    share = size.share or 0.0
    if size.of_sample:
        return f"{100 * share:g} % of the rows of each sample"
    count = _count(size)
    if size.distinct:
        return f"{share:.3f} n distinct rows{count}{_given(size)}"
    return f"{'n/2' if share == 0.5 else f'{share:.3g} n'} rows{count}"


def _blanks(s: Statement, dataset: str) -> dict[str, str]:
    """What completes the words of a claim, whichever of them it has (`core/questions/aims.py`)."""
    name = printable(dataset)
    return {
        "of": f" ('{name}')" if name else "",
        "here": f"'{name}'" if name else "the data",
        "area": f" ({s.area})" if s.area else "",
        "finding": "This holds for",
        "on_average": "This holds on average over",
        "about": "for",
    }


# -- one line that says what was compared, by what, on what ---------------------------------------

MARK = "NOT VALID for this design, computed by force: "


def compared(
    measure: str,
    higher_is_better: bool,
    title: str,
    blocks: tuple[int, str],
    target: str,
    *,
    forced: bool,
) -> str:
    """Measure, procedure, blocks, target."""
    better = "higher" if higher_is_better else "lower"
    count, text = blocks
    return (
        f"{MARK * forced}{measure} ({better} is better), {title}, {count} {text}, target: {target}"
    )


def with_bricks(title: str, null: str, adjustment: str) -> str:
    """A procedure's title with the bricks that were used; no null where the title says it."""
    return f"{title} ({f'null: {null}, ' if null else ''}adjustment: {adjustment})"


def interval_of_one(method: str) -> str:
    """The title where one algorithm has an interval of its own."""
    return f"{method} interval of one algorithm"


# -- advice in lines ------------------------------------------------------------------------------

QUESTIONS = {
    1: "How accurate is this fitted model on new items (much test data)?",
    2: "How accurate is the model fitted to this small sample?",
    3: "Which of these fitted models is more accurate on new items?",
    4: "Which of the models fitted to this small sample is more accurate?",
    5: "How accurately does this algorithm learn from new samples (many samples at hand)?",
    6: "How accurately does this algorithm learn from new samples (one small sample at hand)?",
    7: "Which algorithm learns better from new samples (many samples at hand)?",
    8: "Which algorithm learns better from new samples (one small sample at hand)?",
    9: "Which algorithm learns better in new domains?",
}
THIS_SAMPLE = {  # none of the nine, which are about models, new samples or new domains
    False: "How accurately does this algorithm learn from resamples of this very sample?",
    True: "Which algorithm learns better from resamples of this very sample?",
}


TEST_SET_LUCK = "other test items: this test set may favour an algorithm by chance"
CONVERTED = {6: 2, 8: 4}  # what algorithms do, asked in place of what fitted models do


def converted(question: int, size: TrainingSize | None) -> str:
    """That a question about the model of all rows is answered by one about algorithms."""
    models = "the model" if question == 6 else "the models"
    rows = f" from {_rows(size)}" if size is not None else " from fewer rows"
    return (
        f"{models} fitted to all rows (question {CONVERTED[question]}): what is learned{rows} "
        "stands for it"
    )


def question_answered(question: int, several: bool) -> str:
    """The question that a design answers; 0 is that of resamples."""
    if question:
        return f"Question {question} of nine: {QUESTIONS[question]}"
    return f"None of the nine questions: {THIS_SAMPLE[several]}"


def lines(
    question: str,
    blocks: str,
    target: str,
    can: Sequence[str],
    cannot: Sequence[str],
    recommended: tuple[str, str] | None,
    halves: bool = False,
) -> list[str]:
    """All that is advised, line by line."""
    texts = [
        question,
        f"Compared on: {blocks}. Target: {target}.",
        *(f"Can be tested: {text}" for text in can),
        *(f"Cannot be tested: {text}" for text in cannot),
    ]
    if recommended:
        procedure, reason = recommended
        texts.append(f"Recommended: {procedure}, because {reason}.")
    return [*texts, HALVES] if halves else texts


HALVES = (
    "Better, where Podium runs the study: the halves test, which assumes less (podium run STUDY "
    "--halves 10, or +halves:10 behind the sampling: 100 small fits of every algorithm)."
)


def hypotheses(can: Sequence[str], measure: str, size: TrainingSize | None) -> tuple[str, ...]:
    """What can be tested, of this measure and training size."""
    new = f"equal expected {measure} over new samples from the same process"
    if size is not None:
        new = f"{new}, {training_size(size)}"
    return tuple(text.format(measure=measure, new=new) for text in can)


def one_algorithm(measure: str) -> str:
    """What is known of one algorithm."""
    return f"nothing: one algorithm has an interval of its expected {measure}"


def no_evidence(target: str, blocks: str) -> str:
    """What blocks say nothing about."""
    return f"anything about the target '{target}': {blocks} are no evidence about it"


def excluded(dataset: str, why: str) -> str:
    """A data set that was left out after the fact."""
    return f"{dataset}, left out after the fact ({why})"


# -- refusals -------------------------------------------------------------------------------------
# Why a request is refused, in clauses made of names and of what the records say.


PAIRED = (
    "all algorithms were run on the same samples, and a test for independent ones throws the pairs "
    "away, which makes it too strict (or too lenient, where scores of one sample vary against each "
    "other); if every algorithm had samples of its own, say so, as in bootstrap+independent"
)
UNPAIRED = "every algorithm has samples of its own, so nothing pairs their scores"

STOPPED = (
    "this study stopped by a plan, looking at its scores on the way, and tests that know nothing "
    "of these looks reject too often"
)
LINEARISED = (
    "this measure is no mean over items, so that single items have no score to rank, count or "
    "permute; it is judged by each item's influence on it"
)
NOT_LINEARISED = (
    "it is for measures of predictions that are no means of items, such as auc or f1; this one is "
    "a mean of scores"
)
NOT_STOPPED = "it is for stores of `podium run --until decided` and `podium run --until best`"


def defined_for(samplings: Sequence[str]) -> str:
    """A procedure of one design."""
    return f"it is defined for {' and '.join(samplings)} only"


def no_valid_test(why: str) -> str:
    """A sampling for which no test is known."""
    return f"{why}; no test is known to be valid"


def no_default(why: str, way: str) -> str:
    """The same where none was asked for, with what to do instead."""
    return f"{capital(why)} and no test of them is known to be valid; {way}."


def made_for(blocks: Sequence[str]) -> str:
    """A procedure for other blocks."""
    return f"it is made for {' and '.join(blocks)}"


def about_targets(targets: Sequence[str]) -> str:
    """A procedure for these blocks that answers another question, and how to ask it."""
    known = " or ".join(f"'{target}'" for target in targets)
    first = targets[0]
    way = f"add --target {first} (target='{first}')"
    return f"on these it answers the target {known} only: {way} to ask about that"


OTHER_SAMPLINGS = "it is made for samples that were drawn otherwise"


def silent_about(targets: Sequence[str]) -> str:
    """Blocks that are no evidence about a target."""
    known = " and ".join(f"'{target}'" for target in targets)
    return f"such rows say nothing about it, only about {known or 'nothing'}"


def reason(procedure: str, blocks: str, sampling: str, target: str, why: str) -> str:
    """What is not legal, and why."""
    drawn = f" ('{sampling}')" if sampling else ""
    return f"'{procedure}' is not valid for {blocks}{drawn} and the target '{target}': {why}."


def not_legal(reason: str, legal: Sequence[str]) -> str:
    """The refusal, with the legal alternatives."""
    return f"{reason} {f'Valid here: {joined}.' if (joined := ', '.join(legal)) else NOTHING}"


NOTHING = "No test is valid here."
FORCE = " --force (force=True) computes it all the same and marks the result."

NO_HALVINGS = (
    "it judges by halvings of the rows, and there are none: podium run STUDY --halves 10 adds them"
)

NO_LABELS = (
    "it corrects the scores of a judge by people's scores of some items: say both columns, as in "
    "--judge score --human human"
)
JUDGE_ALONE = (
    "these are scores of a judge, whose errors no number of items removes, with people's scores of "
    "some items, which correct them"
)
