// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/result_file.hpp"

#include "io/io.hpp"
#include "io/same_file.hpp"
#include "text/printable.hpp"

#include <dirent.h>
#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <sys/file.h>
#include <sys/random.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sluice::io {

namespace {

constexpr mode_t for_everybody = 0666;  // less what the umask takes away
constexpr mode_t for_the_owner = 0600;  // until it has those of the file it replaces

constexpr std::chrono::milliseconds between_two_looks(20);  // for the reader of a pipe

constexpr std::string_view prefix = ".sluice-";
constexpr std::string_view suffix = ".part";
constexpr const char* partial_suffix = ".partial";

// Unpredictable, so it cannot be pre-created. Its length does not depend on that of the result.
std::string random_name()
{
    std::uint64_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != sizeof number)
        throw_error(errno, "cannot get random numbers");
    return std::string(prefix).append(std::to_string(number)).append(suffix);
}

bool lock(int descriptor) noexcept
{
    return uninterrupted([descriptor] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }
           ) == 0;
}

bool has_name(int descriptor) noexcept
{
    struct stat status{};
    return ::fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

// Removes an unfinished result of this user if no process has it open. It is locked for that, so
// that one that is just being made cannot be lost: see create().
void remove_if_stale(int folder, const char* name) noexcept
{
    const unique_descriptor file(
        ::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    );
    struct stat status{};
    const bool is_ours = file && ::fstat(file.get(), &status) == 0 &&
                         S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
    if (is_ours && lock(file.get()) && has_name(file.get()))
        ::unlinkat(folder, name, 0);
}

// A shorter one if the stop comes.
void pause(std::chrono::milliseconds time, const std::stop_token& stop)
{
    std::mutex own;
    std::unique_lock lock(own);
    std::condition_variable_any().wait_for(lock, stop, time, [] { return false; });
}

struct closes_folder
{
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

}  // namespace

std::string path_of_result(std::string given)
{
    return given == "-" ? "/dev/stdout" : given;
}

result_file::result_file(std::string path) : path_(path_of_result(std::move(path))) {}

void result_file::open(const std::stop_token& stop)
{
    if (const auto own = descriptor_named(path_)) {
        descriptor_ = unique_descriptor(::fcntl(*own, F_DUPFD_CLOEXEC, 0));
        if (!descriptor_)
            fail("cannot open ");
        return;
    }
    place_ = find_place(path_);
    if (place_.is_free() || (place_.is_regular() && !place_.is_of_kernel()))
        open_temporary();
    else
        open_as_it_is(stop);
}

// To wait for the reader of a pipe in openat() could not be stopped. What is written waits for
// room all the same: see write_all().
void result_file::open_as_it_is(const std::stop_token& stop)
{
    const bool is_pipe = S_ISFIFO(place_.status.st_mode);
    const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY |
                      (is_pipe ? O_NONBLOCK : 0);
    while (true) {
        descriptor_ = unique_descriptor(
            ::openat(place_.folder.get(), place_.name.c_str(), flags)
        );
        if (descriptor_)
            return;
        if (!is_pipe || errno != ENXIO)
            fail("cannot open ");
        if (!stop.stop_possible() || stop.stop_requested())
            throw no_reader(
                "cannot open " + text::printable(path_) +
                ": it is a pipe that no program reads; start one that does"
            );
        pause(between_two_looks, stop);
    }
}

void result_file::open_temporary()
{
    // Replacing what is standard output already would lose what else is written there.
    for (const int standard : {STDOUT_FILENO, STDERR_FILENO})
        if (!place_.is_free() && is_open_as(standard, place_.status)) {
            descriptor_ = unique_descriptor(::fcntl(standard, F_DUPFD_CLOEXEC, 0));
            return;
        }
    if (!place_.is_free())
        expect_replaceable(place_, path_);
    remove_stale();
    create(place_.is_free() ? for_everybody : for_the_owner);
    if (!place_.is_free())
        take_over_rights(descriptor_.get(), place_, path_);
}

void result_file::create(mode_t permissions)
{
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    do {
        temporary_ = random_name();
        descriptor_ = unique_descriptor(
            ::openat(place_.folder.get(), temporary_.c_str(), flags, permissions)
        );
        if (!descriptor_ && errno != EEXIST)
            fail("cannot make a file in the folder of ");
        // Before it was locked another process may have taken it for a stale one.
    } while (!descriptor_ || (!lock(descriptor_.get()) && errno == EWOULDBLOCK) ||
             !has_name(descriptor_.get()));
    is_temporary_ = true;
}

void result_file::remove_stale() const noexcept
{
    const int listed =
        ::openat(place_.folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (listed < 0)
        return;
    const std::unique_ptr<DIR, closes_folder> folder(::fdopendir(listed));
    if (!folder) {
        ::close(listed);
        return;
    }
    while (const dirent* const entry = ::readdir(folder.get()))
        if (is_unfinished(entry->d_name))
            remove_if_stale(place_.folder.get(), entry->d_name);
}

void result_file::write(std::string_view data)
{
    write_all(descriptor_.get(), data, path_);
}

void result_file::discard() noexcept
{
    if (take_temporary())
        ::unlinkat(place_.folder.get(), temporary_.c_str(), 0);
}

void result_file::complete()
{
    complete_as(place_.name, path_);
}

bool result_file::complete_aside()
{
    const bool is_named = is_temporary_;
    complete_as(place_.name + partial_suffix, is_named ? name_of_partial(path_) : path_);
    return is_named;
}

void result_file::complete_as(const std::string& name, const std::string& path)
{
    const bool is_named = is_temporary_;
    // After a failure of the machine the name would else stand for an empty file.
    if (is_named && ::fsync(descriptor_.get()) != 0)
        throw_error(errno, "cannot write to ", path);
    if (is_named && take_temporary())
        rename_temporary(name, path);
    // Last, because it is locked until then. Some file systems report only here that there was
    // no room.
    if (::close(descriptor_.release()) != 0)
        throw_error(errno, "cannot write to ", path);
}

// Only the name of a part can be too long, because the other one was looked for.
void result_file::rename_temporary(const std::string& name, const std::string& path)
{
    const int folder = place_.folder.get();
    struct stat named{};
    if (::fstatat(folder, temporary_.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
        !is_open_as(descriptor_.get(), named))
        throw std::runtime_error(
            "cannot write to " + text::printable(path) +
            ": another program has removed or replaced " + temporary_ +
            ", which was to become it"
        );
    if (::renameat(folder, temporary_.c_str(), folder, name.c_str()) == 0)
        return;
    const int error = errno;
    ::unlinkat(folder, temporary_.c_str(), 0);
    if (error == ENAMETOOLONG)
        throw std::runtime_error(
            "cannot write the part that is complete to " + text::printable(path) +
            ": the name is too long; give the result a shorter one"
        );
    throw_error(error, "cannot replace ", path);
}

bool result_file::take_temporary() noexcept
{
    return is_temporary_.exchange(false);
}

void result_file::fail(const char* what) const
{
    throw_error(errno, what, path_);
}

std::string name_of_partial(const std::string& path)
{
    std::error_code ignored;
    const bool is_link = std::filesystem::is_symlink(path, ignored);
    return (is_link ? real_path(path) : path) + partial_suffix;
}

bool is_unfinished(std::string_view name) noexcept
{
    return name.starts_with(prefix) && name.ends_with(suffix);
}

}  // namespace sluice::io
