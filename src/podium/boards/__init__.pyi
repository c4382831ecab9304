"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.boards.board import Board as Board
from podium.boards.board import load as load
from podium.boards.site import build as build
from podium.boards.verbs import Added as Added
from podium.boards.verbs import add as add
from podium.boards.verbs import ask as ask
from podium.boards.verbs import new as new
from podium.boards.verbs import renew as renew

CAPABILITY: Capability
