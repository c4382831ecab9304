"""What a file supports, lacks and would take."""

import numpy as np
import pandas as pd

import podium
from podium.studies.checkup import checkup
from podium.wording.checkup import lines


def table(gap: bool = False) -> pd.DataFrame:
    values = np.random.default_rng(0).normal(0.3, 0.05, (15, 3)).round(4)
    made = pd.DataFrame(values, columns=list("abc"))
    made.insert(0, "dataset", [f"d{i}" for i in range(15)])
    if gap:
        made.loc[0, "a"] = np.nan
    return made


def test_a_table_of_data_sets_supports_a_claim_about_data_sets_like_these_alone() -> None:
    found = checkup(podium.read(table(gap=True), measure="error"))
    assert [each.target for each in found.supported] == ["dataset-population"]
    assert (found.missing, found.scores) == (1, 45)
    said = list(lines(found))
    assert said[0] == (
        "Holds: 3 algorithms on 15 data sets, judged by error, no word on the sampling."
    )
    assert said[1] == "Lacks: 1 of 45 scores are missing."
    assert any(line.startswith("Would settle it: ") for line in said)
    assert "- datasets: several samples on every data set." in said


def test_a_table_without_a_word_on_its_samples_says_what_to_add() -> None:
    samples = table().rename(columns={"dataset": "sample"}).assign(sample=range(1, 16))
    found = checkup(podium.read(samples, measure="error"))
    assert found.supported == []
    assert "add --sampling" in list(lines(found))[-1]
