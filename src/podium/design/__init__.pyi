"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.design.data.processes import Process as Process
from podium.design.frames import Frame as Frame
from podium.design.frames import frame as frame
from podium.design.frames import subsamples as subsamples
from podium.design.learners.preprocessing import pipeline as pipeline
from podium.design.measuring.scoring import Computed as Computed

CAPABILITY: Capability
