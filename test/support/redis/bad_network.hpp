// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <string_view>
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

    /// From now on what the server sends comes in pieces of so many bytes, with a pause between
    /// two of them.
    void slow_down(std::size_t bytes, std::chrono::milliseconds pause) noexcept
    {
        piece_ = bytes;
        pause_ = pause;
    }

    /// From now on what arrives is carried in pieces, each after others of other connections: so
    /// an event may come before the answer that was sent first, or long after it.
    void delay(bool yes) noexcept { delays_ = yes; }

private:
    struct pair;

    void accept();
    using pair_ptr = std::shared_ptr<pair>;

    void carry(const pair_ptr& ends, bool to_server);
    void carry_now(const pair_ptr& ends, bool to_server, std::string_view bytes);
    void carry_after_pause(const pair_ptr& ends);
    void carry_later(
        const pair_ptr& ends,
        bool to_server,
        std::string_view bytes,
        unsigned laps
    );
    void write(const pair_ptr& ends, bool to_server, std::string_view bytes);

    boost::asio::ip::tcp::acceptor acceptor_;
    const boost::asio::ip::tcp::endpoint server_;
    std::vector<std::weak_ptr<pair>> pairs_;
    std::size_t cut_every_ = 0;
    std::size_t carried_ = 0;
    std::size_t cuts_ = 0;
    std::size_t piece_ = 0;  // 0: no limit
    std::chrono::milliseconds pause_{0};
    bool swallows_ = false;
    bool delays_ = false;
    std::minstd_rand dice_;
};

}  // namespace sluice::test
