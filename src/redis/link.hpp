// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "redis/address.hpp"
#include "redis/command.hpp"
#include "redis/reply.hpp"
#include "redis/strand.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct redisReader;

namespace sluice::redis::detail {

class tls_stream;

void free_reply(void* raw) noexcept;
void free_reader(redisReader* reader) noexcept;

struct reply_deleter
{
    void operator()(redisReply* raw) const noexcept { free_reply(raw); }
};

using owned_reply = std::unique_ptr<redisReply, reply_deleter>;

// One socket to a server, with or without TLS: pipelined commands, whose answers come in their
// order. All members are called on the strand. hiredis reads the protocol; the socket is Asio's.
class link : public std::enable_shared_from_this<link>
{
public:
    using clock = std::chrono::steady_clock;

    // Called with null if the link is lost first.
    using answer_function = std::function<void(const reply*)>;
    // For what comes without having been asked for.
    using push_function = std::function<void(const reply&)>;

    explicit link(const strand_type& home);
    link(const link&) = delete;
    link& operator=(const link&) = delete;
    ~link();

    // Throws a system_error; errc::tls_failed if TLS cannot be had, or the server wants it.
    awaitable<void> connect(address to);

    // Before read(): sends a command and reads its answer.
    awaitable<owned_reply> exchange(command text);

    // Sends a command with the next flush(). One without a function has no answer, or one that
    // is a push.
    void send(const command& text, answer_function answer);
    void flush() noexcept;

    // Hands out answers until the link is lost; then throws why.
    awaitable<void> read(push_function on_push);

    // From now on it is lost, for this reason; also one that connects still.
    void close(std::string_view why = {}) noexcept;

    // What an error says, but for the meaning of a code of ours, which is added by a caller that
    // throws it again with a code.
    [[nodiscard]] static std::string what_said(const system_error& error);

    // Calls the functions of all that has not been answered.
    void drop_answers() noexcept;

    // Since when the server owes an answer; the far future if it does not.
    [[nodiscard]] clock::time_point owes_since() const noexcept;
    [[nodiscard]] clock::time_point heard_last() const noexcept { return heard_last_; }

private:
    struct expected
    {
        answer_function answer;
        clock::time_point since;
    };

    struct look_up;

    [[nodiscard]] awaitable<std::vector<boost::asio::generic::stream_protocol::endpoint>>
    endpoints_of(const address& to);
    void close_for(const error_code& error) noexcept;
    awaitable<void> begin_tls(const address& to);
    awaitable<void> write_all(std::string bytes);
    void write_rest(std::size_t done);
    awaitable<void> read_more();
    [[nodiscard]] owned_reply next_reply();
    [[noreturn]] void refuse_protocol() const;
    [[noreturn]] void fail_exchange(const system_error& error) const;
    // Throws the error, or why this side has closed the socket, of which the error knows nothing.
    [[noreturn]] void fail(const system_error& error, const std::string& hint = {}) const;

    const strand_type home_;
    socket_type socket_;
    std::shared_ptr<look_up> look_up_;  // while one is waited for
    std::unique_ptr<tls_stream> tls_;   // of the socket; null: without
    std::unique_ptr<redisReader, void (*)(redisReader*) noexcept> reader_;
    std::array<char, 16384> input_;
    std::string waiting_;  // bytes to be written
    std::string writing_;  // bytes that are being written
    std::deque<expected> expected_;
    clock::time_point heard_last_ = clock::now();
    std::string closed_because_;
    bool is_closed_ = false;
    bool is_writing_ = false;
    bool has_heard_ = false;  // the server has sent something
};

}  // namespace sluice::redis::detail
