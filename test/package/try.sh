#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Run by `./dev release` as root of a Debian that has nothing else, in a folder with these files and
# the packages: installs them, runs the command, and builds programs with each compiler of Debian.
set -eux
cd "$(dirname "$0")"
export DEBIAN_FRONTEND=noninteractive

# The command, with no library but those that its package names.
apt-get install --yes ./sluice_*.deb
cd /usr/share/doc/sluice
test "$(echo '{
    "queues": { "answers": {} },
    "runners": [
        { "stage": "list", "options": { "items": ["42"] }, "to": "answers" },
        { "stage": "write", "from": "answers" }
    ]
}' | sluice run - --report none)" = 42
for pipeline in samples/pipelines/*.json; do
    sluice check "$pipeline"
done
test -f /usr/share/man/man1/sluice.1.gz
cd -

# The library, with what its package names and recommends.
apt-get install --yes --install-recommends ./libsluice-dev_*.deb
apt-get install --yes --no-install-recommends clang-16 cmake g++ make pkgconf
sample=/usr/share/doc/sluice/samples/1_tutorial/1_first_queue
flags=$(pkg-config --cflags --libs --static sluice)
for compiler in g++ clang++-16; do
    # shellcheck disable=SC2086 # words
    "$compiler" -std=c++20 -O2 "$sample.cpp" $flags -o sample
    ./sample | cmp - "$sample.expected"
    cmake -S . -B "build-$compiler" -D CMAKE_CXX_COMPILER="$compiler" -D CONFIG=Release
    cmake --build "build-$compiler"
    test -x "build-$compiler/consumer_of_sluice__pipeline"
done

# lintian says how else the command is hardened.
nm --dynamic /usr/bin/sluice | grep -q __stack_chk_fail
