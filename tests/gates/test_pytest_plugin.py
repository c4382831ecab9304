"""The fixture `podium_gate`, in runs of pytest of its own."""

from importlib.metadata import entry_points

import pytest

pytest_plugins = ["pytester"]
PLUGIN = "podium.api.pytest_plugin"


@pytest.fixture
def ran(pytester):
    """Run a test; the plugin is named where this Podium is not installed."""
    installed = {point.value for point in entry_points(group="pytest11")}
    named = () if PLUGIN in installed else ("-p", PLUGIN)
    for name, wrong in (("old", 10), ("same", 11), ("worse", 60)):
        rows = "".join(f"q{i},{int(i >= wrong)}\n" for i in range(200))
        (pytester.path / f"{name}.csv").write_text(f"item,accuracy\n{rows}")

    def run(body):
        pytester.makepyfile(f"def test_it(podium_gate):\n    {body}\n")
        return pytester.runpytest_inprocess(*named, "-p", "no:cacheprovider")

    return run


def test_what_is_not_worse_passes(ran):
    ran("assert podium_gate('old.csv', 'same.csv', margin=0.05).status == 0").assert_outcomes(
        passed=1
    )


def test_what_is_worse_fails_with_the_verdict(ran):
    found = ran("podium_gate('old.csv', 'worse.csv')")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*Worse: accuracy 0.70, before 0.95 (-0.25)*"])
    found.stdout.no_fnmatch_line("*pytest_plugin.py*")


@pytest.mark.parametrize("outcome", ["fail", "skip", "pass"])
def test_what_is_undecided_ends_as_it_is_said(ran, outcome):
    found = ran(f"podium_gate('old.csv', 'same.csv', margin=0.001, undecided='{outcome}')")
    ends = {"fail": "failed", "skip": "skipped", "pass": "passed"}
    found.assert_outcomes(**{ends[outcome]: 1})


def test_scores_of_the_test_itself_are_taken(ran):
    body = "podium_gate('old.csv', {f'q{i}': 1.0 for i in range(200)}, margin=0.01)"
    ran(body).assert_outcomes(passed=1)


def test_wrong_input_is_an_error_of_its_own(ran):
    found = ran("podium_gate('old.csv', 'nothing.csv')")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*There is no file '*nothing.csv'*"])
    ran("podium_gate('old.csv', 'same.csv', undecided='perhaps')").assert_outcomes(failed=1)
