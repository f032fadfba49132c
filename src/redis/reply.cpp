// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/reply.hpp"

#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <hiredis/hiredis.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace sluice::redis::detail {
namespace {

bool begins_with_any(std::string_view text, const auto& words) noexcept
{
    return std::ranges::any_of(words, [text](std::string_view word) {
        return text.starts_with(word);
    });
}

}  // namespace

bool reply::is_error() const noexcept
{
    return raw_ != nullptr && raw_->type == REDIS_REPLY_ERROR;
}

bool reply::is_error(std::string_view word) const noexcept
{
    return is_error() && text().starts_with(word);
}

std::string_view reply::text() const noexcept
{
    if (raw_ == nullptr || raw_->str == nullptr)
        return {};
    return {raw_->str, static_cast<std::size_t>(raw_->len)};
}

std::int64_t reply::number() const noexcept
{
    if (raw_ != nullptr && raw_->type == REDIS_REPLY_INTEGER)
        return raw_->integer;
    std::int64_t value = 0;
    const std::string_view digits = text();
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

std::size_t reply::size() const noexcept
{
    return raw_ != nullptr && raw_->type == REDIS_REPLY_ARRAY ? raw_->elements : 0;
}

reply reply::operator[](std::size_t index) const noexcept
{
    return reply(index < size() ? raw_->element[index] : nullptr);
}

bool reply::asks_to_reconnect() const noexcept
{
    static constexpr std::array<std::string_view, 9> words{
        "LOADING",
        "READONLY",
        "MASTERDOWN",
        "CLUSTERDOWN",
        "TRYAGAIN",
        "BUSY ",
        "NOREPLICAS",
        "MISCONF",
        "ERR Function not found"
    };
    return is_error() && begins_with_any(text(), words);
}

error_code reply::code() const noexcept
{
    static constexpr std::array<std::string_view, 5> denials{
        "NOPERM",
        "NOAUTH",
        "WRONGPASS",
        "ERR AUTH",
        "ERR The user executing the script can't"
    };
    if (begins_with_any(text(), denials))
        return errc::access_denied;
    if (text().starts_with("OOM") || text().starts_with("ERR OOM"))
        return errc::server_full;
    if (text().starts_with("ERR unknown command"))
        return errc::unsupported_server;
    if (text().starts_with("ERR DB index") || text().starts_with("ERR SELECT"))
        return sluice::errc::invalid_argument;  // the database of the address
    if (text().starts_with("FENCED"))
        return errc::producer_fenced;
    return errc::server_error;
}

}  // namespace sluice::redis::detail
