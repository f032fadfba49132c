// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/result_file.hpp"

#include "io/io.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <sys/stat.h>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr mode_t for_everybody = 0666;  // less what the umask takes away
constexpr mode_t for_the_owner = 0600;  // until it has those of the file it replaces
constexpr mode_t permission_bits = 0777;

// Of this process alone, and the same for all that want to write this target.
std::string temporary_name(const std::string& target)
{
    return fmt::format("{}.{}.part", target, ::getpid());
}

// Where a path leads, even if nothing is there yet.
std::filesystem::path follow_links(std::filesystem::path path)
{
    while (std::filesystem::is_symlink(path))
        path = path.parent_path() / std::filesystem::read_symlink(path);
    return path;
}

}  // namespace

result_file::result_file(std::string path) : path_(std::move(path)) {}

void result_file::discard() noexcept
{
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
    temporary_.clear();
}

void result_file::open()
{
    struct stat status{};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    if (!exists && errno != ENOENT)
        fail("cannot open ");
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor_ = io::unique_descriptor(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
        if (!descriptor_)
            fail("cannot open ");
        return;
    }
    target_ = follow_links(path_).string();
    create(exists ? for_the_owner : for_everybody);
    if (exists && ::fchmod(descriptor_.get(), status.st_mode & permission_bits) != 0)
        fail("cannot set the permissions of ");
}

void result_file::create(mode_t permissions)
{
    std::string name = temporary_name(target_);
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    descriptor_ = io::unique_descriptor(::open(name.c_str(), flags, permissions));
    if (!descriptor_ && errno == EEXIST)
        throw std::runtime_error(fmt::format(
            "cannot open {}: another runner of this pipeline writes it, too",
            path_
        ));
    if (!descriptor_)
        fail("cannot open ");
    temporary_ = std::move(name);
}

void result_file::write(std::string_view data)
{
    io::write_all(descriptor_.get(), data, path_);
}

void result_file::complete()
{
    // Some file systems report only here that there was no room.
    if (::close(descriptor_.release()) != 0)
        fail("cannot write to ");
    if (temporary_.empty())
        return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0)
        fail("cannot replace ");
    temporary_.clear();
}

void result_file::fail(const char* what) const
{
    io::throw_error(errno, what, path_);
}

}  // namespace sluice::pipeline
