// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What the parts of a remote core are driven with where there is no server.

#pragma once

#include "redis/command.hpp"
#include "redis/reply.hpp"
#include <sluice/redis/detail/remote_waiter.hpp>

#include <boost/test/unit_test.hpp>

#include <hiredis/hiredis.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::test {

// An operation that no coroutine awaits.
template <class Waiter>
class plain_operation final : public Waiter
{
public:
    using Waiter::Waiter;

    bool has_ended = false;

private:
    void deliver(sluice::detail::waiter_list& /*others*/) noexcept override
    {
        has_ended = true;
        this->finish_delivery();
    }

    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return "operation"; }
};

using plain_consumer = plain_operation<redis::detail::remote_consumer>;
using plain_producer = plain_operation<redis::detail::remote_producer>;
using plain_query = plain_operation<redis::detail::remote_query>;
using plain_settler = plain_operation<redis::detail::remote_settler>;

inline std::vector<redis::detail::leased_element> lease_of(std::string id)
{
    return {{std::move(id), 1, "7", "1700000000000", 1}};
}

// An answer; `text` is as the server writes it.
class written_reply
{
public:
    explicit written_reply(std::string_view text)
    {
        const std::unique_ptr<redisReader, void (*)(redisReader*)> reader(
            redisReaderCreate(),
            &redisReaderFree
        );
        redisReaderFeed(reader.get(), text.data(), text.size());
        void* raw = nullptr;
        BOOST_REQUIRE(redisReaderGetReply(reader.get(), &raw) == REDIS_OK);
        BOOST_REQUIRE(raw != nullptr);
        owned_.reset(static_cast<redisReply*>(raw));
    }

    [[nodiscard]] redis::detail::reply get() const noexcept
    {
        return redis::detail::reply(owned_.get());
    }

private:
    std::unique_ptr<redisReply, void (*)(void*)> owned_{nullptr, &freeReplyObject};
};

// The words of a command, each with a space behind it.
inline std::string words_of(const redis::detail::command& text)
{
    std::string bytes;
    text.append_to(bytes);
    const written_reply read(bytes);
    std::string words;
    for (std::size_t i = 0; i < read.get().size(); ++i)
        words += std::string(read.get()[i].text()) + ' ';
    return words;
}

}  // namespace sluice::test
