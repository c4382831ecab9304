"""The items of eugster2008: from its printed numbers, from made-up raw scores, and run anew.

The raw scores are not in this project; what they give is in papers/eugster2008/README.md.
"""

from __future__ import annotations

import gzip
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium.core.orders.distances import distances
from podium.errors import DesignError, ResultsError
from podium_lab.papers import eugster2008_data as printed
from podium_lab.papers import eugster2008_experiment as experiment
from podium_lab.papers import eugster2008_runs as runs
from podium_lab.papers import eugster2008_survey as survey
from podium_lab.papers.eugster2008_data import NAMES
from podium_lab.papers.replication import papers, replicate

SHIPPED = Path(__file__).parents[3] / "papers" / "eugster2008" / "monks3.toml"
# to be drawn in less than a second each
FAST = ("figure1", "figure2", "figure5", "figure6", "figure8", "figure9", "figure12")
SLOW = ("figure3", "figure4", "figure7", "figure10", "figure11", "figure13", "figure14")


# -- printed numbers in, printed numbers out ----------------------------------------------------


def test_section_33_needs_no_data_and_is_met():
    found = replicate("eugster2008", "section3.3")
    assert all(cell.within for cell in found.cells)
    assert [cell.ours for cell in found.cells] == [0, 6, 6, 2, 2, 1, 1]


def test_orders_of_six_follow_from_the_printed_summaries():
    cells = list(experiment._printed_orders(printed.algorithms_table()))
    assert [cell.ours for cell in cells] == [0] * 5


def test_the_printed_formula_lacks_the_correction_for_ties_that_the_printed_p_values_have():
    sums = printed.algorithms_table()["rank sum"]
    assert experiment.statistic(sums) == pytest.approx(800.42, abs=0.005)
    assert experiment.statistic(sums) / 888.5657 == pytest.approx(0.9008, abs=5e-5)
    assert all(cell.within for cell in experiment._from_rank_sums(0.9008))
    without = list(experiment._from_rank_sums(1.0))
    assert [cell.row for cell in without if not cell.within] == [
        "svm, rpart",
        "nb, knn",
        "lda, knn",
    ]


def test_printed_differences_are_those_of_the_printed_rank_sums():
    sums, pairs = printed.algorithms_table()["rank sum"], printed.pairs_table()
    assert len(pairs) == 15
    apart = sums[pairs["second"]].to_numpy() - sums[pairs["first"]].to_numpy()
    assert (apart == pairs["difference"]).all()


def test_coefficients_and_cell_means_are_the_same_but_for_the_sign_of_u():
    theirs = printed.coefficients()
    ours = survey.coefficients_of(printed.cell_means())
    assert len(theirs) == 126
    wrong = [name for name in theirs.index if abs(theirs[name] - ours[name]) > 1e-12]
    assert wrong == ["U"]
    assert ours["U"] == pytest.approx(-0.0248)
    assert printed.cell_means().loc["I", "knn"] == pytest.approx(0.0344, abs=1e-4)  # Table 1


def test_the_model_of_all_data_sets_leaves_one_pair_open_and_not_the_printed_three():
    *pairs, order = survey._decided()
    assert [cell.within for cell in pairs] == [True] * 15
    assert order.ours == 2  # rpart is better than nnet and than nb
    assert "Ours: svm ≻ rpart ≻ nnet ≈ nb ≻ knn ≻ lda." in order.note


def test_the_implied_orders_make_all_of_table_2():
    theirs = printed.distance_table()
    orders = printed.dataset_orders()
    assert (distances([orders[x] for x in theirs.index]) == theirs.to_numpy()).all()
    found = distances([{**orders, "J": "lda ≻ svm ≈ rpart ≻ nb ≻ nnet ≈ knn"}[x] for x in "JK"])
    assert found[0, 1] == theirs.loc["J", "K"] - 1  # nnet ≈ knn on J would show


def test_the_implied_orders_have_the_printed_consensus_and_places():
    orders = printed.dataset_orders()
    found = podium.consensus(list(orders.values()), family="linear")
    assert set(found.orders) == {printed.named(text) for text in printed.SURVEY_CONSENSUS}
    first = {n: sum(n in o.winners for o in orders.values()) for n in NAMES.values()}
    assert first == {"svm": 13, "rpart": 1, "nnet": 1, "knn": 2, "lda": 8, "nb": 6}
    assert sum("nb" in order.groups[-1] for order in orders.values()) == 9


def test_the_implied_orders_agree_with_the_printed_means():
    means = printed.cell_means()
    for letter, order in printed.dataset_orders().items():
        for i, j in np.argwhere(order.better):
            better, worse = order.algorithms[i], order.algorithms[j]
            assert means.loc[letter, better] < means.loc[letter, worse]


