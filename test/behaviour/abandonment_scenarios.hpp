// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check_error.hpp"
#include "support/counted.hpp"
#include "support/foreign_task.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/broadcast.hpp>
#include <sluice/queue/event.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/latest_value.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/semaphore.hpp>
#include <sluice/queue/shuffle_queue.hpp>
#include <sluice/runner/looper.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

namespace asio = boost::asio;

// Why: a program may be cut between any two handlers, and what it consists of may then go in
// any order. Each scenario is a small program that uses some operations in all the states
// that they have; the test that plays it decides where it is cut and what is destroyed first.

// A row that needs no padding, so that padding_queue can carry it.
inline void pad_rows(std::span<counted> /*rows*/) {}

/// What a scenario consists of, in parts that can be destroyed one by one.
/**
 * Part 0 is an io_context, with the frames of its coroutines; the others are what the scenario
 * has added, in this order.
 */
class stage
{
public:
    /// False once the scenario is cut: what is resumed later touches no part any more.
    [[nodiscard]] bool goes_on() const noexcept { return !cut_; }

    [[nodiscard]] asio::io_context& context(std::size_t part = 0)
    {
        return *static_cast<asio::io_context*>(parts_[part].get());
    }

    /// A further context, as a part.
    std::size_t add_context()
    {
        contexts_.push_back(parts_.size());
        add<asio::io_context>();
        return contexts_.back();
    }

    /// The slot of an operation that runs on that context.
    [[nodiscard]] asio::cancellation_slot cancelled_with(std::size_t context)
    {
        signals_.emplace_back(context, std::make_unique<asio::cancellation_signal>());
        return signals_.back().second->slot();
    }

    /// Emits all signals whose contexts live.
    void cancel_all()
    {
        for (const auto& [context, signal] : signals_)
            if (has(context))
                signal->emit(asio::cancellation_type::terminal);
    }

    /// Makes a part.
    template <class Part, class... Arguments>
    Part& add(Arguments&&... arguments)
    {
        auto part = std::make_shared<Part>(std::forward<Arguments>(arguments)...);
        parts_.push_back(part);
        return *part;
    }

    /// The completion handler of a coroutine.
    [[nodiscard]] auto end_of(std::optional<errc> expected = {})
    {
        return [this, expected, use = uses_](const std::exception_ptr& error) {
            if (!error || !goes_on())
                return;
            if (!expected || sluice::detail::code_of(error, {}) != *expected)
                fail("a coroutine ended with " + to_text(error));
        };
    }

    /// Starts a coroutine. It may fail once the scenario is cut, and with what is expected.
    void run(asio::awaitable<void> body, std::optional<errc> expected = {})
    {
        asio::co_spawn(context(), unless_cut(std::move(body)), end_of(expected));
    }

    /// A coroutine that is not entered after the cut.
    [[nodiscard]] asio::awaitable<void> unless_cut(asio::awaitable<void> body)
    {
        if (goes_on())
            co_await std::move(body);
    }

    /// Starts a coroutine that is not Asio's; its frame is a part.
    void run(foreign_task<> body) { add<foreign_task<>>(std::move(body)).start(); }

    /// A completion handler for anything.
    [[nodiscard]] auto handler()
    {
        return [this, use = uses_]<class... Results>(Results&&...) {
            if (!playing_)
                fail("a handler runs while no context does");
        };
    }

    [[nodiscard]] std::size_t parts() const noexcept { return parts_.size(); }

    /// Runs so many handlers, or all that are ready; false if there were fewer.
    bool play(std::size_t handlers)
    {
        for (; handlers > 0; --handlers)
            if (!play_one())
                return false;
        return true;
    }

    void cut() noexcept { cut_ = true; }

    [[nodiscard]] bool has(std::size_t part) const noexcept
    {
        return parts_[part] != nullptr;
    }

    void destroy(std::size_t part) { parts_[part].reset(); }

    /// What operations refer to has to outlive them: it goes when all parts have gone.
    template <class Object, class... Arguments>
    Object& keep(Arguments&&... arguments)
    {
        auto object = std::make_shared<Object>(std::forward<Arguments>(arguments)...);
        kept_.push_back(object);
        return *object;
    }

