"""The profile of properties that `make test-all` asks for: every example is tried."""

from hypothesis import settings

settings.register_profile("thorough", settings.get_profile("ci"), max_examples=1000)
