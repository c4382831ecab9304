"""Results: tidy tables of scores and runs, the one interchange format, and all that reads them.

A store is read straight into `Results`; what somebody else made becomes a `Sheet` first (`sheets`,
`from_sheets`), with the words that people use (`vocabulary`) and tables of any make (`tabular`).
`formats/` has one record per file format. `dataset_facts` is what results know of their data sets,
`openml_export` writes runs for OpenML.
"""

from podium.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("store",),
    public=(
        "formats:read",
        "results:Results",
    ),
    inside=(
        "dataset_facts:characteristics",
        "dataset_facts:exclude_datasets",
        "dataset_facts:learning_curve",
        "pass_at:fits_spent",
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
