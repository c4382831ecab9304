"""Words of the notes on designs, and on claims about new samples from one learning sample."""

from __future__ import annotations

from podium.core.base.formatting import printable
from podium.core.questions.targets import BLOCKS
from podium.core.words.facts import Note, sentences, words
from podium.core.words.phrases import counted, joined, paired, quoted, spelled

IN_METHODS = {
    "conditional-on-split": "Conditional on this one split: more training runs make any "
    "difference significant, but only for these training rows and test items.",
    "one-machine": "About this machine as it was: other machines, inputs or loads may order them "
    "otherwise.",
    "models-of-folds": "About the mean risk of these very models, one of each fold, not about "
    "the algorithms. Nominal 95 % intervals were seen to cover about 85 % (79 to 88) where one "
    "linear model contains the other, and 94 % where not: the closer two algorithms are, the "
    "less this is to be trusted.",
    # what contradicts a design
    "these-conditions": "About these very {conditions} conditions: items were averaged over "
    "them; the result does not hold for others.",
}
sentences(IN_METHODS, in_methods=True)

SENTENCES = {
    # what contradicts a design
    "folds-numbered-through": "Folds are numbered 1 to {folds}, and taken repeat by repeat, "
    "{within} in each, as '{sampling}' says: if they are {folds} folds of one cross-validation, "
    "this is wrong.",
    "measure-of-many-items": "{measure} is of many items, and here every item has one. Are these "
    "predictions? Then add their truth: a column y_true, or a file of ids and truth.",
    "repeated-folds": "Repeats of a cross-validation reuse the same rows, so this test gains "
    "little by them. The halves test finds more: run the study with {sampling}+halves:10.",
    # population words
    "liberal-in-time": "Where neighbouring differences correlate by 0.5, '{procedure}' finds "
    "differences between equal algorithms too often: 24 to 27 % of two, 48 % of five, instead of "
    "5 %. Use -p diebold-mariano-fixed, which holds its level there.",
    "halves-far-off": "Inside halves, {pairs:paired} differ by something else than on all rows: "
    "the difference still changes with the number of rows, and the interval may be too short.",
    "halves-groups": "The rows come in groups, and were halved one by one: rows of a group on "
    "both sides make intervals far too short. Draw the samples with +grouped.",
    "halves-few-rows": "{rows} rows are few to be halved: with 50, intervals of 95 % held the "
    "truth in 90 % and more.",
    "halves-attributes": "{attributes} attributes of {rows} rows, more than 0.4: algorithms that "
    "are not regularised learn otherwise from half of the rows, and intervals may be too short.",
    "halves-distinct": "Only {distinct} of {rows} rows are distinct: a few kinds of rows decide "
    "much, and intervals of 95 % held the truth in 79 to 91 % only. halves-conservative is "
    "safer; if rows are repeated because they belong together, say so by a column of groups and "
    "+grouped.",
    "halves-incomplete": "{halvings} of {of} halvings lack a score and were left out; run the "
    "study again.",
    "halves-few": "{halvings:spelled halving}: ten say more, and five have been tried.",
    "halves-heavy-tails": "The measure '{measure}' squares errors: where the response has heavy "
    "tails, a few rows decide it, and no interval from a sample without them holds (43 to 87 % "
    "in simulations); the measure absolute copes with them better.",
}
sentences(SENTENCES)


@words("drift", "by", "rounds")
def _drift(n: Note) -> str:
    names = [
        f"{name} {'rises' if r > 0 else 'falls'} (rank correlation {r:.2f})" for name, r in n.by
    ]
    what = "Scores less the mean of their round" if n.rounds else "Scores"
    turns = "" if n.rounds else "run the algorithms in turn (runs+paired), "
    return (
        f"{what} change along the order of the runs: {joined(names)}. Tests take runs for "
        f"independent: warm the machine up, {turns}or leave out the first runs."
    )


@words("autocorrelation", "by", "worth")
def _autocorrelation(n: Note) -> str:
    names = [f"{name} {r:.2f}" for name, r in n.by]
    return (
        f"Runs resemble the run before (correlation of neighbours: {joined(names)}), so they are "
        f"worth about {100 * n.worth:.0f} % of their number and the test finds too much: run the "
        "algorithms in random order, or use means of several runs in a row."
    )


@words("medians", "by")
def _medians(n: Note) -> str:
    return "Medians: " + ", ".join(f"{name} {value:.4g}" for name, value in n.by) + "."


@words("medians-disagree", "pairs")
def _disagree(n: Note) -> str:
    pairs = [f"{a} and {b}" for a, b in n.pairs[:3]]
    return (
        f"Means and medians disagree on which is better of {joined(pairs)}: a few runs weigh "
        "heavily in the means. The procedure 'medians' compares the medians."
    )


