// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/with_redis/queue_list.hpp"

#include "cli/text_format.hpp"
#include "cli/with_redis/drain_queue.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"

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

// A terminal that is narrow does without these.
constexpr std::array
    given_up_in_order{"kind", "capacity", "redelivered", "age", "leased", "state"};
constexpr std::size_t short_name = 20;  // is whole while there is a figure to give up
constexpr std::size_t gap = 2;          // of table_lines()

// Figures with their heads, of which the first is the name of the queue.
struct figure_table
{
    std::string alignments = "<<<>>>>>>";
    std::vector<table_row> rows;
};

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

figure_table whole_table(const std::vector<redis::queue_info>& queues)
{
    figure_table table;
    table.rows.push_back(
        {"queue",
         "kind",
         "state",
         "size",
         "capacity",
         "leased",
         "age",
         "redelivered",
         "dead letters"}
    );
    for (const redis::queue_info& queue : queues)
        table.rows.push_back(row_of(queue));
    return table;
}

std::size_t width_of(const figure_table& table, std::size_t column)
{
    std::size_t width = 0;
    for (const table_row& row : table.rows)
        width = std::max(width, text::columns_of(text::printable(row[column])));
    return width;
}

std::size_t room_for_names(const figure_table& table, std::size_t columns)
{
    std::size_t taken = 0;
    for (std::size_t i = 1; i < table.alignments.size(); ++i)
        taken += gap + width_of(table, i);
    return columns - std::min(columns, taken);
}

void leave_out(figure_table& table, std::string_view head)
{
    const auto& heads = table.rows.front();
    const auto column = std::ranges::find(heads, head) - heads.begin();
    table.alignments.erase(static_cast<std::size_t>(column), 1);
    for (table_row& row : table.rows)
        row.erase(row.begin() + column);
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

std::vector<std::string> table_of(const std::vector<redis::queue_info>& queues)
{
    figure_table table = whole_table(queues);
    return table_lines(table.alignments, std::move(table.rows));
}

std::vector<std::string> table_of(
    const std::vector<redis::queue_info>& queues,
    std::size_t columns
)
{
    figure_table table = whole_table(queues);
    const std::size_t least = std::min(width_of(table, 0), short_name);
    for (const char* const head : given_up_in_order)
        if (room_for_names(table, columns) < least)
            leave_out(table, head);
    const std::size_t room = room_for_names(table, columns);
    for (table_row& row : table.rows)
        row.front() = cut_to_end(row.front(), room);
    return table_lines(table.alignments, std::move(table.rows));
}

std::vector<std::string> table_of(const std::vector<redis::peeked_element>& elements)
{
    if (elements.empty())
        return {};
    std::vector<table_row> rows{{"delivered", "reason", "element"}};
    for (const redis::peeked_element& each : elements)
        rows.push_back(
            {std::to_string(each.deliveries),
             each.reason.empty() ? "-" : each.reason,
             json_text_of(each)}
        );
    return table_lines("><<", std::move(rows));
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
