// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/coordination/with_tasks.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

// A scope on several threads ends in every way at the same time: its body returns or throws, a
// task fails, a stop comes from a task, and the coroutine that awaits it is cancelled. It ends
// once, when nothing of it runs any more, and never takes a cut for a result.

namespace scopes_race_ends {

using namespace sluice;
using namespace sluice::stress;
namespace asio = boost::asio;
using asio::awaitable;

constexpr std::size_t races = scaled(4000);
constexpr int elements = 20;

// A local of the coroutine that awaits a scope: whether something of that still runs.
struct shared_local
{
    ~shared_local()
    {
        if (running != 0)
            std::terminate();
    }

    std::atomic<int> running = 0;
};

struct running_part
{
    explicit running_part(shared_local& of) : local(of) { ++local.running; }
    running_part(const running_part&) = delete;
    running_part& operator=(const running_part&) = delete;
    ~running_part() { --local.running; }

    shared_local& local;
};

// What the parts of a scope do, by chance.
struct plan
{
    explicit plan(dice& chance)
        : body_throws(chance.below(4) == 0),
          task_throws(chance.below(4) == 0),
          task_stops(chance.below(4) == 0),
          is_cancelled(chance.below(2) == 0),
          is_nested(chance.below(2) == 0),
          at(static_cast<int>(chance.below(elements)))
    {
    }

    bool body_throws;
    bool task_throws;
    bool task_stops;
    bool is_cancelled;
    bool is_nested;
    int at;
};

awaitable<void> produce(
    shared_local& local,
    fifo_queue<int>& numbers,
    const plan& p,
    coordinator& tasks
)
{
    const running_part mine(local);
    for (int i = 0; i < elements; ++i) {
        if (i == p.at && p.task_throws)
            throw std::runtime_error("task");
        if (i == p.at && p.task_stops)
            tasks.request_stop();
        co_await numbers.enqueue(i);
    }
    numbers.close();
}

// All numbers, in a scope of its own or in that of the caller.
awaitable<int> add_up(shared_local& local, fifo_queue<int>& numbers, const plan& p)
{
    const running_part mine(local);
    int sum = 0;
    while (const auto number = co_await numbers.next()) {
        if (*number == p.at && p.body_throws)
            throw std::runtime_error("body");
        sum += *number;
    }
    co_return sum;
}

awaitable<int> run_scope(io_context_pool& pool, plan p)
{
    shared_local local;
    fifo_queue<int> numbers(pool, {.capacity = 2});
    co_return co_await with_tasks(pool, [&](coordinator& tasks) -> awaitable<int> {
        tasks.close_on_stop(numbers);
        tasks.spawn("producer", produce(local, numbers, p, tasks));
        tasks.spawn("observer", [&]() -> awaitable<void> {
            const running_part mine(local);
            while (!numbers.is_closed())
                co_await asio::post(asio::use_awaitable);
        });
        if (p.is_nested)
            co_return co_await with_tasks(tasks, [&](auto&) {
                return add_up(local, numbers, p);
            });
        co_return co_await add_up(local, numbers, p);
    });
}

// Whether the scope has ended in one of the ways that the plan allows.
void check(std::future<int>& ended, const plan& p)
{
    require(ended.wait_for(patience) == std::future_status::ready, "the scope hangs");
    const bool is_cut = p.task_throws || p.task_stops || p.is_cancelled || p.body_throws;
    try {
        const int sum = ended.get();
        const bool is_complete = sum == elements * (elements - 1) / 2;
        require(is_complete || p.task_stops, "a cut is taken for a result");
    } catch (const system_error& error) {
        require(is_cut, error.what());
        const bool is_expected = (p.is_cancelled &&
                                  error.code() == asio::error::operation_aborted) ||
                                 (p.task_stops && error.code() == errc::stop_requested) ||
                                 (p.task_stops && p.is_nested &&
                                  error.code() == asio::error::operation_aborted);
        require(is_expected, error.what());
    } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        require(
            (p.body_throws && text == "body") || (p.task_throws && text == "task"),
            text
        );
    }
}

}  // namespace scopes_race_ends

BOOST_AUTO_TEST_SUITE(scopes_race_ends)

BOOST_AUTO_TEST_CASE(scope_ends_once_after_all_that_belongs_to_it)
{
    io_context_pool pool(4);
    dice chance(50);
    for (std::size_t i = 0; i < races; ++i) {
        const plan p(chance);
        const auto home = asio::make_strand(pool.get_executor());
        const auto signal = std::make_shared<asio::cancellation_signal>();
        std::promise<int> promise;
        auto ended = promise.get_future();
        asio::co_spawn(
            home,
            run_scope(pool, p),
            asio::bind_cancellation_slot(
                signal->slot(),
                [&promise](const std::exception_ptr& error, int sum) {
                    if (error)
                        promise.set_exception(error);
                    else
                        promise.set_value(sum);
                }
            )
        );
        if (p.is_cancelled)
            asio::post(home, [signal] {
                signal->emit(asio::cancellation_type::terminal);
            });
        check(ended, p);
        // The handler has run, but the strand may not have left it.
        std::promise<void> left;
        asio::post(home, [&left] { left.set_value(); });
        left.get_future().get();
    }
}

BOOST_AUTO_TEST_SUITE_END()
