# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks that every rule cited by its number, such as S3, is defined, and only once.

A rule is defined by a heading `### S3 Deadlines` in a page of docs/, by a comment line
`// (Q1) text` at the margin of a header, or by a line `(L1) text` at the margin of a script
in this folder. It is cited by its number in a comment, in parentheses in a string, in a
page outside of code, and by a test case whose name begins with it (s3_ready_operation).
The home of a rule of docs/behaviour.md is the test with its number in a line `// Rules: S3 S4`.

undefined  a number that is cited and not defined
twice      a number that is defined twice
letter     a letter of the rules of two files
home       a rule for users without a home, or with two; a test case that is named after a rule
           and is not in its home
"""

import re

from common import Problem, expect_rules, line_of, run, temporary_tree

DEFINITIONS = {
    "docs/**/*.md": r"^### ([A-Z]\d+) \S",
    "include/**/*.hpp": r"^// \(([A-Z]\d+)\) \S",
    "cmake/checks/*.py": r"^\(([A-Z]\d+)\) \S",
}
PAGES = ("*.md", "docs/**/*.md", "samples/**/*.md", "test/**/*.md")
SCRIPTS = ("dev", "CMakeLists.txt", "cmake/**/*.cmake", "cmake/**/*.py", "samples/CMakeLists.txt",
           "test/CMakeLists.txt", "test/**/*.py")

# The parts of a source in which a number may stand: comments, and strings as the group.
STRING = r'("(?:\\.|[^"\\\n])*")'
IN_SCRIPT = re.compile(rf'""".*?"""|#[^\n]*|{STRING}', re.DOTALL)
IN_CPP = re.compile(rf"//[^\n]*|/\*.*?\*/|{STRING}", re.DOTALL)

CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"(?<![\w./-])[A-Z]\d{1,2}(?!\w)")
IN_PARENTHESES = re.compile(r"(?<=\()[A-Z]\d{1,2}(?=\))")
TEST_CASE = re.compile(r"TEST(?:_CASE(?:_TEMPLATE)?)?\(\s*((?:[a-z]\d{1,2}_)+)")

FOR_USERS = "docs/behaviour.md"
HOME = re.compile(r"^// Rules:((?: [A-Z]\d{1,2})+)$", re.MULTILINE)


def check(tree):
    rules, letters = {}, {}
    for path, line, number in definitions(tree):
        if number in rules:
            yield Problem("twice", path, line, f"{number} is defined in {rules[number]}, too")
        elif letters.setdefault(number[0], path) != path:
            text = f"{number}: the letter belongs to {letters[number[0]]}"
            yield Problem("letter", path, line, text)
        rules.setdefault(number, path)
    for path, line, number in citations(tree):
        if number not in rules:
            yield Problem("undefined", path, line, f"{number} is defined nowhere")
    yield from check_homes(tree, {n for n, path in rules.items() if path == FOR_USERS})


def check_homes(tree, rules):
    homes = {}
    tests = [(path, tree.read(path)) for path in tree.files("test/**/*.cpp")]
    for path, text in tests:
        for line in HOME.finditer(text):
            for number in line[1].split():
                if homes.setdefault(number, path) != path:
                    text_of = f"the home of {number} is {homes[number]}"
                    yield Problem("home", path, line_of(text, line.start()), text_of)
    for number in sorted(rules - homes.keys()):
        yield Problem("home", FOR_USERS, 1, f"no test is the home of {number}")
    for path, text in tests:
        for name in TEST_CASE.finditer(text):
            for number in name[1].upper().strip("_").split("_"):
                if number in rules and homes.get(number, path) != path:
                    text_of = f"the home of {number} is {homes[number]}"
                    yield Problem("home", path, line_of(text, name.start()), text_of)


def definitions(tree):
    for pattern, form in DEFINITIONS.items():
        for path in tree.files(pattern):
            text = tree.read(path)
            for match in re.finditer(form, text, re.MULTILINE):
                yield path, line_of(text, match.start()), match[1]


def citations(tree):
    for path in tree.files(*PAGES):
        text = tree.read(path)
        for match in NUMBER.finditer(without_code(text)):
            yield path, line_of(text, match.start()), match[0]
    for paths, parts in ((tree.files(*SCRIPTS), IN_SCRIPT),
                         (tree.cpp_files() + tree.files("test/**/*.pml"), IN_CPP)):
        for path in paths:
            text = tree.read(path)
            for part in parts.finditer(text):
                form = IN_PARENTHESES if part[1] else NUMBER
                for match in form.finditer(without_code(part[0])):
                    yield path, line_of(text, part.start() + match.start()), match[0]
            for name in TEST_CASE.finditer(text):
                for number in name[1].upper().strip("_").split("_"):
                    yield path, line_of(text, name.start()), number


def without_code(text):
    return CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)


def self_test():
    def expect(text, *rules, path="test/a.cpp"):
        files = {"docs/a.md": "### S1 One\n", "include/a.hpp": "// (Q1) Two\n", path: text}
        expect_rules(check, temporary_tree(files, {}), *rules)

    expect('int S2;  // S1 and (Q1), but not `S2` or -O2\nauto text = "S2 (S1)";\n')
    expect("/* none\n   S2 */\n", "undefined")
    expect('auto text = "(S2' ')";\n', "undefined")
    expect("BOOST_AUTO_TEST_CASE(s1_q1_name)\n")
    expect("BOOST_AUTO_TEST_CASE(s1_s2_name)\n", "undefined")
    expect("```\nS2\n```\nS1\n", path="README.md")
    expect("See S2.\n", "undefined", path="README.md")
    expect("# S2\n", "undefined", path="test/CMakeLists.txt")
    expect("### S1 One\n", "twice", path="docs/b.md")
    expect("### S2 Two\n", "letter", path="docs/b.md")
    expect("### D1 One\n", "home", path="docs/behaviour.md")
    for files, rules in (
        ({"test/a.cpp": "// Rules: D1\nBOOST_AUTO_TEST_CASE(d1_name)\n"}, ()),
        ({"test/a.cpp": "// Rules: D1\n", "test/b.cpp": "// Rules: D1\n"}, ("home",)),
        ({"test/a.cpp": "// Rules: D1\n", "test/b.cpp": "SLUICE_CO_TEST(d1_name)\n"}, ("home",)),
    ):
        expect_rules(check, temporary_tree({"docs/behaviour.md": "### D1 One\n", **files}, {}), *rules)


if __name__ == "__main__":
    run(check, self_test)
