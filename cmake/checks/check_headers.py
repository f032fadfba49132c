# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks how files begin, and that no header is forgotten. --fix repairs the first three.

licence   the SPDX and copyright lines come first
once      headers have #pragma once
groups    includes stand in the groups sluice, Boost, other third party, standard; a blank
          line between groups, sorted inside; a source or test begins with its own header,
          in a group of its own
own       the first include of a test is the header under test
umbrella  sluice.hpp includes every public header
tested    every public header has a test of the same name
"""

import re
from pathlib import PurePosixPath

from common import INCLUDE, Problem, expect_rules, includes, line_of, run, temporary_tree

LICENCE = ("SPDX-License-Identifier: BSL-1.0", "Copyright (c) 2026 The sluice authors")
PIPELINE = "include/sluice/pipeline/"
UMBRELLA = "include/sluice.hpp"
HELPERS = ("model/", "support/")  # folders of test/ whose headers have unit tests
INCLUDE_BLOCK = re.compile(r'(?:^#include ["<][^">]+[">].*\n(?:[ \t]*\n)*)+', re.MULTILINE)
SYSTEM_HEADER = re.compile(r"[a-z0-9_]+|(?:sys|netinet|arpa|linux)/.*|(?:unistd|pthread)\.h")


def check(tree):
    for path in licensed_files(tree):
        if not has_licence(path, tree.read(path)):
            yield Problem("licence", path, 1, "does not begin with the licence lines")
    for path in tree.cpp_files():
        text = tree.read(path)
        if path.endswith(".hpp") and "\n#pragma once\n" not in text:
            yield Problem("once", path, 1, "has no #pragma once")
        for match in INCLUDE_BLOCK.finditer(text):
            if match[0].rstrip("\n") != grouped(path, match[0]).rstrip("\n"):
                yield Problem("groups", path, line_of(text, match.start()), "include groups")
        yield from check_own_header(tree, path, text)
    yield from check_umbrella(tree)
    yield from check_tests(tree)


def licensed_files(tree):
    scripts = tree.files("CMakeLists.txt", "dev", "cmake/**/*.cmake", "cmake/**/*.py",
                         "samples/**/CMakeLists.txt", "test/**/CMakeLists.txt")
    return tree.cpp_files() + scripts


def licence_lines(path):
    mark = "//" if path.endswith("pp") else "#"
    return "".join(f"{mark} {line}\n" for line in LICENCE)


def without_shebang(text):
    return text.split("\n", 1)[1] if text.startswith("#!") else text


def has_licence(path, text):
    return without_shebang(text).startswith(licence_lines(path))


def group_of(delimiter, name):
    if delimiter == '"' or name.startswith(("sluice/", "sluice.hpp")):
        return 1
    if name.startswith("boost/"):
        return 2
    return 4 if SYSTEM_HEADER.fullmatch(name) else 3


def tested_header(path):
    """The header that test/unit/a/b.cpp tests: sluice/a/b.hpp, or a helper of the tests."""
    inner = path.removeprefix("test/unit/").removesuffix(".cpp") + ".hpp"
    return inner if inner.startswith(HELPERS) else f"sluice/{inner}"


def is_own(path, delimiter, name):
    if not path.endswith(".cpp") or group_of(delimiter, name) != 1:
        return False
    if path.startswith("test/unit/"):
        return name == tested_header(path)
    return PurePosixPath(name).stem == PurePosixPath(path).stem


def grouped(path, block):
    """The include lines of a block in the right order and groups."""
    groups = {}
    for line in filter(str.strip, block.splitlines()):
        _, delimiter, name = next(includes(line))
        group = 0 if is_own(path, delimiter, name) else group_of(delimiter, name)
        groups.setdefault(group, []).append(line)
    return "\n\n".join("\n".join(sorted(groups[g])) for g in sorted(groups)) + "\n"


def check_own_header(tree, path, text):
    if path.startswith("test/unit/"):
        own = tested_header(path)
        root = "test" if own.startswith(HELPERS) else "include"
        first = INCLUDE.search(text)
        if tree.exists(f"{root}/{own}") and (not first or first[2] != own):
            yield Problem("own", path, 1, f"the first include should be {own}")


def check_umbrella(tree):
    """Pipelines need more than Boost, so they are not under the umbrella."""
    if tree.exists(UMBRELLA):
        included = {f"include/{name}" for _, _, name in includes(tree.read(UMBRELLA))}
        for header in tree.public_headers():
            if header.startswith(PIPELINE) or header == UMBRELLA:
                continue
            if header not in included:
                yield Problem("umbrella", UMBRELLA, 1, f"does not include {header}")


def check_tests(tree):
    for header in tree.public_headers():
        path = header.removeprefix("include/sluice/").removesuffix(".hpp")
        unit = "" if header.startswith(PIPELINE) else "unit/"
        test = f"test/{unit}{path}.cpp"
        excused = path in tree.config["allow"]["no_unit_test"]
        if header != UMBRELLA and not excused and not tree.exists(test):
            yield Problem("tested", header, 1, f"has no test {test}")


def fix(tree):
    for path in licensed_files(tree):
        text = tree.read(path)
        if not has_licence(path, text):
            body = without_shebang(text)
            shebang = text.removesuffix(body)
            tree.write(path, shebang + licence_lines(path) + "\n" + body)
    for path in tree.cpp_files():
        text = tree.read(path)
        if path.endswith(".hpp") and "\n#pragma once\n" not in text:
            text = text.replace(licence_lines(path), licence_lines(path) + "\n#pragma once\n", 1)
        text = INCLUDE_BLOCK.sub(lambda match: regrouped(path, match[0]), text)
        if text != tree.read(path):
            tree.write(path, text)


def regrouped(path, block):
    """As `grouped`, and with the empty lines after the block as they were."""
    return grouped(path, block) + block[len(block.rstrip("\n")) + 1:]


def self_test():
    head = licence_lines("x.hpp")
    header = head + "\n#pragma once\n"
    config = {"allow": {"no_unit_test": []}}
    good = {
        "include/sluice.hpp": header + "\n#include <sluice/a.hpp>\n",
        "include/sluice/a.hpp": header,
        "test/unit/a.cpp": head + "\n#include <sluice/a.hpp>\n\n#include <boost/asio.hpp>\n"
                           "\n#include <fmt/format.h>\n\n#include <memory>\n#include <vector>\n",
    }

    def expect(changes, *rules):
        expect_rules(check, temporary_tree({**good, **changes}, config), *rules)

    expect({})
    expect({"include/sluice/a.hpp": "#pragma once\n"}, "licence", "once")
    expect({"src/x.py": "", "cmake/x.py": ""}, "licence")
    expect({"include/sluice.hpp": header}, "umbrella")
    expect({"include/sluice/detail/b.hpp": header})
    expect({"include/sluice/b.hpp": header}, "tested", "umbrella")
    expect({"test/unit/a.cpp": head + "\n#include <vector>\n"}, "own")
    expect({"src/a.cpp": head + "\n#include <vector>\n#include <sluice/a.hpp>\n"}, "groups")

    broken = "#include <vector>\n#include <boost/b.hpp>\n#include <sluice/a.hpp>\n\nint x;\n"
    tree = temporary_tree({**good, "src/b.cpp": broken, "include/sluice/a.hpp": "\n"}, config)
    fix(tree)
    expect_rules(check, tree)
    assert tree.read("src/b.cpp").endswith("<boost/b.hpp>\n\n#include <vector>\n\nint x;\n")


if __name__ == "__main__":
    run(check, self_test, fix=fix)