@words("incomplete-items", "items", "of", "lacking", "conditions")
def _incomplete_items(n: Note) -> str:
    names = [f"{name}: {count}" for name, count in n.lacking]
    lack, were = ("lacks", "was") if n.items == 1 else ("lack", "were")
    unit = "condition" if n.conditions else "training run"
    return (
        f"{n.items} of {n.of} items {lack} the score of some {unit} ({joined(names)}) and {were} "
        "left out."
    )


@words("variance-parts", "items", "runs", "rest", "counts", in_paper=True)
def _variance_parts(n: Note) -> str:
    items, least, most = n.counts
    runs = f"{least}" if least == most else f"{least} to {most}"
    of_items, of_runs, of_both = (f"{100 * part:.0f} %" for part in (n.items, n.runs, n.rest))
    return (
        f"Of the variance of a difference of two means, {of_items} is due to the {items} items, "
        f"{of_runs} to the {runs} training runs and {of_both} to both together; more "
        "items lower the first and the last, more runs the second and the last."
    )


@words("seeds-averaged", "least", "most", "seeds", "splits", in_paper=True)
def _seeds_averaged(n: Note) -> str:
    count = f"{n.most}" if n.least == n.most else f"{n.least} to {n.most}"
    return (
        f"The {count} seeds within each split were averaged. Scores vary by {n.seeds:.3g} (sd) "
        f"between the seeds of a split and by {n.splits:.3g} between splits."
    )


# -- what contradicts a design --------------------------------------------------------------------


@words("column-against-sampling", "column", "says", "sampling")
def _against(n: Note) -> str:
    noun = BLOCKS[n.says].noun
    return (
        f"The column '{n.column}' speaks of {noun}, and '{n.sampling}' was given: if these are "
        f"{noun}, another test is valid and this one has far too many false positives."
    )


@words("data-sets-that-are-none", "names", "word")
def _no_data_sets(n: Note) -> str:
    first, second = n.names
    like = f"a {n.word} each" if n.word else "folds or seeds"
    return (
        f"'{first}' and '{second}' look like {like} of one data set: only different data sets are "
        "independent. If they are not, divide the column into dataset and fold (or seed)."
    )


@words("versions-of-data", "names", "versions", "left")
def _versions(n: Note) -> str:
    first, last = map(quoted, n.names)
    return (
        f"{first} to {last} look like {n.versions} versions of one data set. If they are, keep one "
        f"or average them: then {counted(n.left, 'data set')} count, not more."
    )


@words("copied-blocks", "copied", "blocks", "noun", "algorithms", "expected")
def _copied_blocks(n: Note) -> str:
    chance = f"about {n.expected:.2g}" if n.expected >= 0.01 else "fewer than 0.01"
    verb = "repeats" if n.copied == 1 else "repeat"
    algorithms = "both algorithms" if n.algorithms == 2 else f"all {n.algorithms} algorithms"
    return (
        f"{n.copied} of {n.blocks} {n.noun} {verb} another to the last digit in the scores of "
        f"{algorithms}; chance gives {chance}. Check whether rows were entered twice or runs share "
        "a seed."
    )


@words("ranks-as-scores", "last", "higher")
def _ranks(n: Note) -> str:
    best = n.last if n.higher else 1
    return (
        f"Every row holds the numbers 1 to {n.last}. Are these ranks? Here {best} is best; analyse "
        "the scores themselves if you have them."
    )


@words("items-that-are-none", "names", "word", "sampling", "column")
def _no_items(n: Note) -> str:
    first, last = map(quoted, n.names)
    return (
        f"{first} to {last} look like a {n.word} each, not like items. If they are, the test is "
        f"another: add --columns sample={n.column} --sampling {n.sampling}"
    )


@words("confounded", "column", "values")
def _confounded(n: Note) -> str:
    names = joined([f"{printable(name)} {value}" for name, value in n.values], most=4)
    return (
        f"Each algorithm has its own '{printable(n.column)}' ({names}), so a difference may be due "
        "to it. Compare runs that share it."
    )


@words("repeated-rows", "times", "different")
def _repeated_rows(n: Note) -> str:
    return (
        f"Rows are duplicated {n.times} times; only {n.different} are distinct: "
        f"if rows were copied, p-values are far too small and intervals {n.times**0.5:.2g} times "
        "too narrow; leave one of each."
    )