# -- made-up raw scores -------------------------------------------------------------------------


def made_up() -> pd.DataFrame:
    """Scores about the printed means: 250 samples of 21 data sets by 6 algorithms."""
    rng = np.random.default_rng(1)
    means = printed.cell_means().rename(columns={"nb": "rf"})
    names = printed.datasets_table()["name"]
    scores = means.to_numpy()[:, None] + rng.normal(0, 0.01, (21, 250, 1))
    scores = np.clip(scores + rng.normal(0, 0.02, (21, 250, 6)), 0, 1)
    at = np.indices(scores.shape)
    frame = {
        "ds": names[means.index].to_numpy()[at[0].ravel()],
        "b": at[1].ravel() + 1,
        "alg": means.columns.to_numpy()[at[2].ravel()],
        "p": scores.ravel(),
    }
    return pd.DataFrame(frame)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("data") / "results"
    made.mkdir()
    long = made_up()
    long.loc[(long["ds"] == "Cards") & (long["b"] == 7) & (long["alg"] == "svm"), "p"] = np.nan
    long.to_csv(made / "uci621_long.csv.gz", index=False)
    wide = long[long["ds"] == "monks3"].pivot(index="b", columns="alg", values="p")
    wide.reset_index().to_csv(made / "monks3_wide.csv", index=False)
    seconds = wide.abs() + np.array([5, 0.1, 9, 0.01, 0.5, 12])
    seconds.reset_index().to_csv(made / "monks3_time_wide.csv", index=False)
    return made.parent


def test_boulesteix2013_on_this_collection_has_the_spread_of_cell_means(folder):
    found = replicate("boulesteix2013", "collection", data=folder)
    means = made_up().pivot_table(index="ds", columns="alg", values="p")
    spread = (means["svm"] - means["lda"]).std()
    cells = {(c.table, c.row): c for c in found.cells}
    assert len(cells) == 30
    assert cells["Figure 1", "svm - lda"].ours == pytest.approx(spread, rel=1e-3)
    n = cells["Figure 3", "svm - lda"].ours  # one-sided t test at 5 % with power 0.8
    power = [stats.nct.sf(stats.t.ppf(0.95, m - 1), m - 1, 0.05 / spread * m**0.5)
             for m in (n - 1, n)]  # fmt: skip
    assert power[0] < 0.8 <= power[1]
    assert next(iter(found.figures)) == "collection-figure1"


def test_table_1_summarises_the_scores_of_the_folder(folder):
    found = replicate("eugster2008", "table1", data=folder).table
    wide = pd.read_csv(folder / "results" / "monks3_wide.csv")
    ours = found.set_index(["row", "column"])["ours"]
    assert len(ours) == 20
    assert ours["nnet", "SD"] == pytest.approx(wide["nnet"].std())
    assert ours["lda", "Max"] == pytest.approx(wide["lda"].max())


def test_section_32_ranks_a_copy_of_lda_like_lda(folder):
    cells = replicate("eugster2008", "section3.2", data=folder).cells
    sums = {cell.row: cell.ours for cell in cells if cell.table == "rank sums"}
    assert sums["lda"] == sums["nb"]
    assert sum(sums.values()) == 250 * 21
    wide = pd.read_csv(folder / "results" / "monks3_wide.csv")
    blocks = wide[["svm", "rpart", "nnet", "knn", "lda", "lda"]].to_numpy()
    friedman = next(cell.ours for cell in cells if cell.column == "raw scores")
    assert friedman == pytest.approx(stats.friedmanchisquare(*blocks.T).statistic)


def test_a_sample_in_which_an_algorithm_failed_counts_for_none(folder):
    found = survey.raw_means(folder)
    long = made_up()
    kept = long[(long["ds"] == "Cards") & (long["b"] != 7) & (long["alg"] == "lda")]
    assert found.loc["J", "lda"] == pytest.approx(kept["p"].mean())


def test_naive_bayes_joins_by_its_mean_as_tukey_would_have_it(folder):
    results = survey.survey(folder)
    five = podium.compare(results, "mixed-tukey", dataset="I monks3")
    error = five.method.to_dict()["sigma"] / np.sqrt(250)
    table = survey.joined(five, 0.03, error).table
    assert len(table) == 15
    row = table[(table["first"] == "svm") & (table["second"] == "nb")].iloc[0]
    assert row["estimate"] == pytest.approx(five.means["svm"] - 0.03)
    p = stats.studentized_range.sf(abs(row["estimate"]) / error, 6, np.inf)
    assert row["p_adjusted"] == pytest.approx(p, rel=1e-6)
    decided = (table["lower"] > 0) | (table["upper"] < 0)
    assert (decided == (table["verdict"] != "undecided")).all()


