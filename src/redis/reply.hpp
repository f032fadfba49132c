// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

struct redisReply;

namespace sluice::redis::detail {

// What the server has answered; a view of what hiredis has read.
class reply
{
public:
    explicit reply(const redisReply* raw) noexcept : raw_(raw) {}

    [[nodiscard]] bool is_error() const noexcept;

    // Whether this is an error that begins with `word`.
    [[nodiscard]] bool is_error(std::string_view word) const noexcept;

    // That of an error, too. Empty if it is no text.
    [[nodiscard]] std::string_view text() const noexcept;

    // A number, also one that is written as a text. 0 if it is none.
    [[nodiscard]] std::int64_t number() const noexcept;

    // Of an array; what is not there is an empty reply.
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] reply operator[](std::size_t index) const noexcept;

    // An error that another attempt may not meet, with a new connection: a server that is
    // loading, or that has lost our functions.
    [[nodiscard]] bool asks_to_reconnect() const noexcept;

    // The code for an error.
    [[nodiscard]] error_code code() const noexcept;

private:
    const redisReply* raw_;
};

}  // namespace sluice::redis::detail
