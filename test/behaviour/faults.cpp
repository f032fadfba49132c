// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S47

// What goes wrong in one place: the first, second, third, ... allocation of a call finds no
// memory, the first, second, ... handler throws. Each call does what it promises for that
// (everything or nothing, and no element lost), leaks nothing, and succeeds when it is made
// again.
//
// Left out are calls that wake a coroutine on a strand of Asio: that takes memory for them and
// no owner can be told, so the program ends. Tasks are woken without memory.
//
// Runs under ASan only, because of the time it takes.

#include "support/allocation_counter.hpp"
#include "support/check.hpp"
#include "support/counted.hpp"
#include "support/failing_allocator.hpp"
#include "support/foreign_task.hpp"
#include "support/stored.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/coordination/with_tasks.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/shuffle_queue.hpp>
#include <sluice/runner/looper.hpp>
#include <sluice/runner/queue_runner.hpp>
#include <sluice/runner/queue_runner_collection.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::test {

// Rows that need no padding, so that padding_queue can carry them.
template <class Element>
    requires requires(Element element) { element.value(); }
void pad_rows(std::span<Element> /*rows*/)
{
}

}  // namespace sluice::test

namespace faults {

using namespace sluice;
using namespace sluice::test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::awaitable;

// A queue of four places or none, a producer with rows, and a consumer who keeps what it gets.
template <class Queue, std::size_t Capacity = 4>
struct scene
{
    using element = typename Queue::value_type;

    scene()
    {
        rows.reserve(total);
        got.reserve(2 * total);
        for (int value = 0; value < total; ++value)
            rows.emplace_back(value);
    }

    static constexpr int total = 8;
    static constexpr int owned = 99;  // an element of an operation, which may destroy it

    void store(std::size_t count)
    {
        const auto first = rows.begin() + static_cast<std::ptrdiff_t>(offered);
        (void)q.try_enqueue_many({first, count});
        offered += count;
    }

    // The rows that have not been offered.
    std::span<element> next(std::size_t count)
    {
        return std::span<element>(rows).subspan(offered, count);
    }

    // Notes the value, which moves nothing.
    void take(const element& one) { got.push_back(one.value()); }

    void take(const std::vector<element>& batch)
    {
        for (const element& one : batch)
            take(one);
    }

    void take(const std::optional<element>& one)
    {
        if (one)
            take(*one);
    }

    // A completion handler.
    auto takes()
    {
        return [this](const error_code&, const auto& result) { this->take(result); };
    }

    // A completion handler of an enqueue.
    static auto ignores()
    {
        return [](const error_code&, auto...) {};
    }

    void settle()
    {
        ctx.restart();
        ctx.poll();
    }

    void perform(asio::awaitable<void> body)
    {
        asio::co_spawn(ctx, std::move(body), asio::detached);
    }

    // Every value that is somewhere, in order.
    std::vector<int> everything()
    {
        q.close();
        settle();
        while (const std::optional<element> one = q.try_dequeue())
            take(*one);
        settle();
        std::vector<int> values = got;
        for (const element& one : rows)
            if (one.value() != counted::gone)
                values.push_back(one.value());
        std::erase(values, owned);
        std::sort(values.begin(), values.end());
        return values;
    }

