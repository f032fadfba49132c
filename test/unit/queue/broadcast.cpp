// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/broadcast.hpp>

#include "support/allocation_counter.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/tracking_executor.hpp"
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace broadcast {

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::broadcast;
using sluice::errc;
using sluice::subscription;
using test::record;

// A copy throws if it is told to. Notes how much memory was taken when one was moved.
struct watched
{
    struct report
    {
        int copies_left = -1;  // until one throws; below zero: none does
        std::optional<test::allocation_counter> since_copy;
        std::size_t most = 0;
    };

    explicit watched(report& to) : into(&to) {}
    watched(watched&& other) noexcept : into(other.into)
    {
        if (into->since_copy)
            into->most = std::max(into->most, into->since_copy->count());
    }
    watched(const watched& other) : into(other.into)
    {
        if (into->copies_left-- == 0)
            throw std::runtime_error("no copy");
        into->since_copy.emplace();
    }

    report* into;
};

struct fixture : test::io_fixture
{
    auto publish(int number)
    {
        return spawn([this, number] { return news.publish(number); });
    }

    static std::vector<int> rest(const subscription<int>& reader)
    {
        std::vector<int> all;
        while (auto number = reader.queue().try_dequeue())
            all.push_back(*number);
        return all;
    }

    broadcast<int> news{ctx};
};

}  // namespace broadcast

BOOST_FIXTURE_TEST_SUITE(broadcast, fixture)