    /// Handlers and coroutines that exist.
    [[nodiscard]] long users() const noexcept { return uses_.use_count() - 1; }

private:
    bool play_one()
    {
        for (const std::size_t part : contexts_) {
            if (!has(part))
                continue;
            context(part).restart();
            playing_ = true;
            const bool ran = context(part).poll_one() > 0;
            playing_ = false;
            if (ran)
                return true;
        }
        return false;
    }

    bool cut_ = false;
    bool playing_ = false;
    std::vector<std::size_t> contexts_{0};
    std::vector<std::pair<std::size_t, std::unique_ptr<asio::cancellation_signal>>>
        signals_;
    std::shared_ptr<int> uses_ = std::make_shared<int>();
    std::vector<std::shared_ptr<void>> kept_;
    std::vector<std::shared_ptr<void>> parts_{std::make_shared<asio::io_context>()};
};

/// One small program: adds its parts to the stage and starts its operations.
struct scenario
{
    const char* name;
    void (*start)(stage&);
};

namespace scenarios {

using asio::awaitable;
using fifo = fifo_queue<counted>;
using namespace std::chrono_literals;

// Their coroutines look at goes_on() before they touch a part again.

inline std::vector<counted> rows(int count)
{
    std::vector<counted> result;
    for (int i = 0; i < count; ++i)
        result.emplace_back(i);
    return result;
}

template <class Queue>
awaitable<void> produce(stage& s, Queue& to, int count)
{
    for (int i = 0; i < count && s.goes_on(); ++i)
        co_await to.enqueue(counted(i));
    if (s.goes_on())
        to.close();
}

template <class Queue>
awaitable<void> consume(stage& s, Queue& from)
{
    for (bool more = true; more && s.goes_on();) {
        const auto taken = co_await from.next();
        more = taken.has_value();
    }
}

template <class Queue>
awaitable<void> consume_batches(stage& s, Queue& from)
{
    (void)co_await from.dequeue_many(2);
    if (s.goes_on())
        (void)co_await from.dequeue_some(1);
    for (int i = 0; i < 2 && s.goes_on(); ++i)
        (void)co_await from.dequeue_up_to(2);
}

template <class Queue>
awaitable<void> produce_batch(stage& s, Queue& to, int count)
{
    auto batch = rows(count);
    (void)co_await to.enqueue_many(batch);
    if (s.goes_on())
        to.close();
}

// Performs one operation, which only waits.
template <class Operation>
awaitable<void> wait_for(Operation operation)
{
    (void)co_await std::move(operation);
}

inline awaitable<void> wait_for_count(awaitable<std::size_t> work)
{
    (void)co_await std::move(work);
}

template <class Queue>
awaitable<void> offer(Queue& to)
{
    counted element(1);
    co_await to.enqueue(std::move(element)).within(1h);
}

/// Producer and consumer that wait for each other, then a batch of each kind.
template <class Queue>
void every_operation(stage& s)
{
    Queue& single =
        s.add<Queue>(s.context(), typename Queue::options_type{.capacity = 2});
    s.run(consume(s, single));
    s.run(produce(s, single, 4));
    Queue& batch = s.add<Queue>(s.context(), typename Queue::options_type{.capacity = 2});
    s.run(produce_batch(s, batch, 6));
    s.run(consume_batches(s, batch));
}

inline void rendezvous(stage& s)
{
    fifo& q = s.add<fifo>(s.context(), queue_options{.capacity = 0});
    s.run(consume_batches(s, q));
    s.run(produce_batch(s, q, 6));
}

inline void within(stage& s)
{
    fifo& empty = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    fifo& full = s.add<fifo>(s.context(), queue_options{.capacity = 1});
    (void)full.try_enqueue(counted(0));
    s.run(wait_for(empty.dequeue().within(1h)));
    s.run(wait_for(empty.dequeue_many(3).within(0s)), errc::timed_out);
    s.run(wait_for(empty.next().within(1us)), errc::timed_out);
    s.run(offer(full));
    s.run(consume(s, full));
    s.run(produce(s, empty, 1));
}

inline awaitable<void> choose(stage& s, fifo& a, fifo& b, fifo& full)
{
    for (int i = 0; i < 3 && s.goes_on(); ++i)
        (void)co_await select(a.dequeue(), b.dequeue_many(2), full.enqueue(counted(9)))
            .within(1h);
}

inline void selected(stage& s)
{
    fifo& a = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    fifo& b = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    fifo& full = s.add<fifo>(s.context(), queue_options{.capacity = 1});
    (void)full.try_enqueue(counted(0));
    s.run(choose(s, a, b, full), errc::end_of_queue);
    s.run(produce(s, b, 2));
    s.run(produce(s, a, 1));
    s.run(consume_batches(s, full));
}

inline awaitable<void> any_of(stage& s, std::vector<fifo*> queues)
{
    for (int i = 0; i < 4 && s.goes_on(); ++i)
        (void)co_await dequeue_any(queues).within(1h);
}

inline void dequeued_from_any(stage& s)
{
    fifo& a = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    fifo& b = s.add<fifo>(s.context(), queue_options{.capacity = 0});
    s.run(any_of(s, {&a, &b}), errc::end_of_queue);
    s.run(produce(s, b, 2));
    s.run(produce(s, a, 2));
}

inline void handlers(stage& s)
{
    fifo& empty = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    fifo& full = s.add<fifo>(s.context(), queue_options{.capacity = 1});
    auto& batch = s.keep<std::vector<counted>>(rows(3));
    empty.async_dequeue_many(3, s.handler());
    full.async_enqueue(counted(0), s.handler());
    full.async_enqueue(counted(1), s.handler());
    full.async_enqueue_many(batch, s.handler());
    (void)empty.try_enqueue(counted(2));  // held by the batch
    empty.async_dequeue(s.handler());
    empty.async_next(s.handler());
    select(full.dequeue(), empty.dequeue())(s.handler());
    s.run([](stage& on, fifo& to) -> awaitable<void> {
        for (int i = 0; i < 3 && on.goes_on(); ++i)
            co_await to.enqueue(counted(i));
    }(s, empty));
}

/// Waits for what is no element: permits, an event, a value.
inline void waits_without_elements(stage& s)
{
    auto& ready = s.add<event>(s.context());
    auto& value = s.add<latest_value<std::string>>(s.context());
    auto& permits = s.add<semaphore>(s.context(), semaphore_options{.permits = 2});
    auto& seen = s.keep<std::uint64_t>(std::uint64_t{0});
    ready.async_wait(s.handler());
    value.async_next(seen, s.handler());
    permits.async_acquire(2, s.handler());
    permits.async_acquire(s.handler());
    s.run(wait_for(ready.wait()));
    s.run(
        [](stage& on, semaphore& from, event& to_set, latest_value<std::string>& to
        ) -> awaitable<void> {
            const semaphore_permit both = co_await from.acquire(2);
            if (!on.goes_on())
                co_return;
            to_set.set();
            (void)to.set(std::string(100, 'x'));
        }(s, permits, ready, value)
    );
}

/// Publishers that wait for their turn, and for a subscriber.
inline void broadcasting(stage& s)
{
    auto& news = s.add<broadcast<std::string>>(s.context());
    auto& reader = s.add<subscription<std::string>>(news.subscribe({.capacity = 1}));
    for (int i = 0; i < 3; ++i)
        news.async_publish(std::string(100, 'x'), s.handler());
    s.run(wait_for_count(news.publish(std::string(100, 'y'))), errc::queue_closed);
    s.run([](stage& on, subscription<std::string>& from) -> awaitable<void> {
        for (int i = 0; i < 3 && on.goes_on(); ++i)
            (void)co_await from.next();
    }(s, reader));
}

// The operation is cancelled where it waits, or on its way to the one who waits.
inline void cancelled(stage& s)
{
    struct signals
    {
        asio::cancellation_signal waits;
        asio::cancellation_signal decided;
    };
    auto& emitted = s.keep<signals>();
    fifo& q = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    const auto cancellable = [&s](asio::cancellation_signal& by) {
        return asio::bind_cancellation_slot(
            by.slot(),
            [use = s.end_of()](std::exception_ptr) {}
        );
    };
    asio::co_spawn(
        s.context(),
        s.unless_cut(wait_for(q.dequeue_many(2))),
        cancellable(emitted.waits)
    );
    asio::co_spawn(
        s.context(),
        s.unless_cut(wait_for(q.dequeue())),
        cancellable(emitted.decided)
    );
    s.run([](stage& on, fifo& to, signals& emit) -> awaitable<void> {
        co_await to.enqueue(counted(1));
        if (on.goes_on())
            emit.waits.emit(asio::cancellation_type::terminal
            );  // its element goes to the next
        if (on.goes_on())
            emit.decided.emit(asio::cancellation_type::total);
        if (on.goes_on())
            (void)co_await to.dequeue();
    }(s, q, emitted));
}

// Operations of one context wait in a queue of another.
inline void two_contexts(stage& s)
{
    const std::size_t second = s.add_context();
    fifo& q = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    fifo& r = s.add<fifo>(s.context(second), queue_options{.capacity = unbounded});
    asio::co_spawn(
        s.context(second),
        s.unless_cut(wait_for(q.dequeue())),
        asio::bind_cancellation_slot(
            s.cancelled_with(second),
            s.end_of(errc::end_of_queue)
        )
    );
    select(q.dequeue(), r.dequeue())(asio::bind_executor(
        s.context(second).get_executor(),
        asio::bind_cancellation_slot(s.cancelled_with(second), s.handler())
    ));
    s.run(wait_for(r.dequeue()), errc::end_of_queue);
    s.run(produce(s, q, 1));
    s.run(produce(s, r, 1));
}

inline foreign_task<> consume_elsewhere(stage& s, fifo& from)
{
    for (bool more = true; more && s.goes_on();) {
        const auto taken = co_await from.next().within(1h);
        more = taken.has_value();
    }
}

inline foreign_task<> produce_elsewhere(stage& s, fifo& to)
{
    auto batch = rows(3);
    (void)co_await to.enqueue_many(batch);
    if (s.goes_on())
        to.close();
}

inline void foreign_coroutines(stage& s)
{
    fifo& q = s.add<fifo>(s.context(), queue_options{.capacity = 1});
    s.run(consume_elsewhere(s, q));
    s.run(produce_elsewhere(s, q));
}

inline foreign_task<> choose_elsewhere(stage& s, fifo& a, fifo& b)
{
    for (int i = 0; i < 2 && s.goes_on(); ++i)
        (void)co_await select(a.dequeue(), b.dequeue());
}

inline void foreign_select(stage& s)
{
    fifo& a = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    fifo& b = s.add<fifo>(s.context(), queue_options{.capacity = 0});
    s.run(choose_elsewhere(s, a, b));
    s.run(produce(s, b, 1));
    s.run(produce(s, a, 1));
}

inline awaitable<void> join(coordinator& scope)
{
    co_await scope.join();
}

inline awaitable<void> stop_after(stage& s, coordinator& scope, fifo& q)
{
    (void)co_await q.dequeue();
    if (s.goes_on())
        scope.request_stop();
}

// Tasks that wait, one that ends, one that ignores the stop; a grace period that begins.
inline void stopped_coordinator(stage& s)
{
    fifo& q = s.add<fifo>(s.context(), queue_options{.capacity = 1});
    auto& scope = s.add<coordinator>(s.context());
    scope.close_on_stop(q);
    scope.request_stop_on_signal({SIGUSR1});
    scope.async_wait_for_stop(s.handler());
    scope.async_join(s.handler());
    scope.spawn("ends", []() -> awaitable<void> { co_return; });
    scope.spawn("produces", s.unless_cut(produce(s, q, 4)));
    s.run(wait_for(scope.wait_for_stop().within(1h)));
    s.run(stop_after(s, scope, q));
    s.run(join(scope));
}

inline void failing_task(stage& s)
{
    fifo& q = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    auto& scope = s.add<coordinator>(s.context());
    scope.async_join(s.handler());
    scope.spawn("waits", s.unless_cut(wait_for(q.dequeue_many(2))));
    scope.spawn("fails", [&s, &q]() -> awaitable<void> {
        if (s.goes_on())
            co_await q.enqueue(counted(1));
        throw std::runtime_error("fails");
    });
}

inline void parent_and_children(stage& s)
{
    fifo& q = s.add<fifo>(s.context(), queue_options{.capacity = unbounded});
    auto& parent = s.add<coordinator>(s.context());
    auto& child = s.add<coordinator>(parent);
    parent.async_join(s.handler());
    child.async_join(s.handler());
    child.spawn("waits", s.unless_cut(wait_for(q.dequeue_many(9))));
    parent.spawn("waits for it", s.unless_cut(wait_for(child.wait_for_stop())));
    s.run(produce(s, q, 2));
    s.run(stop_after(s, parent, q));
}

struct two_queues
{
    explicit two_queues(asio::io_context& context)
        : in(context, {.capacity = 1}), out(context, {.capacity = 0})
    {
    }

