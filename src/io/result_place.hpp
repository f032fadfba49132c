// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/unique_descriptor.hpp"

#include <string>
#include <sys/stat.h>

namespace sluice::io {

// Where a path leads at one moment: an open folder, and a name in it. What is done through
// these is done there, whatever links are put into the path meanwhile.
struct result_place
{
    unique_descriptor folder;
    std::string name;
    unique_descriptor found;  // what has the name, opened with O_PATH; none: it is free
    struct stat status = {};  // of what was found

    [[nodiscard]] bool is_free() const noexcept { return !found; }
    [[nodiscard]] bool is_regular() const noexcept
    {
        return found && S_ISREG(status.st_mode);
    }

    // Whether the kernel keeps this folder, as /proc, so that nothing can be made in it.
    [[nodiscard]] bool is_of_kernel() const noexcept;
};

// Follows all links of a path; the last one need not lead to a file yet. As the kernel does
// where it is set to, it follows no link of another user in a folder where every user may put
// one. Throws an error with the path.
[[nodiscard]] result_place find_place(const std::string& path);

// Throws unless this process may replace the file that was found: it may be written to and
// renamed over, and was not put there for us by another user. The path is for the message.
void expect_replaceable(const result_place& place, const std::string& path);

// Gives an open file the owner, the group, the permissions and the access list of the file that
// was found. Throws if it may not.
void take_over_rights(int descriptor, const result_place& place, const std::string& path);

}  // namespace sluice::io
