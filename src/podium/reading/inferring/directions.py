"""Which values of a measure are better, by the words of its name; None where nobody can know."""

from __future__ import annotations

from podium.reading.cells.vocabulary import known_measure
from podium.reading.inferring.words import words_of

_HIGHER = (
    "accuracy acc f1 auc auroc auprc correct correctness success successes succeeded resolved "
    "solved pass passed passing win wins winrate winner reward return precision recall r2 grade "
    "rating faithfulness relevancy relevance groundedness helpfulness quality ami ari nmi bleu "
    "rouge meteor throughput ops qps fps mrr ndcg map iou miou dice elo vus genauigkeit ssim psnr "
    "kappa mcc coverage completeness fluency coherence hit hits exact em similarity concordance "
    "speedup utility satisfaction preference preferred plausibility status tps rps iops mips flops "
    "gflops tflops bandwidth mbps rate_of_success goodput richtig trefferquote güte exactitude "
    "précision exactitud precisión aciertos"
)
_LOWER = (
    "error errors err loss time times latency duration runtime walltime ms ns us sec secs second "
    "seconds minutes hours elapsed cost price usd eur dollars tokens memory rss bytes mb gb rmse "
    "mae mse mape smape mase owa perplexity ppl regret distance wer cer fid ece brier nll deviance "
    "crps energy joules rank violations failures mistakes fehler iterations evals dauer toxicity "
    "hallucination hallucinations fehlerrate fehlerquote laufzeit zeit rechenzeit verlust erreur "
    "durée temps coût tiempo costo pérdida misses crashes retries stalls jitter makespan"
)
_TURNING = {"neg", "negative", "minus", "inverse", "inv", "non", "not", "no", "drop", "delta"}
_TURNING |= {"diff", "gap", "false", "to", "until", "change"}
HIGHER, LOWER = frozenset(_HIGHER.split()), frozenset(_LOWER.split())


def is_higher_better(name: str) -> bool | None:
    """Whether larger values of a measure called so are better.

    >>> is_higher_better("latency_ms"), is_higher_better("is_correct"), is_higher_better("depth")
    (False, True, None)
    """
    if (known := known_measure(name)) is not None:
        return known.higher_is_better
    words = words_of(name)
    if _TURNING & {*words} or words[:1] == ("1",):
        return None
    up, down = HIGHER & {*words}, LOWER & {*words}
    if bool(up) == bool(down):
        rates = {"rate", "per"} & {*words}
        return True if up and rates and not down else None
    return bool(up)
