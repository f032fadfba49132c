// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <optional>
#include <string>
#include <sys/stat.h>

// Whether two names, or a name and a descriptor, stand for one file.
namespace sluice::io {

// A file, whatever it is called.
struct file_identity
{
    dev_t device = 0;
    ino_t inode = 0;

    friend bool operator==(const file_identity&, const file_identity&) = default;
};

[[nodiscard]] file_identity identity_of(const struct stat& status) noexcept;

// Follows links. Empty if there is no such file, or if it may not be looked at.
[[nodiscard]] std::optional<file_identity> identity_of(const std::string& path) noexcept;

// Whether the status is that of what the descriptor has open.
[[nodiscard]] bool is_open_as(int descriptor, const struct stat& status) noexcept;

// The descriptor of this process that a path is another name of, such as 1 for /dev/stdout,
// /dev/fd/1 and /proc/self/fd/1. Empty for any other path. Opens nothing.
[[nodiscard]] std::optional<int> descriptor_named(const std::string& path);

// The absolute path to which all links of a path lead; the file need not be there.
[[nodiscard]] std::string real_path(const std::string& path);

// Whether writing to a path replaces what is there: not if that is a device, a pipe or a
// descriptor.
[[nodiscard]] bool can_be_replaced(const std::string& path);

}  // namespace sluice::io
