// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/permit.hpp>

#include "support/allocation_counter.hpp"
#include "support/counted.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue_end.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace permit {

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::close_mode;
using sluice::errc;
using test::record;

struct permit_fixture : test::io_fixture
{
    // A place that is there already.
    sluice::permit<int> reserve()
    {
        auto place = q.try_reserve();
        BOOST_TEST_REQUIRE(static_cast<bool>(place));
        return place;
    }

    sluice::fifo_queue<int> q{ctx, {.capacity = 2, .name = "q"}};
};

// Comparing a bomb throws.
struct comparison
{
    bool operator()(int a, int b) const
    {
        if (a == 13 || b == 13)
            throw std::runtime_error("compared");
        return a < b;
    }
};

}  // namespace permit

BOOST_FIXTURE_TEST_SUITE(permit, permit_fixture)

static_assert(!std::is_copy_constructible_v<sluice::permit<int>>);

// A place

BOOST_AUTO_TEST_CASE(place_is_kept_for_its_element)
{
    auto first = reserve();
    auto second = reserve();
    BOOST_TEST(!q.try_reserve());
    BOOST_TEST(!q.try_enqueue(0));
    BOOST_TEST(q.size() == 0u);
    BOOST_TEST(q.stats().places == 2u);
    second.fill(2);
    BOOST_TEST(!second);
    BOOST_TEST(!q.try_enqueue(0));
    first.fill(1);
    BOOST_TEST(q.stats().places == 0u);
    BOOST_TEST(q.stats().enqueued == 2u);
    BOOST_TEST(q.try_dequeue().value() == 2);  // in the order in which they were filled
    BOOST_TEST(q.try_dequeue().value() == 1);
}

BOOST_AUTO_TEST_CASE(place_that_is_dropped_goes_to_the_next_who_waits)
{
    auto first = reserve();
    auto second = reserve();
    auto waits = q.async_enqueue(1, record);
    auto also = q.async_reserve(record);
    run();
    waits.check_pending();
    first.drop();
    first.drop();  // once is enough
    second = sluice::permit<int>();
    run();
    waits.check_success();
    BOOST_TEST(static_cast<bool>(also.check_success().value()));
    BOOST_TEST(q.stats().places == 1u);
}

