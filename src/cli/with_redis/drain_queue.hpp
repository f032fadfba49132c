// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/redis_administration.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace sluice::cli {

// What is done with the bytes of an element before it leaves its queue.
using element_sink = std::function<void(std::string_view bytes)>;

// Takes out what waits in a queue, but for what comes in later than this begins, and what
// consumers have. Returns how many elements it was.
//
// An element leaves the queue after the sink has had it. If that throws, it is returned to the
// queue, with those that were taken together with it.
[[nodiscard]] boost::asio::awaitable<std::size_t> drain_queue(
    std::string url,
    redis::queue_info which,
    bool only_dead_letters,
    element_sink sink
);

// The bytes of an element as one line of JSON. What is no element of a pipeline is a text; bytes
// that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_of_element(std::string_view bytes);

}  // namespace sluice::cli