def test_distances_are_between_the_orders_of_all_data_sets(folder):
    found = replicate("eugster2008", "table2", data=folder)
    assert len(found.cells) == 210
    ours = survey.dataset_orders(folder)
    cell = next(cell for cell in found.cells if (cell.row, cell.column) == ("I", "K"))
    pair = [ours.orders["I monks3"], ours.orders["K BreastCancer"]]
    assert cell.ours == distances(pair)[0, 1]
    assert cell.theirs == 20


@pytest.mark.parametrize("item", ["section3.1", "section4", "appendixA.2"])
def test_items_of_tables_have_a_cell_for_every_number(folder, item):
    sizes = {"section3.1": 15, "section4": 36, "appendixA.2": 107}
    found = replicate("eugster2008", item, data=folder)
    assert len(found.cells) == sizes[item]
    assert all(np.isfinite([cell.theirs, cell.ours]).all() for cell in found.cells)


def draw(name: str, folder: Path) -> None:
    from matplotlib.figure import Figure

    found = replicate("eugster2008", name, data=folder)
    assert found.remarks[0].startswith(name.capitalize())
    for part, drawing in found.figures.items():
        assert part.startswith(name)
        figure = Figure(layout="constrained")
        ax = figure.add_subplot()
        assert drawing(ax) is ax
        figure.draw_without_rendering()
        assert tuple(figure.get_size_inches()) != (6.4, 4.8)  # the plot's own


@pytest.mark.parametrize("name", FAST)
def test_a_figure_is_drawn_on_the_axes_given_in_its_own_size(folder, name):
    draw(name, folder)


@pytest.mark.long
@pytest.mark.parametrize("name", [*SLOW, "figure15"])
def test_a_larger_figure_is_drawn_too(folder, name):
    draw(name, folder)


def test_all_figures_have_an_item():
    known = list(papers()["eugster2008"])
    assert set(known) >= {f"figure{i}" for i in range(1, 16)} | {"figures", "monks3", "survey"}


def test_without_data_an_item_says_which_file_it_needs_in_one_sentence():
    with pytest.raises(
        ResultsError, match=r"say --data DIR \(data=DIR\), a folder with results/monks3_wide\.csv"
    ):
        replicate("eugster2008", "table1")
    with pytest.raises(ResultsError, match=r"results/uci621_long\.csv\.gz \(.*ds, b, alg, p"):
        replicate("eugster2008", "figure9")


def test_a_folder_that_lacks_the_file_or_a_column_is_refused(tmp_path):
    with pytest.raises(ResultsError, match=r"lacks results/monks3_wide\.csv"):
        replicate("eugster2008", "table1", data=tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "monks3_wide.csv").write_text("b,lda\n1,0.5\n")
    with pytest.raises(ResultsError, match="has no column 'svm'"):
        replicate("eugster2008", "table1", data=tmp_path)
    few = "b,lda,knn,rpart,svm,nnet\n1,0,0,0,0,0\n2,0,0,0,0,0\n"
    (tmp_path / "results" / "monks3_wide.csv").write_text(few)
    with pytest.raises(
        ResultsError, match=r"'monks3_wide\.csv' shall hold .* 250 rows\. .* 2 sample"
    ):
        replicate("eugster2008", "table1", data=tmp_path)


@pytest.mark.parametrize(
    ("long", "says"),
    [
        (made_up().replace("chess", "iris"), "shall hold scores of svm, rpart, nnet, knn, lda on"),
        (made_up().query("ds != 'chess'"), "on the data sets promotergene"),
        (made_up().query("ds != 'chess' or alg != 'svm'"), "on the data sets promotergene"),
        (made_up().rename(columns={"p": "error"}), "has no column 'p'; it holds"),
    ],
)
def test_a_survey_of_other_data_sets_or_with_a_gap_is_refused(tmp_path, long, says):
    (tmp_path / "results").mkdir()
    long.to_csv(tmp_path / "results" / "uci621_long.csv.gz", index=False)
    with pytest.raises(ResultsError, match=says):
        replicate("eugster2008", "table2", data=tmp_path)


def test_a_damaged_file_is_refused(tmp_path):
    (tmp_path / "results").mkdir()
    path = tmp_path / "results" / "uci621_long.csv.gz"
    for damaged in (b"no gzip", gzip.compress(b"ds,b,alg,p\n" * 99)[:30]):
        path.write_bytes(damaged)
        with pytest.raises(ResultsError, match="cannot be read as CSV"):
            replicate("eugster2008", "table2", data=tmp_path)


# -- run anew -----------------------------------------------------------------------------------


