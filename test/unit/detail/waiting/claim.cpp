// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/claim.hpp>

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cstddef>

namespace claim {

// Two claims of which the first has the lower address.
struct claim_pair
{
    std::array<sluice::detail::claim, 2> words;
    sluice::detail::claim& low = words[0];
    sluice::detail::claim& high = words[1];
};

}  // namespace claim

BOOST_FIXTURE_TEST_SUITE(claim, claim_pair)

BOOST_AUTO_TEST_CASE(one_that_is_taken_is_named_and_the_other_released)
{
    BOOST_TEST(high.try_take());
    BOOST_TEST(sluice::detail::claim::try_take_both(&low, &high) == &high);
    BOOST_TEST(!low.is_taken());
    BOOST_TEST(sluice::detail::claim::try_take_both(&high, &low) == &high);
    BOOST_TEST(low.try_take());

    claim_pair other;
    BOOST_TEST(other.low.try_take());
    BOOST_TEST(
        sluice::detail::claim::try_take_both(&other.high, &other.low) == &other.low
    );
    BOOST_TEST(other.high.try_take());
}

BOOST_AUTO_TEST_CASE(threads_that_race_for_one_claim_have_one_winner)
{
    for (int round = 0; round < 200; ++round) {
        sluice::detail::claim word;
        std::atomic<int> winners{0};
        sluice::test::run_threads(3, [&] { winners += word.try_take() ? 1 : 0; });
        BOOST_TEST(winners == 1);
    }
}

BOOST_AUTO_TEST_CASE(threads_that_take_pairs_in_opposite_order_take_both_or_neither)
{
    // Five claims in a ring, each needed by two threads in different orders: a deadlock
    // would hang here, and a half-taken pair would show in the count.
    constexpr std::size_t ring = 5;
    for (int round = 0; round < 200; ++round) {
        std::array<sluice::detail::claim, ring> ring_words;
        std::array<std::atomic<int>, ring> owners{};
        sluice::test::run_threads(ring, [&](std::size_t i) {
            const std::size_t next = (i + 1) % ring;
            sluice::detail::claim* const a = &ring_words[i % 2 == 0 ? i : next];
            sluice::detail::claim* const b = &ring_words[i % 2 == 0 ? next : i];
            if (sluice::detail::claim::try_take_both(a, b) == nullptr) {
                ++owners[i];
                ++owners[next];
            }
        });
        int taken = 0;
        for (std::size_t i = 0; i < ring; ++i) {
            BOOST_TEST(owners[i] <= 1);
            BOOST_TEST(ring_words[i].is_taken() == (owners[i] == 1));
            taken += owners[i];
        }
        BOOST_TEST(taken >= 2);  // a thread gets through
    }
}

BOOST_AUTO_TEST_SUITE_END()
