// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/unique_descriptor.hpp"

#include <string>
#include <string_view>
#include <sys/types.h>

namespace sluice::pipeline {

// A file that gets its name when it is complete; until then it has a temporary one in the
// same directory, and is removed if it never becomes complete. A file that it replaces
// leaves it its permissions. A link stays, and a device or a pipe that is there already is
// written to as it is. All errors name the final path.
class result_file
{
public:
    // Opens nothing yet.
    explicit result_file(std::string path);

    result_file(const result_file&) = delete;
    result_file& operator=(const result_file&) = delete;

    ~result_file() { discard(); }

    // Opens it.
    void open();

    // Writes all of it.
    void write(std::string_view data);

    // Removes what is not complete.
    void discard() noexcept;

    // Closes it and gives it its name.
    void complete();

private:
    void create(mode_t permissions);
    [[noreturn]] void fail(const char* what) const;

    const std::string path_;
    std::string target_;     // path_, or where it leads if it is a link
    std::string temporary_;  // while there is such a file
    io::unique_descriptor descriptor_;
};

}  // namespace sluice::pipeline