def test_the_shipped_study_is_the_one_of_the_papers_folder():
    study = runs.experiment_study()
    assert study.text == SHIPPED.read_text(encoding="utf-8")
    assert [a.name for a in study.algorithms] == ["lda", "nb", "knn", "rpart", "svm", "nnet"]
    quick = runs.experiment_study(25, 3)
    assert (quick.sampling.count, quick.seed) == (25, 2011)


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The six names with algorithms that take no time, and few samples."""
    families = {"svm": "lda", "rpart": "tree", "nnet": "naive-bayes", "knn": "majority"}

    def study(samples: int = 6, seed: int = 0) -> podium.Study:
        chosen = [podium.algorithm(n, families.get(n, "lda")) for n in NAMES.values()]
        sampling = f"bootstrap:{min(samples, 6)}"
        return podium.Study([runs._built_in("I")], chosen, sampling=sampling, seed=seed)

    monkeypatch.setattr(runs, "experiment_study", study)
    monkeypatch.setattr(runs, "QUICK", {"I": {}, "S": {"n": 60}})
    monkeypatch.setattr(runs, "QUICK_SAMPLES", 4)


def test_the_experiment_run_anew_stands_beside_table_1_and_goes_on(cheap, tmp_path):
    told: list[tuple[int, int]] = []
    options = {"quick": True, "store": tmp_path / "runs.db"}
    found = replicate("eugster2008", "monks3", progress=lambda *x: told.append(x), **options)
    assert told[-1] == (36, 36)
    assert [cell.column for cell in found.cells[:3]] == ["Mean", "SD", "Median"]
    assert len(found.cells) == 6 * 3 + 2  # the maximum of 6 samples is not that of 250
    means = {c.row: c for c in found.cells if c.column == "Mean"}
    assert means["svm"].ours == means["lda"].ours  # both are lda here
    assert means["lda"].standard_error > 0
    again: list[tuple[int, int]] = []
    repeated = replicate("eugster2008", "monks3", progress=lambda *x: again.append(x), **options)
    assert again == []  # nothing was left to run
    pd.testing.assert_frame_equal(repeated.table, found.table)


def test_the_survey_run_anew_has_orders_and_means_of_every_data_set(cheap):
    found = replicate("eugster2008", "survey", quick=True)
    orders = [cell for cell in found.cells if cell.table == "orders"]
    assert [cell.row for cell in orders] == ["I monks3", "S twonorm"]
    assert len(found.cells) == 2 + 2 * 6
    assert found.remarks[0].startswith("Consensus of linear orders: ")
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert found.figures["survey"](ax) is ax


def folder_of_datasets(folder: Path, **files: str) -> Path:
    (folder / "index.csv").write_text("name,file,letter\nmusk,m.csv,H\nliver,l.csv,E\nx,x.csv,-\n")
    (folder / "schema.csv").write_text("name,column,kind\nliver,a,nominal\nliver,b,continuous\n")
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


def test_data_sets_of_a_folder_have_the_paper_s_letters_complete_rows_and_nominal_columns(tmp_path):
    rows = "a,b,target\n1,0.5,u\n2,,v\n1,0.25,v\n2,0.125,u\n"
    found = runs.survey_datasets(folder_of_datasets(tmp_path, l=rows, m=rows))
    assert list(found) == ["E", "H"]
    assert (found["E"].n, found["E"].n_nominal, found["H"].n_nominal) == (3, 1, 0)
    assert found["E"].classes == ("u", "v")
    assert runs.survey_datasets(tmp_path, complete=False)["E"].n == 4


def test_a_folder_without_index_or_target_is_refused(tmp_path):
    with pytest.raises(DesignError, match=r"there is no file '.*index\.csv'"):
        replicate("eugster2008", "survey", data=tmp_path)
    folder_of_datasets(tmp_path, l="a,b\n1,2\n1,3\n", m="a\n1\n2\n")
    with pytest.raises(DesignError, match="has no column 'target'"):
        replicate("eugster2008", "survey", data=tmp_path)
    (tmp_path / "index.csv").write_text("name,file\nliver,l.csv\n")
    with pytest.raises(DesignError, match="has no column 'letter'"):
        replicate("eugster2008", "survey", data=tmp_path)


def test_without_a_folder_the_survey_has_the_data_sets_that_are_drawn():
    known = printed.datasets_table()
    for letter, made in runs.survey_datasets(None).items():
        assert made.n == known.loc[letter, "complete"]
        assert made.n_nominal == known.loc[letter, "nominal"]
        assert made.p == known.loc[letter, ["nominal", "continuous"]].sum()


def test_pairs_of_six_algorithms_are_fifteen_everywhere():
    pairs = {frozenset(pair) for pair in combinations(NAMES.values(), 2)}
    said = printed.pairs_table()
    assert {frozenset(p) for p in zip(said["first"], said["second"], strict=True)} == pairs
