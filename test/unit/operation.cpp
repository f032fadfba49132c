// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/operation.hpp>

#include "support/co_test.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <concepts>
#include <optional>
#include <utility>

namespace asio = boost::asio;
using sluice::errc;
using sluice::test::record;
using namespace std::chrono_literals;

namespace operation {

template <class Operation>
concept has_modifiers = requires(Operation&& operation) {
    std::forward<Operation>(operation).within(1s);
    std::forward<Operation>(operation).as_tuple();
};

struct operation_fixture : sluice::test::io_fixture
{
    sluice::fifo_queue<int> q{ctx, {.capacity = 1, .name = "q"}};
};

}  // namespace operation

BOOST_FIXTURE_TEST_SUITE(operation, operation_fixture)

BOOST_AUTO_TEST_CASE(does_nothing_until_it_is_used)
{
    BOOST_TEST(q.try_enqueue(1));
    {
        auto never_started = q.dequeue();
        auto nor_this = q.dequeue().within(1s).as_tuple();
        (void)never_started;
        (void)nor_this;
    }
    run();
    BOOST_TEST(q.size() == 1U);
    BOOST_TEST(q.stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(handler_that_is_an_lvalue_is_copied)
{
    int taken = 0;
    const auto handler = [&](sluice::error_code, std::optional<int> item) {
        taken += item.value_or(100);
    };
    BOOST_TEST(q.try_enqueue(1));
    q.async_dequeue(handler);
    run();
    BOOST_TEST(q.try_enqueue(2));
    q.async_dequeue(handler);
    run();
    BOOST_TEST(taken == 3);
}

SLUICE_CO_TEST(is_awaited_later_than_it_was_made)
{
    auto operation = q.dequeue();
    BOOST_TEST(q.try_enqueue(1));
    BOOST_TEST(co_await std::move(operation) == 1);
}

SLUICE_CO_TEST(modifiers_combine_in_either_order)
{
    auto [first, none] = co_await q.dequeue().within(0s).as_tuple();
    BOOST_TEST(first == errc::timed_out);
    BOOST_TEST(!none.has_value());
    auto operation = q.dequeue().as_tuple();
    static_assert(requires { std::move(operation).within(0s); });
    auto [second, nothing] = co_await std::move(operation).within(0s);
    BOOST_TEST(second == errc::timed_out);
    BOOST_TEST(!nothing.has_value());
}

BOOST_AUTO_TEST_CASE(last_deadline_counts)
{
    auto op = q.dequeue().within(0s).within(1h)(record.cancellable());
    run();
    op.check_pending();
    op.cancel();
    run();
    op.check_error(asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(can_only_be_used_as_an_rvalue)
{
    using op = decltype(q.dequeue());
    static_assert(std::invocable<op, decltype(record)>);
    static_assert(!has_modifiers<op&>);
    static_assert(has_modifiers<op>);
    BOOST_TEST(q.size() == 0U);
}

// As any of Asio's own.
BOOST_AUTO_TEST_CASE(deferred_operation_can_be_started_again)
{
    const auto take = q.async_dequeue(asio::deferred);
    auto first = take(record);
    auto second = take(record);
    BOOST_TEST(q.try_enqueue(1));
    run();
    BOOST_TEST(q.try_enqueue(2));
    run();
    BOOST_TEST(first.value() == 1);
    BOOST_TEST(second.value() == 2);
}

BOOST_AUTO_TEST_SUITE_END()
