"""`podium calibrate`: measure a procedure's error rates by simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from podium.cli.main import say

if TYPE_CHECKING:
    from podium.inference.procedures import Procedure


@click.command("calibrate")
@click.argument("procedure")
@click.option("--scenario", help="One scenario [all that the procedure is legal for].")
@click.option("--algorithms", "-k", default=2, show_default=True, type=click.IntRange(2, 20))
@click.option("--blocks", type=int, help="The number of blocks [both of the scenario's].")
@click.option("--replications", "-n", default=2000, show_default=True, type=click.IntRange(10))
@click.option("--alpha", default=0.05, show_default=True, type=click.FloatRange(0, 1, True, True))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
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
    from podium.calibration.calibrate import calibrate
    from podium.calibration.scenarios import SCENARIOS
    from podium.inference.procedures import PROCEDURES
    from podium.shown import screen, wrapped

    chosen = PROCEDURES[procedure]
    designs = _designs(chosen, scenario, blocks)
    say(wrapped(f"{chosen.name}: {chosen.title}", screen(), "  "))
    say(wrapped(f"It holds its level under: {chosen.null}.", screen(), "  "))
    say(f"{algorithms} equal algorithms, level {alpha:g}, {replications} replications\n")
    texts = {name: f"{name}: {SCENARIOS[name].text}" for name, _ in designs}
    width = max(map(len, texts.values()))
    say(f"  {'scenario':{width}}  blocks  rejected  95 % interval")
    for name, size in designs:
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
        say(f"  {texts[name]:{width}}  {size:6}  {found.rate:8.3f}  {low:.3f} to {high:.3f}")
    return 0


def _designs(
    procedure: Procedure, scenario: str | None, blocks: int | None
) -> list[tuple[str, int]]:
    """The scenarios and numbers of blocks that are asked for, or else suit the procedure."""
    from podium.calibration.calibrate import suits
    from podium.calibration.scenarios import SCENARIOS
    from podium.errors import InferenceError

    names = [scenario] if scenario else [n for n, s in SCENARIOS.items() if suits(procedure, s)]
    if not names:
        raise InferenceError(
            f"'{procedure.name}' is legal nowhere: say where to try it, as in --scenario folds. "
            f"Known: {', '.join(SCENARIOS)}."
        )
    known = [(name, size) for name in names for size in sorted(set(SCENARIOS[name].sizes))]
    found = [(name, size) for name, size in known if blocks in (None, size)]
    if not found:
        sizes = ", ".join(map(str, sorted({size for _, size in known})))
        raise InferenceError(f"These scenarios have {sizes} blocks, not {blocks}.")
    return found
