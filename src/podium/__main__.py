"""`python -m podium` is the `podium` command."""

from podium.cli import main

main()
