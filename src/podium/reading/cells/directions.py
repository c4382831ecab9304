"""Which values of a measure are better, by the words of its name; None where nobody can know."""

from __future__ import annotations

import re

from podium.core.results.measure_names import is_complement
from podium.reading.cells.vocabulary import known_measure
from podium.reading.cells.words import last_part, words_of

_HIGHER = (
    "accuracy acc f1 auc auroc auprc correct correctness success successes succeeded resolved "
    "solved pass passed passing win wins winrate winner reward return precision recall r2 grade "
    "rating faithfulness relevancy relevance groundedness helpfulness quality ami ari nmi bleu "
    "rouge meteor throughput ops qps fps mrr ndcg map iou miou dice elo vus genauigkeit ssim psnr "
    "kappa mcc coverage completeness fluency coherence hit hits exact em similarity concordance "
    "speedup utility satisfaction preference preferred plausibility status tps rps iops mips flops "
    "gflops tflops bandwidth mbps rate_of_success goodput richtig trefferquote güte exactitude "
    "précision exactitud precisión aciertos vote votes compliance reliability trustworthiness "
    "eprewmean hypervolume hv sus testacc trainacc valacc ap chrf bertscore pesq stoi mos sisdr "
    "lddt plddt gdt dockq hota mota idf1 fscore"
)
_LOWER = (
    "error errors err loss time times latency duration runtime walltime cputime ms ns us sec secs "
    "second seconds minutes hours elapsed cost price usd eur dollars tokens memory rss bytes mb gb "
    "rmse mae mse mape smape mase owa perplexity ppl regret distance wer cer fid ece brier nll "
    "deviance crps energy joules rank violations failures mistakes fehler iterations evals dauer "
    "toxicity hallucination hallucinations fehlerrate fehlerquote laufzeit zeit rechenzeit verlust "
    "erreur durée temps coût tiempo costo pérdida misses crashes retries stalls jitter makespan "
    "nanoseconds microseconds milliseconds nanos micros millis msec usec nsec cycles instructions "
    "faults qlike igd gd pinball lpips rmsd eer mindcf ade fde hausdorff bpb bpc nlpd tardiness"
)
_TURNING = {"neg", "negative", "minus", "inverse", "inv", "non", "not", "no", "drop", "delta"}
_COUNTS = {"tokens", "bytes", "mb", "gb"}  # of which many in a time are good
_TURNING |= {"diff", "gap", "false", "to", "until", "change"}
_TURNING |= {"std", "sd", "stddev", "stdev", "var", "variance", "se", "sem", "stderr", "ci"}
_RATES = re.compile(r"(?<=\w)\s*(/|per[ _])\s*(s|sec|second|ms|us|ns|min|minute|hour)\b", re.I)
HIGHER, LOWER = frozenset(_HIGHER.split()), frozenset(_LOWER.split())


def is_higher_better(name: str) -> bool | None:
    """Whether larger values of a measure called so are better.

    >>> is_higher_better("latency_ms"), is_higher_better("is_correct"), is_higher_better("depth")
    (False, True, None)
    """
    if (known := known_measure(name)) is not None:
        return known.higher_is_better
    if _RATES.search(name):  # so much in a time: ops/ms, img/s
        return None if LOWER & {*words_of(_RATES.split(name)[0])} - _COUNTS else True
    words = words_of(name)
    if _TURNING & {*words} or is_complement(name):
        return None
    words = tuple(form for word in words for form in _forms(word))
    up, down = HIGHER & {*words}, LOWER & {*words}
    if bool(up) == bool(down):
        rates = {"rate", "per"} & {*words}
        last = last_part(name)
        if not up and not down and last != name:
            return is_higher_better(last)  # eval.pass@1
        return True if up and rates and not down else None
    return bool(up)


def is_rate(name: str) -> bool:
    """Whether a name tells how much is done in a time: `img/s`."""
    return _RATES.search(name) is not None


def _forms(word: str) -> tuple[str, ...]:
    """A word as it is, in the singular, and less what tells its kind: `rougel`, `ndcg10`."""
    less = re.sub(r"(?<=[a-z]{3})(lsum|l|\d+)$", "", word)
    return tuple(dict.fromkeys((word, less, word.removesuffix("s"))))
