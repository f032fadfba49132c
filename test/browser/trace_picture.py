# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Draws a part of a trace as the viewers of traces do: `draw(text of the trace, seconds)` gives an SVG.

Perfetto's page shows more, but is not here to take a picture of.
"""

import json
from collections import defaultdict
from html import escape

WIDTH, LEFT, ROW, GAP = 960, 110, 22, 6
STYLE = """
text { font: 12px sans-serif; fill: #1f2328; } .axis { fill: #59636e; } .line { stroke: #d1d9e0; }
.busy { fill: #2da44e; } .enqueue { fill: #d4791f; } .dequeue { fill: #8bb9f5; } .ready { fill: #bf87d8; } .size { fill: #a07be0; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .axis { fill: #9198a1; } .line { stroke: #3d444d; } }
""".strip()
KINDS = {"busy": "busy", "waiting to enqueue": "enqueue", "waiting to dequeue": "dequeue",
         "ready, no free thread": "ready"}


def draw(trace, seconds):
    """The last so many seconds before the end of the trace."""
    events = json.loads(trace)["traceEvents"]
    end = max(event["ts"] + event.get("dur", 0) for event in events if "ts" in event)
    start = end - seconds * 1e6

    def x(time):
        share = (min(max(time, start), end) - start) / (end - start)
        return LEFT + share * (WIDTH - LEFT - 10)

    parts, top = [], 10
    for name, spans in tracks(events):
        parts.append(f'<text x="6" y="{top + 15}">{escape(name)}</text>')
        for span in spans:
            left, right = x(span["ts"]), x(span["ts"] + span["dur"])
            if right - left >= 0.1:
                parts.append(f'<rect class="{KINDS[span["name"]]}" x="{left:.1f}" y="{top}" '
                             f'width="{max(right - left - 0.3, 0.2):.1f}" height="{ROW}"/>')
        top += ROW + GAP
    for name, sizes in counters(events):
        top += GAP
        highest = max(size for _, size in sizes)
        parts.append(f'<text x="6" y="{top + 20}">{escape(name)}: {highest}</text>')
        parts.append(f'<path class="size" d="{area(sizes, x, end, top + 30, 30 / max(highest, 1))}"/>')
        top += 30 + GAP
    return picture(parts, top, seconds)


def tracks(events):
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    spans = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            spans[event["tid"]].append(event)
    return [(name, spans[track]) for track, name in names.items()]


def counters(events):
    sizes = defaultdict(list)
    for event in events:
        if event["ph"] == "C":
            sizes[event["name"]].append((event["ts"], event["args"]["size"]))
    return sizes.items()


def area(sizes, x, end, bottom, scale):
    """Each size lasts until the next one."""
    steps = [f"M{x(sizes[0][0]):.1f} {bottom}"]
    for (time, size), (until, _) in zip(sizes, [*sizes[1:], (end, 0)]):
        if x(until) > x(time):
            steps.append(f"L{x(time):.1f} {bottom - size * scale:.1f}H{x(until):.1f}")
    return f"{''.join(steps)}V{bottom}Z"


def picture(parts, top, seconds):
    ticks = []
    for i in range(6):
        at = LEFT + i / 5 * (WIDTH - LEFT - 10)
        ticks.append(f'<line class="line" x1="{at:.1f}" y1="4" x2="{at:.1f}" y2="{top + 6}"/>')
        anchor = "end" if i == 5 else "middle"
        ticks.append(f'<text class="axis" text-anchor="{anchor}" x="{at:.1f}" y="{top + 20}">'
                     f"{seconds * 1000 * i / 5:.0f} ms</text>")
    legend, at = [], LEFT
    for kind, css in [*KINDS.items(), ("size of a queue", "size")]:
        legend.append(f'<rect class="{css}" x="{at}" y="{top + 32}" width="12" height="12"/>'
                      f'<text x="{at + 17}" y="{top + 43}">{kind}</text>')
        at += 150
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top + 54}" role="img">',
        "<title>A trace: what each worker did, and the sizes of the queues</title>",
        f"<style>{STYLE}</style>", *ticks, *parts, *legend, "</svg>", ""])
