// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/output.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstddef>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::pipeline {

/// What one worker of a stage works with: its input, its output, and the state of the run.
/**
 * A pipeline makes one for each worker; a test of a stage may derive its own.
 *
 * @par Errors         after a stop read() and write() throw condition::clean_stop codes or
 *                     operation_aborted; let them pass.
 * @par Object lifetime  as long as the work() it was given to.
 * @par Thread safety  one operation at a time; should_stop() from any thread.
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
    /// written will be worked off, or because the pipeline was stopped. Other stages end when
    /// their input does. With a std::stop_callback it ends a wait for something else.
    [[nodiscard]] virtual std::stop_token stop_token() const noexcept = 0;

    /// Whether a source should end now.
    [[nodiscard]] bool should_stop() const noexcept
    {
        return stop_token().stop_requested();
    }

    /// Whether the runner has an output queue.
    [[nodiscard]] virtual bool has_output() const noexcept = 0;

    /// Takes what is there, at least one element and at most `max`; nothing at the end of
    /// the input.
    [[nodiscard]] virtual boost::asio::awaitable<std::vector<element>> read(
        std::size_t max = batch_size
    ) = 0;

    /// Takes `count` elements, fewer at the end of the input.
    [[nodiscard]] virtual boost::asio::awaitable<std::vector<element>> read_up_to(
        std::size_t count
    ) = 0;

    /// Puts all elements into the output, in order, waiting for room. The vector is left
    /// empty and keeps its memory.
    [[nodiscard]] virtual boost::asio::awaitable<void> write(
        std::vector<element>& elements
    ) = 0;

    /// Where results are printed; use it inside blocking().
    [[nodiscard]] virtual output& out() const noexcept = 0;

    /// Runs `function` on the worker's own thread, which may block, and gives its result.
    /**
     * The threads of the event loop never wait for files or for children.
     * @param function  a callable; what it refers to must live until the co_await ends.
     * @throws what `function` throws.
     * @par Cancellation  waits for the end of `function` all the same.
     */
    template <class Function>
    [[nodiscard]] boost::asio::awaitable<std::invoke_result_t<Function&>> blocking(
        Function function
    )
    {
        // Completes only when the function has ended, so what it refers to stays alive. A
        // cancellation must not get through: co_spawn would pass it on to the other thread,
        // where it may arrive after the end (Boost 1.81).
        co_return co_await boost::asio::co_spawn(
            blocking_thread(),
            call(std::move(function)),
            boost::asio::bind_cancellation_slot(
                boost::asio::cancellation_slot(),
                boost::asio::use_awaitable
            )
        );
    }

private:
    template <class Function>
    static boost::asio::awaitable<std::invoke_result_t<Function&>> call(Function function)
    {
        co_return function();
    }

    // One thread, made by the first call.
    virtual boost::asio::thread_pool& blocking_thread() = 0;
};

}  // namespace sluice::pipeline