@words("condition-parts", "share", "narrower", "conditions", "items")
def _condition_parts(n: Note) -> str:
    if n.share < 0.005:
        return (
            f"Nothing of the variance of a difference is seen to come from the {n.conditions} "
            f"conditions, all of it from the {n.items} items: --target test-set, about just these "
            "conditions, has more degrees of freedom, and so narrower intervals."
        )
    return (
        f"Of the variance of a difference, {100 * n.share:.0f} % comes from the {n.conditions} "
        f"conditions, the rest from the {n.items} items: --target test-set, about just these "
        f"conditions, has intervals {100 * n.narrower:.0f} % narrower or more."
    )


@words("condition-parts", "sizes", "shares", "narrower", "items")
def _three_parts(n: Note) -> str:
    (one, first), (two, second) = n.sizes
    a, b, both = (f"{100 * share:.0f} %" for share in n.shares)
    return (
        f"Of the variance of a difference, {a} comes from the {first} values of '{one}', {b} from "
        f"the {second} of '{two}', {both} from the two together, and the rest from the {n.items} "
        f"items: --target test-set, about just these conditions, has intervals "
        f"{100 * n.narrower:.0f} % narrower or more."
    )


def _df(df: float) -> str:
    text = f"{df:.3g}"
    return f"{text} degree" if text == "1" else f"{text} degrees"


@words("few-conditions", "df", "sizes", "items")
def _few_of_two(n: Note) -> str:
    few = " and ".join(f"{size} values of '{name}'" for name, size in n.sizes)
    return (
        f"{few} tell little of others: the test has {_df(n.df)} of freedom in spite of "
        f"{n.items} items, and errs a little too often where they matter. Try more, or ask about "
        "just these: --target test-set."
    )


@words("few-conditions", "df", "conditions", "items")
def _few_conditions(n: Note) -> str:
    return (
        f"{n.conditions} conditions tell little of others: the test has {_df(n.df)} of freedom "
        f"in spite of {n.items} items, and errs up to 8 % with 3 of them and 11 % with 2. "
        "Try more conditions, or ask about just these: --target test-set."
    )


# -- population words -----------------------------------------------------------------------------
# Words of the notes on claims about new samples from one training set.


@words("overlap")
def _overlap(n: Note) -> str:
    little = (
        f"The ten halves are judged by {n.df:g} df and {n.ratio:g} times their variance, which "
        "finds hardly any difference: repeated-cv:5x5 finds more. "
        if n.little
        else ""
    )
    return (
        f"{little}It is assumed that a row matters no more for a difference when it is learned "
        "from than when it is tested on, and scores cannot show that: of strongly regularised or "
        f"very unstable algorithms that are equal, up to {100 * n.most:.0f} % differed "
        "significantly instead of 5 %. The halves test assumes less: podium run STUDY --halves 10 "
        "adds 100 small fits of every algorithm."
    )


@words("liberal")
def _liberal(n: Note) -> str:
    seen = ", ".join(f"{100 * rate:.0f} % of {what}" for what, rate in n.rates)
    return (
        f"'{n.procedure}' finds differences between equal algorithms too often: {seen} in "
        "simulations, instead "
        f"of 5 %; {n.instead} holds its level better."
    )


@words("halves")
def _halves(n: Note) -> str:
    larger = f" ({n.guarded} of {counted(n.pairs, 'pair')})" if n.pairs > 1 else ""
    guarded = (
        f", or on the corrected variance of the samples where that is larger{larger}"
        if n.guarded
        else ""
    )
    return (
        f"Intervals rest on the scatter between disjoint halves of the rows ({n.halvings} "
        f"halvings, {n.df} df){guarded}. This assumes independent rows, and that n times the "
        "variance of a difference does not grow from n/2 to n rows. In simulations of ordinary "
        "algorithms with 100 rows or more, intervals of 95 % held the truth in 93 to 99.5 %; in 79 "
        "to 95 % with few distinct rows or rare attributes."
    )


WHY = {
    "constant": "the difference does not vary, between halves or between samples: these algorithms "
    "are equal, or do not learn, on half of the rows",
    "alike": "the halves of a halving show no difference at all: one of these algorithms hardly "
    "learns from so few rows, and will differ more on all of them",
}


@words("halves-no-claim")
def _no_claim(n: Note) -> str:
    return f"Nothing is claimed of {paired(n.pairs)}: {WHY[n.why]}."


@words("halves-rare-class")
def _rare_class(n: Note) -> str:
    if n.claimed:
        return (
            f"The rarest class has {spelled(n.rows, 'row')}: with fewer than 20, intervals of "
            "95 % held the truth in 85 to 92 % only."
        )
    return (
        f"The rarest class has {spelled(n.rows, 'row')}, which is too few to be halved: nothing is "
        "claimed. Collect 20 of each class, or leave the class out."
    )
