# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Large runs take little memory: a small part of what `./dev chaos memory` does."""

import resource
import sys
from pathlib import Path

from program import SLUICE, ProgramTest, main

sys.path.append(str(Path(__file__).resolve().parents[1] / "chaos"))
from large_runs import compare_streams, count_keys, pass_lines  # noqa: E402


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))


class MemoryTest(ProgramTest):
    def setUp(self):
        super().setUp()
        if self.sluice("--version", preexec_fn=limit)[0]:
            self.skipTest("the program needs more memory than others, as with a sanitizer")

    def test_keys_are_all_counted_or_refused(self):
        count_keys(SLUICE, self.folder, 64)

    def test_long_lines_pass_in_the_memory_of_the_queues(self):
        pass_lines(SLUICE, self.folder, 30, 5_000_000)

    def test_a_stream_takes_no_more_memory_if_it_is_longer(self):
        compare_streams(SLUICE, self.folder, 20_000_000)


if __name__ == "__main__":
    main()