    fifo in;
    fifo out;
};

// Ends when its input does, and does not touch it after the cut.
inline auto forward(stage& s, two_queues& queues)
{
    return [&s, &queues]() -> awaitable<void> {
        if (!s.goes_on())
            throw system_error(errc::end_of_queue);
        counted element = co_await queues.in.dequeue();
        if (s.goes_on())
            co_await queues.out.enqueue(std::move(element));
    };
}

inline void runner_with_coordinator(stage& s)
{
    auto& queues = s.add<two_queues>(s.context());
    auto& scope = s.add<coordinator>(s.context());
    auto& runner = s.add<queue_runner>(queues.out, forward(s, queues), 2U);
    runner.start(scope);
    scope.async_join(s.handler());
    s.run(produce(s, queues.in, 3));
    s.run(consume(s, queues.out));
}

inline void runner_alone(stage& s)
{
    auto& queues = s.add<two_queues>(s.context());
    auto& runner = s.add<queue_runner>(queues.out, forward(s, queues), 2U);
    runner.start(s.context());
    runner.async_join(s.handler());
    s.run(wait_for(runner.join()));
    s.run(produce(s, queues.in, 2));
    s.run(consume(s, queues.out));
}

inline void looping(stage& s)
{
    fifo& q = s.add<fifo>(s.context(), queue_options{.capacity = 1});
    auto& scope = s.add<coordinator>(s.context());
    const auto body = [&s, &q]() -> awaitable<void> {
        if (s.goes_on())
            co_await q.enqueue(counted(1));
    };
    s.add<looper>(scope, 1us, body, "often");
    looper(scope, 1h, body, "rarely");
    s.run(stop_after(s, scope, q));
}

inline constexpr scenario all[] = {
    {"every operation of a fifo_queue", every_operation<fifo>},
    {"every operation of a shuffle_queue", every_operation<shuffle_queue<counted>>},
    {"every operation of a priority_queue", every_operation<priority_queue<counted>>},
    {"every operation of a padding_queue", every_operation<padding_queue<counted>>},
    {"capacity 0", rendezvous},
    {"time limits", within},
    {"select", selected},
    {"dequeue_any", dequeued_from_any},
    {"completion handlers", handlers},
    {"semaphore, event and latest value", waits_without_elements},
    {"broadcast", broadcasting},
    {"cancelled operations", cancelled},
    {"two contexts", two_contexts},
    {"coroutines that are not Asio's", foreign_coroutines},
    {"select in a coroutine that is not Asio's", foreign_select},
    {"a coordinator that is stopped", stopped_coordinator},
    {"a task that fails", failing_task},
    {"a parent and its child", parent_and_children},
    {"a runner with a coordinator", runner_with_coordinator},
    {"a runner without a coordinator", runner_alone},
    {"loopers", looping}
};

}  // namespace scenarios
}  // namespace sluice::test
