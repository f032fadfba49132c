// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/process/concurrently.hpp"

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

// Two coroutines on the executor of the one that waits for them, which is a strand, so that
// their cancellation is emitted where they run.
class pair_of_coroutines : public std::enable_shared_from_this<pair_of_coroutines>
{
public:
    explicit pair_of_coroutines(const asio::any_io_executor& strand)
        : strand_(strand), ends_(strand, {.capacity = 2, .name = "ends"})
    {
    }

    void start(asio::awaitable<void> coroutine, asio::cancellation_signal& signal)
    {
        asio::co_spawn(
            strand_,
            std::move(coroutine),
            asio::bind_cancellation_slot(
                signal.slot(),
                [self = shared_from_this()](std::exception_ptr error) {
                    (void)self->ends_.try_enqueue(std::move(error));  // there is room
                }
            )
        );
    }

    // Waits for the end of one, and gives what it ended with.
    asio::awaitable<std::exception_ptr> next_end() { co_return co_await ends_.dequeue(); }

    void cancel()
    {
        first.emit(asio::cancellation_type::terminal);
        second.emit(asio::cancellation_type::terminal);
    }

    asio::cancellation_signal first;
    asio::cancellation_signal second;

private:
    const asio::any_io_executor strand_;
    fifo_queue<std::exception_ptr> ends_;
};

enum class cancel_the_other
{
    if_one_fails,
    if_one_ends
};

// Waits for both in any case, because both use what belongs to the caller.
asio::awaitable<std::vector<std::exception_ptr>> run(
    asio::awaitable<void> a,
    asio::awaitable<void> b,
    cancel_the_other when
)
{
    const auto both = std::make_shared<pair_of_coroutines>(
        co_await asio::this_coro::executor
    );
    both->start(std::move(a), both->first);
    both->start(std::move(b), both->second);
    std::vector<std::exception_ptr> ends;
    bool cancelled = false;
    while (ends.size() < 2) {
        bool interrupted = false;
        try {
            ends.push_back(co_await both->next_end());
        } catch (const boost::system::system_error&) {
            interrupted = true;
        }
        if (interrupted)
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation(
            ));
        if (interrupted || ends.back() || when == cancel_the_other::if_one_ends)
            both->cancel();
        cancelled = cancelled || interrupted;
    }
    if (cancelled)
        throw boost::system::system_error(asio::error::operation_aborted);
    co_return ends;
}

}  // namespace

asio::awaitable<void> both(asio::awaitable<void> a, asio::awaitable<void> b)
{
    const auto ends =
        co_await run(std::move(a), std::move(b), cancel_the_other::if_one_fails);
    for (const std::exception_ptr& each : ends)
        if (each)
            std::rethrow_exception(each);
}

asio::awaitable<void> either(asio::awaitable<void> a, asio::awaitable<void> b)
{
    const auto ends =
        co_await run(std::move(a), std::move(b), cancel_the_other::if_one_ends);
    if (ends.front())
        std::rethrow_exception(ends.front());
}

}  // namespace sluice::pipeline
