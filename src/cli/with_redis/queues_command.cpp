// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/remote_queues.hpp"
#include "cli/terminal.hpp"
#include "cli/text_format.hpp"
#include "cli/with_redis/drain_queue.hpp"
#include "io/io.hpp"
#include "pipeline/words.hpp"
#include "text/printable.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_administration.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::cli {

namespace asio = boost::asio;
using nlohmann::ordered_json;
using pipeline::detail::counted;
using pipeline::detail::in_quotes;
using infos = std::vector<redis::queue_info>;

namespace {

void write(std::string_view text)
{
    io::write_all(STDOUT_FILENO, text, "standard output");
}

// Names are shown without effect on the terminal.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values)
{
    write(text::printable_lines(fmt::format(format, std::forward<Values>(values)...)));
}

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

// What changes least stands last: a narrow terminal does without it.
std::vector<std::string> lines_of(const infos& queues, std::size_t columns)
{
    using queue = redis::queue_info;
    const auto state = [](const queue& q) -> std::string {
        return q.status.is_closed ? "closed" : "open";
    };
    const auto age = [](const queue& q) {
        return q.status.age ? format_duration(*q.status.age) : "-";
    };
    const std::vector<column<queue>> shown{
        {"queue", [](const queue& q) { return q.name; }},
        {"size", [](const queue& q) { return std::to_string(q.status.size); }},
        {"dead letters",
         [](const queue& q) { return std::to_string(q.status.dead_letters); }},
        {"leased", [](const queue& q) { return std::to_string(q.status.leased); }},
        {"state", state},
        {"age", age},
        {"redelivered",
         [](const queue& q) { return std::to_string(q.status.redelivered); }},
        {"capacity", [](const queue& q) { return std::to_string(q.status.capacity); }},
        {"kind", [](const queue& q) { return std::string(name_of(q.kind)); }}
    };
    return table_lines(table_of(queues, shown), columns);
}

// An object in a line. The element is as it was written: its numbers keep their digits.
std::string json_line_of(const redis::peeked_element& one)
{
    ordered_json reason;  // null if there is none
    if (!one.reason.empty())
        reason = one.reason;
    return fmt::format(
        "{{\"deliveries\":{},\"reason\":{},\"element\":{}}}\n",
        one.deliveries,
        reason.dump(),
        json_of_element(one.bytes)
    );
}

// One queue that is there, by its name.
const redis::queue_info& find(
    const infos& all,
    const std::string& name,
    const std::string& address
)
{
    std::vector<std::string> names;
    for (const redis::queue_info& each : all) {
        if (each.name == name)
            return each;
        names.push_back(each.name);
    }
    throw unknown_name("queue", name, names, "sluice queues " + address);
}

// What a queue says does not name its server.
[[noreturn]] void rethrow_with_address(
    const system_error& error,
    const std::string& address
)
{
    const std::string why = error.what();
    if (error.code().category() != redis::redis_category() ||
        why.find(address) != std::string::npos)
        throw;
    throw std::runtime_error(fmt::format("redis connection to {}: {}", address, why));
}

redis::administration connect(asio::io_context& context, const std::string& url)
{
    try {
        return {context.get_executor(), url};
    } catch (const system_error& error) {
        throw command_error(fmt::format("sluice: {}", error.what()));
    }
}

class queues_task
{
public:
    queues_task(asio::io_context& context, const queues_arguments& arguments)
        : server_(connect(context, arguments.url)), arguments_(arguments)
    {
    }

    asio::awaitable<void> run()
    {
        using enum queues_action;
        infos found;
        if (arguments_.action != remove || !arguments_.force)
            found = co_await look();
        if (arguments_.action == list)
            co_return write_list(found);
        if (arguments_.action == remove)
            co_return co_await remove_queues(found);
        for (const redis::queue_info& queue : found)
            switch (arguments_.action) {
            case peek:
                co_await peek_at(queue);
                break;
            case drain:
                co_await drain_one(queue);
                break;
            case requeue:
                co_await requeue_to(queue);
                break;
            default:
                co_await server_.close(queue.name);
                say("{}: closed, {} left\n", queue.name, elements(queue.status.size));
            }
    }

private:
    // Those that are named, or else all.
    asio::awaitable<infos> look()
    {
        infos all = co_await server_.queues();
        if (arguments_.queues.empty())
            co_return all;
        infos named;
        for (const std::string& name : arguments_.queues)
            named.push_back(find(all, name, server_.address()));
        co_return named;
    }

