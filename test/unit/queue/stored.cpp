// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/allocation_counter.hpp"
#include "support/counted.hpp"
#include "support/throwing.hpp"
#include <sluice/queue/detail/stored.hpp>

#include <boost/test/unit_test.hpp>

#include <type_traits>
#include <utility>

using sluice::test::counted;
using sluice::test::throwing;

namespace {

// Its move cannot throw, but it cannot be assigned.
struct unassignable
{
    explicit unassignable(int number) noexcept : value(number) {}
    unassignable(unassignable&&) noexcept = default;
    unassignable& operator=(unassignable&&) = delete;

    const int value;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(stored, sluice::test::counted_fixture)

BOOST_AUTO_TEST_CASE(moving_what_is_stored_never_throws)
{
    static_assert(std::is_nothrow_move_constructible_v<sluice::detail::stored<counted>>);
    static_assert(std::is_nothrow_move_assignable_v<sluice::detail::stored<counted>>);
    static_assert(std::is_nothrow_move_constructible_v<sluice::detail::stored<throwing>>);
    static_assert(std::is_nothrow_move_assignable_v<sluice::detail::stored<throwing>>);
    static_assert(std::is_nothrow_move_assignable_v<
                  sluice::detail::stored<unassignable>>);
    sluice::detail::stored<throwing> from(throwing(1));
    sluice::detail::stored<throwing> to(throwing(2));
    const sluice::test::move_failure any(0);
    to = std::move(from);
    BOOST_TEST(!any.fired());
    BOOST_TEST(to.get() == 1);
}

BOOST_AUTO_TEST_CASE(element_whose_moves_cannot_throw_is_kept_in_place)
{
    const sluice::test::allocation_counter counter;
    sluice::detail::stored<counted> kept(counted(7));
    counter.check_none();
    BOOST_TEST(kept.get() == 7);
    BOOST_TEST(std::as_const(kept).get() == 7);
    static_assert(sizeof(sluice::detail::stored<int>) == sizeof(int));
}

BOOST_AUTO_TEST_CASE(element_whose_move_in_throws_stays_where_it_was)
{
    throwing element(3);
    const sluice::test::move_failure first(0);
    BOOST_CHECK_THROW(
        sluice::detail::stored<throwing>(std::move(element)),
        sluice::test::move_error
    );
    BOOST_TEST(element == 3);
}

BOOST_AUTO_TEST_CASE(element_that_cannot_be_assigned_can_be_kept)
{
    sluice::detail::stored<unassignable> first(unassignable(1));
    sluice::detail::stored<unassignable> second(unassignable(2));
    std::swap(first, second);
    BOOST_TEST(first.get().value == 2);
    BOOST_TEST(second.get().value == 1);
}

BOOST_AUTO_TEST_SUITE_END()
