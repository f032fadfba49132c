// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "schedules/scenarios.hpp"

#include "schedules/manual_time.hpp"
#include "schedules/world.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::schedules {

namespace {

using queue = sluice::fifo_queue<element>;

// Passes whenever an actor lets time pass.
constexpr ticks soon(1);

constexpr ticks for_ever = ticks::max();

// How long an operation waits.
ticks patience(world& w)
{
    return w.flip() ? soon : for_ever;
}

// Operations --------------------------------------------------------------------------------

struct failure : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

bool is_over(error_code error)
{
    return error == boost::asio::error::operation_aborted || error == errc::queue_closed;
}

void deliver(ledger& book, const std::optional<element>& e)
{
    if (e)
        book.deliver(*e);
}

void deliver(ledger& book, const std::vector<element>& batch)
{
    for (const element& e : batch)
        book.deliver(e);
}

void deliver(ledger& book, const std::optional<std::variant<element, element>>& taken)
{
    if (taken)
        std::visit([&](const element& e) { book.deliver(e); }, *taken);
}

template <class Operation>
asio::awaitable<error_code> take(Operation operation, ledger& book, ticks limit)
{
    const auto outcome = co_await std::move(operation).within(limit).as_tuple();
    deliver(book, std::get<std::tuple_size_v<decltype(outcome)> - 1>(outcome));
    co_return std::get<0>(outcome);
}

asio::awaitable<error_code> put(queue& q, ledger& book, ticks limit)
{
    element e = book.make();
    const int number = e.number();
    const auto [error] = co_await q.enqueue(std::move(e)).within(limit).as_tuple();
    book.settle(number, e, !error);
    co_return error;
}

task consume(world& w, queue& q, ledger& book)
{
    for (error_code error; !is_over(error) && error != errc::end_of_queue;) {
        const std::size_t kind = w.below(5);
        if (kind < 2)
            error = co_await take(q.dequeue(), book, patience(w));
        else if (kind == 4)
            error = co_await take(q.dequeue_up_to(3).linger(soon), book, patience(w));
        else if (kind == 2)
            error = co_await take(q.dequeue_some(3), book, patience(w));
        else
            error = co_await take(q.dequeue_many(2), book, patience(w));
        // One row may be left where two are asked for: that is not the end.
        if (kind == 3 && error == errc::end_of_queue)
            error = {};
    }
}

void offer(queue& q, ledger& book)
{
    element e = book.make();
    const int number = e.number();
    const bool accepted = q.try_enqueue(std::move(e));
    book.settle(number, e, accepted);
}

void deliver_the_rest(queue& q, ledger& book)
{
    while (const std::optional<element> e = q.try_dequeue())
        book.deliver(*e);
}

// Large scenarios ---------------------------------------------------------------------------

// The tasks of a coordinator and of its child.
class household
{
public:
    explicit household(world& w)
        : world_(w),
          parent_(
              w.executor(),
              {.stop_grace_period = w.flip() ? soon : std::chrono::hours(1),
               .overdue_after = soon,
               .on_overdue = [this](const auto& tasks) { report(tasks); }}
          ),
          child_(std::in_place, parent_),
          book_(w),
          q_(w.executor(), {.capacity = w.below(2), .name = "q"})
    {
    }

    void run()
    {
        any().close_on_stop(q_);
        for (std::size_t n = 1 + world_.below(5); n > 0; --n)
            spawn_something();
        world_.spawn("stop", [this]() -> task {
            co_await world_.pause();
            any().request_stop();
            co_await world_.pause();
            parent_.request_stop();
        });
        if (world_.flip())
            world_.spawn("end of the child", [this]() -> task {
                co_await world_.pause();
                child_.reset();
            });
        world_.spawn("join", [this] { return join(); });
        world_.spawn("watch", [this]() -> task {
            co_await parent_.wait_for_stop();
            world_.demand(parent_.should_stop(), "a stop without a request");
        });
        world_.run();
        world_.demand(parent_.tasks().empty(), "a task runs for ever");
        deliver_the_rest(q_, book_);
        book_.close();
    }

private:
    coordinator& any() { return child_ && world_.flip() ? *child_ : parent_; }

    void spawn_something()
    {
        switch (world_.below(5)) {
        case 0:
            return spawn("producer", [this]() -> task {
                for (;;)
                    if (is_over(co_await put(q_, book_, for_ever)))
                        co_return;
            });
        case 1:
            return spawn("consumer", [this] { return consume(world_, q_, book_); });
        case 2:
            return spawn("stubborn", [this]() -> task {
                co_await asio::this_coro::reset_cancellation_state(
                    asio::disable_cancellation()
                );
                co_await world_.pause();
            });
        default:
            return spawn("failing", [this]() -> task {
                co_await world_.pause();
                ++failures_;
                throw failure("broken");
            });
        }
    }

    template <class Body>
    void spawn(std::string name, Body body)
    {
        any().spawn(std::move(name), std::move(body));
    }

    task join()
    {
        std::exception_ptr result;
        if (world_.flip())
            result = std::get<0>(co_await parent_.join().within(soon).as_tuple());
        while (!parent_.joined() || (result && sluice::detail::code_of(result, {}) ==
                                                   errc::tasks_still_running))
            result = std::get<0>(co_await parent_.join().as_tuple());
        check(result);
    }

