// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/io.hpp"

#include "text/number.hpp"
#include "text/printable.hpp"

#include <filesystem>
#include <system_error>

namespace sluice::io {

namespace fs = std::filesystem;

ssize_t read(int descriptor, std::span<char> bytes) noexcept
{
    return uninterrupted([&] { return ::read(descriptor, bytes.data(), bytes.size()); });
}

ssize_t write(int descriptor, std::string_view bytes) noexcept
{
    return uninterrupted([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
}

void write_all(int descriptor, std::string_view bytes, const std::string& name)
{
    constexpr std::chrono::milliseconds unlimited(-1);
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor, bytes);
        if (written >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
        else if (errno == EAGAIN)  // named pipes, and what another program made so
            (void)is_ready_within(unlimited, descriptor, POLLOUT);
        else
            throw_error(errno, "cannot write to ", name);
    }
}

void wait_for_any(std::span<pollfd> descriptors) noexcept
{
    uninterrupted([&] { return ::poll(descriptors.data(), descriptors.size(), -1); });
}

bool is_ready_within(
    std::chrono::milliseconds time,
    int descriptor,
    short events
) noexcept
{
    pollfd awaited{.fd = descriptor, .events = events, .revents = 0};
    const auto milliseconds = static_cast<int>(time.count());
    return uninterrupted([&] { return ::poll(&awaited, 1, milliseconds); }) != 0;
}

void throw_error(int error, std::string_view what, std::string_view name)
{
    throw std::system_error(
        error,
        std::generic_category(),
        std::string(what).append(text::printable(name))
    );
}

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
    std::error_code failed;
    const fs::path own = fs::canonical("/proc/self/fd", failed);
    fs::path at = fs::absolute(path, failed);
    for (int links = 0; links < most_links && !failed; ++links) {
        const fs::path folder = fs::canonical(at.parent_path(), failed);
        if (!failed && folder == own)
            return text::whole_number<unsigned short>(at.filename().string());
        at = folder / fs::read_symlink(folder / at.filename(), failed);
    }
    return std::nullopt;  // what it leads to is no link
}

}  // namespace sluice::io
