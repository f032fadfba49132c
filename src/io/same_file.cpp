// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/same_file.hpp"

#include "io/io.hpp"

#include <charconv>
#include <filesystem>
#include <system_error>

namespace sluice::io {

namespace {

namespace fs = std::filesystem;

// Whether a folder without links in its name lists the descriptors of this process:
// /proc/ID/fd, or /proc/ID/task/THREAD/fd.
bool lists_own_descriptors(const std::string& folder)
{
    std::error_code failed;  // without /proc there is no such folder
    const std::string own = "/proc/" + fs::read_symlink("/proc/self", failed).string();
    return !failed && folder.starts_with(own + "/") && folder.ends_with("/fd");
}

std::optional<int> number_of(const std::string& name)
{
    int number = -1;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number < 0)
        return std::nullopt;
    return number;
}

}  // namespace

file_identity identity_of(const struct stat& status) noexcept
{
    return {.device = status.st_dev, .inode = status.st_ino};
}

std::optional<file_identity> identity_of(const std::string& path) noexcept
{
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0)
        return std::nullopt;
    return identity_of(status);
}

bool is_open_as(int descriptor, const struct stat& status) noexcept
{
    struct stat open{};
    return ::fstat(descriptor, &open) == 0 && identity_of(open) == identity_of(status);
}

std::string real_path(const std::string& path)
{
    std::error_code failed;
    fs::path at = fs::absolute(path, failed);
    for (int links = 0; links < most_links && !failed; ++links) {
        at = fs::weakly_canonical(at, failed);
        const fs::path target = fs::read_symlink(at, failed);  // to what is not there yet
        if (failed)
            return at.empty() ? path : at.string();
        at = at.parent_path() / target;
    }
    return path;
}

bool can_be_replaced(const std::string& path)
{
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    return !descriptor_named(path) &&
           (!fs::exists(status) || fs::is_regular_file(status));
}

std::optional<int> descriptor_named(const std::string& path)
{
    fs::path at = path;
    for (int links = 0; links < most_links; ++links) {
        std::error_code failed;
        const fs::path folder = fs::canonical(
            at.has_parent_path() ? at.parent_path() : fs::path("."),
            failed
        );
        if (failed)
            return std::nullopt;
        if (lists_own_descriptors(folder.string()))
            return number_of(at.filename().string());
        const fs::path next = fs::read_symlink(folder / at.filename(), failed);
        if (failed)
            return std::nullopt;  // it is no link
        at = folder / next;
    }
    return std::nullopt;
}

}  // namespace sluice::io
