# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What the checks share: the tree of sources, its includes, reporting, self-tests.

A check is a module with a function `check(tree)` that yields problems. It may have a
self-test, which runs before it and proves that it can fail.
"""

import argparse
import json
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
SKIPPED_FOLDERS = {".git", ".cache", "build", "__pycache__"}


@dataclass(frozen=True)
class Problem:
    """`rule` names what was broken, so that a self-test can ask for it."""

    rule: str
    path: str
    line: int
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.text} [{self.rule}]"


class Tree:
    """The files of the repository, as paths relative to its root."""

    def __init__(self, root):
        self.root = Path(root).resolve()
        self.config = json.loads((self.root / "cmake/layers.json").read_text("utf-8"))

    def files(self, *patterns):
        """Paths that match one of the patterns, e.g. "include/**/*.hpp"; sorted."""
        found = {path for pattern in patterns for path in self.root.glob(pattern)}
        names = {path.relative_to(self.root) for path in found if path.is_file()}
        return sorted(n.as_posix() for n in names if not SKIPPED_FOLDERS & set(n.parts))

    def cpp_files(self):
        folders = ("include", "src", "samples", "test")
        return self.files(*(f"{f}/**/*.{e}" for f in folders for e in ("hpp", "cpp")))

    def public_headers(self):
        headers = self.files("include/**/*.hpp")
        return [h for h in headers if "detail" not in PurePosixPath(h).parts]

    def exists(self, path):
        return (self.root / path).is_file()

    def read(self, path):
        return (self.root / path).read_text("utf-8")

    def write(self, path, text):
        (self.root / path).write_text(text, "utf-8")


def includes(text):
    """(line number, delimiter, name) of every include of a source text."""
    for match in INCLUDE.finditer(text):
        yield line_of(text, match.start(1)), match[1], match[2]


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def run(check, self_test=None, fix=None, extra=None):
    """The program around a check. `extra` maps further options to functions of a tree."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--root", default=Path(__file__).resolve().parents[2])
    if fix:
        parser.add_argument("--fix", action="store_true", help="repair what can be")
    for option in extra or {}:
        parser.add_argument(option, action="store_true")
    args = parser.parse_args()

    if self_test:
        self_test()
    tree = Tree(args.root)
    for option, action in (extra or {}).items():
        if getattr(args, option.strip("-")):
            action(tree)
            return
    if fix and args.fix:
        fix(tree)
    problems = sorted(check(tree), key=lambda p: (p.path, p.line))
    for problem in problems:
        print(problem)
    print(f"{Path(sys.argv[0]).stem}: {len(problems)} problems")
    sys.exit(1 if problems else 0)


def temporary_tree(files, config):
    """A tree of the given files, {path: text}; self-tests keep it until they end."""
    folder = tempfile.TemporaryDirectory()
    for path, text in {**files, "cmake/layers.json": json.dumps(config) + "\n"}.items():
        target = Path(folder.name) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    tree = Tree(folder.name)
    tree.keep_alive = folder
    return tree


def expect_rules(check, tree, *rules):
    """Fails the self-test unless exactly these rules are reported."""
    problems = list(check(tree))
    if sorted({p.rule for p in problems}) != sorted(rules):
        listing = "\n  ".join(map(str, problems)) or "nothing"
        sys.exit(f"self-test: expected {list(rules)}, reported:\n  {listing}")
