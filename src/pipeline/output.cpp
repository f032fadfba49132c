// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/output.hpp>

#include <poll.h>

#include <cerrno>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sluice::pipeline {

namespace {

// A terminal or a pipe may have been made non-blocking by another program that shares it.
void wait_for_room(int descriptor)
{
    pollfd room{.fd = descriptor, .events = POLLOUT, .revents = 0};
    ::poll(&room, 1, -1);
}

}  // namespace

descriptor_output::descriptor_output(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name))
{
}

void descriptor_output::write(std::string_view data)
{
    const std::lock_guard lock(mutex_);
    while (!data.empty()) {
        const ssize_t written = ::write(descriptor_, data.data(), data.size());
        if (written >= 0)
            data.remove_prefix(static_cast<std::size_t>(written));
        else if (errno == EAGAIN)
            wait_for_room(descriptor_);
        else if (errno != EINTR)
            throw std::system_error(
                errno,
                std::generic_category(),
                "cannot write to " + name_
            );
    }
}

void memory_output::write(std::string_view data)
{
    const std::lock_guard lock(mutex_);
    text_ += data;
}

std::string memory_output::text() const
{
    const std::lock_guard lock(mutex_);
    return text_;
}

}  // namespace sluice::pipeline
