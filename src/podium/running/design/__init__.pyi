"""What stands in this room (docs/make_stub.py writes this)."""

from podium.core.base.rooms import Capability
from podium.running.design.data.processes import Process as Process
from podium.running.design.frames import Frame as Frame
from podium.running.design.frames import frame as frame
from podium.running.design.frames import subsamples as subsamples
from podium.running.design.learners.preprocessing import pipeline as pipeline
from podium.running.design.measuring.scoring import Computed as Computed

CAPABILITY: Capability
