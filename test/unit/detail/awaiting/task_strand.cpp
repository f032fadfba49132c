// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/task_strand.hpp>

#include "support/allocation_counter.hpp"
#include "support/failing_allocator.hpp"
#include "support/io_fixture.hpp"
#include "support/run_threads.hpp"
#include "support/tracking_executor.hpp"
#include <sluice/detail/awaiting/post.hpp>
#include <sluice/detail/awaiting/supervised_executor.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;
using detail::post_memory;

namespace task_strand {

detail::supervised_executor task_on(const asio::any_io_executor& below)
{
    return detail::supervised_executor(detail::task_strand::make(below));
}

// Refuses every function, as one that finds no memory.
struct refusing_executor : test::tracking_executor
{
    using tracking_executor::tracking_executor;

    template <class Function>
    void execute(Function&& /*function*/) const
    {
        throw std::bad_alloc();
    }

    template <class Property>
    auto require(const Property& property) const
        -> decltype(asio::require(std::declval<const tracking_executor&>(), property), *this)
    {
        return *this;
    }

    template <class Property>
    auto prefer(const Property& property) const
        -> decltype(asio::prefer(std::declval<const tracking_executor&>(), property), *this)
    {
        return *this;
    }
};

struct strand_fixture : test::io_fixture
{
    // Those of which the type is known, and another one.
    std::vector<asio::any_io_executor> executors()
    {
        return {
            ctx.get_executor(),
            asio::make_strand(ctx),
            asio::any_io_executor(task_on(ctx.get_executor())),
            asio::any_io_executor(task_on(asio::make_strand(ctx))),
            asio::make_strand(asio::any_io_executor(ctx.get_executor())),
            test::tracking_executor(ctx.get_executor())
        };
    }
};

}  // namespace task_strand

BOOST_FIXTURE_TEST_SUITE(task_strand, task_strand::strand_fixture)

using ::task_strand::refusing_executor;
using ::task_strand::task_on;

BOOST_AUTO_TEST_CASE(steps_run_in_order_and_one_after_the_other)
{
    for (const asio::any_io_executor& below : executors()) {
        const detail::supervised_executor task = task_on(below);
        std::string order;
        asio::post(task, [&] {
            asio::post(task, [&] { order += "3"; });
            order += "1";
            asio::dispatch(task, [&] { order += "i"; });  // inside
            order += "e";
        });
        asio::post(task, [&] { order += "2"; });
        run();
        BOOST_TEST(order == "1ie23");
    }
}

BOOST_AUTO_TEST_CASE(dispatch_from_where_the_executor_below_runs_is_inside_of_the_call)
{
    const detail::supervised_executor task = task_on(ctx.get_executor());
    std::string order;
    asio::post(ctx, [&] {
        asio::dispatch(task, [&] { order += "inside "; });
        order += "behind ";
        asio::dispatch(asio::require(task, asio::execution::blocking.never), [&] {
            order += "later";
        });
        order += "before ";
    });
    run();
    BOOST_TEST(order == "inside behind before later");
}

// Two tasks on the strand of one connection.
BOOST_AUTO_TEST_CASE(tasks_on_one_strand_exclude_each_other)
{
    asio::thread_pool pool(4);
    const auto strand = asio::make_strand(pool);
    const std::array tasks{task_on(strand), task_on(strand)};
    constexpr int each = 2'000;
    int count = 0;  // the thread sanitizer sees whether two threads use it
    test::run_threads(4, [&](std::size_t index) {
        for (int i = 0; i < each; ++i)
            asio::post(tasks[index % 2], [&count] { ++count; });
    });
    pool.join();
    BOOST_TEST(count == 4 * each);
}

// The first four that executors() gives.
BOOST_AUTO_TEST_CASE(waking_takes_no_memory)
{
    asio::thread_pool pool(1);
    std::vector<asio::any_io_executor> all = executors();
    all.resize(4);
    all.emplace_back(pool.get_executor());
    all.emplace_back(asio::make_strand(pool));
    std::vector<detail::supervised_executor> tasks;
    for (const asio::any_io_executor& below : all)
        tasks.push_back(task_on(below));
    std::atomic<int> calls = 0;
    std::array<post_memory, 12> memory;
    test::allocation_budget none{0};
    {
        const test::failing_new region(none);
        for (std::size_t i = 0; i < memory.size(); ++i)
            tasks[i / 2].post([&] { ++calls; }, memory[i]);
    }
    run();
    pool.join();
    BOOST_TEST(calls == 12);
    BOOST_TEST(!none.failed());
}

BOOST_AUTO_TEST_CASE(step_that_throws_leaves_the_others_to_the_next_run)
{
    for (const asio::any_io_executor& below : executors()) {
        const detail::supervised_executor task = task_on(below);
        std::string order;
        asio::post(task, [] { throw std::runtime_error("first"); });
        asio::post(task, [&] { order += "second "; });
        asio::post(task, [&] { order += "third"; });
        BOOST_CHECK_THROW(run(), std::runtime_error);
        BOOST_TEST(order.empty());
        BOOST_TEST(task.log().read().is_ready);
        run();
        BOOST_TEST(order == "second third");
    }
}

BOOST_AUTO_TEST_CASE(steps_of_a_context_that_dies_are_dropped)
{
    const auto alive = std::make_shared<int>();
    auto other = std::make_unique<asio::io_context>();
    const detail::supervised_executor task = task_on(other->get_executor());
    asio::post(task, [alive] {});
    asio::post(task, [alive] {});
    BOOST_TEST(alive.use_count() == 3);
    other.reset();
    BOOST_TEST(alive.use_count() == 1);
    BOOST_TEST(!task.log().read().is_ready);
}

BOOST_AUTO_TEST_CASE(steps_that_the_executor_below_refuses_are_dropped)
{
    const auto alive = std::make_shared<int>();
    const detail::supervised_executor task = task_on(
        asio::any_io_executor(refusing_executor(ctx.get_executor()))
    );
    post_memory memory;
    task.post([alive = alive.get()] { ++*alive; }, memory);
    BOOST_TEST(*alive == 0);
    asio::post(task, [alive] {});  // Asio does so in a destructor, so it must not throw
    BOOST_CHECK_THROW(task.launch([alive] {}), std::bad_alloc);
    BOOST_TEST(alive.use_count() == 1);
    BOOST_TEST(!task.log().read().is_ready);
}

// The strand of Asio drops the request, and so the last reference, before the scheduler drops what
// it has of that strand. ASan sees if that is in memory that is gone.
BOOST_AUTO_TEST_CASE(context_dies_while_a_step_waits_behind_a_strand_of_asio)
{
    const auto alive = std::make_shared<int>();
    auto context = std::make_unique<asio::io_context>();
    asio::post(
        task_on(asio::any_io_executor(asio::make_strand(context->get_executor()))),
        [alive] {}
    );

    context.reset();

    BOOST_TEST(alive.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
