// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/process/line_filter.hpp"

#include "text/number.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <stop_token>
#include <sys/eventfd.h>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

constexpr std::size_t piece_size = 64 * 1024;
constexpr std::size_t kept_errors = 8 * 1024;
constexpr std::ptrdiff_t shown_error_lines = 10;

// Runs two coroutines on the executor of their caller until both have ended, and cancels one
// if the other fails. Unlike the operator && of Asio it throws the error that came first, as
// it is; the other one is mostly that of the cancellation.
asio::awaitable<void> both(asio::awaitable<void> first, asio::awaitable<void> second)
{
    const auto strand = co_await asio::this_coro::executor;
    auto group = asio::experimental::make_parallel_group(
        asio::co_spawn(strand, std::move(first), asio::deferred),
        asio::co_spawn(strand, std::move(second), asio::deferred)
    );
    const auto [order, first_error, second_error] = co_await group.async_wait(
        asio::experimental::wait_for_one_error(),
        asio::use_awaitable
    );
    const std::array errors{first_error, second_error};
    for (const std::size_t index : order)
        if (errors[index])
            std::rethrow_exception(errors[index]);
}

// Reads once; nothing at the end.
asio::awaitable<std::string_view> read_some(
    asio::posix::stream_descriptor& from,
    std::vector<char>& buffer
)
{
    const auto [error, count] = co_await from.async_read_some(
        asio::buffer(buffer),
        asio::as_tuple(asio::use_awaitable)
    );
    if (error && error != asio::error::eof)
        throw boost::system::system_error(error, "cannot read from a command");
    co_return std::string_view(buffer.data(), error ? 0 : count);
}

// Waits for two operations, and cancels the other when one ends; gives the order of their
// ends and their results.
template <class First, class Second>
auto until_one_ends(First first, Second second)
{
    return asio::experimental::make_parallel_group(std::move(first), std::move(second))
        .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
}

// Makes lines of a text that comes in pieces. A line ends with a newline, or with a carriage
// return and a newline; neither belongs to it. The last one may lack its end.
class line_splitter
{
public:
    // Calls `line` with a std::string for each line that is complete with this piece.
    template <class Line>
    void split(std::string_view piece, const Line& line)
    {
        for (auto end = piece.find('\n'); end != piece.npos; end = piece.find('\n')) {
            begun_ += piece.substr(0, end);
            piece.remove_prefix(end + 1);
            if (begun_.ends_with('\r'))
                begun_.pop_back();
            line(std::exchange(begun_, {}));
        }
        begun_ += piece;
    }

    // The text has ended: calls `line` with what is left, if anything is.
    template <class Line>
    void finish(const Line& line)
    {
        if (!begun_.empty())
            line(std::exchange(begun_, {}));
    }

    // The bytes of the line whose end has not come yet. A carriage return may belong to that.
    [[nodiscard]] std::size_t pending() const noexcept
    {
        return begun_.ends_with('\r') ? begun_.size() - 1 : begun_.size();
    }

private:
    std::string begun_;  // the line whose end has not come yet
};

// The last lines of a text, each indented.
std::string last_lines(const std::string& text)
{
    std::vector<std::string> lines;
    line_splitter splitter;
    const auto keep = [&lines](std::string line) { lines.push_back(std::move(line)); };
    splitter.split(text, keep);
    splitter.finish(keep);
    const auto shown = std::min(std::ssize(lines), shown_error_lines);
    std::string result;
    std::for_each(lines.end() - shown, lines.end(), [&result](const std::string& line) {
        result += fmt::format("\n    {}", line);
    });
    return result;
}

}  // namespace

line_filter::line_filter(
    const asio::any_io_executor& strand,
    std::unique_ptr<child_process> child,
    stage_context& context,
    std::optional<std::vector<element>> only,
    std::string name,
    filter_rules rules
)
    : child_(std::move(child)),
      context_(context),
      only_(std::move(only)),
      name_(std::move(name)),
      rules_(rules),
      input_(strand, child_->input.release()),
      output_(strand, child_->output.release()),
      errors_(strand, child_->errors.release()),
      end_event_(strand, child_->end_event.release()),
      over_(strand, asio::steady_timer::time_point::max())
{
}

asio::awaitable<void> line_filter::run()
{
    co_await both(feed(), watch());
    // Only now, because something may have been written after its end.
    const bool has_left = input_left_ || child_->unread_input() > 0;
    if (has_left && rules_.left == left_input::is_error)
        fail("ended before it had read its input; \"may_end_early\" allows that");
}

asio::awaitable<void> line_filter::run_as_source(std::chrono::nanoseconds kill_after)
{
    co_await both(end_on_stop(kill_after), watch());
}

// The others of its group, too, may go on when it has ended.
asio::awaitable<void> line_filter::terminate(std::chrono::nanoseconds kill_after)
{
    if (ended_)
        co_return;
    (void)co_await ask_to_end(kill_after, wait_for_end(asio::deferred));
    child_->send_signal(SIGKILL);
    co_await wait_for_end(asio::use_awaitable);
    ended_ = child_->reap();
}

