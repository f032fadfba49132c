// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/result_file.hpp"

#include "text/printable.hpp"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <sys/file.h>
#include <sys/random.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sluice::io {

namespace {

constexpr mode_t for_all_users = 0666;  // less what the umask takes away
constexpr mode_t for_the_owner = 0600;  // until it has those of the file it replaces
constexpr mode_t permission_bits = 0777;

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

// Whether another user may have put it there: neither this user nor the owner of the folder, where
// every user may put files but remove only his own.
bool is_planted(const struct stat& file, const struct stat& folder) noexcept
{
    return (folder.st_mode & S_ISVTX) != 0 && file.st_uid != ::geteuid() &&
           file.st_uid != folder.st_uid;
}

}  // namespace

std::string path_of_result(std::string given)
{
    return given == "-" ? "/dev/stdout" : given;
}

result_file::result_file(std::string path) : path_(path_of_result(std::move(path))) {}

void result_file::open(const std::stop_token& stop)
{
    if (const auto own = descriptor_named(path_))
        return open_copy(*own);
    std::error_code ignored;  // opening it says what is wrong
    if (std::filesystem::is_symlink(path_, ignored) && is_planted(path_))
        throw_error(EACCES, "cannot open ", path_);
    const unique_descriptor found(::open(path_.c_str(), O_PATH | O_CLOEXEC));
    struct stat old{};
    if (found ? ::fstat(found.get(), &old) != 0 : errno != ENOENT)
        fail("cannot open ");
    if (found && !S_ISREG(old.st_mode))
        return open_as_it_is(S_ISFIFO(old.st_mode), stop);
    // Replacing what is standard output already would lose what else is written there.
    for (const int standard : {STDOUT_FILENO, STDERR_FILENO})
        if (found && is_open_as(standard, old))
            return open_copy(standard);
    open_folder();
    if (found)
        expect_replaceable(old);
    remove_stale();
    create(found ? for_the_owner : for_all_users);
    if (found)
        take_over_rights(old);
}

void result_file::open_copy(int descriptor)
{
    descriptor_ = unique_descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (!descriptor_)
        fail("cannot open ");
}

// To wait for the reader of a pipe in open() could not be stopped. What is written waits for
// room all the same: see write_all().
void result_file::open_as_it_is(bool is_pipe, const std::stop_token& stop)
{
    const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY |
                      (is_pipe ? O_NONBLOCK : 0);
    while (true) {
        descriptor_ = unique_descriptor(::open(path_.c_str(), flags));
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

// From now on all is done in this folder, whatever links are put into the path.
void result_file::open_folder()
{
    const std::filesystem::path target = real_path(path_);
    name_ = target.filename().string();
    if (name_.empty())
        throw_error(EISDIR, "cannot open ", path_);
    if (name_.size() + std::strlen(partial_suffix) > NAME_MAX)
        throw std::runtime_error(
            "cannot open " + text::printable(path_) + ": with \"" + partial_suffix +
            "\", which a part of it would get, its name has more than " +
            std::to_string(NAME_MAX) + " bytes"
        );
    folder_ = unique_descriptor(
        ::open(target.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)
    );
    if (!folder_)
        fail("cannot open ");
}

void result_file::expect_replaceable(const struct stat& old) const
{
    struct stat named{};
    struct stat folder{};
    if (::fstatat(folder_.get(), name_.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
        ::fstat(folder_.get(), &folder) != 0 ||
        ::faccessat(folder_.get(), name_.c_str(), W_OK, AT_EACCESS) != 0)
        fail("cannot open ");
    if (identity_of(named) != identity_of(old))
        throw_error(ENOENT, "cannot replace ", path_);
    const bool may_rename = ::geteuid() == 0 || (folder.st_mode & S_ISVTX) == 0 ||
                            ::geteuid() == old.st_uid || ::geteuid() == folder.st_uid;
    if (!may_rename || is_planted(old, folder))
        throw std::runtime_error(
            "cannot replace " + text::printable(path_) +
            ": it belongs to another user, in a folder where every user may put files; "
            "write to another folder"
        );
}

void result_file::create(mode_t permissions)
{
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    do {
        temporary_ = random_name();
        descriptor_ = unique_descriptor(
            ::openat(folder_.get(), temporary_.c_str(), flags, permissions)
        );
        if (!descriptor_ && errno != EEXIST)
            fail("cannot make a file in the folder of ");
        // Before it was locked another process may have taken it for a stale one.
    } while (!descriptor_ || (!lock(descriptor_.get()) && errno == EWOULDBLOCK) ||
             !has_name(descriptor_.get()));
    is_temporary_ = true;
}

void result_file::take_over_rights(const struct stat& old) const
{
    const int file = descriptor_.get();
    struct stat made{};
    const bool is_owned = ::fstat(file, &made) == 0 && made.st_uid == old.st_uid &&
                          made.st_gid == old.st_gid;
    if (!is_owned && ::fchown(file, old.st_uid, old.st_gid) != 0)
        fail("cannot keep the owner and the group of ");
    if (::fchmod(file, old.st_mode & permission_bits) != 0)
        fail("cannot keep the permissions of ");
}

// By a name of the folder that stays right when the path to it changes.
void result_file::remove_stale() const
{
    namespace fs = std::filesystem;
    const std::string folder = "/proc/self/fd/" + std::to_string(folder_.get());
    std::error_code ignored;
    for (fs::directory_iterator each(folder, ignored), end; each != end;
         each.increment(ignored))
        if (const std::string name = each->path().filename(); is_unfinished(name))
            remove_if_stale(folder_.get(), name.c_str());
}

void result_file::write(std::string_view data)
{
    write_all(descriptor_.get(), data, path_);
}

void result_file::discard() noexcept
{
    if (take_temporary())
        ::unlinkat(folder_.get(), temporary_.c_str(), 0);
}

void result_file::flush()
{
    // After a failure of the machine the name would else stand for an empty file. What has no name
    // to get is closed: some file systems report only then that there was no room.
    const int file = descriptor_.get();
    if ((is_temporary_ ? ::fsync(file) : ::close(descriptor_.release())) != 0)
        throw_error(errno, "cannot write to ", path_);
}

void result_file::publish()
{
    if (take_temporary())
        rename_temporary(name_, path_);
}

bool result_file::publish_aside()
{
    const bool is_named = take_temporary();
    if (is_named)
        rename_temporary(name_ + partial_suffix, name_of_partial(path_));
    return is_named;
}

void result_file::rename_temporary(const std::string& name, const std::string& path)
{
    const int folder = folder_.get();
    struct stat named{};
    if (::fstatat(folder, temporary_.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
        !is_open_as(descriptor_.get(), named))
        throw std::runtime_error(
            "cannot write to " + text::printable(path) +
            ": another program has removed or replaced " + temporary_ +
            ", which was to become it"
        );
    if (::renameat(folder, temporary_.c_str(), folder, name.c_str()) != 0) {
        const int error = errno;
        ::unlinkat(folder, temporary_.c_str(), 0);
        throw_error(error, "cannot replace ", path);
    }
    descriptor_ = unique_descriptor();  // last, because it is locked until then
}

bool result_file::take_temporary() noexcept
{
    return is_temporary_.exchange(false);
}

void result_file::fail(const char* what) const
{
    throw_error(errno, what, path_);
}

bool is_planted(const std::string& path) noexcept
{
    struct stat named{};
    struct stat folder{};
    const auto parent = std::filesystem::path(path).parent_path();
    return ::lstat(path.c_str(), &named) == 0 &&
           ::stat(parent.empty() ? "." : parent.c_str(), &folder) == 0 &&
           is_planted(named, folder);
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