    asio::io_context ctx;
    std::vector<element> rows;
    std::vector<int> got;
    std::size_t offered = 0;
    Queue q{ctx, {.capacity = Capacity}};
    asio::cancellation_signal cancellation;
};

// What a call that finds no memory leaves.
enum class promise : unsigned char
{
    strong,  // everything as it was
    basic    // what went in stays in
};

// One call, and the state in which it is made.
template <class Scene>
struct call
{
    const char* name;
    void (*prepare)(Scene&);
    void (*perform)(Scene&);
    promise keeps = promise::strong;
};

// Calls that any kind of queue implements in its own way.
template <class Queue>
std::vector<call<scene<Queue>>> calls_of_stores()
{
    using scene = scene<Queue>;
    return {
        {"try_enqueue",
         [](scene&) {},
         [](scene& s) { (void)s.q.try_enqueue(std::move(s.rows[0])); }},
        {"try_enqueue to a batch that waits",
         [](scene& s) { s.q.async_dequeue_many(2, s.takes()); },
         [](scene& s) { (void)s.q.try_enqueue(std::move(s.rows[0])); }},
        {"try_enqueue_many",
         [](scene& s) { s.store(1); },
         [](scene& s) { (void)s.q.try_enqueue_many(s.next(3)); },
         promise::basic},
        {"try_dequeue",
         [](scene& s) { s.store(2); },
         [](scene& s) { s.take(s.q.try_dequeue()); }},
        {"try_dequeue while producers wait",
         [](scene& s) {
             s.store(4);
             s.q.async_enqueue_many(s.next(3), s.ignores());
         },
         [](scene& s) { s.take(s.q.try_dequeue()); }},
        {"try_dequeue_many",
         [](scene& s) { s.store(3); },
         [](scene& s) { s.take(s.q.try_dequeue_many(3)); }},
        {"close while a batch waits",
         [](scene& s) {
             s.store(2);
             s.q.async_dequeue_up_to(3, s.takes());
         },
         [](scene& s) { s.q.close(); }},
        {"async_enqueue_many, in part",
         [](scene& s) { s.store(2); },
         [](scene& s) { s.q.async_enqueue_many(s.next(4), s.ignores()); }},
        {"enqueue in a coroutine",
         [](scene&) {},
         [](scene& s) {
             s.perform([](scene& on) -> awaitable<void> {
                 co_await on.q.enqueue(counted(scene::owned));
             }(s));
         }},
        {"async_dequeue_some",
         [](scene& s) { s.store(3); },
         [](scene& s) { s.q.async_dequeue_some(2, s.takes()); }}
    };
}

using fifo = fifo_queue<counted>;

// Waits in a coroutine that is not Asio's, whose frame the caller keeps.
foreign_task<> dequeue_elsewhere(scene<fifo>& s)
{
    s.take(co_await s.q.dequeue().within(1h));
}

// Calls that are the same for all kinds of queue.
std::vector<call<scene<fifo>>> calls_of_operations()
{
    using scene = scene<fifo>;
    const auto empty = [](scene&) {};
    const auto full = [](scene& s) { s.store(4); };
    const auto awaited = [](scene& s) { s.q.async_dequeue_many(2, s.takes()); };
    return {
        {"async_enqueue",
         empty,
         [](scene& s) { s.q.async_enqueue(counted(scene::owned), s.ignores()); }},
        {"async_enqueue to a consumer",
         awaited,
         [](scene& s) { s.q.async_enqueue(counted(scene::owned), s.ignores()); }},
        {"async_enqueue that waits",
         full,
         [](scene& s) { s.q.async_enqueue(counted(scene::owned), s.ignores()); }},
        {"async_dequeue", full, [](scene& s) { s.q.async_dequeue(s.takes()); }},
        {"async_dequeue that waits", empty, [](scene& s) { s.q.async_dequeue(s.takes()); }
        },
        {"async_next that waits", empty, [](scene& s) { s.q.async_next(s.takes()); }},
        {"async_dequeue_many that exceeds the capacity",
         full,
         [](scene& s) { s.q.async_dequeue_many(6, s.takes()); }},
        {"time limit",
         [](scene& s) { s.q.dequeue().within(2h)(s.takes()); },
         [](scene& s) { s.q.dequeue().within(1h)(s.takes()); }},
        {"select that waits",
         empty,
         [](scene& s) {
             select(s.q.dequeue(), s.q.dequeue_many(2))
                 .within(1h)(
                     [&s](const error_code& error, std::size_t, const auto& taken) {
                         if (!error)
                             std::visit([&s](const auto& t) { s.take(t); }, *taken);
                     }
                 );
         }},
        {"dequeue_any",
         full,
         [](scene& s) {
             dequeue_any(std::vector{&s.q, &s.q})(
                 [&s](const error_code&, std::size_t, const auto& taken) {
                     if (taken)
                         s.take(*taken);
                 }
             );
         }},
        {"select in a coroutine",
         full,
         [](scene& s) {
             s.perform([](scene& on) -> awaitable<void> {
                 const auto taken = co_await select(on.q.dequeue(), on.q.next());
                 std::visit([&on](const auto& t) { on.take(t); }, taken);
             }(s));
         }},
        {"coroutine that is not Asio's",
         empty,
         [](scene& s) {
             auto task = dequeue_elsewhere(s);
             task.start();
             if (task.done())
                 task.result();  // throws what the start did
         }}
    };
}

// Calls in which an element goes from a producer straight to a consumer.
template <class Queue>
std::vector<call<scene<Queue, 0>>> calls_of_meetings()
{
    using scene = scene<Queue, 0>;
    const auto offered = [](scene& s) {
        s.q.async_enqueue_many(s.next(3), s.ignores());
        s.q.async_enqueue_many(s.next(4).subspan(3), s.ignores());
    };
    const auto awaited = [](scene& s) { s.q.async_dequeue_many(3, s.takes()); };
    // A batch that holds two of three rows, and can be cancelled.
    const auto held = [](scene& s) {
        s.q.async_dequeue_many(
            3,
            asio::bind_cancellation_slot(s.cancellation.slot(), s.takes())
        );
        s.store(2);
    };
    return {
        {"try_enqueue to a consumer",
         [](scene& s) { s.q.async_dequeue(s.takes()); },
         [](scene& s) { (void)s.q.try_enqueue(std::move(s.rows[0])); }},
        {"try_enqueue to a batch",
         awaited,
         [](scene& s) { (void)s.q.try_enqueue(std::move(s.rows[0])); }},
        {"try_enqueue_many to a batch and a consumer",
         [](scene& s) {
             s.q.async_dequeue_many(3, s.takes());
             s.q.async_dequeue(s.takes());
         },
         [](scene& s) { (void)s.q.try_enqueue_many(s.next(5)); },
         promise::basic},
        {"async_enqueue_many, in part",
         [](scene& s) { s.q.async_dequeue_some(2, s.takes()); },
         [](scene& s) { s.q.async_enqueue_many(s.next(3), s.ignores()); }},
        {"enqueue in a coroutine to a consumer",
         awaited,
         [](scene& s) {
             s.perform([](scene& on) -> awaitable<void> {
                 co_await on.q.enqueue(counted(scene::owned));
             }(s));
         }},
        {"try_dequeue", offered, [](scene& s) { s.take(s.q.try_dequeue()); }},
        {"try_dequeue_many",
         offered,
         [](scene& s) { s.take(s.q.try_dequeue_many(4)); },
         promise::basic},
        {"async_dequeue_many, in part",
         offered,
         [](scene& s) { s.q.async_dequeue_many(6, s.takes()); }},
        {"async_dequeue_some of what was returned and what is offered",
         [](scene& s) {
             s.q.async_dequeue_many(
                 3,
                 asio::bind_cancellation_slot(s.cancellation.slot(), s.takes())
             );
             s.store(2);
             s.cancellation.emit(asio::cancellation_type::total);
             s.settle();
             s.q.async_enqueue_many(s.next(2), s.ignores());
         },
         [](scene& s) { s.q.async_dequeue_some(4, s.takes()); }},
        {"cancellation of a batch that holds",
         held,
         [](scene& s) { s.cancellation.emit(asio::cancellation_type::total); }},
        {"close while a batch holds", held, [](scene& s) { s.q.close(); }},
        {"select that meets another",
         [](scene& s) {
             select(s.q.dequeue(), s.q.dequeue_some(2))(
                 [&s](const error_code&, std::size_t, const auto& taken) {
                     if (taken)
                         std::visit([&s](const auto& t) { s.take(t); }, *taken);
                 }
             );
         },
         [](scene& s) {
             stored(select(s.q.enqueue(std::move(s.rows[0])), s.q.enqueue(std::move(s.rows[1]))))(
                 s.ignores()
             );
         }}
    };
}

// What a call that fails must leave as it was.
std::string figures(const queue_stats& now)
{
    std::string text;
    for (const std::size_t figure :
         {now.size,
          now.held,
          now.waiting_producers,
          now.waiting_consumers,
          static_cast<std::size_t>(now.enqueued),
          static_cast<std::size_t>(now.dequeued),
          static_cast<std::size_t>(now.returned)})
        text += std::to_string(figure) + ' ';
    return text;
}

bool is_range(const std::vector<int>& values, std::size_t missing)
{
    const bool twice = std::adjacent_find(values.begin(), values.end()) != values.end();
    return !twice && values.size() + missing == scene<fifo>::total;
}

// Each allocation of each call in turn finds no memory.
template <class Scene>
void memory_runs_out(const std::vector<call<Scene>>& calls)
{
    for (const auto& what : calls)
        BOOST_TEST_CONTEXT(what.name)
        {
            const counted_fixture elements;
            (void)for_each_failure([&](allocation_budget& budget) {
                Scene s;
                what.prepare(s);
                const std::string before = figures(s.q.stats());
                bool failed = false;
                try {
                    const failing_new region(budget);
                    what.perform(s);
                } catch (const std::bad_alloc&) {
                    failed = true;
                }
                if (failed && what.keeps == promise::strong) {
                    BOOST_TEST(figures(s.q.stats()) == before);
                    what.perform(s);
                }
                BOOST_TEST(is_range(s.everything(), 0));
                const queue_stats now = s.q.stats();
                BOOST_TEST(
                    now.enqueued + now.returned == now.dequeued + now.size + now.held
                );
            });
        }
}

// A coordinator without tasks, and what may be added to it.
struct group
{
    explicit group(asio::io_context& context) : ctx(context) {}

