"""The plots, as `podium.plots.intervals(results)`.

They stand in `podium.showing.plots`; this is their public name.
"""

import sys
from typing import TYPE_CHECKING

from podium.showing import plots

if TYPE_CHECKING:
    from podium.showing.plots import *  # noqa: F403

sys.modules[__name__] = plots
