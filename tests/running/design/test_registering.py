"""What registers itself is known everywhere: drawers, formulas of measures, families, sources."""

import numpy as np
import pytest
from registries_kept import kept

import podium
from podium import samplings
from podium.core.questions import measures
from podium.core.questions.targets import RESAMPLE
from podium.core.samplings import KINDS, Kind, Sizes
from podium.errors import DesignError, UnknownName
from podium.running.design.data.sources import SCHEMES, from_source
from podium.running.design.families import FAMILIES
from podium.running.design.measuring.outputs import CLASSES, LOSSES, PREDICTED, SCORES, score
from podium.running.design.measuring.scoring import RECORDED, computed
from podium.running.design.samples.drawing import DRAWINGS, Draw, Split, draws
from podium.running.design.samples.sampler import indices_table

DATA = podium.dataset("d", np.arange(20.0)[:, None], ["a", "b"] * 10)


@pytest.fixture
def registries():
    """What is registered by a test is gone after it."""
    with kept():
        yield


def test_every_sampling_is_drawn_or_describes_tables():
    assert set(KINDS) - set(DRAWINGS) == {"items", "preferences", "runs", "splitter"}
    assert set(DRAWINGS) <= set(KINDS)


def test_every_measure_has_a_formula_or_is_recorded():
    assert set(measures.KNOWN) == {*LOSSES, *SCORES, *RECORDED}
    assert set(measures.LOSSES) == set(LOSSES)
    assert not set(LOSSES) & set(SCORES)


def test_a_sampling_of_somebody_else_is_drawn_by_one_registration(registries):
    kind = Kind("halves", "halves of the rows", RESAMPLE, "halves:10", sizes=Sizes(share=0.5))

    @draws(samplings.register(kind))
    def halves(wanted):
        order = wanted.rng.permutation(wanted.data.n)
        half = wanted.data.n // 2
        return Draw((Split(order[:half], order[half:]),))

    algorithms = {"majority": podium.algorithm("majority", "majority")}
    study = podium.Study(DATA, algorithms, sampling="halves:3", sizes=[0.5])
    sizes = [len(study.sampler.sample(study.datasets[0], k)[1].splits[0].train) for k in (1, 2, 3)]
    assert sizes == [5, 5, 5]
    plain = podium.Study(DATA, algorithms, sampling="halves:3")
    table = indices_table(plain.datasets, plain.sampler, samplings.parse("halves:3"))
    assert table.groupby("sample")["row"].nunique().tolist() == [20, 20, 20]


def test_a_measure_of_somebody_else_is_computed_by_one_registration(registries, tmp_path):
    known = measures.Measure("agreement", True, (0, 1), spec="agreement")
    measures.KNOWN.add("agreement", known)
    with pytest.raises(UnknownName, match="'agreement' is not a measure of a whole test sample"):
        computed("agreement")

    @score("agreement", PREDICTED, CLASSES)
    def agreement(output):
        return float(np.mean(output.y == output.get(PREDICTED)))

    algorithms = {"tree": podium.algorithm("tree", "tree")}
    study = podium.Study(DATA, algorithms, sampling="cv:2", measures=["agreement", "accuracy"])
    scores = podium.run(study, tmp_path / "s.podium", jobs=0).scores
    values = {name: part["value"].tolist() for name, part in scores.groupby("measure")}
    assert values["agreement"] == values["accuracy"]


def test_a_name_is_registered_once():
    with pytest.raises(ValueError, match="'cv' is registered twice"):
        draws(samplings.CV)(lambda wanted: Draw(()))


def test_families_are_found_by_the_folder_they_stand_in():
    assert {f.__module__.rpartition(".")[0] for f in FAMILIES.values()} == {
        "podium.running.design.families"
    }
    assert len(FAMILIES) == 12


def test_sources_say_what_goes_with_them():
    assert list(SCHEMES) == ["builtin", "sklearn", "file", "openml"]
    with pytest.raises(DesignError, match="is not a built-in data set"):
        from_source("d", "builtin:nothing", target="y", n=3)
