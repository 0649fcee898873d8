"""Plots of `markscheme evaluate --html` as SVG files that stand alone."""

from markscheme.cli.evaluate_page import environment
from markscheme.cli.evaluate_plots import FRAME, HEIGHT, WIDTH, Plot

SCALE = 1.5
# On white, because a page that shows the file may be dark.
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{wide}" height="{high}">
<style>
text {{ font: 11px system-ui, sans-serif; fill: #1d2329; }}
.axis {{ font-size: 12px; }}
.paper {{ fill: #fff; }}
.frame {{ fill: none; stroke: #57606a; }}
.equal {{ stroke: #57606a; stroke-dasharray: 4 4; }}
.curve {{ fill: none; stroke: #0c5a69; stroke-width: 2; }}
.dot {{ fill: #0c5a69; fill-opacity: .65; }}
</style>
<rect class="paper" width="{width}" height="{height}"/>
{drawn}
</svg>
"""


def drawing(plot: Plot) -> str:
    """One plot, drawn as on the page."""
    template = environment.from_string('{% from "plot.html" import draw %}{{ draw(plot, **frame) }}')
    drawn = template.render(plot=plot, frame=FRAME).strip()
    return DRAWING.format(
        width=WIDTH, height=HEIGHT, wide=round(SCALE * WIDTH), high=round(SCALE * HEIGHT), drawn=drawn
    )