    // A task, or an operation of a runner, that counts itself.
    std::function<awaitable<void>()> task()
    {
        return [this, use = uses]() -> awaitable<void> {
            ++entered;
            co_await scope.wait_for_stop();
            throw system_error(errc::end_of_queue);
        };
    }

    // One that a stop does not wake but cancel.
    std::function<awaitable<void>()> other_task()
    {
        return [use = uses]() -> awaitable<void> {
            asio::steady_timer never(
                co_await asio::this_coro::executor,
                asio::steady_timer::time_point::max()
            );
            co_await never.async_wait(asio::use_awaitable);
        };
    }

    // Tasks that are there, with what they hold.
    [[nodiscard]] long users() const { return uses.use_count() - idle; }

    void settle()
    {
        ctx.restart();
        ctx.poll();
    }

    asio::io_context& ctx;
    std::shared_ptr<int> uses = std::make_shared<int>();
    int entered = 0;
    fifo q{ctx, {.capacity = sluice::unbounded}};
    coordinator scope{ctx};
    queue_runner runner{q, task(), 3U};
    std::optional<coordinator> child;
    const std::exception_ptr error = std::make_exception_ptr(std::runtime_error("error"));
    long idle = uses.use_count();
};

std::vector<call<group>> calls_of_groups()
{
    const auto nothing = [](group&) {};
    return {
        {"spawn", nothing, [](group& g) { g.scope.spawn("a task", g.task()); }},
        {"child", nothing, [](group& g) { g.child.emplace(g.scope); }},
        {"close_on_stop", nothing, [](group& g) { g.scope.close_on_stop(g.q); }},
        {"wait_for_stop",
         nothing,
         [](group& g) { g.scope.async_wait_for_stop([](const error_code&) {}); }},
        {"join",
         [](group& g) { g.scope.spawn("a task", g.task()); },
         [](group& g) { g.scope.async_join([](const std::exception_ptr&) {}); }},
        {"request_stop",
         [](group& g) {
             g.scope.close_on_stop(g.q);
             g.scope.async_wait_for_stop([](const error_code&) {});
             g.q.async_dequeue([](const error_code&, const auto&) {});
         },
         [](group& g) { g.scope.request_stop(g.error); }},
        {"request_stop with tasks",
         [](group& g) { g.scope.spawn("a task", g.other_task()); },
         [](group& g) { g.scope.request_stop(g.error); }},
        {"runner with a coordinator",
         nothing,
         [](group& g) { g.runner.start(g.scope); },
         promise::basic},
        {"runner alone", nothing, [](group& g) { g.runner.start(g.ctx); }, promise::basic
        },
        {"join of a runner",
         [](group& g) { g.runner.start(g.scope); },
         [](group& g) { g.runner.async_join([](const std::exception_ptr&) {}); }},
        {"looper", nothing, [](group& g) { looper(g.scope, 1h, g.task()); }}
    };
}

// A program of four tasks and three queues, one of which two are read by a select. What its tasks
// do for the test finds memory.
class program
{
public:
    program() { result_.reserve(total); }

