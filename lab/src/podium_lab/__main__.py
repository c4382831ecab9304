"""`python -m podium_lab calibrate ...` and `python -m podium_lab replicate ...`."""

import click

from podium.cli.main import main
from podium_lab.commands import calibrate, modes, replicate


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def group() -> None:
    """Measure how procedures err, and recompute tables of papers."""


group.add_command(calibrate)
group.add_command(replicate)
group.add_command(modes)

if __name__ == "__main__":
    main(of=group, called="python -m podium_lab")
