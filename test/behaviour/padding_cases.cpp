// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The padding queue: the cases of TensorFlow's padding_fifo_queue_test about padding, and S13.
// padding_waiting_cases.cpp has those about order, waiting and closing. Left out or changed:
//
//   shapes        part of the row's type: one that cannot be padded is refused by the compiler,
//                 and rows check what else they demand
//   shared names  a queue is an object, shared by reference, with one set of options
//
// Rows of several dimensions or components have a pad_rows() of their own.

#include "behaviour/queue_scenarios.hpp"
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
using sluice::close_mode;
using sluice::errc;
using test::range;
using test::tens;
using int_row = std::vector<int>;
using int_rows = std::vector<int_row>;

namespace shapes {

// A number and a row of two: nothing to pad.
struct labelled_pair
{
    int label = 0;
    std::array<int, 2> pair{};

    friend bool operator==(const labelled_pair&, const labelled_pair&) = default;
};

void pad_rows(std::span<labelled_pair> /*rows*/) {}

// A number and a row of variable length: shapes [] and [?].
struct labelled_row
{
    int label = 0;
    int_row values;

    friend bool operator==(const labelled_row&, const labelled_row&) = default;
};

void pad_rows(std::span<labelled_row> batch)
{
    std::size_t longest = 0;
    for (const labelled_row& one : batch)
        longest = std::max(longest, one.values.size());
    for (labelled_row& one : batch)
        one.values.resize(longest);
}

// Two components, each padded on its own: shapes [?] and [1, ?].
struct sentence
{
    std::vector<std::string> words;
    std::array<int_row, 1> numbers;

    friend bool operator==(const sentence&, const sentence&) = default;
};

void pad_rows(std::span<sentence> batch)
{
    std::size_t words = 0;
    std::size_t numbers = 0;
    for (const sentence& one : batch) {
        words = std::max(words, one.words.size());
        numbers = std::max(numbers, one.numbers[0].size());
    }
    for (sentence& one : batch) {
        one.words.resize(words);
        one.numbers[0].resize(numbers);
    }
}

// Four dimensions, two of them variable: shape [4, ?, 4, ?].
struct block
{
    using line = std::vector<int>;
    using sheet = std::array<line, 4>;
    std::array<std::vector<sheet>, 4> cells;