    void write_list(const infos& found)
    {
        if (arguments_.json) {
            ordered_json all = ordered_json::array();
            for (const redis::queue_info& queue : found)
                all.push_back(object_of(queue));
            // Bytes of a name that are not UTF-8 become U+FFFD.
            write(all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n');
        } else if (found.empty()) {
            say("there are no queues on {}\n", server_.address());
        } else {
            const auto lines = lines_of(found, columns_for(STDOUT_FILENO));
            say("{}\n", fmt::join(lines, "\n"));
        }
    }

    // "3 elements", or what else is meant.
    [[nodiscard]] std::string elements(std::size_t count) const
    {
        return counted(count, arguments_.dead_letters ? "dead letter" : "element");
    }

    // With --json there are the elements only.
    asio::awaitable<void> peek_at(const redis::queue_info& queue)
    {
        const bool is_dead = arguments_.dead_letters;
        const auto part = is_dead ? redis::queue_part::dead_letters
                                  : redis::queue_part::waiting;
        const auto found =
            co_await server_.peek(queue.name, part, arguments_.count.value_or(10));
        if (!found)
            co_return;  // it was deleted just now
        std::string lines;
        for (const redis::peeked_element& each : *found)
            lines += json_line_of(each);
        if (arguments_.json)
            co_return write(lines);
        const redis::queue_status& status = queue.status;
        const std::size_t there = is_dead ? status.dead_letters
                                          : status.size -
                                                std::min(status.size, status.leased);
        say("{}: {} of {}\n{}", queue.name, found->size(), elements(there), lines);
    }

    asio::awaitable<void> requeue_to(const redis::queue_info& queue)
    {
        constexpr auto all = std::numeric_limits<std::size_t>::max();
        const auto done =
            co_await server_.requeue(queue.name, arguments_.count.value_or(all));
        if (done)  // otherwise it was deleted just now
            say("{}: {} requeued, {} left\n",
                queue.name,
                counted(done->count, "dead letter"),
                done->left);
    }

    // Beside the elements on standard output, the message goes elsewhere.
    asio::awaitable<void> drain_one(const redis::queue_info& queue)
    {
        element_sink sink = [](std::string_view) {};
        if (arguments_.json)
            sink = [](std::string_view bytes) { write(json_of_element(bytes) + '\n'); };
        std::size_t count = 0;
        try {
            count = co_await drain_queue(
                arguments_.url,
                queue,
                arguments_.dead_letters,
                std::move(sink)
            );
        } catch (const system_error& error) {
            rethrow_with_address(error, server_.address());
        }
        const char* const what = arguments_.json ? "printed" : "discarded";
        std::string text = fmt::format("{}: {} {}", queue.name, elements(count), what);
        const auto left = co_await server_.find(queue.name);
        if (left && !arguments_.dead_letters && left->status.size > 0)
            text += fmt::format(
                "; {} left, {} of them with consumers",
                left->status.size,
                left->status.leased
            );
        if (arguments_.json)
            show_message(text + '\n');
        else
            say("{}\n", text);
    }

    asio::awaitable<void> remove_queues(const infos& found)
    {
        for (const redis::queue_info& queue : found)
            if (queue.status.size + queue.status.dead_letters > 0)
                throw command_error(fmt::format(
                    "sluice: the queue {} has {} and {}; drain it, or use --force",
                    in_quotes(queue.name),
                    counted(queue.status.size, "element"),
                    counted(queue.status.dead_letters, "dead letter")
                ));
        for (const std::string& name : arguments_.queues) {
            const bool was_there = co_await server_.remove(name);
            say("{}: {}\n", name, was_there ? "deleted" : "was not there");
        }
    }

    redis::administration server_;
    const queues_arguments& arguments_;
};

}  // namespace

exit_status queues_command(const queues_arguments& arguments)
{
    asio::io_context context(1);
    queues_task task(context, arguments);
    std::exception_ptr failure;
    asio::co_spawn(context, task.run(), [&failure](std::exception_ptr error) {
        failure = std::move(error);
    });
    context.run();
    if (failure)
        std::rethrow_exception(failure);
    return exit_status::done;
}

}  // namespace sluice::cli
