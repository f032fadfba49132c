// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/unique_descriptor.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sluice::io {

// A file without a name, for what does not fit into memory: nothing of it stays behind, however
// the process ends.
/*
 * It is in the folder that the environment variable TMPDIR names, or in /tmp. All errors name
 * that folder. Thread safety: any number of threads may read while one appends.
 */
class unnamed_file
{
public:
    // Makes it.
    unnamed_file();

    void append(std::string_view bytes);

    // Reads as many bytes as there is room for. @pre they have been appended
    void read(std::uint64_t from, std::span<char> bytes) const;

    // How much has been appended. For the thread that appends.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

private:
    std::string name_;  // for messages
    unique_descriptor descriptor_;
    std::uint64_t size_ = 0;
};

}  // namespace sluice::io
