// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S15

// P11: wait_for_stop() and join() through every door: completion tokens, coroutines of
// any type, other threads.

#include "support/check_error.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using test::record;

namespace coordinator_tokens {

struct tokens_fixture : test::io_fixture
{
    tokens_fixture()
    {
        coord.spawn("task", [this]() -> asio::awaitable<void> { co_await gate.next(); });
    }

    ~tokens_fixture()
    {
        gate.close();
        coord.request_stop();
        run();
    }

    void fail()
    {
        coord.request_stop(std::make_exception_ptr(std::runtime_error("broken")));
    }

    std::string text_of(const std::exception_ptr& exception)
    {
        return exception ? sluice::test::message_of(exception) : "none";
    }

    sluice::fifo_queue<int> gate{ctx, {.capacity = sluice::unbounded, .name = "gate"}};
    sluice::coordinator coord{ctx};
};

}  // namespace coordinator_tokens

BOOST_FIXTURE_TEST_SUITE(coordinator_tokens, tokens_fixture)

// tokens

BOOST_AUTO_TEST_CASE(s15_signatures_with_a_callback)
{
    int calls = 0;
    coord.async_wait_for_stop([&](auto error) {
        static_assert(std::is_same_v<decltype(error), sluice::error_code>);
        BOOST_TEST(!error);
        ++calls;
    });
    coord.async_join([&](auto error) {
        static_assert(std::is_same_v<decltype(error), std::exception_ptr>);
        BOOST_TEST(text_of(error) == "broken");
        ++calls;
    });
    BOOST_TEST(calls == 0);

    fail();
    run();

    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(member_operations_take_tokens_after_their_modifiers)
{
    coord.request_stop();
    const auto stop = coord.wait_for_stop().within(0s).as_tuple()(record);
    const auto join = coord.join().within(1h).as_tuple()(record);
    run();

    stop.check_success();  // S3: what need not wait succeeds whatever the limit
    join.check_success();
}

// time limits

BOOST_AUTO_TEST_CASE(join_within_is_a_limit_and_the_tasks_go_on)
{
    const auto zero = coord.join().within(0s)(record);
    const auto one = coord.join().within(1ms)(record);
    const auto past = coord.join().until(std::chrono::steady_clock::now())(record);
    const auto long_enough = coord.join().within(1h)(record);
    run_until([&] { return one.done(); });
    run();

    for (const auto& join : {zero, one, past})
        join.check_error(errc::timed_out);
    long_enough.check_pending();
    BOOST_TEST(!coord.should_stop());
    BOOST_TEST(!coord.joined());
    BOOST_TEST(coord.tasks().size() == 1u);
    gate.close();
    run();
    long_enough.check_success();
}

BOOST_AUTO_TEST_SUITE_END()
