// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/link.hpp"

#include "redis/tls_stream.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <hiredis/hiredis.h>

#include <charconv>
#include <utility>
#include <vector>

namespace sluice::redis::detail {

namespace asio = boost::asio;
using generic_endpoint = asio::generic::stream_protocol::endpoint;

void free_reply(void* raw) noexcept
{
    freeReplyObject(raw);
}

void free_reader(redisReader* reader) noexcept
{
    redisReaderFree(reader);
}

// A host that is looked up. Neither the system nor Asio can end that, so who waits is woken, and
// nothing takes the answer.
struct link::look_up
{
    explicit look_up(const strand_type& home) : resolver(home), is_over(home)
    {
        is_over.expires_at(asio::steady_timer::time_point::max());
    }

    asio::ip::tcp::resolver resolver;
    asio::steady_timer is_over;
    error_code error = asio::error::operation_aborted;
    asio::ip::tcp::resolver::results_type results;
};

awaitable<std::vector<generic_endpoint>> link::endpoints_of(const address& to)
{
    std::vector<generic_endpoint> found;
    if (to.host.empty()) {
        found.emplace_back(asio::local::stream_protocol::endpoint(to.path));
        co_return found;
    }
    unsigned short port = 0;
    std::from_chars(to.port.data(), to.port.data() + to.port.size(), port);
    error_code no_number;
    const auto number = asio::ip::make_address(to.host, no_number);
    if (!no_number.failed()) {
        found.emplace_back(asio::ip::tcp::endpoint(number, port));
        co_return found;
    }
    const auto asked = std::make_shared<look_up>(home_);
    look_up_ = asked;
    asked->resolver.async_resolve(
        to.host,
        to.port,
        [asked](const error_code& error, const auto& results) {
            asked->error = error;
            asked->results = results;
            asked->is_over.cancel();
        }
    );
    error_code ignored;
    co_await asked->is_over.async_wait(asio::redirect_error(use_awaitable, ignored));
    look_up_ = nullptr;
    if (asked->error.failed())
        throw system_error(asked->error);
    for (const auto& result : asked->results)
        found.emplace_back(result.endpoint());
    co_return found;
}

link::link(const strand_type& home)
    : home_(home), socket_(home), reader_(redisReaderCreate(), &free_reader)
{
    if (reader_ == nullptr)
        throw std::bad_alloc();
}

link::~link() = default;

awaitable<void> link::connect(address to)
{
    try {
        const auto endpoints = co_await endpoints_of(to);
        if (is_closed_)  // there was no socket yet that would have been told
            throw system_error(asio::error::operation_aborted);
        co_await asio::async_connect(socket_, endpoints, use_awaitable);
        // It may have been closed since.
        if (!to.host.empty()) {
            socket_.set_option(asio::ip::tcp::no_delay(true));
            socket_.set_option(asio::socket_base::keep_alive(true));
        }
        socket_.non_blocking(true);  // for flush()
    } catch (const system_error& error) {
        fail(error);
    }
    if (to.tls)
        co_await begin_tls(to);
}

awaitable<void> link::begin_tls(const address& to)
{
    tls_ = std::make_unique<tls_stream>(socket_, to);
    try {
        co_await tls_->shake_hands();
    } catch (const system_error& error) {
        if (error.code() == errc::tls_failed)
            throw;
        // One that speaks no TLS may wait for the end of what it takes for a command.
        fail(error, "TLS handshake failed; does the server speak TLS on this port?");
    }
}

awaitable<owned_reply> link::exchange(command text)
{
    std::string bytes;
    text.append_to(bytes);
    try {
        co_await write_all(std::move(bytes));
        for (;;) {
            if (auto found = next_reply())
                co_return found;
            co_await read_more();
        }
    } catch (const system_error& error) {
        fail_exchange(error);
    }
}

void link::fail_exchange(const system_error& error) const
{
    // The server tells only now that it does not accept the certificate of this client.
    if (tls_stream::is_refusal(error.code()))
        throw system_error(
            errc::tls_failed,
            "TLS: the server ended the connection: " + error.code().message() +
                "; see certificate_file and key_file"
        );
    // What it says before it hangs up is lost if it has not read all that was sent.
    const bool has_hung_up = error.code() == asio::error::eof ||
                             error.code() == asio::error::connection_reset ||
                             error.code() == asio::error::broken_pipe ||
                             error.code() == asio::ssl::error::stream_truncated;
    if (!has_hung_up || has_heard_)
        fail(error);
    const std::string hint =
        "the server ended the connection before its first answer; if it ";
    fail(
        error,
        hint + (tls_ != nullptr
                    ? "asks for a certificate, see certificate_file and key_file"
                    : "speaks TLS on this port, write rediss://")
    );
}

awaitable<void> link::write_all(std::string bytes)
{
    const auto buffer = asio::buffer(bytes);
    if (tls_ != nullptr)
        co_await asio::async_write(tls_->bytes(), buffer, use_awaitable);
    else
        co_await asio::async_write(socket_, buffer, use_awaitable);
}

awaitable<void> link::read_more()
{
    const auto buffer = asio::buffer(input_);
    std::size_t size = 0;
    if (tls_ != nullptr)
        size = co_await tls_->bytes().async_read_some(buffer, use_awaitable);
    else
        size = co_await socket_.async_read_some(buffer, use_awaitable);
    heard_last_ = clock::now();
    has_heard_ = true;
    redisReaderFeed(reader_.get(), input_.data(), size);
}

owned_reply link::next_reply()
{
    void* raw = nullptr;
    if (redisReaderGetReply(reader_.get(), &raw) != REDIS_OK)
        refuse_protocol();
    return owned_reply(static_cast<redisReply*>(raw));
}

void link::refuse_protocol() const
{
    constexpr char alert =
        0x15;  // the first byte of what TLS says to one who does not speak it
    if (tls_ == nullptr && input_.front() == alert)
        throw system_error(
            errc::tls_failed,
            "the server expects TLS on this port; write rediss://"
        );
    throw system_error(
        errc::server_error,
        std::string("not the Redis protocol: ") +
            static_cast<const char*>(reader_->errstr) +
            "; see that the address is that of a Redis server"
    );
}

awaitable<void> link::read(push_function on_push)
{
    const auto self = shared_from_this();
    try {
        for (;;) {
            while (const auto found = next_reply()) {
                const reply answer(found.get());
                if (expected_.empty()) {
                    on_push(answer);
                    continue;
                }
                const auto next = std::move(expected_.front());
                expected_.pop_front();
                next.answer(&answer);
            }
            co_await read_more();
        }
    } catch (const system_error& error) {
        fail(error);
    }
}

// Without the place in Asio, which has nothing to do in a message.
void link::fail(const system_error& error, const std::string& hint) const
{
    if (!closed_because_.empty())
        throw system_error(
            errc::connection_failed,
            hint.empty() ? closed_because_ : closed_because_ + ": " + hint
        );
    const error_code code(error.code().value(), error.code().category());
    if (!hint.empty())
        throw system_error(code, hint);
    if (error.code().has_location())
        throw system_error(code);
    throw system_error(error);
}

void link::send(const command& text, answer_function answer)
{
    if (answer)
        expected_.push_back({std::move(answer), clock::now()});
    text.append_to(waiting_);
}

// Most often the socket takes it at once, and no handler has to run. TLS cannot go on with what it
// has encrypted if the socket takes a part of it only, so that waits.
void link::flush() noexcept
{
    if (is_writing_ || waiting_.empty())
        return;
    writing_.clear();
    writing_.swap(waiting_);
    error_code error;
    const std::size_t done = tls_ != nullptr
                                 ? 0
                                 : socket_.write_some(asio::buffer(writing_), error);
    if (error.failed() && error != asio::error::would_block)
        return close_for(error);
    if (done == writing_.size())
        return;
    try {
        write_rest(done);
    } catch (...) {
        close("out of memory");
    }
}

void link::write_rest(std::size_t done)
{
    const auto self = shared_from_this();
    auto on_end = [self](const error_code& error, std::size_t /*size*/) {
        self->is_writing_ = false;
        if (error.failed())
            self->close_for(error);
        else
            self->flush();
    };
    const auto rest = asio::buffer(writing_) + done;
    if (tls_ != nullptr)
        asio::async_write(tls_->bytes(), rest, std::move(on_end));
    else
        asio::async_write(socket_, rest, std::move(on_end));
    is_writing_ = true;
}

void link::close(std::string_view why) noexcept
{
    try {
        if (closed_because_.empty())
            closed_because_ = why;
    } catch (...) {
        // without memory for the reason
    }
    is_closed_ = true;
    if (look_up_ != nullptr)
        look_up_->is_over.cancel();
    error_code ignored;
    socket_.close(ignored);
}

void link::close_for(const error_code& error) noexcept
try {
    close(error.message());
} catch (...) {
    close("out of memory");
}

std::string link::what_said(const system_error& error)
{
    std::string text = error.what();
    const auto& category = error.code().category();
    const std::string meaning = ": " + error.code().what();
    const bool is_ours = category == redis_category() || category == sluice_category();
    if (is_ours && text.ends_with(meaning))
        text.resize(text.size() - meaning.size());
    return text;
}

void link::drop_answers() noexcept
{
    while (!expected_.empty()) {
        const auto next = std::move(expected_.front());
        expected_.pop_front();
        next.answer(nullptr);
    }
}

link::clock::time_point link::owes_since() const noexcept
{
    return expected_.empty() ? clock::time_point::max() : expected_.front().since;
}

}  // namespace sluice::redis::detail
