// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/result_place.hpp"

#include "io/io.hpp"
#include "text/printable.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <climits>
#include <linux/magic.h>
#include <stdexcept>
#include <string_view>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::io {

namespace {

constexpr mode_t permission_bits = 0777;
constexpr const char* access_list = "system.posix_acl_access";

struct stat status_of(int descriptor, const std::string& path)
{
    struct stat status{};
    if (::fstat(descriptor, &status) != 0)
        throw_error(errno, "cannot look at ", path);
    return status;
}

bool is_shared(const struct stat& folder) noexcept
{
    constexpr mode_t shared = S_ISVTX | S_IWOTH;
    return (folder.st_mode & shared) == shared;
}

// Whether another user may have put it there: neither this user nor the owner of the folder.
bool is_planted(const struct stat& file, const struct stat& folder) noexcept
{
    return is_shared(folder) && file.st_uid != ::geteuid() &&
           file.st_uid != folder.st_uid;
}

// One step: the folder of a path, which begins in another folder, and what is there.
result_place look_at(int begin, const std::string& path, const std::string& whole)
{
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "."
                                                          : path.substr(0, slash + 1);
    result_place place;
    place.name = path.substr(slash + 1);  // npos + 1 is 0
    place.folder = unique_descriptor(
        ::openat(begin, folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)
    );
    if (!place.folder)
        throw_error(errno, "cannot open ", whole);
    if (place.name.empty())
        throw_error(EISDIR, "cannot open ", whole);
    place.found = unique_descriptor(
        ::openat(place.folder.get(), place.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)
    );
    if (!place.found && errno != ENOENT)
        throw_error(errno, "cannot open ", whole);
    if (place.found)
        place.status = status_of(place.found.get(), whole);
    return place;
}

// Where a link leads, from its folder.
std::string follow(const result_place& link, const std::string& path)
{
    if (is_planted(link.status, status_of(link.folder.get(), path)))
        throw_error(EACCES, "cannot open ", path);
    std::array<char, PATH_MAX> target{};
    const ssize_t length =
        ::readlinkat(link.found.get(), "", target.data(), target.size());
    if (length < 0)
        throw_error(errno, "cannot open ", path);
    return {target.data(), static_cast<std::size_t>(length)};
}

// The name of an open file that calls take which know no O_PATH.
std::string name_of(int descriptor)
{
    return "/proc/self/fd/" + std::to_string(descriptor);
}

// The access list of a file, in the form of the kernel; empty if it has none.
std::vector<char> access_list_of(int descriptor)
{
    const std::string name = name_of(descriptor);
    std::vector<char> list(XATTR_SIZE_MAX);
    const ssize_t size = ::getxattr(name.c_str(), access_list, list.data(), list.size());
    list.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return list;
}

bool set_access_list(int descriptor, const std::vector<char>& list)
{
    if (!list.empty())
        return ::fsetxattr(descriptor, access_list, list.data(), list.size(), 0) == 0;
    // that which the folder gives its new files
    return ::fremovexattr(descriptor, access_list) == 0 || errno == ENODATA ||
           errno == EOPNOTSUPP;
}

}  // namespace

bool result_place::is_of_kernel() const noexcept
{
    struct statfs system{};
    return ::fstatfs(folder.get(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

result_place find_place(const std::string& path)
{
    result_place place = look_at(AT_FDCWD, path, path);
    for (int links = 0; place.found && S_ISLNK(place.status.st_mode); ++links) {
        if (place.is_of_kernel())
            break;  // its links are more than their text
        if (links == most_links)
            throw_error(ELOOP, "cannot open ", path);
        const std::string target = follow(place, path);
        place = look_at(place.folder.get(), target, path);
    }
    return place;
}

void expect_replaceable(const result_place& place, const std::string& path)
{
    if (::faccessat(place.folder.get(), place.name.c_str(), W_OK, AT_EACCESS) != 0)
        throw_error(errno, "cannot open ", path);
    const struct stat folder = status_of(place.folder.get(), path);
    const uid_t user = ::geteuid();
    const bool may_rename = user == 0 || (folder.st_mode & S_ISVTX) == 0 ||
                            user == place.status.st_uid || user == folder.st_uid;
    if (!may_rename || is_planted(place.status, folder))
        throw std::runtime_error(
            "cannot replace " + text::printable(path) +
            ": it belongs to another user, in a folder where every user may put files; "
            "write to another folder"
        );
}

void take_over_rights(int descriptor, const result_place& place, const std::string& path)
{
    const struct stat& old = place.status;
    const struct stat made = status_of(descriptor, path);
    const bool is_owned = made.st_uid == old.st_uid && made.st_gid == old.st_gid;
    if (!is_owned && ::fchown(descriptor, old.st_uid, old.st_gid) != 0)
        throw_error(errno, "cannot keep the owner and the group of ", path);
    if (!set_access_list(descriptor, access_list_of(place.found.get())))
        throw_error(errno, "cannot keep the access list of ", path);
    if (::fchmod(descriptor, old.st_mode & permission_bits) != 0)
        throw_error(errno, "cannot keep the permissions of ", path);
}

}  // namespace sluice::io
