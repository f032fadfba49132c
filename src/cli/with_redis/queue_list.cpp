// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/with_redis/queue_list.hpp"

#include "cli/text_format.hpp"
#include "cli/with_redis/drain_queue.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
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

table_row row_of(const redis::queue_info& queue)
{
    const redis::queue_status& status = queue.status;
    return {
        queue.name,
        name_of(queue.kind),
        status.is_closed ? "closed" : "open",
        std::to_string(status.size),
        std::to_string(status.capacity),
        std::to_string(status.leased),
        status.age ? format_duration(*status.age) : "-",
        std::to_string(status.redelivered),
        std::to_string(status.dead_letters)
    };
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
    std::string line = line_of_json(one.bytes);
    line.pop_back();  // its end
    return line;
}

}  // namespace

std::vector<std::string> table_of(
    const std::vector<redis::queue_info>& queues,
    std::size_t columns
)
{
    table shown{
        .alignments = "<<<>>>>>>",
        .rows =
            {{"queue",
              "kind",
              "state",
              "size",
              "capacity",
              "leased",
              "age",
              "redelivered",
              "dead letters"}},
        .spare = {1, 4, 7, 6, 5, 2}
    };
    for (const redis::queue_info& queue : queues)
        shown.rows.push_back(row_of(queue));
    return table_lines(std::move(shown), columns);
}

std::vector<std::string> table_of(const std::vector<redis::peeked_element>& elements)
{
    if (elements.empty())
        return {};
    table shown{.alignments = "><<", .rows = {{"delivered", "reason", "element"}}};
    for (const redis::peeked_element& each : elements)
        shown.rows.push_back(
            {std::to_string(each.deliveries),
             each.reason.empty() ? "-" : each.reason,
             json_text_of(each)}
        );
    return table_lines(std::move(shown));
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
