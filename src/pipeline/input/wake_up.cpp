// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/wake_up.hpp"

#include "io/io.hpp"

#include <cerrno>
#include <cstdint>
#include <sys/eventfd.h>

namespace sluice::pipeline {

wake_up::wake_up() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (!event_)
        io::throw_error(errno, "cannot make an eventfd");
}

void wake_up::wait_readable(int descriptor) const noexcept
{
    pollfd events[] = {
        {.fd = descriptor, .events = POLLIN, .revents = 0},
        {.fd = event_.get(), .events = POLLIN, .revents = 0}
    };
    // Other failures are left to the read that follows, which will name the file.
    io::wait_for_any(events);
}

void wake_up::signal() noexcept
{
    const std::uint64_t one = 1;
    // cannot fail but when the counter is full, and then it is signalled already
    [[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof(one));
}

}  // namespace sluice::pipeline
