# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks that documentation and sources agree. --fix copies samples into the pages and draws the
chart of the benchmark.

sections   the comment of a public async_ member has all sections, in order; one that is
           an async_ member may refer to the awaitable one ("As dequeue()"), and has its signature
sample     the code between `<!-- sample: path#tag -->` and `<!-- /sample -->` in a page
           is the region between `//[tag` and `//]` of that file, for CMake between `#[tag` and `#]`
           (without #tag: all of it, but for the comment at the top of a program)
program    a page of the tutorial has the sample of its name as a whole, which includes nothing
           but what is installed: it compiles where a reader copies it
output     the same for `<!-- output: path -->` and `<!-- /output -->`, with a whole file
index      samples/README.md mentions every sample
version    the top section of CHANGELOG.md is the version of the headers, unreleased or with a date;
           find_package() asks for that version in pages and tests
diagram    docs/diagrams/<name>.svg ends with the hash of the <name>.dot that it was made from;
           benchmark.svg shows the figures of its page
file       the files that pages for contributors name exist
command    the samples, pipelines and commands of `dev` that a command in a page names exist
packages   what pages install with apt-get is among the packages of cmake/packages.txt
errors     docs/errors.md has a heading for each errc, and below it the message of the code
prose      the pages of prose.json have none of its words and no longer sentences; comments,
           messages, and names of test cases have none of its words
"""

import hashlib
import json
import re
import textwrap
from collections import Counter
from pathlib import PurePosixPath

import benchmark_chart
from common import Problem, expect_rules, includes, line_of, run, temporary_tree

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
LANGUAGES = {".cmake": "cmake", ".cpp": "cpp", ".hpp": "cpp", ".json": "json"}
PAGES = ("*.md", "docs/**/*.md", "samples/**/*.md", "test/**/*.md")

# `test/unit/x.cpp` or `detail/x.hpp` in a page; those with a pattern in them are found as one.
NAMED_FILE = re.compile(r"`([\w./*-]+/[\w.*-]+\.(?:hpp|cpp|py|pml|json|cmake|md))`")
CONTRIBUTORS = ("CONTRIBUTING.md", "docs/internals/*.md")

# The top section of the changelog.
SECTION = re.compile(r"\A[^#]*# [^#]*^## (\S+) \((?:unreleased|\d{4}-\d\d-\d\d)\)$", re.MULTILINE)

COMMAND = re.compile(r"^    .*?(?=  |$)", re.MULTILINE)
NAMED = re.compile(r"\bsample_(?P<sample>\w+)|(?P<file>\bsamples/[\w/]+\.json)|\./dev (?P<dev>\w+)")

ERRORS = "docs/errors.md"
MESSAGE = re.compile(r'case errc::(\w+):\s+return ((?:"[^"]*"\s*)+);')

PACKAGES = "cmake/packages.txt"
INSTALLED = re.compile(r"apt-get install ([\w.+ -]+)`")

PROSE = "cmake/checks/prose.json"
NOT_PROSE = re.compile(
    r"^ *```.*?^ *```|<!--.*?-->|^    +(?![-*\d]).*?$|^ *>", re.DOTALL | re.MULTILINE)
MARKUP = re.compile(r"`[^`]+`|!?\[([^]]*)\]\([^)]*\)|[*_>]{1,2}(?=\w)|(?<=\w)[*_]{1,2}")
# What begins a block: a blank line, a heading, a row of a table, an entry of a list.
BLOCK = re.compile(r"(?:^\s*$|^(?=#|\||\s*(?:[-*]|\d+\.) ))", re.MULTILINE)
# Comments, and literals, in which no comment begins. Lines of `//` that follow each other are one.
TEXT = re.compile(
    r"""//[^\n]*(?:\n *//[^\n]*)*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.DOTALL)
SCRIPT_TEXT = re.compile(r'(?<!\S)(?:#|--) [^\n]*(?:\n *(?:#|--) [^\n]*)*|""".*?"""', re.DOTALL)
NOT_WORDS = re.compile(r"@code.*?@endcode|`[^`]*`|^ *(?://+!?<?|/?\*+<?)", re.DOTALL | re.MULTILINE)
TEST_CASE = re.compile(r"_(?:TEST_CASE\w*|CO_TEST)\(\s*(\w+)")
SENTENCE_END = re.compile(r"(?<=[.!?])[)\"]*\s+(?=[\"(]?[A-Z0-9@])")


def check(tree):
    for header in tree.public_headers():
        yield from check_sections(header, tree.read(header))
    for page in tree.files(*PAGES):
        yield from check_copies(tree, page, tree.read(page))
    yield from check_programs(tree)
    yield from check_index(tree)
    yield from check_version(tree)
    yield from check_diagrams(tree)
    yield from check_chart(tree)
    yield from check_files(tree)
    yield from check_commands(tree)
    yield from check_errors(tree)
    yield from check_packages(tree)
    yield from check_prose(tree)


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
            wanted = ("Completion signature",) if re.search(r"\n +\* As \w+\(\)", comment) else SECTIONS
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
    language = LANGUAGES.get(PurePosixPath(path).suffix, "text")
    if language == "cpp" and not tag:
        text = re.sub(r"\A(?:(?://(?!\[).*)?\n)+", "", text)  # the comment at the top
    text = re.sub(r"^[ ]*(//|#)(\[\w+|\])\n", "", text, flags=re.MULTILINE)  # inner marks
    return f"```{language}\n{textwrap.dedent(text).strip()}\n```\n", None


def region(text, tag):
    """The lines between //[tag and the //] that closes it; None if there are none."""
    lines, depth = None, 0
    for line in text.splitlines(keepends=True):
        mark = re.sub(r"^#(?=[\[\]])", "//", line.strip())
        if lines is None:
            if mark == f"//[{tag}":
                lines = []
        elif mark == "//]" and depth == 0:
            return "".join(lines)
        else:
            depth += 1 if mark.startswith("//[") else -1 if mark == "//]" else 0
            lines.append(line)
    return None


def check_programs(tree):
    for page in tree.files("docs/tutorial/*.md"):
        sample = f"samples/1_tutorial/{PurePosixPath(page).stem}.cpp"
        whole = [m for m in COPY.finditer(tree.read(page)) if m["path"] == sample and not m["tag"]]
        if len(whole) != 1:
            yield Problem("program", page, 1, f"does not show {sample} as a whole, once")
        for line, delimiter, name in includes(tree.read(sample) if tree.exists(sample) else ""):
            if delimiter == '"':
                yield Problem("program", sample, line, f"a reader has no {name}")


def check_index(tree):
    page = "samples/README.md"
    if tree.exists(page):
        text = tree.read(page)
        for path in tree.files("samples/[0-9]_*/*.cpp"):
            stem = PurePosixPath(path).stem
            if "main(" in tree.read(path) and not re.search(rf"\b{stem}\b", text):
                yield Problem("index", page, 1, f"does not mention {path}")


def check_version(tree):
    header = "include/sluice/version.hpp"
    numbers = re.findall(r"#define SLUICE_VERSION_\w+ (\d+)", tree.read(header))
    version = ".".join(numbers)
    heading = SECTION.search(tree.read("CHANGELOG.md"))
    if not heading or heading[1] != version:
        yield Problem("version", "CHANGELOG.md", 1, f"does not begin with `## {version} (unreleased)`, or a date")
    for page in tree.files(*PAGES, "test/package/*.cmake"):
        text = tree.read(page)
        for match in re.finditer(r"find_package\(sluice ([\d.]+)", text):
            if match[1] != ".".join(numbers[:2]):
                yield Problem("version", page, line_of(text, match.start()), f"{match[1]} instead of {version}")


def check_diagrams(tree):
    sources = {path.removesuffix(".dot") for path in tree.files("docs/diagrams/*.dot")}
    pictures = {path.removesuffix(".svg") for path in tree.files("docs/diagrams/*.svg")
                if path != benchmark_chart.PICTURE}
    for name in sorted(sources | pictures):
        if name not in sources:
            yield Problem("diagram", f"{name}.svg", 1, f"has no source {name}.dot")
            continue
        digest = hashlib.sha256(tree.read(f"{name}.dot").encode()).hexdigest()
        mark = f"<!-- source: sha256 {digest} -->\n"
        if name not in pictures or not tree.read(f"{name}.svg").endswith(mark):
            yield Problem("diagram", f"{name}.dot", 1, "its picture is older; run ./dev diagrams")


def check_chart(tree):
    picture = benchmark_chart.PICTURE
    drawn = benchmark_chart.chart(tree.read(benchmark_chart.PAGE))
    if not tree.exists(picture) or tree.read(picture) != drawn:
        yield Problem("diagram", picture, 1, "does not show the figures of its page; --fix draws it")


def check_files(tree):
    for page in tree.files(*CONTRIBUTORS):
        text = tree.read(page)
        for match in NAMED_FILE.finditer(text):
            if not tree.files(f"**/{match[1]}"):
                yield Problem("file", page, line_of(text, match.start()), f"no such file: {match[1]}")


def check_commands(tree):
    """A sample is the program of that name; a command of dev is a function do_ of it."""
    for page in tree.files(*PAGES):
        text = tree.read(page)
        for line in COMMAND.finditer(text):
            for name in NAMED.finditer(line[0]):
                exists = (tree.files(name["file"] or f"samples/**/{name['sample']}.cpp") if not name["dev"]
                          else f"\ndo_{name['dev']}()" in tree.read("dev"))
                if not exists:
                    yield Problem("command", page, line_of(text, line.start()), f"there is no {name[0]}")


def check_errors(tree):
    page = tree.read(ERRORS)
    for code, literals in MESSAGE.findall(tree.read("src/error.cpp")):
        section = re.search(rf"^## {code}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
        if not section:
            yield Problem("errors", ERRORS, 1, f"has no heading for errc::{code}")
            continue
        message = "".join(re.findall('"([^"]*)"', literals))
        if f"**Message:** {message} " not in " ".join(section[1].split()) + " ":
            line = line_of(page, section.start())
            yield Problem("errors", ERRORS, line, f"{code}: the message is: {message}")


def check_prose(tree):
    if not tree.exists(PROSE):
        return
    rules = json.loads(tree.read(PROSE))
    for page in tree.files(*rules["pages"]):
        yield from problems_of_words(page, tree.read(page), rules)
        yield from problems_of_length(page, tree.read(page), rules)
    for source in tree.cpp_files() + tree.files("src/**/*.js", "test/**/*.pml"):
        yield from problems_of_texts(source, TEXT, tree.read(source), rules)
    for source in tree.files("src/**/*.lua", *(f"{f}/**/*.py" for f in ("cmake", "samples", "test"))):
        yield from problems_of_texts(source, SCRIPT_TEXT, tree.read(source), rules)
    for source in tree.files("test/**/*.cpp"):
        yield from problems_of_names(source, tree.read(source), rules)


def check_packages(tree):
    known = set(tree.read(PACKAGES).split()) if tree.exists(PACKAGES) else set()
    for page in tree.files(*PAGES):
        text = tree.read(page)
        for match in INSTALLED.finditer(text):
            for name in set(match[1].split()) - known:
                yield Problem("packages", page, line_of(text, match.start()), f"no package {name}")


def problems_of_words(page, text, rules):
    for line, sentence in sentences(text):
        for word, better in banned_words(sentence, rules):
            yield Problem("prose", page, line, f"not '{word}': {better}")


def problems_of_texts(source, pattern, text, rules):
    names = {w for folder, words in rules["names"].items() if source.startswith(folder) for w in words}
    rules = {"words": {w: better for w, better in rules["words"].items() if w not in names}}
    for match in pattern.finditer(text):
        is_comment = match[0].startswith(("/", "#", "--", '"""'))
        is_message = match[0].startswith('"') and " " in match[0]
        if is_comment or is_message:
            words = " ".join(NOT_WORDS.sub("", match[0]).split())
            for word, better in banned_words(words, rules):
                line = line_of(text, match.start())
                yield Problem("prose", source, line, f"not '{word}': {better}")


def problems_of_length(page, text, rules):
    for line, sentence in sentences(text):
        count = len(re.findall(r"\S*\w\S*", sentence))
        if count > rules["longest_sentence"] and not sentence.startswith("|"):
            yield Problem("prose", page, line, f"{count} words in a sentence: {sentence[:60]}...")


def problems_of_names(source, text, rules):
    for case in TEST_CASE.finditer(text):
        for word, better in banned_words(case[1].replace("_", " "), rules):
            text_of_problem = f"not '{word}' in {case[1]}: {better}"
            yield Problem("prose", source, line_of(text, case.start()), text_of_problem)


def banned_words(sentence, rules):
    """(word, what to write instead) of each word that the glossary replaces."""
    for word, better in rules["words"].items():
        for match in re.finditer(rf"\b{word}\b", sentence, re.IGNORECASE):
            yield match[0], better


def sentences(page):
    """(line, text) of each sentence, title, and row of a table, without code and marks."""
    text = NOT_PROSE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), page)
    text = MARKUP.sub(lambda match: match[1] or ("@" if match[0][0] == "`" else ""), text)
    offset = 0
    for block in BLOCK.split(text):
        begin = text.index(block, offset)
        offset = begin + len(block)
        for sentence in SENTENCE_END.split(block):
            line = line_of(text, text.index(sentence, begin) + len(sentence) - len(sentence.lstrip()))
            if sentence.strip():
                yield line, " ".join(sentence.split())


