# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The results of the main job, against those of standard tools over the same files."""

import gzip
import json
import os
import subprocess

from program import PIPELINES, ROOT, ProgramTest, main

# What split_words takes for a word, in the C locale, where each byte is a character.
WORDS_OF_FILES = r"""
    set -o pipefail
    find "$1" -name "$2" -print0 | xargs -0 cat |
        grep -a -o -E $'[A-Za-z0-9_\x80-\xff]+' | sort | uniq -c
"""


def words_by_tools(folder, pattern):
    printed = subprocess.run(
        ["bash", "-c", WORDS_OF_FILES, "bash", folder, pattern],
        check=True, capture_output=True, env={**os.environ, "LC_ALL": "C"}).stdout
    pairs = (line.split() for line in printed.splitlines())
    return {word: int(count) for count, word in pairs}


def words_by_sluice(printed):
    pairs = (line.split(b"\t") for line in printed.splitlines())
    return [(word, int(count)) for count, word in pairs]


class MainJob(ProgramTest):
    def count(self, folder, pattern, *arguments):
        process = self.start(
            "run", PIPELINES / "word_count.json", "--report", "none",
            "--set", "/runners/0/options/files=" + json.dumps([str(folder)]),
            "--set", "/runners/0/options/match=" + pattern, *arguments)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, err), (0, b""))
        return words_by_sluice(out)

    def test_counts_are_those_of_grep_sort_and_uniq(self):
        for threads in (1, 4):
            counted = self.count(ROOT / "include", "*.hpp", "--threads", threads,
                                 "--set", "/runners/2/options/top=0")
            expected = words_by_tools(ROOT / "include", "*.hpp")
            self.assertGreater(len(expected), 1000)
            self.assertEqual(dict(counted), expected)

    def test_top_twenty_are_the_most_frequent_in_their_order(self):
        expected = words_by_tools(ROOT / "include", "*.hpp")
        ranking = sorted(expected.items(), key=lambda item: (-item[1], item[0]))
        self.assertEqual(self.count(ROOT / "include", "*.hpp"), ranking[:20])

    def test_words_beyond_ascii_and_unfinished_lines_count(self):
        (self.folder / "a.txt").write_bytes("Straße straße\r\nend".encode() + b" \xff\xfe x\0y")
        counted = self.count(self.folder, "*.txt")
        self.assertEqual(dict(counted), words_by_tools(self.folder, "*.txt"))


class OtherSamples(ProgramTest):
    def sample(self, name, *arguments, **options):
        return self.sluice("run", PIPELINES / name, *arguments, cwd=ROOT, **options)

    def test_digits_come_three_times_in_batches_in_another_order(self):
        batches_file = self.folder / "batches.jsonl.gz"
        status, _, err = self.sample(
            "digits_batches.json", "--set", f"/runners/2/options/path={batches_file}")
        self.assertEqual(status, 0, err)
        with gzip.open(batches_file, "rt") as lines:
            batches = [json.loads(line) for line in lines]
        with gzip.open(ROOT / "samples/data/digits.csv.gz", "rt") as lines:
            digits = [[int(field) for field in line.split(",")] for line in lines]

        self.assertEqual([len(batch) for batch in batches[:-1]], [32] * (len(batches) - 1))
        examples = [example for batch in batches for example in batch]
        self.assertEqual(sorted(examples), sorted(digits * 3))
        self.assertNotEqual(examples[:len(digits)], digits)

    def test_checksums_are_those_of_one_sha256sum(self):
        files = sorted(map(str, (ROOT / "include").rglob("*.hpp")))
        expected = subprocess.run(["sha256sum", *files], check=True, capture_output=True, text=True)
        status, out, err = self.sample("checksums.json", stdin="\n".join(files))
        self.assertEqual(status, 0, err)
        self.assertEqual(sorted(out.splitlines()), sorted(expected.stdout.splitlines()))

    def test_sorted_lines_are_counted_as_by_count(self):
        lines = "b\n  a\na\n\nb\nÄ\n\n a b\nb\na\n"
        _, by_count, _ = self.sluice("run", self.describe(
            {"lines": {}},
            [{"stage": "read", "options": {"files": ["-"]}, "to": "lines"},
             {"stage": "count", "from": "lines"}]), stdin=lines)
        status, out, err = self.sample("sorted_count.json", stdin=lines)
        self.assertEqual(status, 0, err)
        self.assertEqual([line.lstrip(" ").replace(" ", "\t", 1) for line in out.splitlines()],
                         by_count.splitlines())
        self.assertEqual(by_count.splitlines()[0], "3\tb")

    def test_jobs_come_by_priority(self):
        status, out, err = self.sample("priority_jobs.json")
        self.assertEqual(status, 0, err)
        priorities = [json.loads(line)["priority"] for line in out.splitlines()]
        self.assertEqual(priorities, sorted(priorities))
        self.assertEqual(len(priorities), 5)


if __name__ == "__main__":
    main()
