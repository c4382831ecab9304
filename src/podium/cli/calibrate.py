"""`podium calibrate`: measure a procedure's error rates by simulation."""

from __future__ import annotations

import click

from podium.cli.main import say


@click.command("calibrate")
@click.argument("procedure")
@click.option("--scenario", help="One scenario [all that the procedure is legal for].")
@click.option("--algorithms", "-k", default=2, show_default=True, type=click.IntRange(2, 20))
@click.option("--blocks", type=int, help="The number of blocks [both of the scenario's].")
@click.option("--replications", "-n", default=2000, show_default=True, type=click.IntRange(10))
@click.option("--alpha", default=0.05, show_default=True, type=click.FloatRange(0, 1, True, True))
@click.option("--seed", default=0, show_default=True)
def command(
    procedure: str,
    scenario: str | None,
    algorithms: int,
    blocks: int | None,
    replications: int,
    alpha: float,
    seed: int,
) -> int:
    """How often PROCEDURE rejects when all algorithms are equal."""
    from podium.calibration.calibrate import calibrate, suits
    from podium.calibration.scenarios import SCENARIOS
    from podium.inference.procedures import PROCEDURES

    chosen = PROCEDURES[procedure]
    names = [scenario] if scenario else [n for n, s in SCENARIOS.items() if suits(chosen, s)]
    say(f"{chosen.name}: {chosen.title}, nominal level {alpha:g}, {replications} replications")
    say(f"holds under: {chosen.null}")
    for name in names:
        for size in [blocks] if blocks else sorted(set(SCENARIOS[name].sizes)):
            found = calibrate(
                chosen,
                name,
                blocks=size,
                algorithms=algorithms,
                replications=replications,
                alpha=alpha,
                seed=seed,
            )
            low, high = found.interval
            say(
                f"  {SCENARIOS[name].text}, {size} blocks, {algorithms} algorithms: "
                f"{found.rate:.3f} (95 % {low:.3f} to {high:.3f})"
            )
    return 0
