"""A name that promises a computation is not given to the mean of rows."""

from __future__ import annotations

import pytest

from podium import read
from podium.core.results.measure_names import is_statistic
from podium.errors import ResultsError

RUNS = "algorithm,run,value\n" + "".join(f"{a},{i},{i}.5\n" for a in "ab" for i in range(4))
SETS = "dataset,a,b\n" + "".join(f"d{i},{i}.5,{i}.7\n" for i in range(4))


@pytest.mark.parametrize("name", ["median", "p95", "P99.9", "quantile:0.95", "max", "p95-latency"])
def test_a_statistic_of_rows_is_refused_with_ways_out(name, tmp_path):
    table = tmp_path / "runs.csv"
    table.write_text(RUNS)
    with pytest.raises(ResultsError, match="computed from many rows") as caught:
        read(table, measure=name, higher_is_better=False, sampling="runs")
    assert f"call its column '{name}' in the file" in str(caught.value)
    assert read(table, measure="time", sampling="runs").measures.keys() == {"time"}
    table.write_text(RUNS.replace("value", name))
    assert [*read(table, measure=name, higher_is_better=False, sampling="runs").measures] == [name]


def test_one_row_per_data_set_may_be_a_statistic(tmp_path):
    table = tmp_path / "sets.csv"
    table.write_text(SETS)
    assert [*read(table, measure="p95", higher_is_better=False).measures] == ["p95"]


@pytest.mark.parametrize("name", ["max_error", "neg_median_absolute_error", "time", "top_p", "F1"])
def test_measures_of_one_model_are_no_statistics(name):
    assert not is_statistic(name)
