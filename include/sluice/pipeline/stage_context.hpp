// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/element_key.hpp>
#include <sluice/pipeline/error_policy.hpp>
#include <sluice/pipeline/output.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::pipeline {

/// How many elements a stage takes from its input.
struct read_request
{
    /// At most so many. Without `fill`: what is there, at least one.
    std::size_t most;

    /// Whether it waits for all of them. At the end of the input there are fewer.
    bool fill = false;

    /// With `fill`: how long it waits after the first of them has come; empty: without a limit.
    std::optional<std::chrono::nanoseconds> linger = std::nullopt;
};

/// What one worker of a stage works with: its input, its output, and the state of the run.
/**
 * A pipeline makes one for each worker; a test of a stage may derive its own.
 *
 * @par Example
 * @code
 * asio::awaitable<void> work(sluice::pipeline::stage_context& context)
 * {
 *     for (;;) {
 *         auto elements = co_await context.read();
 *         if (elements.empty())
 *             co_return;  // the end of the input
 *         co_await context.blocking([&] { change(elements); });
 *         co_await context.write(elements);  // waits for room
 *     }
 * }
 * @endcode
 *
 * @par Errors         after a stop read() and write() throw condition::clean_stop codes or
 *                     operation_aborted; let them pass.
 * @par Object lifetime  as long as the work() it was given to.
 * @par Thread safety  one read and one write at a time, not on two threads; stop_token()
 *                     and should_stop() from any thread.
 */
class stage_context
{
public:
    /// How many elements travel at a time, unless a stage asks for another number.
    static constexpr std::size_t batch_size = 256;

    stage_context() = default;
    stage_context(const stage_context&) = delete;
    stage_context& operator=(const stage_context&) = delete;
    virtual ~stage_context() = default;

    /// The name of the runner, for messages.
    [[nodiscard]] virtual const std::string& runner() const noexcept = 0;

    /// Which of the workers this is, from 0.
    [[nodiscard]] virtual std::size_t worker() const noexcept = 0;

    /// Tells when a source should end: because the user asked for an end, and what it has
    /// written will be processed, or because the pipeline was stopped. Other stages end when
    /// their input does. With a std::stop_callback it ends a wait for something else.
    [[nodiscard]] virtual std::stop_token stop_token() const noexcept = 0;

    /// Whether a source should end now.
    [[nodiscard]] bool should_stop() const noexcept
    {
        return stop_token().stop_requested();
    }

    /// Whether the runner has an input queue; a source has none.
    [[nodiscard]] virtual bool has_input() const noexcept { return true; }

    /// Whether the runner has an output queue.
    [[nodiscard]] virtual bool has_output() const noexcept = 0;

    /// Takes elements as asked for; none at the end of the input. The other forms call it.
    [[nodiscard]] virtual boost::asio::awaitable<std::vector<element>> take(
        read_request request
    ) = 0;

    /// Takes what is there, at least one element and at most `max`; nothing at the end of
    /// the input.
    [[nodiscard]] boost::asio::awaitable<std::vector<element>> read(
        std::size_t max = batch_size
    )
    {
        return take({.most = max});
    }

    /// Takes `count` elements, fewer at the end of the input.
    [[nodiscard]] boost::asio::awaitable<std::vector<element>> read_up_to(
        std::size_t count
    )
    {
        return take({.most = count, .fill = true});
    }

    /// Takes `count` elements, or what there is `linger` after the first of them came.
    [[nodiscard]] boost::asio::awaitable<std::vector<element>> read_up_to(
        std::size_t count,
        std::chrono::nanoseconds linger
    )
    {
        return take({.most = count, .fill = true, .linger = linger});
    }

    /// The name of the queue outside of the process from which it reads, and whose elements may be
    /// delivered again; empty if it has no such input.
    [[nodiscard]] virtual std::string_view remote_input() const noexcept { return {}; }

    /// What identifies each of the elements that the last read gave, in their order, until the next
    /// one; none unless remote_input() names a queue.
    [[nodiscard]] virtual std::span<const element_key> keys() const noexcept
    {
        return {};
    }

    /// Puts all elements into the output, in order, waiting for room. The vector is left
    /// empty and keeps its memory.
    [[nodiscard]] virtual boost::asio::awaitable<void> write(
        std::vector<element>& elements
    ) = 0;

    /// What to do about an element that the stage cannot process: let the exception pass, or
    /// skip() the element and go on.
    [[nodiscard]] virtual error_action on_error() const noexcept
    {
        return error_action::fail;
    }

    /// Leaves out an element that the stage cannot process.
    /**
     * Counts it, and with error_action::divert puts it into the queue for such elements,
     * waiting for room.
     *
     * @param refused  the element as it was; may be empty unless on_error() is
     *                 error_action::divert.
     * @param reason   what is wrong with it.
     * @throws std::runtime_error  with the reason, if on_error() is error_action::fail.
     */
    [[nodiscard]] virtual boost::asio::awaitable<void> skip(
        element refused,
        std::string reason
    )
    {
        (void)refused;
        throw std::runtime_error(reason);
        co_return;
    }

    /// Where results are printed; use it inside blocking().
    [[nodiscard]] virtual output& out() const noexcept = 0;

    /// Runs `function` on the worker's own thread, which may block, and gives its result.
    /**
     * The threads of the event loop never wait for files or for children.
     * @param function  a callable; what it refers to must live until the co_await ends.
     * @throws what `function` throws.
     * @par Cancellation  drops a `function` that has not begun; waits for the end of one that has.
     */
    template <class Function>
    [[nodiscard]] boost::asio::awaitable<std::invoke_result_t<Function&>> blocking(
        Function function
    )
    {
        if constexpr (std::is_void_v<std::invoke_result_t<Function&>>) {
            co_await run_blocking(std::ref(function));
        } else {
            std::optional<std::invoke_result_t<Function&>> result;
            co_await run_blocking([&] { result.emplace(function()); });
            co_return std::move(*result);
        }
    }

private:
    // Does not return before the function has, if that has begun, whatever happens.
    virtual boost::asio::awaitable<void> run_blocking(std::function<void()> function) = 0;
};

}  // namespace sluice::pipeline