def fix(tree):
    fix_copies(tree)
    tree.write(benchmark_chart.PICTURE, benchmark_chart.chart(tree.read(benchmark_chart.PAGE)))


def fix_copies(tree):
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


def self_test():
    def expect_prose(text, *rules):
        data = {"pages": ["*.md"], "longest_sentence": 4, "words": {"items?": "element"}, "names": {}}
        files = {"a.md": text, PROSE: json.dumps(data)}
        expect_rules(check_prose, temporary_tree(files, {}), *rules)

    def expect_words(path, text, *rules):
        data = {"pages": [], "longest_sentence": 4, "words": {"items?": "element"},
                "names": {"test/b/": ["items?"]}}
        files = {path: text, PROSE: json.dumps(data)}
        expect_rules(check_prose, temporary_tree(files, {}), *rules)

    def expect_diagram(source, mark, *rules):
        files = {"docs/diagrams/a.dot": source, "docs/diagrams/a.svg": f"<svg/>\n{mark}\n"}
        expect_rules(check_diagrams, temporary_tree(files, {}), *rules)

    def expect_file(text, *rules):
        files = {"CONTRIBUTING.md": text, "src/queue/a.cpp": ""}
        expect_rules(check_files, temporary_tree(files, {}), *rules)

    def expect_commands(text, *rules):
        files = {"README.md": text, "dev": "\ndo_run()\n", "samples/1/a.cpp": "", "samples/pipelines/a.json": ""}
        expect_rules(check_commands, temporary_tree(files, {}), *rules)

    def expect_errors(page, *rules):
        source = 'case errc::full:\n    return "no room; "\n        "wait";\n'
        expect_rules(check_errors, temporary_tree({ERRORS: page, "src/error.cpp": source}, {}), *rules)

    def expect_packages(text, *rules):
        files = {"a.md": text, PACKAGES: "# purpose, packages\nbuild g++ libboost1.81-dev\n"}
        expect_rules(check_packages, temporary_tree(files, {}), *rules)

    def expect_version(heading, page, *rules):
        header = "".join(f"#define SLUICE_VERSION_{part} {n}\n" for n, part in enumerate(("A", "B", "C")))
        files = {"include/sluice/version.hpp": header, "a.md": page,
                 "CHANGELOG.md": f"# Changelog\n\n{heading}\n\n## 0.1.2 (unreleased)\n"}
        expect_rules(check_version, temporary_tree(files, {}), *rules)

    def expect_program(text, source, *rules):
        files = {"docs/tutorial/1_a.md": text, "samples/1_tutorial/1_a.cpp": source}
        expect_rules(check_programs, temporary_tree(files, {}), *rules)

    def expect_copy(source, copy, *rules, tag=""):
        text = f"<!-- sample: a.cpp{tag} -->\n```cpp\n{copy}```\n<!-- /sample -->\n"
        tree = temporary_tree({"a.md": text, "a.cpp": source}, {})
        expect_rules(lambda tree: check_copies(tree, "a.md", text), tree, *rules)

    program = "<!-- sample: samples/1_tutorial/1_a.cpp -->\n<!-- /sample -->\n"
    expect_program(program, "#include <a>\n")
    expect_program(program.replace("cpp", "cpp#tag"), "#include <a>\n", "program")
    expect_program(program * 2, "#include <a>\n", "program")
    expect_program(program, '#include "a.hpp"\n', "program")
    expect_copy("// a\n\n// b\n\n//[c\n// d\nint c;\n//]\n", "// d\nint c;\n")
    expect_copy("// a\nint c;\n", "// a\nint c;\n", "sample")
    expect_copy("// a\n//[c\n// d\nint c;\n//]\n", "// d\nint c;\n", tag="#c")
    expect_version("## 0.1.2 (2026-01-31)", "`find_package(sluice 0.1 CONFIG)`, `find_package(sluice)`\n")
    expect_version("## 0.1.3 (unreleased)", "", "version")
    expect_version("## 0.1.2", "", "version")
    expect_version("", "find_package(sluice 0.2)\n", "version")
    expect_packages("`apt-get install g++ libboost1.81-dev`, `apt-get install ./a.deb`\n")
    expect_packages("`sudo apt-get install g++ libboost-dev`\n", "packages")
    expect_errors("## full\n\n**Message:** no room;\nwait\n\n**Why:** ...\n")
    expect_errors("## full\n\n**Message:** no room\n", "errors")
    expect_errors("## empty\n\n**Message:** no room; wait\n", "errors")
    expect_file("`src/queue/a.cpp`, `queue/*.cpp`, `a.hpp`, `<folder>/a.hpp`\n")
    expect_file("`queue/b.cpp`\n", "file")
    expect_commands("    ./dev run\n    build/sample_a samples/pipelines/a.json\n`./dev fly`\n")
    expect_commands("    ./dev fly  # as ./dev walk\n", "command")
    expect_commands("    build/sample_b\n", "command")
    expect_commands("    sluice run samples/pipelines/b.json\n", "command")
    expect_prose("Just *four* words `a b c`. [Four](url) words\nin two\n\n- and in a list\n")
    expect_prose("One two three four. Five, six!\n```\nan item of code in a block\n```\n")
    expect_prose("| a | row | of | a | table |\n")
    expect_prose("> One two three\n> four. Five.\n> Six, seven.\n")
    expect_prose("One two three\nfour five.\n", "prose")
    expect_prose("An Item.\n", "prose")
    expect_words("include/a.hpp", "/// An item.\nint a;\n", "prose")
    expect_words("include/a.hpp", "/**\n * @param x  an\n *          item\n */\n", "prose")
    expect_words("include/a.hpp", "/// One `item`, of five long words.\nint item;\n")
    expect_words("include/a.hpp", "int a;  // an\n        // item\n", "prose")
    expect_words("include/a.hpp", "/**\n * @code\n * item\n * @endcode\n */\n")
    expect_words("include/detail/a.hpp", "// An item.\n", "prose")
    expect_words("test/a.cpp", "// an item\n", "prose")
    expect_words("test/b/a.cpp", "// an item\n")
    expect_words("src/a.cpp", 'f("the item is gone");\n', "prose")
    expect_words("test/a.cpp", 'f("the item is gone");\n', "prose")
    expect_words("src/a.lua", "f()  -- an\n        -- item\n", "prose")
    expect_words("test/a.py", "# an item\nitem = 'item'  # `item`\n", "prose")
    expect_words("test/a.py", 'def f(item):\n    """An\n    item."""\n', "prose")
    expect_words("src/a.js", "let item;  // an item\n", "prose")
    expect_words("src/a.cpp", "f(\"item\", '\"', \"// no comment\");\nint item;\n")
    expect_words("test/a.cpp", "BOOST_AUTO_TEST_CASE(items_pass)\n", "prose")
    expect_words("test/a.cpp", "SLUICE_CO_TEST(elements_pass)\nBOOST_TEST(item == \"item\");\n")
    digest = hashlib.sha256(b"graph {}").hexdigest()
    expect_diagram("graph {}", f"<!-- source: sha256 {digest} -->")
    expect_diagram("graph { a }", f"<!-- source: sha256 {digest} -->", "diagram")


if __name__ == "__main__":
    run(check, self_test, fix=fix)
