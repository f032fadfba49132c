// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S28

#include "unit/queue/core_driver.hpp"
#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/detail/queue_waiters.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/queue_options.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::errc;
using sluice::overflow;
using sluice::queue_options;
using sluice::detail::attempt;

namespace queue_core_overflow {

using fifo = test::core_driver<>;
using smallest_first = test::core_driver<int, sluice::priority_store<int, std::less<>>>;
using shuffle = test::core_driver<int, sluice::shuffle_store<int>>;

queue_options latest(std::size_t count)
{
    return {.capacity = count, .overflow = overflow::drop_oldest};
}

queue_options first(std::size_t count)
{
    return {.capacity = count, .overflow = overflow::drop_newest};
}

// Looks at its queue when it is destroyed, which the lock forbids.
struct observer
{
    explicit observer(int value) : number(value) {}

    observer(observer&& other) noexcept
        : number(other.number),
          queue(std::exchange(other.queue, nullptr)),
          seen(other.seen),
          told(other.told)
    {
    }

    ~observer()
    {
        if (queue == nullptr)
            return;
        seen->push_back(queue->stats().dropped);
        *told += queue->told();
    }

    int number;
    test::core_driver<observer>* queue = nullptr;
    std::vector<std::uint64_t>* seen = nullptr;
    std::string* told = nullptr;  // who was told before
};

std::ostream& operator<<(std::ostream& out, const observer& o)
{
    return out << o.number;
}

// Cannot be copied when it is 13.
struct unlucky
{
    explicit unlucky(int value) : number(value) {}
    unlucky(unlucky&&) noexcept = default;
    unlucky(const unlucky& other) : number(other.number)
    {
        if (number == 13)
            throw std::runtime_error("13");
    }

    friend std::ostream& operator<<(std::ostream& out, const unlucky& u)
    {
        return out << u.number;
    }

    int number;
};

}  // namespace queue_core_overflow

BOOST_AUTO_TEST_SUITE(queue_core_overflow)

BOOST_AUTO_TEST_CASE(oldest_is_dropped_for_a_new_element)
{
    fifo q(latest(2));
    q.enqueue("rows", {1, 2});
    BOOST_TEST(q.enqueue("third", {3}).text() == "ok");
    BOOST_TEST(q.stats().dropped == 1U);
    BOOST_TEST(q.stats().enqueued == 3U);
    BOOST_TEST(q.core().dropped() == 1U);
    BOOST_TEST(q.take() == "[2, 3]");
}