// Asks all of its group to end, once, and waits for `end`, or for the time that they have since.
// Gives whether that has passed.
template <class End>
asio::awaitable<bool> line_filter::ask_to_end(
    std::chrono::nanoseconds kill_after,
    End end
)
{
    if (!patience_) {
        asked_to_end_ = !child_->has_ended();
        child_->send_signal(SIGTERM);
        patience_.emplace(end_event_.get_executor(), kill_after);
    }
    const auto [order, end_error, time_error] =
        co_await until_one_ends(std::move(end), patience_->async_wait(asio::deferred));
    co_return !time_error;
}

// The child is over when its output is, too: what it has started may go on writing.
asio::awaitable<void> line_filter::end_on_stop(std::chrono::nanoseconds kill_after)
{
    input_.close();
    // A stop comes from any thread and must not need memory, so it writes to a descriptor.
    asio::posix::stream_descriptor stop(
        end_event_.get_executor(),
        ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)
    );
    const std::stop_callback wake(
        context_.stop_token(),
        [event = stop.native_handle()]() noexcept { (void)::eventfd_write(event, 1); }
    );
    co_await until_one_ends(
        over_.async_wait(asio::deferred),
        stop.async_wait(stop.wait_read, asio::deferred)
    );
    if (!context_.should_stop() || ended_)
        co_return;
    // If a stop comes meanwhile, terminate() waits for the rest of the time.
    if (co_await ask_to_end(kill_after, over_.async_wait(asio::deferred)))
        child_->send_signal(SIGKILL);
}

asio::awaitable<void> line_filter::feed()
{
    while (!input_left_) {
        std::vector<element> taken = co_await read();
        if (taken.empty())
            break;
        const std::string lines = lines_of(taken);
        input_left_ = ended_ || !co_await send(lines);
    }
    input_.close();
    if (input_left_ && rules_.left == left_input::is_dropped)
        co_await drop_input();
}

asio::awaitable<std::vector<element>> line_filter::read()
{
    if (only_)
        co_return std::exchange(*only_, {});
    co_return co_await context_.read();
}

std::string line_filter::lines_of(const std::vector<element>& elements) const
{
    try {
        return to_lines(elements, rules_.lines);
    } catch (const refused_line& refused) {
        throw refused_line(fmt::format(
            "the command \"{}\" cannot be given an element: {}",
            name_,
            refused.what()
        ));
    }
}

// Gives whether all of it has been written: a child that has ended reads no more.
asio::awaitable<bool> line_filter::send(const std::string& lines)
{
    const auto [order, write_error, written, end_error] = co_await until_one_ends(
        asio::async_write(input_, asio::buffer(lines), asio::deferred),
        wait_for_end(asio::deferred)
    );
    if (const auto error = order.front() == 0 ? write_error : end_error)
        throw boost::system::system_error(error, "cannot write to a command");
    co_return !write_error;
}

asio::awaitable<void> line_filter::drop_input()
{
    std::vector<element> taken;
    do
        taken = co_await read();
    while (!taken.empty());
}

asio::awaitable<void> line_filter::watch()
{
    co_await both(pass_on_output(), keep_errors());
    co_await wait_for_end(asio::use_awaitable);
    ended_ = child_->reap();
    over_.cancel();
    if (!ended_->is_success() && !asked_to_end_)
        fail(to_string(*ended_));
}

asio::awaitable<void> line_filter::pass_on_output()
{
    std::vector<char> buffer(piece_size);
    line_splitter lines;
    std::vector<element> out;
    bool is_too_long = false;
    const auto add = [&](std::string line) {
        is_too_long = is_too_long || line.size() > rules_.longest_record;
        if (!is_too_long)
            out.emplace_back(std::move(line));
    };
    while (true) {
        const std::string_view piece = co_await read_some(output_, buffer);
        if (!piece.empty())
            lines.split(piece, add);
        else if (!asked_to_end_)  // or the last line may have been cut
            lines.finish(add);
        if (!out.empty())
            co_await give(out);
        if (is_too_long || lines.pending() > rules_.longest_record)
            fail(fmt::format(
                "writes a line of more than {}, which \"longest_record\" can raise",
                text::byte_size_text(rules_.longest_record)
            ));
        if (piece.empty())
            co_return;
    }
}

// Without an output it prints them.
asio::awaitable<void> line_filter::give(std::vector<element>& lines)
{
    if (context_.has_output()) {
        co_await context_.write(lines);
        co_return;
    }
    const std::string text = to_lines(lines, {});
    lines.clear();
    co_await context_.blocking([&] { context_.out().write(text); });
}

asio::awaitable<void> line_filter::keep_errors()
{
    std::vector<char> buffer(piece_size);
    while (true) {
        const std::string_view piece = co_await read_some(errors_, buffer);
        if (piece.empty())
            co_return;
        last_errors_ += piece;
        if (last_errors_.size() > kept_errors)
            last_errors_.erase(0, last_errors_.size() - kept_errors);
    }
}

void line_filter::fail(const std::string& what) const
{
    std::string message = fmt::format("the command \"{}\" {}", name_, what);
    if (!last_errors_.empty())
        message += "; the end of its error output:" + last_lines(last_errors_);
    throw command_failed(message);
}

}  // namespace sluice::pipeline
