// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace sluice::test {

/// A port of the loopback interface that a server of the test may listen on, again and again.
/// A socket is bound to it, and never listens: the system gives the port to no other process,
/// and a server that sets SO_REUSEADDR, as redis-server does, can still bind to it.
class reserved_port
{
public:
    reserved_port()
    {
        socket_.set_option(boost::asio::socket_base::reuse_address(true));
        socket_.bind({boost::asio::ip::address_v4::loopback(), 0});
    }

    [[nodiscard]] unsigned short number() const
    {
        return socket_.local_endpoint().port();
    }

private:
    boost::asio::io_context context_;
    boost::asio::ip::tcp::socket socket_{context_, boost::asio::ip::tcp::v4()};
};

}  // namespace sluice::test
