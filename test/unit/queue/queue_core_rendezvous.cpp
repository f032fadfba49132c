// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "unit/queue/core_driver.hpp"
#include <sluice/detail/waiting/claim.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>
#include <vector>

// Where a queue core brings operations together: at capacity 0, and as branches of a
// select.

namespace test = sluice::test;
using sluice::detail::delivery;
using sluice::detail::demand;
using sluice::detail::wait_mode;

namespace queue_core_rendezvous {

using fifo = test::core_driver<>;

// When the queue looks at what is stored, another thread decides the select in question.
struct decided_at_a_look : sluice::fifo_store<int>
{
    using fifo_store::fifo_store;

    [[nodiscard]] std::size_t size() const noexcept
    {
        (void)(decides != nullptr && decides->try_take());
        return fifo_store::size();
    }

    [[nodiscard]] std::size_t available(bool /*closed*/) const noexcept { return size(); }

    [[nodiscard]] int pop()
    {
        if (decides != nullptr)
            throw std::runtime_error("cannot be moved");
        return fifo_store::pop();
    }

    void pop_many(std::vector<int>& batch, std::size_t count) = delete;  // each by pop()

    static inline sluice::detail::claim* decides = nullptr;
};

struct looks
{
    ~looks() { decided_at_a_look::decides = nullptr; }

    sluice::detail::claim word;
    test::core_driver<int, decided_at_a_look> q{1};
};

}  // namespace queue_core_rendezvous

BOOST_AUTO_TEST_SUITE(queue_core_rendezvous)

// branches of a select: an operation that may proceed only if it takes the claim

BOOST_FIXTURE_TEST_CASE(branch_that_loses_while_it_looks_is_not_told_of_the_end, looks)
{
    q.close();
    auto& lost = q.idle_consumer("lost", demand::one, 1);
    lost.claim_ = decided_at_a_look::decides = &word;
    q.start(lost);
    BOOST_TEST(lost.deliveries() == 0);
    BOOST_TEST(!lost.failed());
}

BOOST_FIXTURE_TEST_CASE(branch_that_loses_while_it_looks_is_not_told_of_a_failure, looks)
{
    q.put({1});
    auto& lost = q.idle_consumer("lost", demand::exactly, 2);
    lost.claim_ = decided_at_a_look::decides = &word;
    q.start(lost);
    BOOST_TEST(lost.deliveries() == 0);
    BOOST_TEST(!lost.failed());
}

BOOST_AUTO_TEST_CASE(branch_without_elements_that_lost_is_dropped)
{
    sluice::detail::claim word;
    BOOST_TEST(word.try_take());
    fifo q(1);
    for (const delivery how : {delivery::inline_if_ready, delivery::always_posted}) {
        auto& lost = q.idle_consumer("lost", demand::exactly, 0);
        lost.claim_ = &word;
        (void)q.core().start(lost, how, wait_mode::waits);
        BOOST_TEST(lost.deliveries() == 0);
        BOOST_TEST(!lost.is_pending());
    }
}

BOOST_AUTO_TEST_SUITE_END()
