"""What names of the field look like: algorithms, data sets, systems under test."""

from __future__ import annotations

import re
from collections.abc import Iterable

from podium.reading.cells.words import words_of

# columns that name what is compared, beside those that the vocabulary of tables knows
_CONTENDERS = (
    "engine library lib package product tool vendor vm runtime interpreter compiler backend "
    "optimizer optimiser sampler searcher tuner arch architecture network net encoder embedder "
    "embedding retriever reranker tokenizer kernel driver codec index implementation impl variant "
    "strategy heuristic planner controller expr func fn procedure provider llm lm checkpoint team "
    "participant competitor submission player bot language lang db database store cache queue "
    "learner wflow verfahren methode modell algorithmus lerner méthode modèle método modelo "
    "metodo modello candidate arm treatment"
)
_BLOCKS = (
    "workload scenario dataset datensatz datensätze daten jeu conjunto suite series problem "
    "instance instanz aufgabe unique_id uid bench benchmark testcase leaderboard leaderboards "
    "track corpus trace stock"
)
_ALGORITHM = (
    "svm svc knn nn rf gbm gbdt xgb xgboost lgbm lightgbm catboost lr nb lda qda cart mlp cnn rnn "
    "lstm gru transformer bert roberta gpt llama qwen mistral mixtral gemini gemma claude phi "
    "deepseek vicuna alpaca koala falcon yi resnet vit convnext densenet vgg inception "
    "efficientnet rocket boss hydra ridge lasso elasticnet ols glm gam naive bayes forest tree "
    "boost boosting bagging ensemble baseline ours dqn ppo sac ddpg td3 cql iql rainbow a2c "
    "arima ets prophet nbeats theta kmeans dbscan adam sgd rmsprop tpe random hyperband smac "
    "ga pso de cma instruct chat large small base mini turbo preview opus sonnet haiku flash"
)
_DATASET = (
    "iris wine zoo sonar spam spambase adult car mushroom german credit breast cancer diabetes "
    "mnist cifar svhn imagenet coco voc food pets dtd flowers mmlu gsm8k gsm hellaswag arc boolq "
    "piqa winogrande race bbh gpqa musr ifeval math humaneval mbpp truthfulqa squad glue sst mrpc "
    "qnli rte cola ceval hopper walker cheetah humanoid ant pong breakout monk monks glove sift "
    "gist deep ucr uci openml python java javascript rust cpp go english german french spanish "
    "hourly daily weekly monthly quarterly yearly"
)
CONTENDERS, BLOCKS = frozenset(_CONTENDERS.split()), frozenset(_BLOCKS.split())
_ALGORITHMS, _DATASETS = frozenset(_ALGORITHM.split()), frozenset(_DATASET.split())
_SIZED = re.compile(r"(^|[-_ ])\d+(\.\d+)?[bm]($|[-_ ])", re.IGNORECASE)  # llama-7b


def looks_compared(names: Iterable[str]) -> float:
    """How much names look like those of algorithms (above 0) or of data sets (below 0).

    >>> looks_compared(["gpt-4o", "llama-7b"]) > 0 > looks_compared(["iris", "zoo"])
    True
    >>> looks_compared([f"set{i}" for i in range(5)]) < 0
    True
    """
    messages = [str(n) for n in names if str(n)]
    if not messages:
        return 0.0
    votes = 0.0
    for name in messages:
        words = {re.sub(r"\d+$", "", w) or w for w in words_of(name)} | {*words_of(name)}
        votes += bool(words & _ALGORITHMS) or bool(_SIZED.search(name)) or "/" in name
        votes -= bool(words & _DATASETS)
    stems = {re.sub(r"[\d\s_.-]+$", "", n).lower() for n in messages}
    running = len(messages) > 3 and len(stems) == 1 and "" not in stems
    return votes / len(messages) - (0.6 if running else 0.0)
