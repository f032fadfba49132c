// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/enqueue_waiter.hpp>

#include "support/counted.hpp"

#include <boost/test/unit_test.hpp>

#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using sluice::test::counted;

namespace enqueue_waiter {

template <class T>
class plain_producer final : public sluice::detail::enqueue_waiter<T>
{
public:
    using sluice::detail::enqueue_waiter<T>::enqueue_waiter;

private:
    void deliver() noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return "producer"; }
};

}  // namespace enqueue_waiter

BOOST_AUTO_TEST_SUITE(enqueue_waiter)

BOOST_AUTO_TEST_CASE(rows_are_passed_in_order_each_when_it_is_accepted)
{
    std::vector<int> rows{1, 2, 3};
    plain_producer<int> p{std::span<int>(rows)};
    BOOST_TEST(p.left() == 3U);
    int sum = 0;
    p.pass_next([&](int&& row) { sum = row; });
    BOOST_TEST(sum == 1);
    p.pass_next([&](int&& row) { sum += row; });
    BOOST_TEST(sum == 3);
    BOOST_TEST(p.left() == 1U);
    BOOST_TEST(p.accepted() == 2U);
}

BOOST_AUTO_TEST_CASE(refused_row_is_still_the_next)
{
    const sluice::test::counted_fixture elements;
    std::vector<counted> rows;
    rows.emplace_back(1);
    plain_producer<counted> p{std::span<counted>(rows)};
    const auto refuse = [](counted&&) { throw std::runtime_error("full"); };
    BOOST_CHECK_THROW(p.pass_next(refuse), std::runtime_error);
    BOOST_TEST(p.left() == 1U);
    BOOST_TEST(p.accepted() == 0U);
    BOOST_TEST(rows.front() == 1);
    p.pass_next([](counted&& row) { const counted taken = std::move(row); });
    BOOST_TEST(p.left() == 0U);
    BOOST_TEST(rows.front() == counted::gone);
}

BOOST_AUTO_TEST_CASE(rows_that_pass_together_are_counted_one_by_one)
{
    std::vector<int> rows{1, 2, 3};
    plain_producer<int> p{std::span<int>(rows)};
    const std::span<int> passed = p.pass_many(2);
    BOOST_TEST((passed.data() == rows.data()));
    BOOST_TEST(passed.size() == 2U);
    BOOST_TEST(p.left() == 1U);
    BOOST_TEST(p.accepted() == 2U);
    BOOST_TEST(p.pass_many(1).front() == 3);
}

BOOST_AUTO_TEST_CASE(row_that_has_to_be_copied_does_not_pass_with_many)
{
    const std::string text = "text";
    plain_producer<std::string> copies(&std::as_const(text));
    BOOST_TEST(copies.pass_many(1).empty());
    BOOST_TEST(copies.left() == 1U);
    BOOST_TEST(copies.accepted() == 0U);
}

BOOST_AUTO_TEST_CASE(single_row_is_moved_or_copied)
{
    std::string text = "a text that is too long for the small string buffer";
    const std::string original = text;
    std::string taken;
    const auto take = [&](std::string&& row) { taken = std::move(row); };
    plain_producer<std::string> copies(&std::as_const(text));
    copies.pass_next(take);
    BOOST_TEST(taken == original);
    BOOST_TEST(text == original);
    plain_producer<std::string> moves(&text);
    moves.pass_next(take);
    BOOST_TEST(taken == original);
    BOOST_TEST(text.empty());
    BOOST_TEST(copies.left() + moves.left() == 0U);
}

BOOST_AUTO_TEST_CASE(copy_is_left_alone_if_it_is_refused)
{
    const std::string text = "text";
    plain_producer<std::string> copies(&std::as_const(text));
    const auto refuse = [](std::string&&) { throw std::runtime_error("full"); };
    BOOST_CHECK_THROW(copies.pass_next(refuse), std::runtime_error);
    BOOST_TEST(copies.left() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
