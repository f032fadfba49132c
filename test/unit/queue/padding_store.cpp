// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/padding_store.hpp>

#include "support/allocation_counter.hpp"
#include "support/printing.hpp"
#include "unit/queue/core_driver.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <new>
#include <span>
#include <vector>

namespace detail = sluice::detail;
namespace test = sluice::test;

namespace padding_store {

// Can be padded or not, and neither takes memory.
struct row
{
    explicit row(int value) : number(value) {}

    friend void pad_rows(std::span<row> rows)
    {
        for (const row& each : rows)
            if (each.number == 0)
                throw std::bad_alloc();
    }

    int number;
};

using driver = test::core_driver<row, sluice::padding_store<row>>;

}  // namespace padding_store

BOOST_AUTO_TEST_SUITE(padding_store)

// Others have the places of the rows by then, and the store has been as full as it can be.
BOOST_AUTO_TEST_CASE(rows_that_cannot_be_padded_return_without_taking_memory)  // Q4
{
    for (const std::size_t capacity : {0U, 8U}) {
        driver q(capacity);
        auto& batch = q.dequeue_many("batch", 8);
        q.put({0, 1, 2, 3, 4, 5, 6, 7});
        BOOST_TEST(batch.held() == 8U);
        for (std::size_t i = 0; i < capacity; ++i)
            BOOST_CHECK(
                q.core().try_push(row(8 + static_cast<int>(i))) == detail::attempt::done
            );
        test::allocation_budget none(0);
        {
            const test::failing_new region(none);
            BOOST_CHECK_THROW((void)q.core().make_batch(batch), std::bad_alloc);
        }
        BOOST_TEST(!none.failed());
        BOOST_TEST(q.size() == 8U + capacity);
        BOOST_TEST(q.core().stats().returned == 8U);
        for (int i = 0; i < 8 + static_cast<int>(capacity); ++i)
            BOOST_TEST(q.dequeue("next").item().value().number == i);
    }
}

// A loan that did not end would make the store grow with each round.
BOOST_AUTO_TEST_CASE(a_batch_that_is_cancelled_before_it_is_padded_ends_its_loan)
{
    driver q(8);
    for (int round = 0; round < 10; ++round) {
        auto& batch = q.dequeue_many("batch", 8);
        std::vector<row> rows(8, row(1));
        sluice::detail::tried_once<driver::core_type::producer> attempt{
            std::span<row>(rows)
        };
        test::allocation_budget budget(
            round == 0 ? test::allocation_budget::unlimited : 0
        );
        {
            const test::failing_new region(budget);
            test::try_once(q.core(), attempt);
            q.core().cancel(batch, boost::asio::error::operation_aborted);
        }
        BOOST_TEST(attempt.accepted() == 8U);
        BOOST_TEST(batch.failed());
        BOOST_TEST(q.size() == 8U);
        for (int i = 0; i < 8; ++i)
            q.dequeue("next");
        q.told();
    }
}

BOOST_AUTO_TEST_CASE(a_batch_that_is_padded_ends_its_loan)
{
    driver q(8);
    for (int round = 0; round < 10; ++round) {
        auto& batch = q.dequeue_many("batch", 8);
        std::vector<row> rows(8, row(1));
        sluice::detail::tried_once<driver::core_type::producer> attempt{
            std::span<row>(rows)
        };
        test::allocation_budget budget(
            round == 0 ? test::allocation_budget::unlimited : 0
        );
        {
            const test::failing_new region(budget);
            test::try_once(q.core(), attempt);
            (void)q.core().make_batch(batch);
        }
        BOOST_TEST(attempt.accepted() == 8U);
        BOOST_TEST(batch.held() == 0U);
        q.told();
    }
}

BOOST_AUTO_TEST_SUITE_END()
