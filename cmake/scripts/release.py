# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""release.py (version | notes <version>): what `./dev release` asks, in the root of a clone.

version   prints what the release of the last commit is called. Refuses a tree with changes, and a
          version that does not fit the changelog or the tags. If the section of the changelog has
          no date yet, the name has that of the commit, and comes before the version for Debian.
notes     prints the top section of the changelog. Its links lead into the unpacked sources.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

HEADER = "include/sluice/version.hpp"
SECTION = re.compile(r"^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)\n+(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?![a-z]+:|#)")


def refuse(problem, remedy):
    sys.exit(f"release: {problem}\n    {remedy}")


def git(*arguments):
    done = subprocess.run(("git", *arguments), env={**os.environ, "TZ": "UTC"}, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        refuse(f"git says: {done.stderr.strip()}", "Make the release in a clone of the repository.")
    return done.stdout.rstrip("\n")


def section():
    """(version, date or "unreleased", text) of the top section"""
    found = SECTION.search(Path("CHANGELOG.md").read_text("utf-8"))
    if not found:
        refuse("CHANGELOG.md has no section `## VERSION (unreleased)`, or with a date such as (2026-01-31)",
               "Write it as the first one.")
    return found.groups()


def version():
    if changes := git("status", "--porcelain"):
        refuse(f"the tree is not clean, and a release is made from a commit:\n{changes}",
               "Commit these files, or remove them: git stash --include-untracked")
    wanted = ".".join(re.findall(r"#define SLUICE_VERSION_\w+ (\d+)", Path(HEADER).read_text("utf-8")))
    written, date, _ = section()
    if written != wanted:
        refuse(f"the top section of CHANGELOG.md is {written}, and {HEADER} says {wanted}",
               "Correct the one that is wrong, and commit.")
    tag = f"v{wanted}"
    here = [name for name in git("tag", "--points-at", "HEAD").split() if re.match(r"v\d", name)]
    if other := [name for name in here if name != tag]:
        refuse(f"the commit has the tag {other[0]}, and {HEADER} says {wanted}",
               f"Remove the tag (git tag -d {other[0]}), or correct the version and commit.")
    if not here and git("tag", "--list", tag):
        refuse(f"{wanted} has been released: the tag {tag} is at another commit",
               f"Check that out (git checkout {tag}), or raise the version in {HEADER} and begin a section "
               "in CHANGELOG.md.")
    if date != "unreleased":
        return wanted
    if here:
        refuse(f"the commit has the tag {tag}, and CHANGELOG.md says that {wanted} is unreleased",
               "Write the date into the heading of its section, commit, and move the tag: "
               f"git tag -f {tag}")
    return wanted + git("log", "-1", "--abbrev=8", "--date=format-local:%Y%m%d", "--format=~git%cd.%h")


def notes(name):
    written, date, text = section()
    text = LINK.sub(f"](sluice-{name}/", text)
    return f"# sluice {written} ({date})\n\nLinks lead into `sluice-{name}.tar.gz`, unpacked here.\n\n{text.rstrip()}"


if __name__ == "__main__":
    print({"version": version, "notes": notes}[sys.argv[1]](*sys.argv[2:]))
