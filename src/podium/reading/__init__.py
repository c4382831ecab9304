"""Results: tidy tables of scores and runs, the one interchange format, and all that reads them.

A store is read straight into `Results`; what somebody else made becomes a `Sheet` first (`sheets`,
`from_sheets`), with the words that people use (`vocabulary`) and tables of any make (`tabular`).
`formats/` has one record per file format. `dataset_facts` is what results know of their data sets,
`openml_export` writes runs for OpenML.
"""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("results", "store"),
    public=("formats:read",),
    offers={"results_of": "formats:read"},
    inside=(
        "podium.core.results.dataset_facts:characteristics",
        "podium.core.results.dataset_facts:exclude_datasets",
        "podium.core.results.dataset_facts:learning_curve",
        "podium.core.results.pass_at:fits_spent",
        "openml_export:export_openml",
    ),
    formats=(
        "formats.battles",
        "formats.exchange",
        "formats.records",
        "formats.stores",
        "formats.tables",
        "formats.tools.*",
        "recipes.known",
    ),
)


def __getattr__(name: str) -> object:
    return CAPABILITY.attribute(name)
