// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace sluice {

template <class T, class Executor = boost::asio::any_io_executor>
using shuffle_queue = basic_queue<T, shuffle_store<T>, Executor>;

}  // namespace sluice
