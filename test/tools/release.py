# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What `./dev release` asks before it begins: what the release is called, what it refuses and its
notes, in small repositories."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "cmake/scripts/release.py"
HEADER = "#define SLUICE_VERSION_MAJOR 0\n#define SLUICE_VERSION_MINOR 2\n#define SLUICE_VERSION_PATCH 1\n"
CHANGELOG = """# Changelog

## 0.2.1 (DATE)

- New: [a page](docs/a.md#b), [another](https://example.com), [below](#b).

### A group

- Last.

## 0.2.0 (2026-01-31)

- Old.
"""
ENVIRONMENT = {
    **os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "TZ": "A+12",
    **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
       (("NAME", "A"), ("EMAIL", "a@example.com"), ("DATE", "2026-02-03T23:30:00-0100"))}}


class Repository:
    def __init__(self, changelog, *commands):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        (self.root / "include/sluice").mkdir(parents=True)
        (self.root / "include/sluice/version.hpp").write_text(HEADER, "utf-8")
        (self.root / "CHANGELOG.md").write_text(changelog, "utf-8")
        for command in ("git init -q", "git add .", "git commit -qm 1", *commands):
            self.run(*command.split()).check_returncode()

    def run(self, *command):
        return subprocess.run(
            command, cwd=self.root, text=True, capture_output=True, check=False,
            env={**ENVIRONMENT, "GIT_CEILING_DIRECTORIES": str(self.root.parent)})

    def release(self, *arguments):
        return self.run(sys.executable, "-B", SCRIPT, *arguments)


def expect_output(pattern, repository, *arguments):
    done = repository.release(*arguments)
    if done.returncode != 0 or not re.fullmatch(pattern, done.stdout):
        sys.exit(f"release: {arguments}: not {pattern}, but:\n{done.stdout}{done.stderr}")


def expect_refusal(pattern, repository):
    done = repository.release("version")
    if done.returncode != 1 or done.stdout or not re.match(f"release: {pattern}.*\n    [A-Z]", done.stderr, re.DOTALL):
        sys.exit(f"release: not refused because of {pattern}, but:\n{done.stdout}{done.stderr}")


def main():
    dated, unreleased = (CHANGELOG.replace("DATE", date) for date in ("2026-02-04", "unreleased"))
    another = "git commit -q --allow-empty -m 2"
    expect_output("0\\.2\\.1\n", Repository(dated), "version")
    expect_output("0\\.2\\.1\n", Repository(dated, "git tag v0.2.0", another, "git tag v0.2.1", "git tag tested"), "version")
    expect_output("0\\.2\\.1~git20260204\\.[0-9a-f]{8}\n", Repository(unreleased, "git tag v0.2.0", another), "version")

    expect_refusal(r"the tree is not clean.*\?\? new", Repository(dated, "touch new"))
    expect_refusal(r"the tree is not clean.*D CHANGELOG\.md", Repository(dated, "rm CHANGELOG.md"))
    expect_refusal(r"the top section of CHANGELOG\.md is 0\.2\.2, and \S+version\.hpp says 0\.2\.1",
                   Repository(dated.replace("0.2.1", "0.2.2")))
    expect_refusal(r"CHANGELOG\.md has no section", Repository(CHANGELOG.replace("## 0.2", "## version 0.2")))
    expect_refusal(r"the commit has the tag v0\.3\.0, and \S+ says 0\.2\.1", Repository(dated, "git tag v0.3.0"))
    expect_refusal(r"0\.2\.1 has been released: the tag v0\.2\.1 ", Repository(dated, "git tag v0.2.1", another))
    expect_refusal(r"the commit has the tag v0\.2\.1, and \S+ says that 0\.2\.1 is unreleased",
                   Repository(unreleased, "git tag v0.2.1"))
    expect_refusal(r"git says: .*not a git repository", Repository(dated, "rm -r .git"))

    expect_output(r"# sluice 0\.2\.1 \(2026-02-04\)\n\n.* `sluice-1\.tar\.gz`.*\n\n"
                  r"- New: \[a page\]\(sluice-1/docs/a\.md#b\), \[another\]\(https://example\.com\), \[below\]\(#b\)\.\n\n"
                  r"### A group\n\n- Last\.\n", Repository(dated), "notes", "1")


if __name__ == "__main__":
    main()