BOOST_AUTO_TEST_CASE(filling_takes_no_memory)  // Q4
{
    sluice::fifo_queue<int> large{ctx, {.capacity = 1'000}};
    std::vector<sluice::permit<int>> places;
    for (int i = 0; i < 300; ++i)
        places.push_back(large.try_reserve());
    for (int i = 0; i < 700; ++i)
        BOOST_TEST_REQUIRE(large.try_enqueue(int{i}));
    const test::allocation_counter counter;
    for (auto& place : places)
        place.fill(1);
    counter.check_none();
    BOOST_TEST(large.size() == 1'000u);
}

// A ring of 8 slots has 7 elements; the last slot belongs to the place.
BOOST_AUTO_TEST_CASE(enqueue_does_not_take_the_memory_of_a_place)  // Q4
{
    sluice::fifo_queue<int> endless{ctx, {.capacity = 100}};
    for (int i = 0; i < 7; ++i)
        BOOST_TEST_REQUIRE(endless.try_enqueue(int{i}));
    auto place = endless.try_reserve();
    spawn([&]() -> asio::awaitable<void> { co_await endless.enqueue(7); });
    run();
    const test::allocation_counter counter;
    place.fill(9);
    counter.check_none();
    BOOST_TEST(endless.size() == 9u);
}

BOOST_AUTO_TEST_CASE(comparison_that_throws_leaves_element_and_place)  // P10
{
    sluice::priority_queue<int, permit::comparison> sorted{ctx, {.capacity = 2}};
    BOOST_TEST(sorted.try_enqueue(1));
    auto place = sorted.try_reserve();
    BOOST_CHECK_THROW(place.fill(13), std::runtime_error);
    BOOST_TEST(static_cast<bool>(place));
    BOOST_TEST(!sorted.try_reserve());
    place.fill(0);
    BOOST_TEST(sorted.try_dequeue().value() == 0);
}

// (S28)
BOOST_AUTO_TEST_CASE(reserve_of_a_queue_that_drops_waits_and_its_element_is_not_dropped)
{
    sluice::fifo_queue<int> latest{
        ctx,
        {.capacity = 2, .overflow = sluice::overflow::drop_oldest}
    };
    for (const int value : {1, 2})
        BOOST_TEST(latest.try_enqueue(value));
    auto reserved = latest.async_reserve(record);
    BOOST_TEST(latest.try_enqueue(3));
    BOOST_TEST(latest.dropped() == 1U);
    run();
    reserved.check_pending();
    BOOST_TEST(latest.try_dequeue() == 2);
    run();
    auto place = std::move(reserved.check_success().value());
    BOOST_TEST(latest.try_enqueue(4));  // in the place of 3
    place.fill(5);
    BOOST_TEST(latest.dropped() == 2U);
    BOOST_TEST(latest.try_dequeue_many(9) == (std::vector{4, 5}));
}

// Closing

BOOST_AUTO_TEST_CASE(closed_queue_takes_what_has_a_place)
{
    for (const close_mode mode : {close_mode::drain, close_mode::cancel_pending}) {
        sluice::fifo_queue<int> closing{ctx, {.capacity = 2}};
        auto first = closing.try_reserve();
        auto second = closing.try_reserve();
        auto one = closing.async_dequeue(record);
        auto end = closing.async_dequeue(record);
        closing.close(mode);
        run();
        one.check_pending();
        first.fill(1);
        run();
        BOOST_TEST(one.check_success().value() == 1);
        end.check_pending();
        second.drop();
        run();
        end.check_error(errc::end_of_queue);
    }
}

BOOST_AUTO_TEST_CASE(reserve_is_refused_where_an_enqueue_would_be)
{
    sluice::fifo_queue<int> rendezvous{ctx, {.capacity = 0}};
    auto refused = rendezvous.async_reserve(record);
    auto first = reserve();
    auto second = reserve();
    auto waits = q.async_reserve(record);
    q.close(close_mode::cancel_pending);
    auto late = q.async_reserve(record);
    run();
    refused.check_error(errc::invalid_argument);
    waits.check_error(errc::queue_closed);
    late.check_error(errc::queue_closed);
    BOOST_TEST(!q.try_reserve());
    BOOST_TEST(!rendezvous.try_reserve());
}

BOOST_AUTO_TEST_CASE(only_a_rendezvous_is_said_to_have_no_places)
{
    sluice::fifo_queue<int> rendezvous{ctx, {.capacity = 0, .name = "r"}};
    q.close();
    for (sluice::fifo_queue<int>* const queue : {&rendezvous, &q}) {
        const auto work = spawn([queue]() -> asio::awaitable<void> {
            (void)co_await queue->reserve();
        });
        const std::string text = test::message_of([&] { run_until_done(work); });
        BOOST_TEST(text.starts_with("reserve on queue"));
        const bool explains = text.find("capacity 0 has no places") != std::string::npos;
        BOOST_TEST(explains == (queue == &rendezvous));
    }
}

// Cancellation

BOOST_AUTO_TEST_CASE(cancelled_reserve_takes_no_place)  // P1
{
    auto first = reserve();
    auto second = reserve();
    auto waits = q.async_reserve(record.cancellable());
    waits.cancel();
    run();
    waits.check_error(asio::error::operation_aborted);
    auto decided = q.async_reserve(record.cancellable());
    first.drop();
    decided.cancel();  // before its handler has run
    run();
    decided.check_error(asio::error::operation_aborted);
    BOOST_TEST(q.stats().places == 1u);
}

BOOST_AUTO_TEST_CASE(queue_that_is_destroyed_waits_for_no_permit)  // P3, P12
{
    std::optional<sluice::fifo_queue<test::counted>> dies(
        std::in_place,
        ctx,
        sluice::queue_options{.capacity = 2}
    );
    auto filled = dies->try_reserve();
    auto dropped = dies->try_reserve();
    auto waits = dies->async_dequeue(record);
    dies.reset();
    run();
    waits.check_error(errc::end_of_queue);
    test::counted element(7);
    filled.fill(std::move(element));
    BOOST_TEST(element.value() == 7);  // it stays with its owner
    BOOST_TEST(!filled);
}

BOOST_AUTO_TEST_SUITE_END()
