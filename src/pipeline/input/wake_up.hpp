// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/unique_descriptor.hpp"

namespace sluice::pipeline {

// Ends the waiting of a thread for a file descriptor. A descriptor that other processes
// share, such as standard input, must not be made non-blocking, so a thread has to wait for
// it; this is how a coroutine can call that thread back.
class wake_up
{
public:
    wake_up();

    // Waits until a read of `descriptor` would not wait, or for signal().
    void wait_readable(int descriptor) const noexcept;

    // Ends the wait, also one that begins later. Any thread.
    void signal() noexcept;

private:
    io::unique_descriptor event_;
};

}  // namespace sluice::pipeline
