// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/bucketer_options.hpp>

#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace bucketer_options {

template <class Row>
constexpr bool nothing_to_destroy =
    std::is_trivially_destructible_v<sluice::bucketer_options<Row>>;

static_assert(nothing_to_destroy<std::vector<std::string>>);
static_assert(!std::is_default_constructible_v<sluice::row_length<int>>);
static_assert(!std::is_constructible_v<sluice::row_length<int>, std::string>);
static_assert(!std::is_constructible_v<sluice::size_list, bool>);

std::vector<std::size_t> values_of(const sluice::size_list& list)
{
    return {list.values().begin(), list.values().end()};
}

bool is_invalid(const sluice::system_error& error)
{
    return error.code() == sluice::errc::invalid_argument;
}

long negated(const int& number)
{
    return -number;
}

}  // namespace bucketer_options

BOOST_AUTO_TEST_SUITE(bucketer_options)

BOOST_AUTO_TEST_CASE(sizes_are_one_or_in_braces_or_of_a_range)
{
    const sluice::size_list one = 32;
    const sluice::size_list braces = {10, 20L, 40U};
    const std::vector<int> range{3, 1};
    const sluice::size_list of_range = range;
    BOOST_TEST(values_of({}).empty());
    BOOST_TEST(values_of(one) == std::vector<std::size_t>{32});
    BOOST_TEST(values_of(braces) == (std::vector<std::size_t>{10, 20, 40}));
    BOOST_TEST(values_of(of_range) == (std::vector<std::size_t>{3, 1}));
    BOOST_TEST(values_of(std::vector(64, 1)).size() == sluice::size_list::max_size);
}

BOOST_AUTO_TEST_CASE(negative_sizes_and_too_many_are_refused)
{
    using list = sluice::size_list;
    BOOST_CHECK_EXCEPTION(list({1, -1}), sluice::system_error, is_invalid);
    BOOST_CHECK_EXCEPTION(list(std::vector(65, 1)), sluice::system_error, is_invalid);
}

BOOST_AUTO_TEST_CASE(the_length_of_a_range_is_its_size)
{
    const sluice::row_length<std::string> length;
    BOOST_TEST(length("four") == 4U);
}

BOOST_AUTO_TEST_CASE(a_length_may_capture)
{
    std::size_t calls = 0;
    sluice::row_length<int> length = [&calls, factor = 3](int number) {
        ++calls;
        return factor * number;
    };
    const auto copy = length;
    length = [](int) { return 0; };
    BOOST_TEST(copy(5) == 15U);
    BOOST_TEST(length(5) == 0U);
    BOOST_TEST(calls == 1U);
}

BOOST_AUTO_TEST_CASE(a_negative_length_and_none_are_refused)
{
    using length_of_int = sluice::row_length<int>;
    const length_of_int length = negated;
    BOOST_TEST(length(-2) == 2U);
    BOOST_CHECK_EXCEPTION(std::ignore = length(1), sluice::system_error, is_invalid);
    long (*const none)(const int&) = nullptr;
    BOOST_CHECK_EXCEPTION(length_of_int{none}, sluice::system_error, is_invalid);
}

BOOST_AUTO_TEST_SUITE_END()
