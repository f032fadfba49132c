// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/queue_terms.hpp"

#include <array>

namespace sluice::redis::detail {

const char* name_of(queue_kind kind) noexcept
{
    static constexpr std::array<const char*, 3> names{"fifo", "priority", "shuffle"};
    return names.at(static_cast<std::size_t>(kind));
}

queue_terms queue_terms::of(const queue_options& options) noexcept
{
    const bool is_delayed = options.retry_delay.count() > 0;
    return {
        name_of(options.kind),
        static_cast<std::int64_t>(options.capacity),
        options.max_deliveries,
        static_cast<std::int64_t>(options.min_after_dequeue),
        options.retry_delay.count(),
        is_delayed ? options.max_retry_delay.count() : 0
    };
}

std::string queue_terms::text() const
{
    std::string all = "kind " + std::string(kind) + ", capacity " +
                      std::to_string(capacity) + ", max_deliveries " +
                      std::to_string(max_deliveries) + ", min_after_dequeue " +
                      std::to_string(min_after_dequeue);
    if (retry_delay != 0)
        all += ", retry_delay " + std::to_string(retry_delay) + " ms, max_retry_delay " +
               std::to_string(max_retry_delay) + " ms";
    return all;
}

opened_queue::opened_queue(const reply& answer) noexcept
    : opened_queue(answer, answer.size() == 11 ? 6 : 4)
{
}

opened_queue::opened_queue(const reply& answer, std::size_t delays) noexcept
    : terms{
          answer[0].text(),
          answer[1].number(),
          answer[2].number(),
          answer[3].number(),
          answer[delays].number(),
          answer[delays + 1].number()
      },
      owner(delays == 4 ? std::string_view() : answer[4].text()),
      last(delays == 4 ? 0 : static_cast<std::uint64_t>(answer[5].number())),
      base(answer[delays + 2].text()),
      lost(static_cast<std::uint64_t>(answer[delays + 3].number())),
      size(static_cast<std::size_t>(answer[delays + 4].number()))
{
}

}  // namespace sluice::redis::detail
