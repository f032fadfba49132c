# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Reads names of files, a line each, and writes how often each word is in each of them.

    {"file": "a.hpp", "words": {"int": 2, "main": 1}}

What it writes of a file depends on the file alone. So it does not matter if a file is read twice,
because a process died: the lines are equal.
"""

import collections
import json
import re
import sys

# as the stage split_words: bytes beyond ASCII are parts of words
WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")


def words_of(name):
    with open(name, "rb") as file:
        counts = collections.Counter(WORD.findall(file.read()))
    return {word.decode("utf-8", "replace"): count for word, count in sorted(counts.items())}


def main():
    for line in sys.stdin:
        name = line.rstrip("\n")
        print(json.dumps({"file": name, "words": words_of(name)}))


if __name__ == "__main__":
    main()
