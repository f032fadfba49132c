// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "redis/command.hpp"
#include "redis/reply.hpp"
#include <sluice/redis/redis_queue_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::redis::detail {

[[nodiscard]] const char* name_of(queue_kind kind) noexcept;

// What a queue is for all processes that open it.
struct queue_terms
{
    std::string_view kind;
    std::int64_t capacity;
    std::int64_t max_deliveries;
    std::int64_t min_after_dequeue;
    std::int64_t retry_delay;  // in ms
    std::int64_t max_retry_delay;

    [[nodiscard]] static queue_terms of(const queue_options& options) noexcept;

    [[nodiscard]] bool operator==(const queue_terms&) const = default;

    [[nodiscard]] std::string text() const;
};

// What the server answers to an opening; a view of the answer.
struct opened_queue
{
    explicit opened_queue(const reply& answer) noexcept;

    queue_terms terms;
    std::string_view owner;  // of the name of the producer, if it has one
    std::uint64_t last;      // number of the enqueues under that name
    std::string_view base;
    std::uint64_t lost;
    std::size_t size;

private:
    // The delays and what follows them stand behind the owner of the name.
    opened_queue(const reply& answer, std::size_t delays) noexcept;
};

}  // namespace sluice::redis::detail
