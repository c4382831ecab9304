"""How the linked charts are drawn: Vega-Lite made by Altair; the page gives data and signals.

Every chart reads the data "scores" (a: algorithm, i: sample, ...) and these signals: `chosen` and
`shown` (true per sample, per algorithm), `some` (whether any sample is chosen), `hovered` (a sample
or -1), `label` (of the measure), `block` (what a sample is), `places` (how many), `ink` and `grid`
(colours that follow the page). A brush, where there is one, is called `brush`. A chart with a row
per algorithm says how high it is in `usermeta`: the page makes it as high as those shown need.
"""

from __future__ import annotations

from typing import Any

from podium.drawing.emphasis import MOST_HUES

MARKED = "!some || chosen[datum.i] || hovered == datum.i"
DRAWN = "chosen[datum.i] || hovered == datum.i"
SIGNALS = {
    "chosen": [],
    "shown": [],
    "some": False,
    "hovered": -1,
    "label": "",
    "block": "sample",
    "reference": "",
    "places": 1,
    "ink": "#1a1a1a",
    "grid": "#dddddd",
}
# labels stay under their ticks: moved inwards, the outer ones would touch their neighbours
_UNTITLED: dict[str, Any] = {"title": None, "labelFlush": False}
_ROOMY = {"tickCount": {"expr": "max(ceil(width / 90), 3)"}}  # of an axis from left to right
# both ends of a long name, as in figures: names that differ often do so at the end only
_SHORTENED = (
    "length(datum.label) > 20 ? slice(datum.label, 0, 10) + '…' + slice(datum.label, -9) : "
    "datum.label"
)
# labels in the middle of places, lines between them
_PODIUM_AXIS: dict[str, Any] = {
    "title": "place",
    "values": {"expr": "sequence(0.5, places + 1, 0.5)"},
    "labelExpr": "datum.value % 1 == 0 && (places <= 20 || datum.value == 1 || "
    "datum.value % 5 == 0) ? datum.value : ''",
    "labelOverlap": False,
    "ticks": False,
    "gridOpacity": {"condition": {"test": "datum.value % 1 == 0", "value": 0}, "value": 1},
}
BLOCK = "sample"  # where nothing better is known; the page puts there what a block is
TITLES = {
    "podium": "Benchmark experiment plot: the score on each place of the podium, one column per "
    "algorithm; lines join the scores of a chosen {block}",
    "places": "How often each algorithm has each place",
    "dots": "Scores of each algorithm, in the order of the first table",
    "density": "Density of the scores; ticks are chosen scores",
    "differences": "Differences to the reference algorithm, {block} by {block}",
}


def specs(algorithms: int = 0) -> dict[str, dict[str, Any]]:
    """The charts by name for so many algorithms, in the order in which a page shows them."""
    made = {
        "podium": _podium(),
        "places": _place_map() if algorithms > MOST_HUES else _places(),
        "dots": _dots("value", "label"),
        "density": _density(),
        "differences": _dots("difference", "'Difference of ' + label + ' to ' + reference"),
    }
    return {name: _spec(chart) for name, chart in made.items()}


def _spec(chart: Any) -> dict[str, Any]:
    """A chart with the page's signals and colours, as wide as its place."""
    spec: dict[str, Any] = chart.properties(width="container").to_dict()
    spec["params"] = [{"name": n, "value": v} for n, v in SIGNALS.items()] + spec.get("params", [])
    del spec["$schema"]  # the page says which language it is, and names no address
    spec["config"] = _config()
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return spec


def _config() -> dict[str, Any]:
    ink, grid = {"expr": "ink"}, {"expr": "grid"}
    text = {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12}
    axis = {"domainColor": grid, "tickColor": grid, "gridColor": grid, "labelLimit": 150}
    return {
        "aria": False,  # the figure has a name; marks by the hundred have none
        "background": "transparent",
        "font": "system-ui, sans-serif",
        "view": {"stroke": None},
        "title": {"color": ink, "fontSize": 12, "fontWeight": "normal", "limit": 600},
        "axis": {**text, **axis, "titleFontWeight": "normal"},
    }


def _scores() -> Any:
    import altair as alt

    return alt.Chart(alt.NamedData("scores")).transform_filter("shown[datum.a]")


def _titled(text: str, side: str) -> dict[str, Any]:
    """What an axis shows, as an expression: titles of axes cannot follow signals, this one can."""
    below = {"orient": "bottom", "offset": 8}
    place = {"orient": "top", "anchor": "start"} if side == "y" else below
    return {"title": {"text": {"expr": text}, **place}}


