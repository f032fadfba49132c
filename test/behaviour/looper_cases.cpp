// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The looper: the cases of TensorFlow's LooperTest. They differ in how the arguments are
// passed; in C++ a lambda captures them, so together they are the first case.

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/runner/looper.hpp>

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <stdexcept>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using test::record;

namespace looper_cases {

struct looper_fixture : test::io_fixture
{
    ~looper_fixture() { run(); }

    sluice::coordinator coord{ctx};
};

}  // namespace looper_cases

BOOST_FIXTURE_TEST_SUITE(looper_cases, looper_fixture)

BOOST_AUTO_TEST_CASE(looper_without_interval_counts_down_and_stops)
{
    int counter = 3;
    const sluice::looper loop{coord, 0s, [&]() -> asio::awaitable<void> {
                                  if (--counter == 0)
                                      coord.request_stop();
                                  co_return;
                              }};
    const auto join = coord.async_join(record);
    run();

    join.check_success();
    BOOST_TEST(counter == 0);
}

BOOST_AUTO_TEST_CASE(looper_with_an_interval_counts_down_and_stops)
{
    int counter = 3;
    const sluice::looper loop{coord, 1ms, [&]() -> asio::awaitable<void> {
                                  if (--counter == 0)
                                      coord.request_stop();
                                  co_return;
                              }};
    const auto join = coord.async_join(record);
    run_until([&] { return join.done(); });

    join.check_success();
    BOOST_TEST(counter == 0);
}

BOOST_AUTO_TEST_CASE(stop_interrupts_a_long_wait)
{
    int calls = 0;
    const sluice::looper loop{coord, 1h, [&]() -> asio::awaitable<void> {
                                  ++calls;
                                  co_return;
                              }};
    const auto join = coord.async_join(record);
    run_until([&] { return calls == 1; });
    join.check_pending();

    coord.request_stop();
    run();

    join.check_success();
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(p8_exception_of_a_looper_ends_the_others)
{
    const sluice::looper failing{coord, 1h, []() -> asio::awaitable<void> {
                                     throw std::runtime_error("broken");
                                     co_return;
                                 }};
    const sluice::looper other{coord, 1h, []() -> asio::awaitable<void> { co_return; }};
    const auto join = coord.async_join(record);
    run();

    BOOST_TEST(join.done());
    BOOST_CHECK_THROW(std::rethrow_exception(join.exception()), std::runtime_error);
    BOOST_TEST(coord.tasks().empty());
}

BOOST_AUTO_TEST_CASE(p12_looper_dies_with_its_context)
{
    auto context = std::make_unique<asio::io_context>();
    auto captured = std::make_shared<int>();
    const std::weak_ptr<int> life = captured;
    sluice::coordinator scope{*context};
    {
        const sluice::looper loop{
            scope,
            1h,
            [captured = std::move(captured)]() -> asio::awaitable<void> { co_return; }
        };
    }
    test::run_dry(*context);
    BOOST_TEST(!life.expired());

    context.reset();

    BOOST_TEST(life.expired());
    BOOST_TEST(scope.tasks().empty());
}

BOOST_AUTO_TEST_CASE(p5_two_loopers_without_interval_share_one_thread)
{
    int first = 0;
    int second = 0;
    const sluice::looper a{coord, 0s, [&]() -> asio::awaitable<void> {
                               ++first;
                               co_return;
                           }};
    const sluice::looper b{coord, 0s, [&]() -> asio::awaitable<void> {
                               if (++second == 1000)
                                   coord.request_stop();
                               co_return;
                           }};

    run_until([&] { return coord.should_stop(); });
    run();

    BOOST_TEST(first > 500);
    BOOST_TEST(second == 1000);
}

BOOST_AUTO_TEST_SUITE_END()
