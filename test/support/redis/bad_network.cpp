// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/redis/bad_network.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <utility>

namespace sluice::test {

namespace asio = boost::asio;
using boost::system::error_code;

struct bad_network::pair
{
    explicit pair(asio::ip::tcp::socket accepted)
        : client(std::move(accepted)), server(client.get_executor())
    {
    }

    // Otherwise the system keeps a piece back for 40 ms, and joins it to the next one.
    void send_pieces_at_once()
    {
        error_code gone;
        client.set_option(asio::ip::tcp::no_delay(true), gone);
        server.set_option(asio::ip::tcp::no_delay(true), gone);
    }

    void close()
    {
        error_code ignored;
        client.close(ignored);
        server.close(ignored);
    }

    asio::ip::tcp::socket client;
    asio::ip::tcp::socket server;
    std::array<std::array<char, 4096>, 2> bytes;
};

bad_network::bad_network(asio::io_context& context, unsigned short server_port)
    : acceptor_(context, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
      server_(asio::ip::address_v4::loopback(), server_port)
{
    accept();
}

bad_network::~bad_network()
{
    cut();
}

std::string bad_network::url() const
{
    return "redis://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
}

void bad_network::cut()
{
    ++cuts_;
    for (const auto& each : std::exchange(pairs_, {}))
        if (const auto ends = each.lock())
            ends->close();
}

void bad_network::accept()
{
    acceptor_.async_accept([this](const error_code& error, asio::ip::tcp::socket client) {
        if (error == asio::error::operation_aborted)
            return;
        const auto ends = std::make_shared<pair>(std::move(client));
        error_code refused;
        ends->server.connect(server_, refused);
        if (!refused.failed()) {
            ends->send_pieces_at_once();
            pairs_.push_back(ends);
            carry(ends, true);
            carry(ends, false);
        }
        accept();
    });
}

void bad_network::carry(const pair_ptr& ends, bool to_server)
{
    auto& from = to_server ? ends->client : ends->server;
    auto& bytes = ends->bytes[to_server ? 0 : 1];
    const bool is_slow = !to_server && piece_ > 0;
    from.async_read_some(
        asio::buffer(bytes, is_slow ? piece_ : bytes.size()),
        [this, ends, to_server, &bytes](const error_code& error, std::size_t size) {
            if (error.failed())
                return ends->close();
            if (delays_)
                carry_later(ends, to_server, {bytes.data(), size}, dice_() % 8);
            else
                carry_now(ends, to_server, {bytes.data(), size});
        }
    );
}

void bad_network::carry_now(const pair_ptr& ends, bool to_server, std::string_view bytes)
{
    write(ends, to_server, bytes);
    // What has arrived is not answered any more.
    if (cut_every_ > 0 && carried_ >= cut_every_) {
        carried_ = 0;
        return cut();
    }
    if (!to_server && piece_ > 0)
        carry_after_pause(ends);
    else
        carry(ends, to_server);
}

void bad_network::carry_after_pause(const pair_ptr& ends)
{
    const auto timer =
        std::make_shared<asio::steady_timer>(acceptor_.get_executor(), pause_);
    timer->async_wait([this, ends, timer](const error_code& error) {
        if (!error.failed() && ends->client.is_open())  // or this may be gone
            carry(ends, false);
    });
}

// What comes on other connections within a lap of the context is carried before this.
void bad_network::carry_later(
    const pair_ptr& ends,
    bool to_server,
    std::string_view bytes,
    unsigned laps
)
{
    asio::post(acceptor_.get_executor(), [this, ends, to_server, bytes, laps] {
        if (laps > 0)
            return carry_later(ends, to_server, bytes, laps - 1);
        const std::size_t size = 1 + dice_() % bytes.size();
        if (size == bytes.size())
            return carry_now(ends, to_server, bytes);
        write(ends, to_server, bytes.substr(0, size));
        carry_later(ends, to_server, bytes.substr(size), dice_() % 8);
    });
}

void bad_network::write(const pair_ptr& ends, bool to_server, std::string_view bytes)
{
    carried_ += to_server ? bytes.size() : 0;
    if (!to_server && swallows_)
        return;
    error_code broken;
    asio::write(to_server ? ends->server : ends->client, asio::buffer(bytes), broken);
}

}  // namespace sluice::test
