// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S61

#include <sluice/queue/latest_value.hpp>

#include "support/allocation_counter.hpp"
#include "support/check_error.hpp"
#include "support/io_fixture.hpp"
#include "support/native_await.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>

namespace latest_value {

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using test::record;

// A copy throws if it is told to.
struct fragile
{
    explicit fragile(const bool& refuses) : refuses_(&refuses) {}
    fragile(fragile&&) noexcept = default;
    fragile(const fragile& other) : refuses_(other.refuses_)
    {
        if (*refuses_)
            throw std::runtime_error("no copy");
    }

    const bool* refuses_;
};

struct fixture : test::io_fixture
{
    sluice::latest_value<int> price{ctx, {.name = "price"}};
    std::uint64_t seen = 0;
};

}  // namespace latest_value

BOOST_FIXTURE_TEST_SUITE(latest_value, ::latest_value::fixture)

BOOST_AUTO_TEST_CASE(reader_waits_for_the_first_value_and_for_each_change)
{
    BOOST_TEST(!price.get().has_value());
    auto first = price.async_next(seen, record);
    run();
    first.check_pending();
    BOOST_TEST(price.set(1));
    run();
    BOOST_TEST(first.check_success().value().value() == 1);
    auto second = price.async_next(seen, record);
    run();
    second.check_pending();  // it has seen that one
    BOOST_TEST(price.set(2));
    run();
    BOOST_TEST(second.check_success().value().value() == 2);
    BOOST_TEST(price.get().value() == 2);
}

BOOST_AUTO_TEST_CASE(late_reader_begins_with_the_latest_and_sees_none_that_was_replaced)
{
    BOOST_TEST(price.set(1));
    BOOST_TEST(price.set(2));
    const auto reads = spawn([&]() -> asio::awaitable<int> {
        const test::allocation_counter counter;
        const std::optional<int> value = co_await price.next(seen);
        BOOST_TEST((counter.count() == 0U || !test::native_await));
        co_return *value;
    });
    BOOST_TEST(run_until_done(reads) == 2);
}

BOOST_AUTO_TEST_CASE(s61_value_that_is_replaced_on_its_way_is_not_seen)
{
    auto waits = price.async_next(seen, record);
    run();
    BOOST_TEST(price.set(1));
    BOOST_TEST(price.set(2));  // before the handler has run
    run();
    BOOST_TEST(waits.check_success().value().value() == 2);
    auto next = price.async_next(seen, record);
    run();
    next.check_pending();
    price.close();
    run();
    BOOST_TEST(!next.check_success().value().has_value());
}

BOOST_AUTO_TEST_CASE(close_gives_the_last_value_and_then_the_end)
{
    BOOST_TEST(price.set(1));
    price.close();
    BOOST_TEST(price.is_closed());
    BOOST_TEST(!price.set(2));
    BOOST_TEST(run_until_done([&] { return price.next(seen); }).value() == 1);
    BOOST_TEST(!run_until_done([&] { return price.next(seen); }).has_value());
    BOOST_TEST(price.get().value() == 1);
}

BOOST_AUTO_TEST_CASE(cause_of_a_close_comes_in_place_of_the_end)
{
    auto waits = price.async_next(seen, record);
    run();
    price.close(std::make_exception_ptr(sluice::system_error(errc::timed_out)));
    run();
    waits.check_error(errc::timed_out);
    const auto asks = spawn([&] { return price.next(seen); });
    run();
    test::check_error(asks.error(), errc::timed_out);
}

BOOST_AUTO_TEST_CASE(cause_without_a_code_is_input_failed_to_a_handler)  // S11
{
    auto waits = price.async_next(seen, record);
    price.close(std::make_exception_ptr(std::runtime_error("no quotes")));
    run();
    waits.check_error(errc::input_failed);
}

// The number of a program that has ended, for instance: no value is not the end.
BOOST_AUTO_TEST_CASE(unknown_number_waits_for_the_first_value)
{
    seen = 17;
    auto waits = price.async_next(seen, record);
    run();
    waits.check_pending();
    BOOST_TEST(price.set(1));
    run();
    BOOST_TEST(waits.check_success().value().value() == 1);
    BOOST_TEST(seen == 1U);
}

BOOST_AUTO_TEST_CASE(value_that_was_not_received_is_not_seen)
{
    auto waits = price.async_next(seen, record.cancellable());
    run();
    waits.cancel();
    BOOST_TEST(price.set(1));
    run();
    waits.check_error(asio::error::operation_aborted);
    BOOST_TEST(seen == 0U);
    sluice::fifo_queue<int> numbers{ctx, {.capacity = 1}};
    BOOST_TEST(numbers.try_enqueue(5));
    std::uint64_t other = 0;
    const auto choice = spawn([&]() -> asio::awaitable<std::size_t> {
        const auto result = co_await sluice::select(numbers.dequeue(), price.next(other));
        co_return result.index();
    });
    BOOST_TEST(run_until_done(choice) == 0U);
    BOOST_TEST(other == 0U);
}

BOOST_AUTO_TEST_CASE(copy_that_throws_leaves_the_value_to_be_seen)
{
    bool refuses = true;
    sluice::latest_value<::latest_value::fragile> value{ctx};
    BOOST_TEST(value.set(::latest_value::fragile(refuses)));
    auto fails = value.async_next(seen, record);
    run();
    fails.check_error(errc::element_failed);
    const auto throws = spawn([&] { return value.next(seen); });
    run();
    BOOST_CHECK_THROW((void)throws.result(), std::runtime_error);
    BOOST_TEST(seen == 0U);
    refuses = false;
    BOOST_TEST(run_until_done([&] { return value.next(seen); }).has_value());
    BOOST_TEST(seen == 1U);
}

BOOST_AUTO_TEST_CASE(stop_closes_it)
{
    sluice::coordinator coord{ctx};
    coord.close_on_stop(price);
    coord.request_stop();
    BOOST_TEST(price.is_closed());
}

// On several threads: values come in order, and each reader gets the last one.
BOOST_AUTO_TEST_CASE(readers_on_several_threads_see_values_in_order)
{
    constexpr int last = 2000;
    sluice::io_context_pool pool{2};
    sluice::latest_value<int> number{pool};
    const auto follow = [&]() -> asio::awaitable<int> {
        std::uint64_t mine = 0;
        int before = 0;
        while (const auto now = co_await number.next(mine)) {
            if (*now <= before)
                throw std::runtime_error("an older value came later");
            before = *now;
        }
        co_return before;
    };
    auto first = asio::co_spawn(pool.context(), follow(), asio::use_future);
    auto second = asio::co_spawn(pool.context(), follow(), asio::use_future);
    for (int value = 1; value <= last; ++value)
        BOOST_TEST(number.set(value));
    number.close();
    BOOST_TEST(first.get() == last);
    BOOST_TEST(second.get() == last);
}

BOOST_AUTO_TEST_SUITE_END()
