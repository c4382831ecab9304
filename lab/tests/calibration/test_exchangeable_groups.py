"""Equal algorithms on exchangeable groups: fits are those of scikit-learn, and nulls hold."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from podium.core.inference.comparing.known import PROCEDURES
from podium_lab.calibration.calibrate import calibrate
from podium_lab.calibration.exchangeable_groups import WAYS, Fits, _bootstraps, _halves, _repeated
from podium_lab.calibration.judging import suits
from podium_lab.calibration.scenarios import SCENARIOS

RNG = np.random.default_rng(3)
X, Y = RNG.normal(size=(60, 3)), RNG.normal(size=60)


def fitted(name: str, learned: int):
    return {
        "1nn": KNeighborsRegressor(1),
        "5nn": KNeighborsRegressor(5),
        "ls": LinearRegression(),
        "ridge": Ridge(0.5 * learned),
        "shrunk": Ridge(5.0 * learned),
        "stump": DecisionTreeRegressor(max_depth=1),
        "tree": DecisionTreeRegressor(max_depth=3, random_state=0),
    }[name]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_many_fits_at_once_are_those_of_scikit_learn(way) -> None:
    fits = Fits.joined([_repeated(RNG, 60, 1, 5), _halves(RNG, 60), _bootstraps(RNG, 60, 3)])
    ours = way.learn(X, Y, fits.weights, fits.tested)
    for split in (0, 4, 5, 50, 105, 107):
        rows = np.repeat(np.arange(60), fits.weights[split].astype(int))
        # trees choose at random between attributes that divide what they learn from alike
        tested = np.unique(rows) if way.name == "tree" else fits.tested[split]
        model = fitted(way.name, len(rows)).fit(X[rows], Y[rows])
        np.testing.assert_allclose(ours[split, tested], model.predict(X[tested]), atol=1e-9)


def test_designs_test_every_row_as_often_as_they_should() -> None:
    cv, halves = _repeated(RNG, 60, 2, 5), _halves(RNG, 60)
    assert (cv.tested.sum(axis=0) == 2).all()
    assert (halves.tested.sum(axis=0) == 10).all()
    assert not (cv.tested & (cv.weights > 0)).any()
    learned = halves.weights.reshape(10, 2, 5, 60).max(axis=2) > 0
    assert not (learned[:, 0] & learned[:, 1]).any()
    assert (learned.sum(axis=1) == 1).all()


@pytest.mark.parametrize(
    ("kind", "legal"),
    [
        ("folds", {"corrected-t", "corrected-t-nb", "halves", "halves-conservative"}),
        ("resamples", {"corrected-t", "corrected-t-nb"}),
        ("twofold", {"corrected-t", "corrected-t-nb", "5x2cv-f", "5x2cv-t"}),
    ],
)
def test_every_procedure_about_new_samples_is_judged_on_fitted_algorithms(kind, legal) -> None:
    scenario = SCENARIOS[f"groups-ridge-100-{kind}"]
    assert {p.name for p in PROCEDURES.values() if suits(p, scenario)} == legal


@pytest.mark.long
def test_the_halves_test_holds_where_others_do_not() -> None:
    rate = {
        (r.procedure, r.scenario.removeprefix("groups-ridge-100-")): r.rate
        for name in ("folds", "twofold")
        for r in calibrate(
            ["halves", "corrected-t", "corrected-t-nb"] if name == "folds" else ["5x2cv-f"],
            f"groups-ridge-100-{name}",
            blocks=25 if name == "folds" else 10,
            replications=300,
        ).table.itertuples()
    }
    assert rate["5x2cv-f", "twofold"] > 0.2
    assert rate["corrected-t-nb", "folds"] > 0.07
    assert max(rate["halves", "folds"], rate["corrected-t", "folds"]) < 0.08


def test_a_weaker_signal_is_found() -> None:
    found = calibrate(
        "halves", "groups-ridge-100-folds", blocks=25, replications=150, effects=(0, -0.5)
    )
    power = found.table.set_index("kind")["rate"]["power"]
    assert 0.2 < power < 0.6  # 0.36 measured elsewhere
