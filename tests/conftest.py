"""For all tests: none is timed, on however busy a machine."""

from hypothesis import settings

settings.register_profile("podium", deadline=None)
settings.load_profile("podium")
