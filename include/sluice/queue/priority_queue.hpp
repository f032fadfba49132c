// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/priority_store.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>

namespace sluice {

template <
    class T,
    class Compare = std::less<>,
    class Executor = boost::asio::any_io_executor>
using priority_queue = basic_queue<T, priority_store<T, Compare>, Executor>;

}  // namespace sluice