    friend bool operator==(const block&, const block&) = default;
};

block make_block(std::size_t second, std::size_t fourth, int value)
{
    block result;
    for (auto& sheets : result.cells) {
        sheets.resize(second);
        for (auto& sheet : sheets)
            sheet.fill(block::line(fourth, value));
    }
    return result;
}

std::size_t extent_of_lines(const block& one)
{
    return one.cells[0].empty() ? 0 : one.cells[0][0][0].size();
}

void pad_rows(std::span<block> batch)
{
    std::size_t second = 0;
    std::size_t fourth = 0;
    for (const block& one : batch) {
        second = std::max(second, one.cells[0].size());
        fourth = std::max(fourth, extent_of_lines(one));
    }
    for (block& one : batch)
        for (auto& sheets : one.cells) {
            sheets.resize(second);
            for (auto& sheet : sheets)
                for (auto& line : sheet)
                    line.resize(fourth);
        }
}

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

std::vector<shapes::sentence> sentences()
{
    return {
        {{"a"}, {{{1}}}},
        {{"ab"}, {{{2}}}},
        {{"abc"}, {{{3}}}},
        {{"abc", "d"}, {{{1, 2}}}},
        {{"abc", "d", "e"}, {{{1, 2, 3}}}},
        {{"abc", "d", "e", "f"}, {{{1, 2, 3, 4}}}},
    };
}

void check_padded_sentences(const std::vector<shapes::sentence>& batch)
{
    const std::vector<shapes::sentence> expected{
        {{"a", "", ""}, {{{1, 0, 0}}}},
        {{"ab", "", ""}, {{{2, 0, 0}}}},
        {{"abc", "", ""}, {{{3, 0, 0}}}},
        {{"abc", "d", ""}, {{{1, 2, 0}}}},
        {{"abc", "d", "e"}, {{{1, 2, 3}}}},
    };
    BOOST_TEST((batch == expected));
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

BOOST_AUTO_TEST_CASE(dequeue_many_with_variable_size_input)
{
    sluice::padding_queue<shapes::sentence> input{ctx, {.capacity = 10}};
    fill(input, sentences());

    check_padded_sentences(get(input.dequeue_many(5)));
    BOOST_TEST((get(input.dequeue()) == sentences()[5]));
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_with_variable_size_input)
{
    sluice::padding_queue<shapes::sentence> input{ctx, {.capacity = 10}};
    fill(input, sentences());

    check_padded_sentences(get(input.dequeue_up_to(5)));
    BOOST_TEST((get(input.dequeue()) == sentences()[5]));
}

BOOST_AUTO_TEST_CASE(high_dimension)
{
    sluice::padding_queue<shapes::block> blocks{ctx, {.capacity = 10}};
    std::vector<shapes::block> equal;
    for (int index = 0; index < 10; ++index)
        equal.push_back(shapes::make_block(4, 4, index));
    fill(blocks, equal);

    BOOST_TEST((get(blocks.dequeue_many(10)) == equal));
}

BOOST_AUTO_TEST_CASE(partially_known_high_dimension)
{
    sluice::padding_queue<shapes::block> blocks{ctx, {.capacity = 10}};
    fill(blocks, {shapes::make_block(1, 3, 7), shapes::make_block(2, 1, 8)});

    const auto batch = get(blocks.dequeue_many(2));

    const shapes::block::sheet
        seven{int_row{7, 7, 7}, int_row{7, 7, 7}, int_row{7, 7, 7}, int_row{7, 7, 7}};
    const shapes::block::sheet
        eight{int_row{8, 0, 0}, int_row{8, 0, 0}, int_row{8, 0, 0}, int_row{8, 0, 0}};
    const shapes::block::sheet
        empty{int_row(3, 0), int_row(3, 0), int_row(3, 0), int_row(3, 0)};
    for (std::size_t i = 0; i < 4; ++i) {
        BOOST_TEST((batch[0].cells[i] == std::vector{seven, empty}));
        BOOST_TEST((batch[1].cells[i] == std::vector{eight, eight}));
    }
}

// The batch forms on rows of equal length.

BOOST_AUTO_TEST_CASE(enqueue_many_with_shape)
{
    sluice::padding_queue<shapes::labelled_pair> pairs{ctx, {.capacity = 10}};

    fill(pairs, {{1, {1, 1}}, {2, {2, 2}}, {3, {3, 3}}, {4, {4, 4}}});

    BOOST_TEST(pairs.size() == 4U);
    BOOST_TEST((get(pairs.dequeue()) == shapes::labelled_pair{1, {1, 1}}));
}

BOOST_AUTO_TEST_CASE(dequeue_up_to_no_blocking)
{
    fill(queue, test::elements<int_row>(tens(10)));

    BOOST_TEST(test::numbers(get(queue.dequeue_up_to(4))) == tens(4));
    BOOST_TEST(test::numbers(get(queue.dequeue_up_to(4))) == (int_row{50, 60, 70, 80}));
}

BOOST_AUTO_TEST_CASE(multi_dequeue_many)
{
    sluice::padding_queue<shapes::labelled_row> input{ctx, {.capacity = 10}};
    std::vector<shapes::labelled_row> equal;
    for (int i = 1; i <= 10; ++i)
        equal.push_back({10 * i, {2 * i - 1, 2 * i}});
    fill(input, equal);

    const auto first = get(input.dequeue_many(4));
    const auto second = get(input.dequeue_many(4));

    BOOST_TEST(std::ranges::equal(first, std::span(equal).subspan(0, 4)));
    BOOST_TEST(std::ranges::equal(second, std::span(equal).subspan(4, 4)));
    BOOST_TEST((get(input.dequeue()) == equal[8]));
}

BOOST_AUTO_TEST_CASE(empty_dequeue_many)
{
    BOOST_TEST(get(queue.dequeue_many(0)).empty());

    put(queue, {10});

    const auto nothing = get(queue.dequeue_many(0));
    BOOST_TEST(nothing.empty());
    BOOST_TEST(nothing.lengths().empty());
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(empty_dequeue_up_to)
{
    BOOST_TEST(get(queue.dequeue_up_to(0)).empty());

    put(queue, {10});

    BOOST_TEST(get(queue.dequeue_up_to(0)).empty());
    BOOST_TEST(queue.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_row_must_be_paddable)
{
    BOOST_TEST((sluice::paddable<int_row>));
    BOOST_TEST((sluice::paddable<shapes::block>));
    BOOST_TEST((!sluice::paddable<int>));
    BOOST_TEST((!sluice::paddable<std::array<int, 3>>));
    BOOST_TEST((!sluice::paddable<std::pair<int, int_row>>));
}

BOOST_AUTO_TEST_SUITE_END()