BOOST_AUTO_TEST_CASE(every_subscriber_gets_what_comes_after_it_subscribed)
{
    BOOST_TEST(run_until_done(publish(1)) == 0U);  // dropped
    const auto first = news.subscribe({.capacity = 4});
    BOOST_TEST(run_until_done(publish(2)) == 1U);
    const auto second = news.subscribe({.capacity = 4});
    BOOST_TEST(run_until_done(publish(3)) == 2U);
    BOOST_TEST(rest(first) == (std::vector{2, 3}), boost::test_tools::per_element());
    BOOST_TEST(rest(second) == std::vector{3}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(publisher_waits_for_the_slowest_and_no_other_gets_it_before)
{
    const auto slow = news.subscribe({.capacity = 1});
    const auto fast = news.subscribe({.capacity = 4});
    const auto latest = news.subscribe(
        {.capacity = 1, .overflow = sluice::overflow::drop_oldest}
    );
    BOOST_TEST(run_until_done(publish(1)) == 3U);
    const auto waiting = publish(2);
    run();
    waiting.check_pending();
    BOOST_TEST(fast.queue().size() == 1U);
    BOOST_TEST(latest.dropped() == 0U);
    BOOST_TEST(*slow.queue().try_dequeue() == 1);
    BOOST_TEST(run_until_done(waiting) == 3U);
    BOOST_TEST(fast.queue().size() == 2U);
    BOOST_TEST(rest(latest) == std::vector{2}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(subscriber_with_an_overflow_rule_holds_up_no_publisher)
{
    using sluice::overflow;
    const auto latest = news.subscribe({.capacity = 2, .overflow = overflow::drop_oldest}
    );
    const auto first = news.subscribe({.capacity = 2, .overflow = overflow::drop_newest});
    const auto fast = news.subscribe({.capacity = 8});
    for (const int number : {1, 2, 3, 4})
        BOOST_TEST(run_until_done(publish(number)) == 3U);
    BOOST_TEST(latest.dropped() == 2U);
    BOOST_TEST(first.dropped() == 2U);
    BOOST_TEST(fast.dropped() == 0U);
    BOOST_TEST(rest(latest) == (std::vector{3, 4}), boost::test_tools::per_element());
    BOOST_TEST(rest(first) == (std::vector{1, 2}), boost::test_tools::per_element());
    BOOST_TEST(rest(fast) == (std::vector{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(subscriber_who_leaves_releases_the_publisher)
{
    const auto stays = news.subscribe({.capacity = 4});
    auto leaves = news.subscribe({.capacity = 1});
    BOOST_TEST(run_until_done(publish(1)) == 2U);
    const auto waiting = publish(2);
    run();
    waiting.check_pending();
    leaves.unsubscribe();
    BOOST_TEST(!leaves);
    BOOST_TEST(run_until_done(waiting) == 1U);
    BOOST_TEST(news.subscribers() == 1U);
    BOOST_TEST(rest(stays) == (std::vector{1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_subscriber_who_leaves_did_not_take_dies_at_once)
{
    broadcast<std::shared_ptr<int>> news_of_all{ctx};
    const auto slow = news_of_all.subscribe({.capacity = 1});
    auto leaves = news_of_all.subscribe({.capacity = 4});
    auto first = std::make_shared<int>(1);
    const std::weak_ptr<int> is_alive = first;
    BOOST_TEST(news_of_all.try_publish(first).value() == 2U);
    first.reset();
    BOOST_TEST(*slow.queue().try_dequeue().value() == 1);
    BOOST_TEST(news_of_all.try_publish(std::make_shared<int>(2)).value() == 2U);
    const auto waiting = spawn([&] {
        return news_of_all.publish(std::make_shared<int>(3));
    });
    run();
    waiting.check_pending();
    leaves.unsubscribe();
    BOOST_TEST(is_alive.expired());
    BOOST_TEST(*slow.queue().try_dequeue().value() == 2);
    BOOST_TEST(run_until_done(waiting) == 1U);
}

BOOST_AUTO_TEST_CASE(subscriber_without_capacity_is_refused)
{
    BOOST_CHECK_EXCEPTION(
        (void)news.subscribe({.capacity = 0}),
        sluice::system_error,
        [](const auto& error) { return error.code() == errc::invalid_argument; }
    );
    const auto reader = news.subscribe({.capacity = 1});
    BOOST_TEST(run_until_done(publish(1)) == 1U);
}

BOOST_AUTO_TEST_CASE(close_lets_subscribers_take_the_rest)
{
    auto reader = news.subscribe({.capacity = 4});
    BOOST_TEST(run_until_done(publish(1)) == 1U);
    news.close();
    BOOST_TEST(news.is_closed());
    BOOST_TEST(run_until_done(reader.next()).value() == 1);
    BOOST_TEST(!run_until_done(reader.next()).has_value());
    const auto late = publish(2);
    run();
    late.check_error(errc::queue_closed);
    auto too_late = news.subscribe({.capacity = 4});
    BOOST_TEST(!run_until_done(too_late.next()).has_value());
}

BOOST_AUTO_TEST_CASE(copy_that_throws_reaches_no_subscriber)
{
    watched::report report{.copies_left = 1, .since_copy = {}};
    sluice::broadcast<watched> fragiles{ctx};
    const auto first = fragiles.subscribe({.capacity = 4});
    const auto second = fragiles.subscribe({.capacity = 4});
    const auto published = spawn([&] { return fragiles.publish(watched(report)); });
    run();
    BOOST_CHECK_THROW(published.result(), std::runtime_error);
    BOOST_TEST(first.queue().size() == 0U);
    BOOST_TEST(second.queue().size() == 0U);
    BOOST_TEST(second.queue().stats().places == 0U);
}

BOOST_AUTO_TEST_CASE(publish_takes_all_its_memory_before_the_first_delivery)
{
    watched::report report;
    sluice::broadcast<watched> news_of_memory{ctx};
    const auto first = news_of_memory.subscribe(
        {.capacity = 1, .overflow = sluice::overflow::drop_oldest}
    );
    const auto second = news_of_memory.subscribe(
        {.capacity = 1, .overflow = sluice::overflow::drop_newest}
    );
    for (int i = 0; i < 2; ++i) {  // into queues that are empty, and into full ones
        report.since_copy.reset();
        BOOST_TEST(run_until_done(news_of_memory.publish(watched(report))) == 2U);
        BOOST_TEST(report.since_copy.has_value());
    }
    BOOST_TEST(report.most == 0U);
    BOOST_TEST(first.dropped() + second.dropped() == 2U);
}

BOOST_AUTO_TEST_CASE(subscriptions_and_publishers_may_outlive_it)
{
    auto dies = std::make_unique<sluice::broadcast<int>>(ctx);
    auto reader = dies->subscribe({.capacity = 1});
    BOOST_TEST(run_until_done(dies->publish(1)) == 1U);
    const auto holds_turn = spawn(dies->publish(2));
    const auto waits_for_turn = spawn(dies->publish(3));
    run();
    dies.reset();
    BOOST_TEST(run_until_done(reader.next()).value() == 1);
    run();
    BOOST_TEST(
        run_until_done(holds_turn) == 1U
    );  // close() drains: it waited for room already
    waits_for_turn.check_error(errc::queue_closed);
    BOOST_TEST(run_until_done(reader.next()).value() == 2);
    BOOST_TEST(!run_until_done(reader.next()).has_value());
}

BOOST_AUTO_TEST_CASE(try_publish_reaches_all_or_none_and_says_why)
{
    BOOST_TEST(news.try_publish(0).value() == 0U);  // dropped
    auto slow = news.subscribe({.capacity = 1});
    auto fast = news.subscribe({.capacity = 4});
    const auto latest = news.subscribe(
        {.capacity = 1, .overflow = sluice::overflow::drop_oldest}
    );
    BOOST_TEST(news.try_publish(1).value() == 3U);
    sluice::error_code error;
    BOOST_TEST(!news.try_publish(2, error));
    BOOST_TEST(error == errc::queue_full);
    BOOST_TEST(fast.queue().stats().places == 0U);
    BOOST_TEST(latest.dropped() == 0U);
    fast.queue().close();  // a subscriber that has gone is not waited for
    BOOST_TEST(*slow.queue().try_dequeue() == 1);
    BOOST_TEST(news.try_publish(2, error).value() == 2U);
    BOOST_TEST(!error);
    news.close();
    BOOST_TEST(!news.try_publish(3, error));
    BOOST_TEST(error == errc::queue_closed);
    BOOST_TEST(rest(slow) == std::vector{2}, boost::test_tools::per_element());
    BOOST_TEST(rest(latest) == std::vector{2}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(try_publish_does_not_pass_a_publisher_that_waits)
{
    const auto reader = news.subscribe({.capacity = 1});
    BOOST_TEST(run_until_done(publish(1)) == 1U);
    const auto waiting = publish(2);
    run();
    BOOST_TEST(*reader.queue().try_dequeue() == 1);  // the place is that of the publisher
    sluice::error_code error;
    BOOST_TEST(!news.try_publish(3, error));
    BOOST_TEST(error == errc::queue_busy);
    BOOST_TEST(run_until_done(waiting) == 1U);
    BOOST_TEST(rest(reader) == std::vector{2}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(token_publishes_in_the_order_of_the_calls)
{
    const auto reader = news.subscribe({.capacity = 1});
    auto first = news.async_publish(1, record);
    auto second = news.async_publish(2, record);
    auto third = news.async_publish(3, record);
    first.check_pending();  // never from within the call
    run();
    first.check_success().check_value(1U);
    second.check_pending();
    for (const int expected : {1, 2, 3}) {
        BOOST_TEST(reader.queue().try_dequeue().value() == expected);
        run();
    }
    second.check_success().check_value(1U);
    third.check_success().check_value(1U);
    news.close();
    auto late = news.async_publish(4, record);
    run();
    late.check_error(errc::queue_closed).check_value(0U);
}

BOOST_AUTO_TEST_CASE(handler_of_publish_runs_on_its_executor_and_can_be_cancelled)
{
    using type = asio::cancellation_type;
    const auto fast = news.subscribe({.capacity = 2});
    const auto reader = news.subscribe({.capacity = 1});
    test::tracking_executor executor(ctx.get_executor());
    auto published = news.async_publish(1, record.on(executor));
    run();
    published.check_success().check_executor(executor);
    for (const type how : {type::terminal, type::partial, type::total}) {
        auto has_turn = news.async_publish(2, record.cancellable());
        auto waits_for_turn = news.async_publish(3, record.cancellable());
        run();
        waits_for_turn.cancel(how);
        run();
        waits_for_turn.check_error(asio::error::operation_aborted);
        has_turn.check_pending();
        has_turn.cancel(how);
        run();
        has_turn.check_error(asio::error::operation_aborted);
        BOOST_TEST(fast.queue().stats().places == 0U);
        BOOST_TEST(reader.queue().stats().places == 0U);
    }
    BOOST_TEST(rest(reader) == std::vector{1}, boost::test_tools::per_element());
    BOOST_TEST(news.try_publish(4).value() == 2U);
    BOOST_TEST(rest(fast) == (std::vector{1, 4}), boost::test_tools::per_element());
}

// Each of two publishers would wait for the other if they took places in any order.
BOOST_AUTO_TEST_CASE(publishers_on_several_threads_give_all_the_same_order)
{
    constexpr int each = 500;
    sluice::io_context_pool pool{2};
    sluice::broadcast<int> numbers{pool};
    auto first = numbers.subscribe({.capacity = 1});
    auto second = numbers.subscribe({.capacity = 3});
    const auto publish_all = [&](int from) -> asio::awaitable<void> {
        for (int i = 0; i < each; ++i)
            (void)co_await numbers.publish(from + i);
    };
    const auto collect = [](subscription<int>& from
                         ) -> asio::awaitable<std::vector<int>> {
        std::vector<int> all;
        while (auto number = co_await from.next())
            all.push_back(*number);
        co_return all;
    };
    const auto leave_often = [&]() -> asio::awaitable<void> {
        for (int i = 0; i < each; ++i) {
            auto passer_by = numbers.subscribe({.capacity = 1});
            (void)co_await passer_by.next();
        }
    };
    auto all_first = asio::co_spawn(pool.context(), collect(first), asio::use_future);
    auto all_second = asio::co_spawn(pool.context(), collect(second), asio::use_future);
    auto a = asio::co_spawn(pool.context(), publish_all(0), asio::use_future);
    auto b = asio::co_spawn(pool.context(), publish_all(each), asio::use_future);
    auto c = asio::co_spawn(pool.context(), leave_often(), asio::use_future);
    a.get();
    b.get();
    numbers.close();
    c.get();
    const std::vector<int> seen = all_first.get();
    BOOST_TEST(seen.size() == std::size_t{2} * each);
    BOOST_TEST(seen == all_second.get(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(subscription_that_is_assigned_unsubscribes)
{
    auto reader = news.subscribe({.capacity = 1});
    reader = news.subscribe({.capacity = 2});
    BOOST_TEST(news.subscribers() == 1U);
    BOOST_TEST(reader.queue().capacity() == 2U);
    reader = {};
    BOOST_TEST(news.subscribers() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