    void check(const std::exception_ptr& result)
    {
        const std::vector<std::exception_ptr> all = parent_.exceptions();
        world_.demand(parent_.joined(), "join() without having joined");
        if (parent_.tasks().empty())
            world_.demand(all.size() == failures_, "not all failures are known");
        world_.demand(
            result == (all.empty() ? nullptr : all.front()),
            "join() does not tell the first error"
        );
        if (!result)
            world_.demand(parent_.tasks().empty(), "join() before the last task ended");
    }

    void report(const std::vector<task_info>& tasks)
    {
        world_.demand(!tasks.empty(), "a report of nothing");
        world_.demand(
            parent_.should_stop() || child_->should_stop(),
            "a report too early"
        );
    }

    world& world_;
    coordinator parent_;
    std::optional<coordinator> child_;
    ledger book_;
    queue q_;
    std::size_t failures_ = 0;
};

void family(world& w)
{
    if (w.flip())
        w.run_nothing_inline();
    household(w).run();
}

// Lives as long as an operation with a deadline, and sees that it ends by that, not earlier.
class stopwatch
{
public:
    stopwatch(world& w, ticks limit)
        : world_(w),
          deadline_(w.deadlines().insert(std::chrono::steady_clock::now() + limit))
    {
    }

    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;

    ~stopwatch() { world_.deadlines().erase(deadline_); }

    void stop(error_code error) const
    {
        world_.demand(
            error != errc::timed_out || std::chrono::steady_clock::now() >= *deadline_,
            "an operation timed out too early"
        );
    }

private:
    world& world_;
    const std::multiset<std::chrono::steady_clock::time_point>::const_iterator deadline_;
};

constexpr std::size_t last_deadline = 4;

// An operation of any kind, once more when its time is up.
task hurry(world& w, queue& a, queue& b, ledger& book)
{
    for (std::size_t times = 2; times > 0; --times) {
        const ticks limit(1 + w.below(last_deadline));
        const stopwatch watch(w, limit);
        error_code error;
        switch (w.below(4)) {
        case 0:
            error = co_await take(a.dequeue(), book, limit);
            break;
        case 1:
            error = co_await take(a.dequeue_many(2), book, limit);
            break;
        case 2:
            error = co_await take(select(a.dequeue(), b.dequeue()), book, limit);
            break;
        default:
            error = co_await put(b, book, limit);
        }
        watch.stop(error);
    }
}

// Operations whose deadlines differ, against each other and the actors that help them.
void rush_hour(world& w)
{
    w.set_last_deadline(last_deadline);
    ledger book(w);
    queue a(w.executor(), {.capacity = w.below(3), .name = "a"});
    queue b(w.executor(), {.capacity = w.below(3), .name = "b"});
    for (std::size_t n = 2 + w.below(4); n > 0; --n)
        w.spawn_cancelled("in a hurry", [&, swaps = w.flip()] {
            return swaps ? hurry(w, a, b, book) : hurry(w, b, a, book);
        });
    for (std::size_t n = w.below(3); n > 0; --n)
        w.spawn("helper", [&]() -> task {
            co_await w.pause();
            offer(w.flip() ? a : b, book);
        });
    w.run();
    deliver_the_rest(a, book);
    deliver_the_rest(b, book);
    book.close();
}

// Small scenarios ---------------------------------------------------------------------------

// One element, two consumers, one of which is cancelled, and the end of the queue.
void hand_off(world& w)
{
    w.stop_time();
    ledger book(w);
    queue q(w.executor(), {.capacity = w.below(2), .name = "q"});
    const auto take = [&]() -> task {
        const auto [error, item] = co_await q.dequeue().as_tuple();
        if (item)
            book.deliver(*item);
    };
    w.spawn_cancelled("first", take);
    w.spawn("second", take);
    asio::post(w.executor(), [&] {
        offer(q, book);
        q.close();
    });
    w.run();
    deliver_the_rest(q, book);
    book.close();
}

// A select over two queues that both get an element, and its deadline.
void choice(world& w)
{
    ledger book(w);
    queue a(w.executor(), {.capacity = 1, .name = "a"});
    queue b(w.executor(), {.capacity = 1, .name = "b"});
    w.spawn("chooser", [&]() -> task {
        auto [error, branch, taken] =
            co_await select(a.dequeue(), b.dequeue()).within(soon).as_tuple();
        if (taken)
            std::visit([&](const element& e) { book.deliver(e); }, *taken);
    });
    for (queue* const q : {&a, &b})
        asio::post(w.executor(), [&book, q] { offer(*q, book); });
    w.run();
    deliver_the_rest(a, book);
    deliver_the_rest(b, book);
    book.close();
}

template <void (*Body)(world&)>
std::string run(schedule& order)
{
    world w(order);
    Body(w);
    return w.problem();
}

constexpr scenario large[] = {{"family", run<family>}, {"rush_hour", run<rush_hour>}};

constexpr scenario small[] = {{"hand_off", run<hand_off>}, {"choice", run<choice>}};

}  // namespace

std::span<const scenario> large_scenarios()
{
    return large;
}

std::span<const scenario> small_scenarios()
{
    return small;
}

}  // namespace sluice::schedules