BOOST_AUTO_TEST_CASE(newest_is_dropped_and_its_enqueue_succeeds)
{
    fifo q(first(2));
    q.enqueue("rows", {1, 2});
    BOOST_TEST(q.enqueue("third", {3}).text() == "ok");
    BOOST_TEST(q.stats().dropped == 1U);
    BOOST_TEST(q.stats().enqueued == 3U);
    BOOST_TEST(q.take() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(consumers_who_wait_take_what_they_can_before_anything_is_dropped)
{
    fifo q(latest(1));
    auto& a = q.dequeue("a");
    auto& b = q.dequeue("b");
    auto& rows = q.idle_producer("rows", {1, 2, 3, 4});
    BOOST_TEST(q.core().try_start(rows));
    BOOST_TEST(a.text() == "1");
    BOOST_TEST(b.text() == "2");
    BOOST_TEST(q.take() == "[4]");
    BOOST_TEST(q.stats().dropped == 1U);
}

// They are in front (P1), so they are the oldest, and the queue gets back to its capacity.
BOOST_AUTO_TEST_CASE(returned_element_is_dropped_first)
{
    fifo q(latest(2));
    auto& many = q.dequeue_many("many", 4);
    q.enqueue("rows", {1, 2, 3});
    q.cancel(many);
    BOOST_TEST(q.size() == 3U);
    BOOST_TEST(q.stats().dropped == 0U);
    q.enqueue("four", {4});
    BOOST_TEST(q.stats().dropped == 2U);
    BOOST_TEST(q.take() == "[3, 4]");
}

BOOST_AUTO_TEST_CASE(elements_are_dropped_until_the_weight_of_the_new_one_fits)
{
    fifo q(queue_options{
        .capacity = 100,
        .weight_limit = 3 * sizeof(int),
        .overflow = overflow::drop_oldest
    });
    BOOST_TEST(q.enqueue("rows", {1, 2, 3, 4, 5}).text() == "ok");
    BOOST_TEST(q.stats().weight == 3 * sizeof(int));
    BOOST_TEST(q.stats().dropped == 2U);
    BOOST_TEST(q.take() == "[3, 4, 5]");
    BOOST_TEST(q.stats().weight == 0U);
}

BOOST_AUTO_TEST_CASE(nothing_but_the_new_element_can_be_dropped_where_all_places_are_kept)
{
    fifo q(latest(1));
    BOOST_TEST(!q.core().try_take_places(1).failed());
    BOOST_TEST(q.enqueue("lost", {1}).text() == "ok");
    BOOST_TEST(q.stats().dropped == 1U);
    BOOST_TEST(q.core().fill_place(2));
    BOOST_TEST(q.take() == "[2]");
}

BOOST_AUTO_TEST_CASE(closed_queue_refuses_and_drops_nothing)  // P4
{
    fifo q(latest(1));
    q.enqueue("one", {1});
    q.close();
    BOOST_TEST(q.enqueue("two", {2}).text() == "queue_closed");
    BOOST_TEST(q.put({3}) == 0U);
    BOOST_TEST(q.stats().dropped == 0U);
    BOOST_TEST(q.take() == "[1]");
}

BOOST_AUTO_TEST_CASE(dropped_elements_are_destroyed_without_the_lock_before_any_delivery)
{
    using core_type = test::core_driver<observer>;
    std::vector<std::uint64_t> seen;
    std::string told;
    core_type q(latest(1));
    const auto bring = [&](auto&& how) {
        auto& p = q.idle_producer("p", {1, 2});
        for (observer& row : p.rows) {
            row.queue = &q;
            row.seen = &seen;
            row.told = &told;
        }
        how(p);
    };
    bring([&](auto& p) { q.start(p); });
    BOOST_TEST(seen == std::vector<std::uint64_t>{1});
    BOOST_TEST(told.empty());
    BOOST_TEST(q.told() == "p");
    bring([&](auto& p) { BOOST_TEST(q.core().try_start(p)); });
    bring([&](auto& p) { test::try_once(q.core(), p); });
    BOOST_TEST(seen.size() == 5U);
    BOOST_TEST(seen.back() == 5U);
    q.close();
    q.core().shut_down();
}

BOOST_AUTO_TEST_CASE(newest_is_not_copied_to_be_dropped)
{
    test::core_driver<unlucky> q(first(1));
    q.enqueue("one", {1});
    const unlucky copied(13);
    sluice::detail::tried_once<test::core_driver<unlucky>::core_type::producer> row(
        &copied
    );
    test::try_once(q.core(), row);
    BOOST_TEST(!row.failed());
    BOOST_TEST(q.stats().dropped == 1U);
}

BOOST_AUTO_TEST_CASE(element_that_cannot_be_copied_fails_its_enqueue)
{
    test::core_driver<unlucky> q(latest(1));
    q.enqueue("one", {1});
    const unlucky copied(13);
    sluice::detail::tried_once<test::core_driver<unlucky>::core_type::producer> row(
        &copied
    );
    BOOST_TEST(q.core().try_start(row));
    BOOST_TEST((row.error() == errc::element_failed));
    BOOST_TEST(q.stats().enqueued == 1U);
}

// Other orders.

BOOST_AUTO_TEST_CASE(other_orders_drop_the_newest)
{
    smallest_first jobs(first(2));
    jobs.enqueue("jobs", {3, 2, 1});
    BOOST_TEST(jobs.take() == "[2, 3]");

    shuffle any(sluice::shuffle_queue_options{
        .capacity = 2,
        .seed = 1,
        .overflow = overflow::drop_newest
    });
    any.enqueue("rows", {7, 7, 8});
    BOOST_TEST(any.take() == "[7, 7]");
}

BOOST_AUTO_TEST_CASE(rules_without_a_meaning_are_refused)
{
    const auto is_refused = [](const sluice::system_error& error) {
        return error.code() == errc::invalid_argument;
    };
    BOOST_CHECK_EXCEPTION(fifo(latest(0)), sluice::system_error, is_refused);
    BOOST_CHECK_EXCEPTION(fifo(first(0)), sluice::system_error, is_refused);
    BOOST_CHECK_EXCEPTION(smallest_first(latest(2)), sluice::system_error, is_refused);
    BOOST_CHECK_EXCEPTION(
        shuffle(sluice::shuffle_queue_options{
            .capacity = 2,
            .overflow = overflow::drop_oldest
        }),
        sluice::system_error,
        is_refused
    );
}

BOOST_AUTO_TEST_SUITE_END()
