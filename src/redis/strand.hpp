// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace sluice::redis::detail {

// Everything of a connection runs on a strand of the user's executor.
using strand_type = boost::asio::strand<boost::asio::any_io_executor>;

using socket_type =
    boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, strand_type>;

// Coroutines on it. They know its type, because one more any_io_executor around it takes a tenth of
// the time of this side of a round trip.
template <class T>
using awaitable = boost::asio::awaitable<T, strand_type>;
inline constexpr boost::asio::use_awaitable_t<strand_type> use_awaitable;

}  // namespace sluice::redis::detail
