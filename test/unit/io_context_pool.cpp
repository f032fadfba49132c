// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/io_context_pool.hpp>

#include "support/allocation_counter.hpp"
#include "support/failing_allocator.hpp"
#include <sluice/error.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/errc.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace asio = boost::asio;
namespace test = sluice::test;

namespace io_context_pool {

asio::awaitable<int> answer()
{
    co_return 42;
}

asio::awaitable<void> failing()
{
    co_await asio::post(asio::use_awaitable);
    throw std::runtime_error("deliberate");
}

// Of an argument that may be a temporary, once the coroutine has been resumed.
asio::awaitable<long> owners_of(const std::shared_ptr<int>& argument)
{
    co_await asio::post(asio::use_awaitable);
    co_return argument.use_count();
}

}  // namespace io_context_pool

BOOST_AUTO_TEST_SUITE(io_context_pool)

BOOST_AUTO_TEST_CASE(handlers_run_on_as_many_threads_at_the_same_time)
{
    sluice::io_context_pool pool(3);
    // each handler waits for the others: with fewer threads this would never end
    std::latch all(3);
    for (int i = 0; i < 3; ++i)
        asio::post(pool.get_executor(), [&all] { all.arrive_and_wait(); });
    all.wait();
    pool.join();
    BOOST_TEST(all.try_wait());
}

BOOST_AUTO_TEST_CASE(threads_end_if_there_is_no_memory_for_all)
{
    const auto failures = test::for_each_failure([](test::allocation_budget& budget) {
        const test::failing_new region(budget);
        const sluice::io_context_pool pool(2);
    });
    BOOST_TEST(failures > 0U);
}

BOOST_AUTO_TEST_CASE(run_gives_the_result_of_a_coroutine)
{
    sluice::io_context_pool pool(2);
    BOOST_TEST(pool.run(answer()) == 42);
    BOOST_TEST(pool.run([] { return answer(); }) == 42);
}

BOOST_AUTO_TEST_CASE(run_keeps_the_callable_until_the_coroutine_has_ended)
{
    sluice::io_context_pool pool(2);
    const std::string text = pool.run(
        [kept = std::make_unique<std::string>("kept")]() -> asio::awaitable<std::string> {
            co_await asio::post(asio::use_awaitable);
            co_return *kept;
        }
    );
    BOOST_TEST(text == "kept");
}

BOOST_AUTO_TEST_CASE(temporary_argument_that_a_lambda_awaits_lives_until_the_end)
{
    sluice::io_context_pool pool(2);
    const auto argument = std::make_shared<int>(42);
    const auto body = [&argument]() -> asio::awaitable<long> {
        co_return co_await owners_of(std::shared_ptr<int>(argument));
    };
    BOOST_TEST(pool.run(body) == 2);
}

BOOST_AUTO_TEST_CASE(run_rethrows_and_the_pool_goes_on)
{
    sluice::io_context_pool pool(2);
    BOOST_CHECK_EXCEPTION(pool.run(failing()), std::runtime_error, [](const auto& error) {
        return error.what() == std::string("deliberate");
    });
    BOOST_TEST(pool.run(answer()) == 42);
}

BOOST_AUTO_TEST_CASE(run_runs_on_a_thread_of_the_pool)
{
    sluice::io_context_pool pool(1);
    const auto inside = pool.run([]() -> asio::awaitable<std::thread::id> {
        co_return std::this_thread::get_id();
    });
    BOOST_TEST((inside != std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(join_waits_for_all_work)
{
    sluice::io_context_pool pool(2);
    std::atomic<int> done{0};
    for (int i = 0; i < 100; ++i)
        asio::post(pool.get_executor(), [&pool, &done] {
            asio::post(pool.get_executor(), [&done] { ++done; });
        });
    pool.join();
    BOOST_TEST(done == 100);
    pool.join();  // a second one finds nothing to do
}

BOOST_AUTO_TEST_CASE(destructor_runs_no_handler_and_frees_what_waits)
{
    const auto token = std::make_shared<int>(0);
    bool called = false;
    {
        sluice::io_context_pool pool(1);
        auto timer = std::make_shared<asio::steady_timer>(
            pool.get_executor(),
            asio::steady_timer::time_point::max()
        );
        timer->async_wait([token, timer, &called](auto) { called = true; });
        BOOST_TEST(token.use_count() == 2);
    }
    BOOST_TEST(!called);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(thread_of_the_pool_that_would_wait_for_the_pool_is_refused)
{
    const auto is_refused = [](const sluice::system_error& error) {
        return error.code() == boost::system::errc::resource_deadlock_would_occur;
    };
    sluice::io_context_pool pool(1);
    pool.run([&]() -> asio::awaitable<void> {
        BOOST_CHECK_EXCEPTION(pool.run(answer()), sluice::system_error, is_refused);
        BOOST_CHECK_EXCEPTION(pool.run(&answer), sluice::system_error, is_refused);
        BOOST_CHECK_EXCEPTION(pool.join(), sluice::system_error, is_refused);
        co_return;
    });
    sluice::io_context_pool other(1);
    BOOST_TEST(pool.run([&]() -> asio::awaitable<int> {
        co_return other.run(answer());
    }) == 42);
}

BOOST_AUTO_TEST_SUITE_END()
