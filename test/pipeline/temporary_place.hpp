// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace sluice::test {

/// Why: what goes to disk goes where TMPDIR says, and a test wants to say where.
class temporary_place
{
public:
    explicit temporary_place(const std::string& folder)
    {
        if (const char* const before = std::getenv("TMPDIR"))
            before_ = before;
        ::setenv("TMPDIR", folder.c_str(), 1);
    }

    temporary_place(const temporary_place&) = delete;
    temporary_place& operator=(const temporary_place&) = delete;

    ~temporary_place()
    {
        if (before_)
            ::setenv("TMPDIR", before_->c_str(), 1);
        else
            ::unsetenv("TMPDIR");
    }

private:
    std::optional<std::string> before_;
};

}  // namespace sluice::test
