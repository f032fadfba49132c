// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/io.hpp"

#include "text/printable.hpp"

#include <cerrno>
#include <system_error>
#include <unistd.h>

namespace sluice::io {

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

}  // namespace sluice::io