    // Every allocation is under the budget, but those of the test. Without memory it stops.
    void run(allocation_budget& budget)
    {
        const failing_new region(budget);
        try {
            start();
        } catch (const std::bad_alloc&) {
            scope_.request_stop();
        }
        join();
        context_.run();
    }

    // Once it has ended: whether each element that a queue has accepted is somewhere, once.
    void check()
    {
        BOOST_TEST(has_joined_);
        BOOST_TEST(scope_.tasks().empty());
        for (auto* const queue : {&numbers_, &tens_, &results_}) {
            while (const auto one = queue->try_dequeue())
                result_.push_back(*one);
        }
        std::sort(result_.begin(), result_.end());
        BOOST_TEST((std::adjacent_find(result_.begin(), result_.end()) == result_.end()));
        for (const int one : {numbers_accepted_, tens_accepted_})
            for (int value = one >= 100 ? 100 : 0; value < one; ++value)
                BOOST_TEST(std::binary_search(result_.begin(), result_.end(), value));
    }

private:
    static constexpr int each = 20;
    static constexpr std::size_t total = 4 * each;

    void start()
    {
        for (auto* const queue : {&numbers_, &tens_, &results_})
            scope_.close_on_stop(*queue);
        scope_.spawn("numbers", produce(numbers_, 0, numbers_accepted_));
        scope_.spawn("tens", produce(tens_, 100, tens_accepted_));
        scope_.spawn("worker", work());
        scope_.spawn("collector", collect());
    }

