// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/with_redis/queue_list.hpp"

#include "cli/text_format.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
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
    const redis::queue_status& status = queue.status;
    ordered_json age;  // null if nothing waits
    if (status.age)
        age = std::chrono::duration<double>(*status.age).count();
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
        {"max_deliveries", queue.max_deliveries},
        {"min_after_dequeue", queue.min_after_dequeue}
    };
}

}  // namespace

std::vector<std::string> table_of(const std::vector<redis::queue_info>& queues)
{
    std::vector<table_row> rows{
        {"queue",
         "kind",
         "state",
         "size",
         "capacity",
         "leased",
         "age",
         "redelivered",
         "dead letters"}
    };
    for (const redis::queue_info& queue : queues)
        rows.push_back(row_of(queue));
    return table_lines("<<<>>>>>>", std::move(rows));
}

std::string json_of(const std::vector<redis::queue_info>& queues, int indent)
{
    ordered_json all = ordered_json::array();
    for (const redis::queue_info& queue : queues)
        all.push_back(object_of(queue));
    return all.dump(indent, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace sluice::cli
