// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/dequeue_waiter.hpp>

#include "support/allocation_counter.hpp"
#include "support/counted.hpp"
#include "support/printing.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <new>
#include <string>
#include <utility>
#include <vector>

using sluice::detail::demand;
using sluice::test::counted;

namespace dequeue_waiter {

template <class T>
class plain_consumer final : public sluice::detail::dequeue_waiter<T>
{
public:
    using sluice::detail::dequeue_waiter<T>::dequeue_waiter;

private:
    void deliver() noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return "consumer"; }
};

}  // namespace dequeue_waiter

BOOST_AUTO_TEST_SUITE(dequeue_waiter)

BOOST_AUTO_TEST_CASE(single_element_is_kept_apart)
{
    plain_consumer<int> c(demand::one, 1);
    BOOST_TEST(c.missing() == 1U);
    c.take(7);
    BOOST_TEST(c.item().value() == 7);
    BOOST_TEST(c.held() == 1U);
    BOOST_TEST(c.missing() == 0U);
}

BOOST_AUTO_TEST_CASE(batch_is_kept_in_order)
{
    plain_consumer<int> c(demand::exactly, 3);
    for (int i = 1; i <= 3; ++i) {
        BOOST_TEST(c.missing() == 4U - static_cast<std::size_t>(i));
        c.take(int(i));
    }
    BOOST_TEST(c.batch() == (std::vector<int>{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(elements_are_given_back_the_last_first)
{
    const sluice::test::counted_fixture elements;
    std::string order;
    const auto accept = [&](counted&& element) {
        order += std::to_string(element.value());
        const counted taken = std::move(element);
    };
    plain_consumer<counted> batch(demand::up_to, 3);
    for (int i = 1; i <= 3; ++i)
        batch.take(counted(i));
    batch.give_back(accept);
    BOOST_TEST(order == "321");
    BOOST_TEST(batch.held() == 0U);
    BOOST_TEST(batch.missing() == 3U);

    plain_consumer<counted> one(demand::one, 1);
    one.give_back(accept);
    one.take(counted(4));
    one.give_back(accept);
    BOOST_TEST(order == "3214");
    BOOST_TEST(one.held() == 0U);
    BOOST_TEST(elements.holding() == 0);
}

BOOST_AUTO_TEST_CASE(elements_that_were_not_taken_die_with_it)
{
    const sluice::test::counted_fixture elements;
    {
        plain_consumer<counted> one(demand::one, 1);
        one.take(counted(1));
        plain_consumer<counted> batch(demand::exactly, 2);
        batch.take(counted(2));
        BOOST_TEST(elements.alive() == 2);
    }
    BOOST_TEST(elements.alive() == 0);
}

BOOST_AUTO_TEST_CASE(request_may_be_lowered_and_then_fail)
{
    plain_consumer<int> c(demand::up_to, 5);
    c.lower_to(2);
    BOOST_TEST(c.wanted() == 2U);
    BOOST_TEST(c.missing() == 2U);
    c.note_left(1);
    BOOST_TEST(c.left() == 1U);
    BOOST_TEST((c.kind() == demand::up_to));
}

BOOST_AUTO_TEST_CASE(room_that_cannot_be_made_leaves_what_is_held)
{
    plain_consumer<int> c(demand::exactly, 100000);
    const std::size_t reserved = c.batch().capacity();
    BOOST_TEST(reserved < 100000U);  // a request may be larger than what ever comes
    c.make_room(reserved);
    BOOST_TEST(c.batch().capacity() == reserved);  // there was enough
    for (std::size_t i = 0; i < reserved; ++i)
        c.take(1);
    sluice::test::allocation_budget none(0);
    {
        const sluice::test::failing_new region(none);
        BOOST_CHECK_THROW(c.make_room(1), std::bad_alloc);
    }
    BOOST_TEST(none.failed());
    BOOST_TEST(c.held() == reserved);
}

BOOST_AUTO_TEST_SUITE_END()