    // Without memory it is repeated, as any call.
    void join()
    {
        const auto note = [this](const std::exception_ptr& /*error*/) {
            has_joined_ = true;
        };
        try {
            scope_.async_join(note);
        } catch (const std::bad_alloc&) {
            scope_.request_stop();
            scope_.async_join(note);
        }
    }

    static asio::awaitable<void> produce(fifo_queue<int>& to, int first, int& accepted)
    {
        for (int i = first; i < first + each; ++i) {
            co_await to.enqueue(i);
            accepted = i + 1;
        }
        to.close();
    }

    asio::awaitable<void> work()
    {
        // What it has in its hand when it ends without memory.
        struct hand
        {
            std::vector<int>& result;
            std::optional<int> value{};
            ~hand()
            {
                if (value)
                    result.push_back(*value);
            }
        } holding{result_};
        bool reads_numbers = true;
        bool reads_tens = true;
        while (reads_numbers || reads_tens) {
            auto either = co_await select(
                when(reads_numbers, numbers_.next()),
                when(reads_tens, tens_.next())
            );
            const bool is_number = either.index() == 0;
            holding.value = is_number ? std::get<0>(either) : std::get<1>(either);
            if (!holding.value) {
                (is_number ? reads_numbers : reads_tens) = false;
                continue;
            }
            co_await results_.enqueue(*holding.value);
            holding.value.reset();
        }
        results_.close();
    }

    asio::awaitable<void> collect()
    {
        while (const auto one = co_await results_.next())
            result_.push_back(*one);
    }

    asio::io_context context_;
    fifo_queue<int> numbers_{context_, {.capacity = 1}};
    fifo_queue<int> tens_{context_, {.capacity = 1}};
    fifo_queue<int> results_{context_, {.capacity = 1}};
    coordinator scope_{context_};
    std::vector<int> result_;
    int numbers_accepted_ = 0;  // those below
    int tens_accepted_ = 0;     // those below, from 100 on
    bool has_joined_ = false;
};

}  // namespace faults

BOOST_AUTO_TEST_SUITE(faults)

