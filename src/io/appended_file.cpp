// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/appended_file.hpp"

#include "io/result_file.hpp"
#include "text/printable.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sluice::io {

namespace {

template <class... Parts>
[[noreturn]] void refuse(const std::string& path, const Parts&... parts)
{
    std::string message = text::printable(path);
    (message.append(parts), ...);
    throw std::runtime_error(message);
}

void expect_own(const std::string& path)
{
    if (is_planted(path))
        throw_error(EACCES, "cannot open ", path);
}

[[noreturn]] void refuse_as_no_file(const std::string& path)
{
    refuse(path, " is no file, and is appended to anyway; leave out \"append\"");
}

unique_descriptor open_locked(const std::string& path)
{
    constexpr int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY |
                          O_NONBLOCK | O_NOFOLLOW;
    constexpr mode_t for_all_users = 0666;  // less what the umask takes away
    expect_own(path);
    unique_descriptor opened(uninterrupted([&] {
        return ::open(path.c_str(), flags, for_all_users);
    }));
    struct stat status{};
    if (!opened || ::fstat(opened.get(), &status) != 0)
        throw_error(errno, "cannot open ", path);
    if (!S_ISREG(status.st_mode))
        refuse_as_no_file(path);
    if (uninterrupted([&] { return ::flock(opened.get(), LOCK_EX | LOCK_NB); }) != 0) {
        if (errno == EWOULDBLOCK)
            refuse(path, " is being written by another process, which has it locked");
        throw_error(errno, "cannot lock ", path);
    }
    return opened;
}

// A crash of the machine could else lose the name of a new file, and so all that is in it.
void sync_folder_of(const std::string& path)
{
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const unique_descriptor opened(
        ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    );
    // EINVAL: that file system has nothing to sync
    if (!opened || (::fsync(opened.get()) != 0 && errno != EINVAL))
        throw_error(errno, "cannot sync the folder of ", path);
}

// Where the last record of them ends that is complete. A quote opens only at the beginning of a
// field. Two quotes inside of quotes close and open them again.
std::size_t end_of_records(std::string_view bytes, std::optional<char> separator)
{
    if (!separator)
        return bytes.rfind('\n') + 1;
    std::size_t found = 0;
    bool is_quoted = false;
    bool may_open = true;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char each = bytes[i];
        if (each == '"' && (is_quoted || may_open)) {
            is_quoted = !is_quoted;
            may_open = true;
            continue;
        }
        if (each == '\n' && !is_quoted)
            found = i + 1;
        may_open = each == *separator || each == '\n';
    }
    return found;
}

}  // namespace

appended_file::appended_file(
    std::string path,
    std::optional<char> separator,
    append_rules rules
)
    : path_(std::move(path)), separator_(separator), rules_(rules)
{
}

void appended_file::open()
{
    if (descriptor_named(path_))
        refuse_as_no_file(path_);
    expect_own(path_);
    path_ = real_path(path_);
    open_file();
    if (rules_.sync_interval > rules_.sync_interval.zero())
        syncing_ = std::jthread([this](const std::stop_token& stop) {
            sync_at_times(stop);
        });
}

void appended_file::open_file()
{
    file_ = open_locked(path_);
    is_known_ = false;
    sync_folder_of(path_);
}

std::uint64_t appended_file::size_of_file() const
{
    struct stat status{};
    if (::fstat(file_.get(), &status) != 0)
        throw_error(errno, "cannot stat ", path_);
    return static_cast<std::uint64_t>(status.st_size);
}

// Gives the size that is left.
std::uint64_t appended_file::cut_incomplete(std::uint64_t size)
{
    void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_.get(), 0);
    if (mapped == MAP_FAILED)
        throw_error(errno, "cannot read ", path_);
    const std::string_view bytes(static_cast<const char*>(mapped), size);
    const std::size_t end = end_of_records(bytes, separator_);
    const bool hides_lines = bytes.find('\n', end) != bytes.npos;
    ::munmap(mapped, size);
    // Perhaps it was written by a user, and is something else.
    if (end == 0)
        refuse(path_, " has no complete line; remove it, or choose another name");
    // A kill leaves a part of one record. What is behind a wrong quote may be many.
    if (hides_lines)
        refuse(
            path_,
            " has lines behind a quote that is not closed, from byte ",
            std::to_string(end),
            " on; close it, or cut them off"
        );
    if (end < size && ::ftruncate(file_.get(), static_cast<off_t>(end)) != 0)
        throw_error(errno, "cannot cut off what is not complete of ", path_);
    return end;
}

void appended_file::write(std::string_view head, std::string_view records)
{
    const std::lock_guard lock(mutex_);
    if (failure_ != 0)
        sync_now();  // throws it
    std::uint64_t size = size_of_whole(head);
    if (size > 0 && !records.empty() && size + records.size() > rules_.max_size) {
        rotate();
        size = size_of_whole(head);
    }
    append(size > 0 ? std::string(records) : std::string(head).append(records), size);
    is_known_ = true;
    if (!syncing_.joinable())
        sync_now();
    changed_.notify_one();
}

// It may be a file of another kind, so nothing is cut off, or renamed, before the head was seen.
std::uint64_t appended_file::size_of_whole(std::string_view head)
{
    struct stat named{};
    if (::stat(path_.c_str(), &named) != 0 || !is_open_as(file_.get(), named)) {
        sync_now();
        open_file();
    }
    const std::uint64_t size = size_of_file();
    if (size == 0 || is_known_)
        return size;
    expect_head(head, size);
    return cut_incomplete(size);
}

void appended_file::expect_head(std::string_view head, std::uint64_t size) const
{
    std::string found(std::min<std::uint64_t>(head.size(), size), '\0');
    const ssize_t count = ::pread(file_.get(), found.data(), found.size(), 0);
    if (count < 0)
        throw_error(errno, "cannot read ", path_);
    if (found != head)
        refuse(
            path_,
            " does not begin with ",
            text::printable(head.substr(0, head.find('\n'))),
            ", so it has other columns; name those that it has, or choose another name"
        );
}

void appended_file::append(std::string_view records, std::uint64_t size)
{
    is_unsynced_ = true;
    try {
        write_all(file_.get(), records, path_);
    } catch (...) {
        if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0)
            failure_ = errno;  // nothing may follow the part that is there
        throw;
    }
}

void appended_file::rotate()
{
    sync_now();
    for (std::uint64_t times = rules_.keep; times > 0; --times) {
        const std::string from = times > 1 ? name_of_rotated(path_, times - 1) : path_;
        const std::string to = name_of_rotated(path_, times);
        if (::rename(from.c_str(), to.c_str()) != 0 && errno != ENOENT)
            throw_error(errno, "cannot rename " + text::printable(from) + " to ", to);
    }
    open_file();
}

void appended_file::sync()
{
    const std::lock_guard lock(mutex_);
    sync_now();
}

// What could not be written once may be lost, although the next attempt succeeds.
void appended_file::sync_now()
{
    if (failure_ == 0 && std::exchange(is_unsynced_, false) &&
        uninterrupted([&] { return ::fdatasync(file_.get()); }) != 0)
        failure_ = errno;
    if (failure_ != 0)
        throw_error(failure_, "cannot write to ", path_);
}

void appended_file::sync_at_times(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return is_unsynced_; })) {
        changed_.wait_for(lock, stop, rules_.sync_interval, [] { return false; });
        try {
            sync_now();
        } catch (...) {
            return;  // the next write has the same failure
        }
    }
}

std::string name_of_rotated(const std::string& path, std::uint64_t times)
{
    return path + "." + std::to_string(times);
}

}  // namespace sluice::io
