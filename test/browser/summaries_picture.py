# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Draws the curves of an event file as TensorBoard does: `draw(scalars)` gives an SVG with a card for each tag.

The curve is smoothed as TensorBoard smooths it, and the values as they were written are behind it.
TensorBoard itself is not here to take a picture of.
"""

import math
from html import escape

SMOOTHING = 0.6  # what TensorBoard begins with
COLUMNS, WIDTH, GAP = 3, 960, 12
CARD_WIDTH, CARD_HEIGHT, TOP = (WIDTH - (COLUMNS + 1) * GAP) // COLUMNS, 210, 40
LEFT, RIGHT, ABOVE, BELOW = 44, 14, 38, 30  # from the edges of a card to its curve
STYLE = """
text { font: 12px sans-serif; fill: #1f2328; } .tag { font-weight: bold; } .axis { fill: #59636e; }
.card { fill: #ffffff; stroke: #d1d9e0; } .line { stroke: #e4e8ec; } .curve, .raw { fill: none; stroke: #d9480f; }
.curve { stroke-width: 2; } .raw { stroke-opacity: 0.55; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .axis { fill: #9198a1; } .card { fill: #161b22; stroke: #3d444d; }
.line { stroke: #2a313a; } .curve, .raw { stroke: #ff8a5c; } }
""".strip()


def draw(scalars):
    """`scalars`: of each tag its points (step, value), as event_reader.Run has them. All have one group."""
    [group] = {tag.partition("/")[0] for tag in scalars}
    rows = math.ceil(len(scalars) / COLUMNS)
    height = TOP + rows * (CARD_HEIGHT + GAP) + 20
    parts = [f'<text class="tag" x="{GAP}" y="25">{escape(group)}</text>',
             f'<text class="axis" x="{WIDTH - GAP}" y="25" text-anchor="end">{len(scalars)} cards</text>']
    for i, (tag, points) in enumerate(sorted(scalars.items())):
        column, row = i % COLUMNS, i // COLUMNS
        x, y = GAP + column * (CARD_WIDTH + GAP), TOP + row * (CARD_HEIGHT + GAP)
        parts += [f'<g transform="translate({x} {y})">', *card(tag, points), "</g>"]
    parts += legend(height - 16)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>Curves of the summaries {escape(', '.join(sorted(scalars)))}</title>",
        f"<style>{STYLE}</style>", *parts, "</svg>", ""])


def card(tag, points):
    steps, values = zip(*points)
    x_ticks = ticks(min(steps), max(steps))
    y_ticks = ticks(min(values), max(values))
    right, bottom = CARD_WIDTH - RIGHT, CARD_HEIGHT - BELOW

    def x(step):
        return LEFT + (right - LEFT) * (step - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])

    def y(value):
        return bottom - (bottom - ABOVE) * (value - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])

    yield f'<rect class="card" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="4"/>'
    yield f'<text class="tag" x="12" y="22">{escape(tag)}</text>'
    for tick in x_ticks:
        yield f'<line class="line" x1="{x(tick):.1f}" y1="{ABOVE}" x2="{x(tick):.1f}" y2="{bottom}"/>'
        yield f'<text class="axis" text-anchor="middle" x="{x(tick):.1f}" y="{bottom + 17}">{tick:g}</text>'
    for tick in y_ticks:
        yield f'<line class="line" x1="{LEFT}" y1="{y(tick):.1f}" x2="{right}" y2="{y(tick):.1f}"/>'
        yield f'<text class="axis" text-anchor="end" x="{LEFT - 6}" y="{y(tick) + 4:.1f}">{tick:g}</text>'
    for css, curve in (("raw", values), ("curve", smoothed(values))):
        path = "L".join(f"{x(step):.1f} {y(value):.1f}" for step, value in zip(steps, curve))
        yield f'<path class="{css}" d="M{path}"/>'


def ticks(low, high, wanted=5):
    """Round numbers at equal distances, of which the first and the last enclose the range."""
    rough = (high - low) / wanted or 1
    size = 10 ** math.floor(math.log10(rough))
    distance = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    first, last = math.floor(low / distance), math.ceil(high / distance)
    return [round(i * distance, 10) for i in range(first, max(last, first + 1) + 1)]


def smoothed(values):
    """A moving average in which earlier values count less and less."""
    result, average = [], 0
    for i, value in enumerate(values, 1):
        average = average * SMOOTHING + value * (1 - SMOOTHING)
        result.append(average / (1 - SMOOTHING ** i))
    return result


def legend(y):
    for x, css, text in ((GAP, "curve", f"smoothed ({SMOOTHING})"), (GAP + 160, "raw", "as written")):
        yield f'<path class="{css}" d="M{x} {y}h24"/><text x="{x + 32}" y="{y + 4}">{text}</text>'
    yield f'<text class="axis" text-anchor="end" x="{WIDTH - GAP}" y="{y + 4}">horizontal: the step</text>'
