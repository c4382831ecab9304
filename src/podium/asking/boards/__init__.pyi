"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.boards.board import Board as Board
from podium.asking.boards.board import load as load
from podium.asking.boards.site import build as build
from podium.asking.boards.verbs import Added as Added
from podium.asking.boards.verbs import add as add
from podium.asking.boards.verbs import ask as ask
from podium.asking.boards.verbs import new as new
from podium.asking.boards.verbs import renew as renew
from podium.asking.boards.verbs import withdraw as withdraw
from podium.core.base.rooms import Capability

CAPABILITY: Capability
