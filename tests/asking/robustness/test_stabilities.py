from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from results_made import constant, fifty, long_names, six, ties, two
from snapshots import assert_snapshot
from told import sentences

import podium
from podium import Results
from podium.asking.robustness import Stability
from podium.errors import InferenceError
from podium.showing.plots import PLOTS, rank_stability
from podium.testing import check_plot

rank_stability_data = PLOTS["rank_stability"].data


def stable(results: Results) -> Stability:
    return podium.stability(results, resamples=200, orders=2)


def test_rows_are_the_stability_best_first() -> None:
    stability = stable(six())
    data = rank_stability_data(stability)
    assert data.rows["rank"].is_monotonic_increasing
    assert data.rows["algorithm"][0] == "svm"
    own = stability.ranks.set_index("algorithm").loc[data.rows["algorithm"]]
    means = six().scores.groupby("algorithm", observed=True)["value"].mean()
    assert own["mean"].to_dict() == pytest.approx(means[own.index].to_dict())
    assert data.title.startswith(f"svm has the best mean error in {data.rows['text'][0]} of 200 ")
    for column in ("rank", "lower", "upper", "best"):
        assert data.rows[column].tolist() == own[column].tolist()


def test_shares_add_up_to_one_by_rows_and_places_and_the_first_is_the_share_of_best() -> None:
    data = rank_stability_data(stable(six()))
    shares = data.places.pivot(index="y", columns="place", values="share").to_numpy()
    assert np.allclose(shares.sum(axis=0), 1)
    assert np.allclose(shares.sum(axis=1), 1)
    assert shares[:, 0].tolist() == data.rows["best"].tolist()


def test_a_rare_first_place_is_not_written_as_none() -> None:
    stability = stable(two())
    ranks = stability.ranks.assign(best=[0.998, 0.002])
    data = rank_stability_data(replace(stability, ranks=ranks))
    assert data.rows["text"].tolist() == ["100%", "<1%"]


def test_the_title_of_the_orders_tells_how_many_are_not_shown() -> None:
    made = stable(six())
    for more in (-1, 0, 1, 2):
        rows = made.orders.iloc[np.resize(np.arange(len(made.orders)), 5 + more)]
        shown = repr(replace(made, orders=rows))
        assert (f"; {more} more)" in shown) is (more > 0)


def test_resamples_without_ranks_are_said_or_refused() -> None:
    stability = stable(two())
    assert sentences(rank_stability_data(replace(stability, unranked=7)).notes)[-1] == (
        "7 resamples lack the scores of an algorithm."
    )
    with pytest.raises(InferenceError, match="No resample ranks all algorithms"):
        rank_stability(replace(stability, resamples=0))


def test_kept_rows() -> None:
    assert_snapshot("rank_stability", rank_stability_data(stable(six())).rows)


SLOW = (two, fifty, ties, constant)
CASES = [long_names, *(pytest.param(r, marks=pytest.mark.long) for r in SLOW)]


@pytest.mark.parametrize("results", CASES)
def test_rank_stability_keeps_the_laws_of_plots(results: object) -> None:
    check_plot(rank_stability, stable(results()))
