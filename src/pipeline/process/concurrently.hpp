// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/awaitable.hpp>

namespace sluice::pipeline {

// Unlike the operators of Asio these throw the error that came first, as it is, and not the
// left one, or one that says that there were two.

// Runs both to their ends; if one fails, cancels the other. Throws the first error.
[[nodiscard]] boost::asio::awaitable<void> both(
    boost::asio::awaitable<void> a,
    boost::asio::awaitable<void> b
);

// Runs both until one has ended, and cancels the other. Throws if the first one has failed.
[[nodiscard]] boost::asio::awaitable<void> either(
    boost::asio::awaitable<void> a,
    boost::asio::awaitable<void> b
);

}  // namespace sluice::pipeline
