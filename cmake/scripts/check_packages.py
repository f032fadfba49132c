# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""check_packages.py <folder>: looks into the packages in a folder, unpacks them, compiles a program
with the one, by each compiler of Debian, and runs the command of the other."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Patterns of files that each package must have, and of what its control file must say.
FILES = {
    "libsluice-dev": [
        r"usr/include/sluice\.hpp",
        r"usr/include/sluice/queue/fifo_queue\.hpp",
        r"usr/lib/\S+/libsluice_core\.a",
        r"usr/lib/\S+/libsluice_report\.a",
        r"usr/lib/\S+/libsluice_pipeline\.a",
        r"usr/lib/\S+/cmake/sluice/sluice-config\.cmake",
        r"usr/lib/\S+/cmake/sluice/sluice-pipeline-targets-release\.cmake",
        r"usr/lib/\S+/pkgconfig/sluice\.pc",
        r"usr/lib/\S+/pkgconfig/sluice-report\.pc",
        r"usr/lib/\S+/pkgconfig/sluice-pipeline\.pc",
        r"usr/share/doc/libsluice-dev/copyright",
        r"usr/share/doc/sluice/docs/guide/queues\.md",
        r"usr/share/doc/sluice/samples/1_tutorial/1_first_queue\.cpp",
    ],
    "sluice": [
        r"usr/bin/sluice",
        r"usr/share/bash-completion/completions/sluice",
        r"usr/share/fish/vendor_completions\.d/sluice\.fish",
        r"usr/share/zsh/vendor-completions/_sluice",
        r"usr/share/man/man1/sluice\.1",
        r"usr/share/doc/sluice/copyright",
        r"usr/share/doc/sluice/docs/pipelines/tutorial\.md",
        r"usr/share/doc/sluice/samples/pipelines/word_count\.json",
    ],
}
CONTROL = {
    "libsluice-dev": [r"Depends: .*libboost1\.\d+-dev", r"Recommends: .*libjq-dev",
                      r"\n Queues that suspend"],
    "sluice": [r"Depends: .*libc6.*libjq1", r"\n The command sluice"],
}
# What the dynamic section and the symbols of a hardened program say.
HARDENING = {
    "position-independent": r"\(FLAGS_1\).*\bPIE\b",
    "bound at its start": r"\(FLAGS_1\).*\bNOW\b",
    "with tables that are read-only then": r"\bGNU_RELRO\b",
    "with a protected stack": r"\b__stack_chk_fail\b",
    "with checked copies": r"\b__mem\w+_chk\b",
}
PIPELINE = """{
    "queues": { "answers": {} },
    "runners": [
        { "stage": "list", "options": { "items": ["42"] }, "to": "answers" },
        { "stage": "write", "from": "answers" }
    ]
}"""
COMPILERS = ("g++", "clang++-16")
# What a program with a queue alone must not have: each is in an object of the library of its own.
NOT_OF_A_QUEUE = r"sluice::(?:detail::)?(?:coordinator|queue_runner|runner_core|select_core|semaphore|event|" \
    r"reading_core|run_scope|limited_work)\w*::"
PLAIN_QUEUE = Path(__file__).parents[2] / "test/package/plain_queue.cpp"
SAMPLE = "share/doc/sluice/samples/1_tutorial/1_first_queue.cpp"


def output_of(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def expect(condition, text):
    if not condition:
        sys.exit(f"packages: {text}")


def files_in(package):
    """What is installed; all belongs to root."""
    lines = output_of("dpkg-deb", "--contents", package).splitlines()
    expect(all(line.split()[1] == "root/root" for line in lines), f"{package}: files of a user")
    return {line.split()[5].removeprefix("./") for line in lines if not line.startswith("d")}


def check_contents(name, files, control):
    for pattern in FILES[name]:
        expect(any(re.fullmatch(pattern, file) for file in files), f"{name} has no {pattern}")
    for pattern in CONTROL[name]:
        expect(re.search(pattern, control), f"{name}: no {pattern} in\n{control}")


def check_use(root):
    """The files of both packages, where they are not installed."""
    usr = root / "usr"
    settings = next(usr.glob("lib/**/pkgconfig"))
    flags = output_of("pkg-config", "--cflags", "--libs", "--static", "sluice",
                      env={**os.environ, "PKG_CONFIG_PATH": str(settings)}).split()
    program = root / "program"
    for compiler in COMPILERS:  # one library for both
        output_of(compiler, "-std=c++20", "-O2", str(usr / SAMPLE), *flags, "-o", str(program))
        expect(output_of(str(program)) == "1\n4\n9\n16\n25\n",
               f"the sample prints something else with {compiler}")

    output_of(COMPILERS[0], "-std=c++20", "-O2", str(PLAIN_QUEUE), *flags, "-o", str(program))
    symbols = output_of("nm", "--demangle", str(program))
    expect(output_of(str(program)) == "1\n4\n9\n16\n25\n", "the program with a queue fails")
    expect("sluice::detail::wait_hub::" in symbols, "the symbols of a program are not to be read")
    expect(not (found := re.search(NOT_OF_A_QUEUE, symbols)), f"a queue brings along {found}")

    sluice = str(usr / "bin/sluice")
    elf = output_of("readelf", "--wide", "--segments", "--dynamic", "--dyn-syms", sluice)
    for what, pattern in HARDENING.items():
        expect(re.search(pattern, elf), f"the command is not {what}")
    expect(output_of(sluice, "run", "-e", PIPELINE, "--report", "none") == "42\n", "the command fails")
    for shell, file in (("bash", "bash-completion/completions/sluice"),
                        ("fish", "fish/vendor_completions.d/sluice.fish"),
                        ("zsh", "zsh/vendor-completions/_sluice")):
        text = (usr / "share" / file).read_text("utf-8")
        expect(text == output_of(sluice, "completion", shell), f"{file} is not that of the command")


def main():
    packages = {path.name.split("_")[0]: path for path in Path(sys.argv[1]).glob("*.deb")}
    expect(sorted(packages) == sorted(FILES), f"there are {sorted(packages)}")
    files = {name: files_in(path) for name, path in packages.items()}
    expect(not set.intersection(*files.values()), "a file is in both packages")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in packages.items():
            check_contents(name, files[name], output_of("dpkg-deb", "--field", path))
            output_of("dpkg-deb", "--extract", path, folder)
        check_use(Path(folder))
    for name, path in sorted(packages.items()):
        print(f"{path}: {len(files[name])} files, {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
