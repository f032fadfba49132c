# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""page_blocks.py <names.hpp> <page or header>... -- <command>: the code in pages, and in the comments
of headers, compiles.

Blocks that are copied from a sample are compiled with it; these are the others. The header has the
names that they use: what a namespace `page_<name>` has is for that page only, and `examples` has
those of headers, `examples::<name>` those of one of them. In a block, what comes
before the last definition of a function or class stands in a namespace, the rest in a coroutine.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

COPIED = re.compile(r"<!-- (sample|output):.*?<!-- /\1 -->", re.DOTALL)
BLOCK = re.compile(r"^```cpp\n(.*?)^```", re.DOTALL | re.MULTILINE)
EXAMPLE = re.compile(r"@code\n(.*?)^ *\* @endcode", re.DOTALL | re.MULTILINE)
MARGIN = re.compile(r"^ *\* ?", re.MULTILINE)
DEFINITION = re.compile(r"[\w:]*awaitable<.*> \w+\(|int main\(|struct |template <")
SPECIALISATION = re.compile(r"template <>")


def blocks(page):
    """(line, text) of each block that is not copied."""
    text = COPIED.sub(lambda match: "\n" * match[0].count("\n"), page.read_text("utf-8"))
    is_header = page.suffix == ".hpp"
    for match in (EXAMPLE if is_header else BLOCK).finditer(text):
        yield text.count("\n", 0, match.start()) + 2, MARGIN.sub("", match[1]) if is_header else match[1]


def parts_of(block):
    """Its paragraphs with their lines, up to and behind the last definition."""
    paragraphs, line = [], 0
    for text in re.split(r"\n\n(?! )", block):
        paragraphs.append((line, text))
        line += text.count("\n") + 2
    definitions = [i for i, (_, text) in enumerate(paragraphs, 1) if DEFINITION.match(text)]
    last = max(definitions, default=0)
    return paragraphs[:last], paragraphs[last:]


def source_of(page, number, block):
    """One block, as C++; the compiler names the line in the page."""
    def placed(paragraphs):
        return "".join(f'#line {number + line} "{page}"\n{text}\n' for line, text in paragraphs)

    before, behind = parts_of(block)
    if SPECIALISATION.match(block):
        return placed(before)
    names = "examples::" + page.stem if page.suffix == ".hpp" else "page_" + re.sub(r"\W", "_", page.stem)
    return (f"namespace {names} {{ namespace line_{number} {{\n{placed(before)}"
            "boost::asio::awaitable<void> of_page() {\ndo {\n"
            f"{placed(behind)}\n}} while (false);\nco_return;\n}}\n}} }}\n")


def main():
    end = sys.argv.index("--")
    names, *pages = map(Path, sys.argv[1:end])
    parts = [source_of(page, *block) for page in pages for block in blocks(page)]
    with tempfile.NamedTemporaryFile("w", suffix=".cpp", encoding="utf-8") as file:
        file.write(f'#include "{names}"\n' + "".join(parts))
        file.flush()
        status = subprocess.run([*sys.argv[end + 1:], file.name], check=False).returncode
    print(f"{len(parts)} blocks in {len(pages)} pages")
    sys.exit(status or not parts)


if __name__ == "__main__":
    main()
