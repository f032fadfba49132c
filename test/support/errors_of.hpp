// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstdio>
#include <string>
#include <unistd.h>

namespace sluice::test {

/// What is written to the standard error output meanwhile.
/** Why: some reports have no other place, and a test wants to read them. */
template <class Function>
std::string errors_of(Function f)
{
    std::FILE* const file = std::tmpfile();
    const int before = ::dup(STDERR_FILENO);
    ::dup2(::fileno(file), STDERR_FILENO);
    f();
    ::dup2(before, STDERR_FILENO);
    ::close(before);
    std::string text(1'000, '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

}  // namespace sluice::test
