// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sluice::test {

/// Stands between clients and a server on this machine, and makes the network a bad one.
class bad_network
{
public:
    bad_network(boost::asio::io_context& context, unsigned short server_port);
    bad_network(const bad_network&) = delete;
    bad_network& operator=(const bad_network&) = delete;
    ~bad_network();

    /// Its address, as that of a server.
    [[nodiscard]] std::string url() const;

    /// From now on what the server sends does not arrive.
    void swallow_answers(bool yes) noexcept { swallows_ = yes; }

    /// Cuts all connections; new ones are accepted.
    void cut();

    /// Cuts a connection after each so many bytes that clients send; 0: never.
    void cut_every(std::size_t bytes) noexcept { cut_every_ = bytes; }

    [[nodiscard]] std::size_t cuts() const noexcept { return cuts_; }

private:
    struct pair;

    void accept();
    void carry(const std::shared_ptr<pair>& ends, bool to_server);

    boost::asio::ip::tcp::acceptor acceptor_;
    const boost::asio::ip::tcp::endpoint server_;
    std::vector<std::weak_ptr<pair>> pairs_;
    std::size_t cut_every_ = 0;
    std::size_t carried_ = 0;
    std::size_t cuts_ = 0;
    bool swallows_ = false;
};

}  // namespace sluice::test
