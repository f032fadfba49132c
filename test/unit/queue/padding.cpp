// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/padding.hpp>

#include "support/printing.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <list>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace padding {

using row = std::vector<int>;

// A row of two components that are padded each on their own.
struct pair_of_rows
{
    row numbers;
    std::string text;
};

void pad_rows(std::span<pair_of_rows> rows)
{
    std::size_t numbers = 0;
    std::size_t text = 0;
    for (const pair_of_rows& r : rows) {
        numbers = std::max(numbers, r.numbers.size());
        text = std::max(text, r.text.size());
    }
    for (pair_of_rows& r : rows) {
        r.numbers.resize(numbers);
        r.text.resize(text, ' ');
    }
}

struct without_size
{
};

}  // namespace padding

BOOST_AUTO_TEST_SUITE(padding)

BOOST_AUTO_TEST_CASE(rows_are_padded_at_the_end_to_the_longest)
{
    std::vector<row> rows{{1}, {1, 2, 3}, {}, {4, 5}};
    sluice::pad_rows(std::span<row>(rows));
    BOOST_TEST(rows[0] == (row{1, 0, 0}));
    BOOST_TEST(rows[1] == (row{1, 2, 3}));
    BOOST_TEST(rows[2] == (row{0, 0, 0}));
    BOOST_TEST(rows[3] == (row{4, 5, 0}));
}

BOOST_AUTO_TEST_CASE(rows_of_one_length_and_no_rows_stay_as_they_are)
{
    std::vector<row> rows{{1, 2}, {3, 4}};
    sluice::pad_rows(std::span<row>(rows));
    BOOST_TEST(rows[1] == (row{3, 4}));
    sluice::pad_rows(std::span<row>());
}

BOOST_AUTO_TEST_CASE(other_resizable_ranges_are_rows_too)
{
    std::vector<std::string> texts{"a", "abc"};
    sluice::pad_rows(std::span<std::string>(texts));
    BOOST_TEST(texts[0] == std::string("a\0\0", 3));
    std::vector<std::list<int>> lists{{1}, {}};
    sluice::pad_rows(std::span<std::list<int>>(lists));
    BOOST_TEST(lists[1].size() == 1U);
}

BOOST_AUTO_TEST_CASE(concepts_know_what_can_be_padded)
{
    static_assert(sluice::resizable_range<row>);
    static_assert(sluice::resizable_range<std::deque<double>>);
    static_assert(!sluice::resizable_range<std::span<int>>);
    static_assert(sluice::paddable<row>);
    static_assert(sluice::paddable<pair_of_rows>);
    static_assert(!sluice::paddable<without_size>);
    static_assert(!sluice::paddable<int>);
    BOOST_TEST(sluice::padded_batch<row>().empty());
}

BOOST_AUTO_TEST_CASE(batch_knows_how_long_its_rows_were)  // S13
{
    const sluice::padded_batch<row> batch(std::vector<row>{{1}, {}, {1, 2}});
    BOOST_TEST(batch.size() == 3U);
    BOOST_TEST(batch[0] == (row{1, 0}));
    BOOST_TEST(batch.lengths() == (std::vector<std::size_t>{1, 0, 2}));
}

BOOST_AUTO_TEST_CASE(row_type_with_a_function_of_its_own_is_padded_by_it)
{
    const sluice::padded_batch<pair_of_rows> batch(
        std::vector<pair_of_rows>{{{1}, "abc"}, {{1, 2}, ""}}
    );
    BOOST_TEST(batch[0].numbers == (row{1, 0}));
    BOOST_TEST(batch[1].text == "   ");
    BOOST_TEST(batch.lengths().empty());
}

BOOST_AUTO_TEST_SUITE_END()
