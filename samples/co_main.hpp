// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The main() that samples share: a sample includes this header and defines co_main.
// co_main.cpp runs it on a pool of threads; an exception ends the program with its
// message and exit code 1.

#pragma once

#include <sluice.hpp>

#include <boost/asio/awaitable.hpp>

#include <string_view>
#include <vector>

namespace asio = boost::asio;

using arguments = std::vector<std::string_view>;

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args);
