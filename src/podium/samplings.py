"""The samplings, as `podium.samplings.bootstrap(100)`.

They stand in `podium.core.samplings`; this is their public name.
"""

import sys
from typing import TYPE_CHECKING

from podium.core import samplings

if TYPE_CHECKING:
    from podium.core.samplings import *  # noqa: F403

sys.modules[__name__] = samplings
