// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "commands.hpp"
#include "io/io.hpp"
#include "pipeline/words.hpp"
#include "pipeline_redis/redis_ends.hpp"
#include "pipeline_redis/redis_queues.hpp"
#include "terminal.hpp"
#include "text/printable.hpp"
#include <sluice/error.hpp>
#include <sluice/pipeline/json_value.hpp>
#include <sluice/redis/redis_administration.hpp>
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>

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
using namespace std::chrono_literals;
using nlohmann::ordered_json;
using pipeline::invalid_utf8;
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

ordered_json object_of(const redis::queue_info& queue)
{
    using seconds = std::chrono::duration<double>;
    constexpr const char* kinds[] = {"fifo", "priority", "shuffle"};
    const redis::queue_status& status = queue.status;
    ordered_json age;  // null if nothing waits
    if (status.age)
        age = seconds(*status.age).count();
    return {
        {"name", queue.name},
        {"kind", kinds[static_cast<std::size_t>(queue.kind)]},
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

std::vector<std::string> lines_of(const infos& queues)
{
    using std::to_string;
    std::vector<table_row> rows{
        {"queue",
         "size",
         "dead letters",
         "leased",
         "state",
         "age",
         "redelivered",
         "capacity"}
    };
    for (const redis::queue_info& each : queues) {
        const redis::queue_status& status = each.status;
        rows.push_back(
            {each.name,
             to_string(status.size),
             to_string(status.dead_letters),
             to_string(status.leased),
             status.is_closed ? "closed" : "open",
             status.age ? format_duration(*status.age) : "-",
             to_string(status.redelivered),
             to_string(status.capacity)}
        );
    }
    return table_lines(std::move(rows), columns_for(STDOUT_FILENO));
}

// The bytes of an element as JSON. What is no element of a pipeline is a text; bytes that are not
// UTF-8 become U+FFFD.
std::string json_of_element(std::string_view bytes)
{
    pipeline::json_value value;
    try {
        value = pipeline::element_codec::decode(bytes).to_json();
    } catch (const std::runtime_error&) {
        value = bytes;
    }
    return pipeline::to_json_text(value, invalid_utf8::replace);
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

// Bytes as they are: what no pipeline can read is drained, too.
using raw_queue = redis::queue<std::string>;

raw_queue open(redis::connection& server, const redis::queue_info& which)
{
    raw_queue::priority_function priority;
    if (which.kind == redis::queue_kind::priority)
        priority = [](const std::string&) { return 0; };  // nothing is put
    return raw_queue(
        server,
        {.name = which.name,
         .capacity = which.status.capacity,
         .kind = which.kind,
         .max_deliveries = which.max_deliveries,
         .min_after_dequeue = which.min_after_dequeue,
         .retry_delay = which.retry_delay,
         .max_retry_delay = which.max_retry_delay},
        std::move(priority)
    );
}

// A line of JSON for each. If that fails it is no fault of theirs.
void print(std::vector<redis::delivery<std::string>>& taken)
try {
    for (const auto& each : taken)
        write(json_of_element(each.value()) + '\n');
} catch (...) {
    for (auto& each : taken)
        each.forget();
    throw;
}

// Takes out what waits, but for what comes in later than this begins, and what consumers have.
// Prints it as JSON, or discards it. What cannot be printed is returned to the queue, with what was
// taken together with it. Returns how many elements it was.
asio::awaitable<std::size_t> drain(
    const queues_arguments& arguments,
    redis::queue_info which
)
{
    constexpr std::size_t largest_batch = 100;
    const std::size_t at_most = arguments.dead_letters ? which.status.dead_letters
                                                       : which.status.size;
    if (at_most == 0)
        co_return 0;
    redis::connection server(
        co_await asio::this_coro::executor,
        arguments.url,
        {.give_up_after = 5s}
    );
    raw_queue queue = open(server, which);
    raw_queue from = arguments.dead_letters ? queue.dead_letters() : std::move(queue);
    // Asking once for elements would not wait for a connection.
    static_cast<void>(co_await from.status());
    std::size_t count = 0;
    std::exception_ptr failure;
    try {
        while (count < at_most) {
            const std::size_t most = std::min(at_most - count, largest_batch);
            auto [error, taken] = co_await from.dequeue_some(most).within(0s).as_tuple();
            if (error.failed() && error != errc::timed_out && error != errc::end_of_queue)
                throw system_error(error);
            if (taken.empty())
                break;  // nothing waits, or nothing but what a shuffle queue keeps
            if (arguments.json)
                print(taken);
            co_await from.acknowledge(taken);
            count += taken.size();
        }
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        // what is returned is told to the server before the connection ends
        const auto [ignored] = co_await from.flush().within(3s).as_tuple();
        static_cast<void>(ignored);
        std::rethrow_exception(failure);
    }
    co_return count;
}

class queues_task
{
public:
    queues_task(asio::io_context& context, const queues_arguments& arguments)
    try : server_(context.get_executor(), arguments.url), arguments_(arguments) {
    } catch (const system_error& error) {
        throw command_error(fmt::format("sluice: {}", error.what()));
    }

    asio::awaitable<void> run()
    {
        const std::string& action = arguments_.action;
        infos found;
        if (action != "delete" || !arguments_.force)
            found = co_await look();
        if (action == "list")
            co_return write_list(found);
        if (action == "delete")
            co_return co_await remove_queues(found);
        for (const redis::queue_info& queue : found)
            if (action == "peek")
                co_await peek_at(queue.name);
            else if (action == "drain")
                co_await drain_one(queue);
            else if (action == "requeue")
                co_await requeue_to(queue.name);
            else {
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
        std::vector<std::string> names;
        for (const redis::queue_info& each : all)
            names.push_back(each.name);
        infos named;
        for (const std::string& name : arguments_.queues) {
            const auto queue = std::ranges::find(all, name, &redis::queue_info::name);
            if (queue == all.end())
                throw unknown_name(
                    "queue",
                    name,
                    names,
                    "sluice queues " + server_.address()
                );
            named.push_back(*queue);
        }
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
            say("{}\n", fmt::join(lines_of(found), "\n"));
        }
    }

    // "3 elements", or what else is meant.
    [[nodiscard]] std::string elements(std::size_t count) const
    {
        return counted(count, arguments_.dead_letters ? "dead letter" : "element");
    }

    asio::awaitable<void> peek_at(std::string name)
    {
        const auto part = arguments_.dead_letters ? redis::queue_part::dead_letters
                                                  : redis::queue_part::waiting;
        const auto found =
            co_await server_.peek(name, part, arguments_.count.value_or(10));
        if (!found)
            co_return;  // it was deleted just now
        for (const redis::peeked_element& each : *found)
            if (arguments_.json)
                write(json_line_of(each));
            else
                say("{}", json_line_of(each));
    }

    asio::awaitable<void> requeue_to(std::string name)
    {
        constexpr auto all = std::numeric_limits<std::size_t>::max();
        const auto done = co_await server_.requeue(name, arguments_.count.value_or(all));
        if (done)  // otherwise it was deleted just now
            say("{}: {} requeued, {} left\n",
                name,
                counted(done->count, "dead letter"),
                done->left);
    }

    // Beside the elements on standard output, the message goes elsewhere.
    asio::awaitable<void> drain_one(const redis::queue_info& queue)
    {
        const std::size_t count = co_await cli::drain(arguments_, queue);
        if (arguments_.json)
            show_message(fmt::format("{}: {} printed\n", queue.name, elements(count)));
        else
            say("{}: {} discarded\n", queue.name, elements(count));
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

pipeline::remote_queue_factory remote_queues()
{
    return pipeline::redis_queues();
}

pipeline::address_check remote_addresses()
{
    return pipeline::check_redis_address;
}

}  // namespace sluice::cli
