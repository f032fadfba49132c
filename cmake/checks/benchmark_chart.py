# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The picture of the benchmark, drawn from the tables of its page (check_docs.py)."""

import math
import re
from html import escape

PAGE = "docs/performance.md"
PICTURE = "docs/diagrams/benchmark.svg"
TABLES = ("One thread", "Two threads")  # the first table below each of these titles
LIBRARIES = {"sluice": "#2f5d9e", "Asio channel": "#c8813a", "Boost.Fiber": "#8a9a5b", "Go": "#9a9a9a"}

BAR, GAP, LEFT, DECADE, DECADES = 13, 30, 20, 140, 5  # lengths in pixels; from 1 ns to 100,000 ns
CELL = re.compile(r"([\d.,]+) \(([\d.,]+)\)")


def chart(page):
    parts, y = [], 60
    for title in TABLES:
        parts.append(text(LEFT, y, title, 'font-weight="bold" font-size="15"'))
        y += 24
        for scenario, figures in rows(page, title):
            parts.append(text(LEFT, y, scenario))
            y += 6
            for library, (median, fastest) in figures.items():
                parts += bar(y, library, median, fastest)
                y += BAR
            y += GAP - 6
        y += 6
    width = LEFT + DECADE * DECADES + 90
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}"\n'
            '     font-family="Helvetica,Arial,sans-serif" font-size="12">\n'
            '<title>Nanoseconds per element, logarithmic scale</title>\n'
            f'<rect width="{width}" height="{y}" fill="white"/>')
    return "\n".join([head, *legend(), *grid(y), *parts, "</svg>"]) + "\n"


def rows(page, title):
    """(scenario, {library: (median, fastest)}) of each row of a table."""
    table = re.search(rf"^### {title}\n+(?:[^|\n].*\n|\n)*((?:\|.*\n)+)", page, re.MULTILINE)[1]
    lines = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in table.splitlines()]
    for cells in lines[2:]:
        row = dict(zip(lines[0], cells))
        found = {library: CELL.match(row.get(library, "")) for library in LIBRARIES}
        yield row["scenario"], {library: tuple(float(figure.replace(",", "")) for figure in match.groups())
                                for library, match in found.items() if match}


def x_of(nanoseconds):
    return round(LEFT + DECADE * math.log10(nanoseconds), 1)


def bar(y, library, median, fastest):
    yield (f'<rect x="{LEFT}" y="{y}" width="{x_of(median) - LEFT:.1f}" height="{BAR - 3}" '
           f'fill="{LIBRARIES[library]}"/>')
    yield (f'<line x1="{x_of(fastest)}" x2="{x_of(fastest)}" y1="{y - 1}" y2="{y + BAR - 2}" '
           'stroke="black" stroke-width="1.5"/>')
    yield text(x_of(median) + 5, y + BAR - 4, f"{median:,.3g} ns" if median < 1000 else f"{median:,.0f} ns",
               'font-size="10"')


def grid(height):
    for power in range(DECADES + 1):
        x = x_of(10**power)
        yield f'<line x1="{x}" x2="{x}" y1="66" y2="{height}" stroke="#e4e4e4"/>'
        yield text(x, height - 2, f"{10**power:,}", 'font-size="10" fill="#777777" text-anchor="middle"')


def legend():
    yield text(LEFT, 18, "Nanoseconds per element (median; line: fastest round), logarithmic scale")
    for index, (library, color) in enumerate(LIBRARIES.items()):
        x = LEFT + 120 * index
        yield f'<rect x="{x}" y="26" width="12" height="12" fill="{color}"/>'
        yield text(x + 17, 36, library)


def text(x, y, words, attributes=""):
    return f'<text x="{x}" y="{y}" {attributes}>{escape(words)}</text>'.replace(" >", ">")
