// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/with_redis/queue_list.hpp"

#include "cli/text_format.hpp"
#include "cli/with_redis/drain_queue.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <string_view>
#include <utility>

namespace sluice::cli {

using nlohmann::ordered_json;

namespace {

const char* name_of(redis::queue_kind kind) noexcept
{
    switch (kind) {
    case redis::queue_kind::fifo:
        return "fifo";
    case redis::queue_kind::priority:
        return "priority";
    case redis::queue_kind::shuffle:
        return "shuffle";
    }
    return "unknown";
}

ordered_json object_of(const redis::queue_info& queue)
{
    using seconds = std::chrono::duration<double>;
    const redis::queue_status& status = queue.status;
    ordered_json age;  // null if nothing waits
    if (status.age)
        age = seconds(*status.age).count();
    return {
        {"name", queue.name},
        {"kind", name_of(queue.kind)},
        {"closed", status.is_closed},
        {"size", status.size},
        {"capacity", status.capacity},
        {"leased", status.leased},
        {"age_seconds", age},
        {"enqueued", status.enqueued},
        {"acknowledged", status.acknowledged},
        {"redelivered", status.redelivered},
        {"dead", status.dead},
        {"dead_letters", status.dead_letters},
        {"lost", status.lost},
        {"max_deliveries", queue.max_deliveries},
        {"min_after_dequeue", queue.min_after_dequeue},
        {"retry_delay_seconds", seconds(queue.retry_delay).count()},
        {"max_retry_delay_seconds", seconds(queue.max_retry_delay).count()}
    };
}

std::string json_text_of(const redis::peeked_element& one)
{
    return json_of_element(one.bytes);
}

}  // namespace

std::vector<std::string> table_of(
    const std::vector<redis::queue_info>& queues,
    std::size_t columns
)
{
    using queue = redis::queue_info;
    const auto state = [](const queue& q) -> std::string {
        return q.status.is_closed ? "closed" : "open";
    };
    const auto age = [](const queue& q) {
        return q.status.age ? format_duration(*q.status.age) : "-";
    };
    const std::vector<column<queue>> shown{
        {"queue", [](const queue& q) { return q.name; }, 0, '<'},
        {"kind", [](const queue& q) { return std::string(name_of(q.kind)); }, 1, '<'},
        {"state", state, 6, '<'},
        {"size", [](const queue& q) { return std::to_string(q.status.size); }},
        {"capacity", [](const queue& q) { return std::to_string(q.status.capacity); }, 2},
        {"leased", [](const queue& q) { return std::to_string(q.status.leased); }, 5},
        {"age", age, 4},
        {"redelivered",
         [](const queue& q) { return std::to_string(q.status.redelivered); },
         3},
        {"dead letters",
         [](const queue& q) { return std::to_string(q.status.dead_letters); }}
    };
    return table_lines(cli::table_of(queues, shown), columns);
}

std::vector<std::string> table_of(const std::vector<redis::peeked_element>& elements)
{
    using element = redis::peeked_element;
    const auto reason = [](const element& e) {
        return e.reason.empty() ? "-" : e.reason;
    };
    const std::vector<column<element>> shown{
        {"delivered", [](const element& e) { return std::to_string(e.deliveries); }},
        {"reason", reason, 0, '<'},
        {"element", json_text_of, 0, '<'}
    };
    return table_lines(cli::table_of(elements, shown));
}

std::string json_lines_of(const std::vector<redis::peeked_element>& elements)
{
    std::string lines;
    for (const redis::peeked_element& each : elements) {
        ordered_json reason;  // null if there is none
        if (!each.reason.empty())
            reason = each.reason;
        // the element as it is written: its numbers keep their digits
        lines += "{\"deliveries\":" + std::to_string(each.deliveries) +
                 ",\"reason\":" + reason.dump() + ",\"element\":" + json_text_of(each) +
                 "}\n";
    }
    return lines;
}

std::string json_of(const std::vector<redis::queue_info>& queues, int indent)
{
    ordered_json all = ordered_json::array();
    for (const redis::queue_info& queue : queues)
        all.push_back(object_of(queue));
    return all.dump(indent, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace sluice::cli
