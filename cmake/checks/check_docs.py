# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks that documentation and sources agree. --fix copies samples into the pages.

sections   the comment of a public async_ member has all sections, in order; one that is
           the twin of an awaitable member refers to it and has the signature
sample     the code between `<!-- sample: path#tag -->` and `<!-- /sample -->` in a page
           is the region between `//[tag` and `//]` of that file (without #tag: all of it)
output     the same for `<!-- output: path -->` and `<!-- /output -->`, with a whole file
index      samples/README.md mentions every sample
changelog  CHANGELOG.md has a section for the version of the headers
"""

import re
import textwrap
from pathlib import PurePosixPath

from common import Problem, line_of, run

SECTIONS = (
    "Preconditions",
    "Completion signature",
    "Completion",
    "Errors",
    "Cancellation",
    "Ordering",
    "Object lifetime",
    "Exception safety",
    "Thread safety",
)
# A declaration: a return type, then the name; a call has something else before the name.
ASYNC_MEMBER = re.compile(r"^[ ]+(?![ ]|return\b|co_)[\w:<>,&*\[\] ]*[\w>&\]] (async_\w+)\s*\($")
COPY = re.compile(
    r"^<!-- (sample|output): (?P<path>[^ #]+)(?:#(?P<tag>\w+))? -->\n"
    r"(?P<body>.*?)^<!-- /\1 -->", re.DOTALL | re.MULTILINE)
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".json": "json"}
PAGES = ("*.md", "docs/**/*.md", "samples/**/*.md", "test/**/*.md")


def check(tree):
    for header in tree.public_headers():
        yield from check_sections(header, tree.read(header))
    for page in tree.files(*PAGES):
        yield from check_copies(tree, page, tree.read(page))
    yield from check_index(tree)
    yield from check_changelog(tree)


def check_copies(tree, page, text):
    for match in COPY.finditer(text):
        expected, problem = expected_body(tree, match)
        if match["body"] != expected:
            problem = problem or f"differs from {match['path']}; --fix copies it"
            yield Problem(match[1], page, line_of(text, match.start()), problem)


def check_sections(header, text):
    lines = text.splitlines()
    access = "public"
    for number, line in enumerate(lines):
        if re.match(r"\s*(public|protected|private):", line):
            access = line.strip(" :")
        elif re.match(r"(class|struct) ", line):
            access = "public"
        member = ASYNC_MEMBER.match(line.split("(")[0] + "(" if "(" in line else line)
        if member and access == "public":
            comment = comment_above(lines, number)
            found = re.findall(rf"@par ({'|'.join(SECTIONS)})(?=\s\s|\s*$)", comment, re.M)
            wanted = ("Completion signature",) if "* The twin of " in comment else SECTIONS
            if tuple(found) != wanted:
                missing = [s for s in wanted if s not in found]
                text = f"{member[1]}: " + (f"no {', '.join(missing)}" if missing else
                                           "sections repeated or out of order")
                yield Problem("sections", header, number + 1, text)


def comment_above(lines, number):
    """The comment block above a declaration, past its template head and attributes."""
    end = number
    while end > 0 and not is_comment(lines[end - 1]) and not ends_item(lines[end - 1]):
        end -= 1
    begin = end
    while begin > 0 and is_comment(lines[begin - 1]):
        begin -= 1
    return "\n".join(lines[begin:end])


def ends_item(line):
    return not line.strip() or line.rstrip()[-1] in ";{}:"


def is_comment(line):
    return bool(re.match(r"\s*(///|/\*\*|\*)", line))


def expected_body(tree, match):
    """(what has to stand between the marks, None) or (None, why it cannot)."""
    path, tag = match["path"], match["tag"]
    if not tree.exists(path):
        return None, f"no such file: {path}"
    text = tree.read(path)
    if tag:
        text = region(text, tag)
        if text is None:
            return None, f"{path} has no region //[{tag}"
    text = re.sub(r"^[ ]*//(\[\w+|\])\n", "", text, flags=re.MULTILINE)  # inner marks
    language = LANGUAGES.get(PurePosixPath(path).suffix, "text")
    return f"```{language}\n{textwrap.dedent(text).strip()}\n```\n", None


def region(text, tag):
    """The lines between //[tag and the //] that closes it; None if there are none."""
    lines, depth = None, 0
    for line in text.splitlines(keepends=True):
        mark = line.strip()
        if lines is None:
            if mark == f"//[{tag}":
                lines = []
        elif mark == "//]" and depth == 0:
            return "".join(lines)
        else:
            depth += 1 if mark.startswith("//[") else -1 if mark == "//]" else 0
            lines.append(line)
    return None


def check_index(tree):
    page = "samples/README.md"
    if tree.exists(page):
        text = tree.read(page)
        for path in tree.files("samples/[0-9]_*/*.cpp"):
            stem = PurePosixPath(path).stem
            if "main(" in tree.read(path) and not re.search(rf"\b{stem}\b", text):
                yield Problem("index", page, 1, f"does not mention {path}")


def check_changelog(tree):
    header = "include/sluice/version.hpp"
    numbers = re.findall(r"#define SLUICE_VERSION_\w+ (\d+)", tree.read(header))
    version = ".".join(numbers)
    changelog = tree.read("CHANGELOG.md") if tree.exists("CHANGELOG.md") else ""
    if not re.search(rf"^## {re.escape(version)}\b", changelog, re.MULTILINE):
        yield Problem("changelog", "CHANGELOG.md", 1, f"has no section `## {version}`")


def fix(tree):
    for page in tree.files(*PAGES):
        def copied(match):
            expected, _ = expected_body(tree, match)
            if expected is None:
                return match[0]
            before, _, after = match[0].partition("-->\n" + match["body"] + "<!--")
            return f"{before}-->\n{expected}<!--{after}"

        text = tree.read(page)
        if COPY.sub(copied, text) != text:
            tree.write(page, COPY.sub(copied, text))


if __name__ == "__main__":
    run(check, fix=fix)
