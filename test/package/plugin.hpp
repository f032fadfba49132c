// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/io_context.hpp>

// What the plug-in offers: it takes elements from a queue of its host until its end, and stores
// their sum, or -1 if the end came as an error.
using add_up_function =
    void(boost::asio::io_context& context, sluice::fifo_queue<int>& numbers, int& sum);