BOOST_AUTO_TEST_CASE(memory_runs_out_in_every_kind_of_queue)
{
    memory_runs_out(calls_of_stores<fifo>());
    memory_runs_out(calls_of_stores<shuffle_queue<counted>>());
    memory_runs_out(calls_of_stores<priority_queue<counted>>());
    memory_runs_out(calls_of_stores<padding_queue<counted>>());
}

BOOST_AUTO_TEST_CASE(memory_runs_out_in_every_operation)
{
    memory_runs_out(calls_of_operations());
}

BOOST_AUTO_TEST_CASE(memory_runs_out_when_producers_and_consumers_meet)
{
    memory_runs_out(calls_of_meetings<fifo>());
}

BOOST_AUTO_TEST_CASE(memory_runs_out_in_coordinators_and_runners)
{
    asio::io_context context;
    for (const auto& what : calls_of_groups())
        BOOST_TEST_CONTEXT(what.name)
        {
            const auto failures = for_each_failure([&](allocation_budget& budget) {
                group g(context);
                what.prepare(g);
                g.settle();
                const auto tasks = g.scope.tasks().size();
                const int entered = g.entered;
                try {
                    const failing_new region(budget);
                    what.perform(g);
                } catch (const std::bad_alloc&) {
                    g.settle();
                    if (what.keeps == promise::strong) {
                        BOOST_TEST(g.entered == entered);
                        BOOST_TEST(g.scope.tasks().size() == tasks);
                        BOOST_TEST(!g.q.is_closed());
                        what.perform(g);
                    }
                }
                g.settle();
                g.scope.request_stop();
                g.settle();
                BOOST_TEST(g.scope.tasks().empty());
                BOOST_TEST(!g.runner.is_running());
                BOOST_TEST(g.users() == 0);
            });
            BOOST_TEST(failures > 0U);
        }
}

// All memory that the end of a scope needs is taken when it begins; so it ends in any case.
BOOST_AUTO_TEST_CASE(memory_runs_out_when_a_scope_begins)
{
    asio::io_context context;
    const auto failures = for_each_failure([&](allocation_budget& budget) {
        bool is_entered = false;
        bool is_called = false;
        bool failed = false;
        bool ended = false;
        asio::co_spawn(
            context,
            [&]() -> awaitable<void> {
                is_entered = true;
                try {
                    const int seven = co_await with_tasks(context, [&](auto&) {
                        is_called = true;
                        return 7;
                    });
                    BOOST_TEST(seven == 7);
                } catch (const std::bad_alloc&) {
                    failed = true;
                }
                ended = true;
            },
            asio::detached
        );
        context.restart();
        {
            const failing_new region(budget);
            context.poll_one();
        }
        context.poll();
        if (is_entered) {  // otherwise it was Asio that found no memory
            BOOST_TEST(ended);
            BOOST_TEST(is_called != failed);
        }
    });
    BOOST_TEST(failures > 5U);
}

// P1, S47: no failure of an allocation ends the process, is thrown out of run(), keeps join() from
// ending, or loses an element.
BOOST_AUTO_TEST_CASE(s47_memory_runs_out_anywhere_in_a_program_with_tasks)
{
    const auto failures = for_each_failure([](allocation_budget& budget) {
        program tasks;
        tasks.run(budget);
        tasks.check();
    });
    BOOST_TEST(failures > 0U);
}

BOOST_AUTO_TEST_CASE(handler_that_throws_leaves_the_others_alone)
{
    constexpr int all = 6;
    for (int thrower = 0; thrower < all; ++thrower) {
        scene<fifo> s;
        s.store(2);
        int called = 0;
        const auto handler = [&](const error_code&, const auto& taken) {
            s.take(taken);
            if (called++ == thrower)
                throw std::runtime_error("a handler");
        };
        for (int i = 0; i < all / 2; ++i) {
            s.q.async_dequeue(handler);
            s.q.async_next(handler);
        }
        s.store(4);
        BOOST_CHECK_THROW(s.settle(), std::runtime_error);
        s.settle();
        BOOST_TEST(called == all);
        BOOST_TEST(is_range(s.everything(), 0));
    }
}

BOOST_AUTO_TEST_SUITE_END()
