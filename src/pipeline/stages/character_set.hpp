// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <array>
#include <string>

namespace sluice::pipeline {

// Some characters, written as for tr: "A-Za-z0-9_"; a backslash stands before one that is
// meant itself. All bytes beyond ASCII are members, too.
class character_set
{
public:
    // Throws option_error with the name of the option if this is no such text.
    character_set(const std::string& written, const char* option);

    [[nodiscard]] bool contains(char c) const noexcept
    {
        return members_[static_cast<unsigned char>(c)];
    }

private:
    std::array<bool, 256> members_{};
};

}  // namespace sluice::pipeline
