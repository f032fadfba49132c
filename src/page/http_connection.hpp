// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <memory>

namespace sluice::page {

class page_server;

// Answers the requests of a connection until it ends. The socket is on the strand of the server,
// and so is this call.
void serve_connection(
    std::shared_ptr<page_server> server,
    boost::asio::ip::tcp::socket socket
);

}  // namespace sluice::page
