# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""expect_compile_errors.py <source>... -- <command>: what must not compile is refused in words.

The command compiles all of the sources at once, which takes a twentieth of the time. Each must be
refused with a message that matches what is after `// expect: ` in it. After `// expect once: ` that
must be its only error, and after `// expect short: ` that error, with its notes, has 12 lines at
most. To a source belong the errors that name it, in their own lines or in those that say how the
compiler came there.
"""

import re
import subprocess
import sys
from pathlib import Path

# of what leads to an error; "In substitution of" is behind one, too
BEGINNING = r"In file included from|\S+: (In (?!substitution)|At )"
LONGEST = 12


def errors_in(messages):
    """The errors of GCC, each with the lines before it that lead there, and the notes behind it."""
    lines, has_error = [], False
    for line in messages.splitlines():
        is_error = ": error: " in line
        if has_error and (is_error or re.match(BEGINNING, line)):
            yield "\n".join(lines)
            lines, has_error = [], False
        lines.append(line)
        has_error = has_error or is_error
    yield "\n".join(lines)


def main():
    end = sys.argv.index("--")
    messages = subprocess.run(
        sys.argv[end + 1:], stderr=subprocess.PIPE, text=True, check=False).stderr
    errors = list(errors_in(messages))
    failed = 0
    for source in sys.argv[1:end]:
        expected = re.search("^// expect( once| short)?: (.+)$", Path(source).read_text(), re.MULTILINE)
        if not expected:
            sys.exit(f"{source} has no line `// expect: <regular expression>`")
        its_own = [error for error in errors if source in error]
        fitting = [error for error in its_own if re.search(expected[2], error, re.DOTALL)]
        length = "\n".join(its_own).count("\n") + 1
        if not fitting or (expected[1] and len(its_own) > 1) or (
                expected[1] == " short" and length > LONGEST):
            failed += 1
            print(f"{source}: not refused{expected[1] or ''} with `{expected[2]}`", *its_own,
                  sep="\n")
    print(f"{end - 1 - failed} of {end - 1} are refused as expected")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
