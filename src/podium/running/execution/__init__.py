"""Running a study: `runner.py` drives, `run.py` does one run, and they meet in a place.

The place is this process, a `pool.py` of `workers.py` (which read what is in `shared.py`), or a
Dask cluster (`cluster.py`); each run has limits of time and memory. A study is cut into shards for
machines that cannot speak with each other; `predictions.py` asks and keeps what algorithms say
and reads it again; `machine.py` knows versions and memory.
"""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__, needs=("results", "store", "reading", "design"), public=("item_reading:read_items",)
)
