// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/worker_state.hpp"
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::test {

/// Why: a stage is tested by what it makes of given elements, without queues around it.
/**
 * Everything happens on the thread that runs the io_context, but what is in blocking().
 */
class fake_stage_context final : public pipeline::stage_context
{
public:
    using element = pipeline::element;

    /// What write() throws if it fails.
    struct write_failed
    {
    };

    explicit fake_stage_context(
        boost::asio::io_context& context,
        std::vector<element> elements = {}
    )
        : input(std::move(elements)),
          changed_(context, boost::asio::steady_timer::time_point::max())
    {
    }

    /// What is left to be read.
    std::vector<element> input;
    /// Whether read() waits when there is no input left, instead of reporting the end.
    bool keeps_open = false;
    /// Whether the runner has an input queue.
    bool with_input = true;
    /// Whether the runner has an output queue.
    bool with_output = true;
    /// Whether write() throws.
    bool fails_to_write = false;
    /// The queue on a server from which the input comes; empty if from none.
    std::string queue;
    /// What identifies the elements of the input that are left, if that queue is set.
    std::vector<pipeline::element_key> input_keys;
    /// What was written.
    std::vector<element> output;
    /// What was printed.
    pipeline::memory_output printed;
    /// What happens to elements that the stage cannot process.
    pipeline::error_action action = pipeline::error_action::fail;
    /// What was left out.
    std::vector<element> skipped;
    /// Why it was left out.
    std::vector<std::string> reasons;
    /// How long the read that waits lingers.
    std::optional<std::chrono::nanoseconds> lingers_for;
    /// How often take() was called.
    std::size_t reads = 0;
    /// How often write() was called.
    std::size_t writes = 0;
    /// After how many calls of write() sources are asked to end.
    std::size_t stop_after_writes = std::numeric_limits<std::size_t>::max();
    /// Called when something is written.
    std::function<void()> before_write = [] {};
    /// Called before anything is done in blocking(), on the thread of the io_context.
    std::function<void()> before_blocking = [] {};

    /// The thread of blocking() ends, so that it posts to no io_context any more.
    void end_blocking() { thread_.join(); }

    /// The time of a read that lingers is over.
    void end_linger()
    {
        lingers_for.reset();
        changed_.cancel();
    }

    /// Adds input, which a read() may be waiting for.
    void add_input(element added)
    {
        input.push_back(std::move(added));
        changed_.cancel();
    }

    /// Lets read() report the end of the input.
    void end_input()
    {
        keeps_open = false;
        changed_.cancel();
    }

    /// Asks sources to end.
    void request_stop()
    {
        stop_.request_stop();
        changed_.cancel();
    }

    [[nodiscard]] const std::string& runner() const noexcept override { return name_; }
    [[nodiscard]] std::size_t worker() const noexcept override { return 0; }
    [[nodiscard]] std::stop_token stop_token() const noexcept override
    {
        return stop_.get_token();
    }
    [[nodiscard]] bool has_input() const noexcept override { return with_input; }
    [[nodiscard]] bool has_output() const noexcept override { return with_output; }
    [[nodiscard]] std::string_view remote_input() const noexcept override
    {
        return queue;
    }
    [[nodiscard]] std::span<const pipeline::element_key> keys() const noexcept override
    {
        return keys_;
    }
    [[nodiscard]] pipeline::error_action on_error() const noexcept override
    {
        return action;
    }
    [[nodiscard]] boost::asio::awaitable<void> skip(element refused, std::string reason)
        override
    {
        skipped.push_back(std::move(refused));
        reasons.push_back(std::move(reason));
        co_return;
    }
    [[nodiscard]] pipeline::output& out() const noexcept override
    {
        return const_cast<pipeline::memory_output&>(printed);
    }

    /// If it lingers, its time is over when end_linger() is called.
    [[nodiscard]] boost::asio::awaitable<std::vector<element>> take(
        pipeline::read_request request
    ) override
    {
        ++reads;
        lingers_for = request.linger;
        const std::size_t least = request.fill ? request.most : 1;
        while (input.size() < least && keeps_open && (!request.linger || lingers_for))
            co_await change();
        co_return take_out(request.most);
    }

    [[nodiscard]] boost::asio::awaitable<void> write(std::vector<element>& elements
    ) override
    {
        if (fails_to_write)
            throw write_failed();
        before_write();
        std::ranges::move(elements, std::back_inserter(output));
        elements.clear();
        if (++writes >= stop_after_writes)
            request_stop();
        changed_.cancel();
        co_return;
    }

    /// Waits until something is read, written or asked for.
    [[nodiscard]] boost::asio::awaitable<void> change()
    {
        // As_tuple, because cancel() wakes with an error; a real cancellation is thrown by
        // the next co_await of the caller, or here.
        co_await changed_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
        const auto state = co_await boost::asio::this_coro::cancellation_state;
        if (state.cancelled() != boost::asio::cancellation_type::none)
            throw boost::system::system_error(boost::asio::error::operation_aborted);
    }

private:
    std::vector<element> take_out(std::size_t count)
    {
        count = std::min(count, input.size());
        const auto end = input.begin() + static_cast<std::ptrdiff_t>(count);
        std::vector<element> taken(
            std::make_move_iterator(input.begin()),
            std::make_move_iterator(end)
        );
        input.erase(input.begin(), end);
        const auto keys = std::min(count, input_keys.size());
        const auto keys_end = input_keys.begin() + static_cast<std::ptrdiff_t>(keys);
        keys_.assign(input_keys.begin(), keys_end);
        input_keys.erase(input_keys.begin(), keys_end);
        return taken;
    }

    boost::asio::awaitable<void> run_blocking(std::function<void()> function) override
    {
        before_blocking();
        return thread_.run(std::move(function));
    }

    const std::string name_ = "tested";
    std::vector<pipeline::element_key> keys_;  // of what was read last
    std::stop_source stop_;
    boost::asio::steady_timer changed_;  // never expires; cancelled to wake who waits
    pipeline::blocking_thread thread_;
};

}  // namespace sluice::test
