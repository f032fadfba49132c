// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: T8 S13

// The padding queue (T8), and its rows (S13). What it shares with the other kinds is in
// queue_kinds.cpp.

#include "behaviour/queue_cases.hpp"
#include <sluice/queue/padding_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::errc;
using int_row = std::vector<int>;
using int_rows = std::vector<int_row>;

namespace shapes {

// A resizable row that is padded with something else than zero.
struct marked_row : int_row
{
    using int_row::int_row;
};

void pad_rows(std::span<marked_row> batch)
{
    std::size_t longest = 0;
    for (const marked_row& one : batch)
        longest = std::max(longest, one.size());
    for (marked_row& one : batch)
        one.resize(longest, -1);
}

}  // namespace shapes

namespace padding_cases {

using padding = sluice::padding_queue<int_row>;
using sizes = std::vector<std::size_t>;

// Rows 1, 2 2, 3 3 3, ...
int_rows staircase(int count)
{
    int_rows result;
    for (int i = 1; i <= count; ++i)
        result.push_back(int_row(static_cast<std::size_t>(i), i));
    return result;
}

struct padding_fixture : test::queue_fixture
{
    padding queue{ctx, {.capacity = 10}};
};

}  // namespace padding_cases

BOOST_FIXTURE_TEST_SUITE(padding_cases, padding_fixture)

// Batches are padded.

BOOST_AUTO_TEST_CASE(s13_a_batch_is_padded_to_its_longest_row)
{
    fill(queue, {{1}, {2, 2}, {}, {4, 4, 4, 4}});

    const auto batch = get(queue.dequeue_many(3));

    BOOST_TEST(batch == (int_rows{{1, 0}, {2, 2}, {0, 0}}));
    BOOST_TEST(batch.lengths() == (sizes{1, 2, 0}));
    BOOST_TEST(get(queue.dequeue_many(1)) == (int_rows{{4, 4, 4, 4}}));
}

BOOST_AUTO_TEST_CASE(s13_every_batch_form_pads_and_keeps_the_lengths)
{
    fill(queue, staircase(8));

    const auto up_to = get(queue.dequeue_up_to(2));
    const auto some = get(queue.dequeue_some(2));
    const auto tried = queue.try_dequeue_many(2);
    const auto [code, many] = get(queue.dequeue_many(2).as_tuple());

    BOOST_TEST(up_to == (int_rows{{1, 0}, {2, 2}}));
    BOOST_TEST(up_to.lengths() == (sizes{1, 2}));
    BOOST_TEST(some == (int_rows{{3, 3, 3, 0}, {4, 4, 4, 4}}));
    BOOST_TEST(some.lengths() == (sizes{3, 4}));
    BOOST_TEST(tried == (int_rows{{5, 5, 5, 5, 5, 0}, int_row(6, 6)}));
    BOOST_TEST(tried.lengths() == (sizes{5, 6}));
    BOOST_TEST(!code);
    BOOST_TEST(many.lengths() == (sizes{7, 8}));
}

BOOST_AUTO_TEST_CASE(s13_single_rows_are_not_padded)
{
    fill(queue, staircase(4));

    BOOST_TEST(get(queue.dequeue()) == int_row{1});
    BOOST_TEST(get(queue.next()) == std::optional(int_row{2, 2}));
    BOOST_TEST(queue.try_dequeue() == std::optional(int_row{3, 3, 3}));
}

BOOST_AUTO_TEST_CASE(s13_strings_and_other_ranges_are_rows)
{
    sluice::padding_queue<std::string> strings{ctx, {.capacity = 10}};
    sluice::padding_queue<std::list<float>> lists{ctx, {.capacity = 10}};
    fill(strings, {"a", "abc"});
    fill(lists, {{1.0F}, {2.0F, 3.0F}});

    const auto padded = get(strings.dequeue_many(2));

    BOOST_TEST(padded[0] == std::string("a\0\0", 3));
    BOOST_TEST(padded[1] == "abc");
    BOOST_TEST((get(lists.dequeue_many(2))[0] == std::list<float>{1.0F, 0.0F}));
}

BOOST_AUTO_TEST_CASE(s13_a_row_type_can_choose_its_padding)
{
    sluice::padding_queue<shapes::marked_row> marked{ctx, {.capacity = 10}};
    fill(marked, {{1}, {2, 2}});

    const auto batch = get(marked.dequeue_many(2));

    BOOST_TEST((batch[0] == shapes::marked_row{1, -1}));
    BOOST_TEST(batch.lengths() == (sizes{1, 2}));
}

BOOST_AUTO_TEST_CASE(s13_a_failed_batch_leaves_its_rows_unpadded)
{
    const auto closed = start(queue.dequeue_many(4));
    fill(queue, staircase(2));
    queue.close();
    run();
    closed.check_error(errc::end_of_queue);
    BOOST_TEST(get(queue.dequeue()) == int_row{1});

    padding other{ctx, {.capacity = 10}};
    const auto cancelled = start(other.dequeue_up_to(4));
    fill(other, staircase(2));
    cancelled.cancel();
    run();
    cancelled.check_error(boost::asio::error::operation_aborted);
    BOOST_TEST(get_each(other, 2) == staircase(2));
}

BOOST_AUTO_TEST_CASE(a_row_must_be_paddable)
{
    BOOST_TEST((sluice::paddable<int_row>));
    BOOST_TEST((sluice::paddable<shapes::marked_row>));
    BOOST_TEST((!sluice::paddable<int>));
    BOOST_TEST((!sluice::paddable<std::array<int, 3>>));
    BOOST_TEST((!sluice::paddable<std::pair<int, int_row>>));
}

BOOST_AUTO_TEST_SUITE_END()