def _looks() -> dict[str, Any]:
    """Colour and marker of the algorithm; what is not chosen fades."""
    import altair as alt

    return {
        "color": alt.Color("colour:N", scale=None),
        "shape": alt.Shape("path:N", scale=None),
        "opacity": alt.condition(MARKED, alt.value(0.85), alt.value(0.08)),
        "size": alt.condition("hovered == datum.i", alt.value(110), alt.value(34)),
    }


def _podium() -> Any:
    import altair as alt

    range_ = alt.Scale(domainMin=0.5, domainMax=alt.ExprRef("places + 0.5"), nice=False, zero=False)
    x = alt.X("at:Q", scale=range_, axis=_PODIUM_AXIS)
    y = alt.Y("value:Q", scale=alt.Scale(zero=False), axis=_UNTITLED)
    base = _scores().transform_filter("isValid(datum.place)")
    lines = base.transform_filter(DRAWN).mark_line(color="#8c8c8c", strokeWidth=1, opacity=0.4)
    dots = base.mark_point(filled=True).encode(x=x, y=y, **_looks())
    brush = alt.selection_interval(name="brush", zoom=False)
    joined = lines.encode(x=x, y=y, detail="i:N", order="place:Q")
    return alt.layer(joined, dots.add_params(brush)).properties(height=360, **_titled("label", "y"))


def _places() -> Any:
    import altair as alt

    count = alt.Y("count():Q", stack=True, axis={**_UNTITLED, "tickMinStep": 1})
    return (
        _scores()
        .transform_filter("isValid(datum.place)")
        .transform_calculate(on=MARKED)
        .mark_bar()
        .encode(
            x=alt.X("place:O", axis=alt.Axis(title="place", labelAngle=0, labelOverlap=True)),
            y=count,
            color=alt.Color("colour:N", scale=None),
            opacity=alt.condition("datum.on", alt.value(0.9), alt.value(0.15)),
            detail=["algorithm:N", "on:N"],
            order=alt.Order("a:Q"),
        )
        .properties(height=200, **_titled("'number of ' + block + 's'", "y"))
    )


def _place_map() -> Any:
    """One row per algorithm, the darker the more often it has the place: many bars are all grey."""
    import altair as alt

    shade = alt.Opacity("times:Q", scale=alt.Scale(domainMin=0, range=[0, 1]), legend=None)
    return (
        _scores()
        .transform_filter("isValid(datum.place)")
        .transform_calculate(on=f"({MARKED}) ? 1 : 0")
        .transform_aggregate(times="sum(on)", groupby=["algorithm", "place"])
        .mark_rect(color="#3d8fc0")
        .encode(
            x=alt.X("place:O", axis=alt.Axis(title="place", labelAngle=0, labelOverlap=True)),
            y=alt.Y("algorithm:N", sort=None, axis=alt.Axis(title=None, labelExpr=_SHORTENED)),
            opacity=shade,
        )
        .properties(usermeta={"row": 18})
    )


def _dots(field: str, title: str) -> Any:
    """One row of dots per algorithm, spread by the jitter that the page gives."""
    import altair as alt

    x = alt.X(f"{field}:Q", scale=alt.Scale(zero=False), axis={**_UNTITLED, **_ROOMY})
    y = alt.Y("algorithm:N", sort=None, axis=alt.Axis(title=None, labelExpr=_SHORTENED))
    dots = (
        _scores()
        .mark_point(filled=True)
        .encode(x=x, y=y, yOffset=alt.YOffset("jitter:Q", scale=alt.Scale(zero=False)), **_looks())
        .add_params(alt.selection_interval(name="brush", zoom=False))
    )
    layout = {"usermeta": {"row": 26}, **_titled(title, "x")}
    if field == "value":
        return dots.properties(**layout)
    zero = alt.Chart(alt.InlineData(values=[{}])).mark_rule(color="#8c8c8c", strokeDash=[4, 3])
    return alt.layer(zero.encode(x=alt.datum(0)), dots).properties(**layout)


def _density() -> Any:
    import altair as alt

    x = alt.X("value:Q", scale=alt.Scale(zero=False), axis={**_UNTITLED, **_ROOMY})
    y = alt.Y("density:Q", axis=alt.Axis(title="density", labels=False, ticks=False))
    colour = alt.Color("colour:N", scale=None)
    curves = (
        _scores()
        .transform_density("value", groupby=["algorithm", "colour"], as_=["value", "density"])
        .mark_line(strokeWidth=1.6, opacity=0.85)
        .encode(x=x, y=y, color=colour, detail="algorithm:N")
        .add_params(alt.selection_interval(name="brush", zoom=False, encodings=["x"]))
    )
    ticks = (
        _scores()
        .transform_filter(DRAWN)
        .mark_tick(thickness=1.5, size=16, yOffset=-8)
        .encode(x=x, y=alt.value("height"), color=colour)
    )
    return alt.layer(curves, ticks).properties(height=240, **_titled("label", "x"))
