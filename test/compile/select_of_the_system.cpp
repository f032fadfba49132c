// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A program may use all names of the library beside select() of the system.

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <sys/select.h>

using namespace sluice;

int wait_for_input(fd_set& descriptors, timeval& limit)
{
    return select(1, &descriptors, nullptr, nullptr, &limit);
}

auto wait_for_either(fifo_queue<int>& a, fifo_queue<int>& b)
{
    return select(a.dequeue(), b.dequeue());
}
