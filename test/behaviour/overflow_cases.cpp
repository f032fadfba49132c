// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What a full queue does that has a rule of overflow (S28), through the public interface. The
// rules themselves are in unit/queue/queue_core_overflow.cpp.

#include "behaviour/queue_cases.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::overflow;
using namespace std::chrono_literals;

namespace overflow_cases {

using fifo = sluice::fifo_queue<std::unique_ptr<int>>;

struct fixture : test::queue_fixture
{
    std::vector<int> rest()
    {
        std::vector<int> all;
        while (const auto element = latest.try_dequeue())
            all.push_back(**element);
        return all;
    }

    fifo latest{ctx, {.capacity = 2, .overflow = overflow::drop_oldest}};
};

}  // namespace overflow_cases

BOOST_FIXTURE_TEST_SUITE(overflow_cases, fixture)

BOOST_AUTO_TEST_CASE(no_form_of_enqueue_waits)
{
    const auto body = [this]() -> asio::awaitable<void> {
        co_await latest.enqueue(std::make_unique<int>(1));
        co_await latest.enqueue(std::make_unique<int>(2));
        auto third = std::make_unique<int>(3);
        co_await latest.enqueue(std::move(third));
        BOOST_TEST(third == nullptr);
        co_await latest.emplace(std::make_unique<int>(4));
        co_await latest.enqueue(std::make_unique<int>(5)).within(0s);
        BOOST_TEST(latest.try_enqueue(std::make_unique<int>(6)));
        std::vector<std::unique_ptr<int>> rows;
        for (const int value : {7, 8, 9})
            rows.push_back(std::make_unique<int>(value));
        BOOST_TEST(co_await latest.enqueue_many(rows) == 3U);
        const auto [error] =
            co_await latest.enqueue(std::make_unique<int>(10)).as_tuple();
        BOOST_TEST(!error.failed());
    };
    const auto done = spawn(body);
    run();
    BOOST_TEST(done.done());
    done.result();
    auto future = latest.async_enqueue(std::make_unique<int>(11), asio::use_future);
    run();
    future.get();
    BOOST_TEST(latest.dropped() == 9U);
    BOOST_TEST(rest() == (std::vector{10, 11}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(branch_of_a_select_is_ready)
{
    sluice::fifo_queue<int> full{ctx, {.capacity = 1, .overflow = overflow::drop_newest}};
    sluice::fifo_queue<int> other{ctx, {.capacity = 1}};
    put(full, 1);
    put(other, 2);
    const int three = 3;
    const auto body = [&]() -> asio::awaitable<std::size_t> {
        const auto won = co_await sluice::select(full.enqueue(three), other.dequeue());
        co_return won.index();
    };
    BOOST_TEST(run_until_done(body) == 0U);
    BOOST_TEST(full.dropped() == 1U);
    BOOST_TEST(other.size() == 1U);
}

BOOST_AUTO_TEST_CASE(reserve_waits_and_its_element_is_not_dropped)
{
    BOOST_TEST(latest.try_enqueue(std::make_unique<int>(1)));
    BOOST_TEST(latest.try_enqueue(std::make_unique<int>(2)));
    const auto reserved = spawn([this]() -> asio::awaitable<void> {
        auto place = co_await latest.reserve();
        BOOST_TEST(latest.try_enqueue(std::make_unique<int>(4)));  // in the place of 3
        place.fill(std::make_unique<int>(5));
    });
    run();
    reserved.check_pending();
    BOOST_TEST(latest.try_enqueue(std::make_unique<int>(3)));
    BOOST_TEST(latest.dropped() == 1U);
    BOOST_TEST(**latest.try_dequeue() == 2);
    run_until_done(reserved);
    BOOST_TEST(latest.dropped() == 2U);
    BOOST_TEST(rest() == (std::vector{4, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
