// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/queues_command.hpp"

#include "cli/terminal.hpp"
#include "cli/text_format.hpp"
#include "cli/with_redis/drain_queue.hpp"
#include "cli/with_redis/queue_list.hpp"
#include "io/io.hpp"
#include "pipeline/words.hpp"
#include "text/printable.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_administration.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
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
using pipeline::detail::counted;
using pipeline::detail::in_quotes;
using infos = std::vector<redis::queue_info>;

namespace {

void write(std::string_view text)
{
    io::write_all(STDOUT_FILENO, text, "standard output");
}

// Names are shown without effect on the terminal.
void print(const std::string& lines)
{
    write(text::printable_lines(lines));
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
        : timer_(context), server_(connect(context, arguments.url)), arguments_(arguments)
    {
    }

    asio::awaitable<void> run()
    {
        switch (arguments_.action) {
        case queues_action::list:
            return list();
        case queues_action::watch:
            return watch();
        case queues_action::peek:
            return peek();
        case queues_action::drain:
            return drain();
        case queues_action::requeue:
            return requeue();
        case queues_action::close:
            return close();
        case queues_action::remove:
            return remove();
        }
        throw std::logic_error("an action that is none");
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

    asio::awaitable<void> list()
    {
        const infos found = co_await look();
        if (arguments_.json)
            write(json_of(found, 2));
        else if (found.empty())
            print(fmt::format("there are no queues on {}\n", server_.address()));
        else
            print(table_text(found));
    }

    asio::awaitable<void> watch()
    {
        terminal_lines lines(STDOUT_FILENO);
        const bool is_redrawn = !arguments_.json && is_terminal(STDOUT_FILENO);
        for (bool is_first = true;; is_first = false) {
            const infos found = co_await look();
            if (arguments_.json)
                write(json_of(found, -1));
            else if (is_redrawn)
                lines.draw(fitting(found));
            else
                print((is_first ? "" : "\n") + table_text(found));
            timer_.expires_after(arguments_.interval);
            co_await timer_.async_wait(asio::use_awaitable);
        }
    }

    // A line that is broken, or above the screen, could not be redrawn.
    static std::vector<std::string> fitting(const infos& found)
    {
        const terminal_size size = size_of_terminal(STDOUT_FILENO);
        std::vector<std::string> lines = table_of(found, size.columns);
        if (lines.size() >= size.lines)
            lines.resize(size.lines - 1);
        for (std::string& line : lines)
            line = cut(line, size.columns);
        return lines;
    }

    static std::string table_text(const infos& found)
    {
        return fmt::format(
            "{}\n",
            fmt::join(table_of(found, columns_for(STDOUT_FILENO)), "\n")
        );
    }

    asio::awaitable<void> peek()
    {
        const infos found = co_await look();
        const auto part = arguments_.dead_letters ? redis::queue_part::dead_letters
                                                  : redis::queue_part::waiting;
        for (const redis::queue_info& queue : found) {
            const auto elements =
                co_await server_.peek(queue.name, part, arguments_.count.value_or(10));
            if (!elements)
                continue;  // it was deleted just now
            if (arguments_.json)
                write(json_lines_of(*elements));
            else
                print(peeked_text(queue, *elements));
        }
    }

    // As much of each element as a line of the terminal shows.
    [[nodiscard]] std::string peeked_text(
        const redis::queue_info& queue,
        const std::vector<redis::peeked_element>& elements
    ) const
    {
        const std::size_t there =
            arguments_.dead_letters
                ? queue.status.dead_letters
                : queue.status.size - std::min(queue.status.size, queue.status.leased);
        std::string text = fmt::format(
            "{}: {} of {}\n",
            queue.name,
            elements.size(),
            counted(there, arguments_.dead_letters ? "dead letter" : "element")
        );
        for (const std::string& line : table_of(elements))
            text += cut(line, columns_for(STDOUT_FILENO)) + '\n';
        return text;
    }

    asio::awaitable<void> requeue()
    {
        const infos found = co_await look();
        for (const redis::queue_info& queue : found) {
            const auto done = co_await server_.requeue(
                queue.name,
                arguments_.count.value_or(std::numeric_limits<std::size_t>::max())
            );
            if (!done)
                continue;  // it was deleted just now
            print(fmt::format(
                "{}: {} requeued, {} left\n",
                queue.name,
                counted(done->count, "dead letter"),
                done->left
            ));
        }
    }

    asio::awaitable<void> drain()
    {
        const infos found = co_await look();
        for (const redis::queue_info& queue : found) {
            element_sink sink = [](std::string_view) {};
            if (arguments_.json)
                sink = [](std::string_view bytes) { write(line_of_json(bytes)); };
            const std::size_t count = co_await drain_one(queue, std::move(sink));
            co_await tell_of_drain(queue.name, count);
        }
    }

    asio::awaitable<std::size_t> drain_one(redis::queue_info queue, element_sink sink)
    {
        try {
            co_return co_await drain_queue(
                arguments_.url,
                std::move(queue),
                arguments_.dead_letters,
                std::move(sink)
            );
        } catch (const system_error& error) {
            rethrow_with_address(error, server_.address());
        }
    }

    // Beside the elements on standard output, the message goes elsewhere.
    asio::awaitable<void> tell_of_drain(std::string name, std::size_t count)
    {
        std::string text = fmt::format(
            "{}: {} {}",
            name,
            counted(count, arguments_.dead_letters ? "dead letter" : "element"),
            arguments_.json ? "printed" : "discarded"
        );
        const auto left = co_await server_.find(name);
        if (left && !arguments_.dead_letters && left->status.size > 0)
            text += fmt::format(
                "; {} left, {} of them with consumers",
                left->status.size,
                left->status.leased
            );
        text += '\n';
        if (arguments_.json)
            show_message(text);
        else
            print(text);
    }

    asio::awaitable<void> close()
    {
        const infos found = co_await look();
        for (const redis::queue_info& queue : found) {
            co_await server_.close(queue.name);
            print(fmt::format(
                "{}: closed, {} left\n",
                queue.name,
                counted(queue.status.size, "element")
            ));
        }
    }

    asio::awaitable<void> remove()
    {
        if (!arguments_.force) {
            const infos found = co_await look();
            for (const redis::queue_info& queue : found)
                refuse_if_filled(queue);
        }
        for (const std::string& name : arguments_.queues) {
            const bool was_there = co_await server_.remove(name);
            print(fmt::format("{}: {}\n", name, was_there ? "deleted" : "was not there"));
        }
    }

    static void refuse_if_filled(const redis::queue_info& queue)
    {
        const redis::queue_status& status = queue.status;
        if (status.size + status.dead_letters > 0)
            throw command_error(fmt::format(
                "sluice: the queue {} has {} and {}; drain it, or use --force",
                in_quotes(queue.name),
                counted(status.size, "element"),
                counted(status.dead_letters, "dead letter")
            ));
    }

    asio::steady_timer timer_;
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
