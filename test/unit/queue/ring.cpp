// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/ring.hpp>

#include "support/allocation_counter.hpp"
#include "support/counted.hpp"
#include "support/failing_allocator.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace ring {

using sluice::test::counted;
using ring_type = sluice::detail::ring<counted>;

int take(ring_type& ring)
{
    return ring.take_front().value();
}

}  // namespace ring

BOOST_FIXTURE_TEST_SUITE(ring, sluice::test::counted_fixture)

BOOST_AUTO_TEST_CASE(agrees_with_a_deque_while_blocks_come_and_go)
{
    ring_type ring;
    std::deque<int> expected;
    int next = 0;
    for (const int size : {200, 1500, 10, 700, 300, 2000, 0, 600}) {
        for (; static_cast<int>(expected.size()) < size; ++next) {
            if (next % 5 == 0) {
                ring.push_front(counted(next));
                expected.push_front(next);
            } else {
                ring.push_back(counted(next));
                expected.push_back(next);
            }
        }
        std::vector<counted> elements;
        for (int i = 0; i < 300; ++i, ++next) {
            elements.emplace_back(next);
            expected.push_back(next);
        }
        ring.reserve(ring.size() + 300);
        ring.append(std::span<counted>(elements));
        ring.take_front(77, [&](counted&& element) {
            BOOST_TEST(counted(std::move(element)).value() == expected.front());
            expected.pop_front();
        });
        for (; static_cast<int>(expected.size()) > size; expected.pop_front())
            BOOST_TEST(take(ring) == expected.front());
        (void)ring.shrink_to_fit(0);
        BOOST_TEST(ring.size() == expected.size());
        BOOST_TEST(ring.capacity() >= ring.size());
        BOOST_TEST(ring.capacity() <= ring.size() + 2 * ring_type::block_slots);
    }
}

BOOST_AUTO_TEST_CASE(growth_moves_no_more_elements_than_a_block_has)
{
    ring_type ring;
    for (int i = 0; i < 5000; ++i) {
        const auto before = moves();
        ring.push_back(counted(i));
        BOOST_TEST(moves() - before <= static_cast<int>(ring_type::block_slots) + 1);
    }
}

BOOST_AUTO_TEST_CASE(memory_of_many_elements_is_given_back)
{
    ring_type ring;
    ring.reserve(5000);
    BOOST_TEST(ring.capacity() >= 5000U);
    ring.push_back(counted(1));
    (void)ring.shrink_to_fit(3);
    BOOST_TEST(ring.capacity() == 8U);
    BOOST_TEST(take(ring) == 1);
    (void)ring.shrink_to_fit(0);
    BOOST_TEST(ring.capacity() == 0U);
}

BOOST_AUTO_TEST_CASE(moved_ring_leaves_an_empty_one)
{
    ring_type from;
    from.push_back(counted(1));
    ring_type to(std::move(from));
    BOOST_TEST(from.size() == 0U);
    BOOST_TEST(take(to) == 1);
    from.push_back(counted(2));
    to = std::move(from);
    BOOST_TEST(from.capacity() == 0U);
    BOOST_TEST(take(to) == 2);
}

BOOST_AUTO_TEST_CASE(growth_that_fails_changes_nothing)
{
    ring_type ring;
    while (ring.size() < ring.capacity() || ring.size() == 0)
        ring.push_back(counted(static_cast<int>(ring.size())));
    const std::size_t before = ring.size();
    counted back(100);
    counted front(200);
    const auto fails = [](auto grow) {
        sluice::test::allocation_budget none(0);
        const sluice::test::failing_new region(none);
        try {
            grow();
            return false;
        } catch (const std::bad_alloc&) {
            return true;
        }
    };
    BOOST_TEST(fails([&] { ring.push_back(std::move(back)); }));
    BOOST_TEST(fails([&] { ring.push_front(std::move(front)); }));
    BOOST_TEST(fails([&] { ring.reserve(before + 1); }));
    BOOST_TEST(back == 100);
    BOOST_TEST(front == 200);
    BOOST_TEST(ring.size() == before);
    for (std::size_t i = 0; i < before; ++i)
        BOOST_TEST(take(ring) == static_cast<int>(i));
}

BOOST_AUTO_TEST_SUITE_END()
