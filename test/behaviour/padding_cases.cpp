// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: T8 S13

// The padding queue (T8), and its rows (S13). What it shares with the other kinds is in
// queue_kinds.cpp.

#include "behaviour/queue_cases.hpp"
#include "support/recording_handler.hpp"
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using sluice::error_code;
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

// A row that cannot be made longer if it begins with 0. The others are padded before it throws.
struct row : std::vector<int>
{
    using vector::vector;

    void resize(std::size_t count)
    {
        if (count > size() && !empty() && front() == 0)
            throw std::length_error("stiff");
        vector::resize(count);
    }
};

using stiff = sluice::padding_queue<row>;

// The second one stays as it is, and the third one throws.
const std::vector<row> some_rows{{1}, {2, 2}, {0}, {3, 3, 3}};

struct stiff_rows : test::queue_fixture
{
    stiff q{ctx, {.capacity = 8, .name = "rows"}};

    void fill_queue()
    {
        for (const row& each : some_rows)
            BOOST_TEST_REQUIRE(q.try_enqueue(each));
    }

    // All rows are there, of which so many have come back.
    void check_rows(std::size_t returned)
    {
        const sluice::queue_stats now = q.stats();
        BOOST_TEST(now.size == some_rows.size());
        BOOST_TEST(now.held == 0U);
        BOOST_TEST(now.returned == returned);
        BOOST_TEST(now.enqueued + now.returned == now.dequeued + now.size);
        for (const row& each : some_rows)
            BOOST_TEST(q.try_dequeue().value() == each, boost::test_tools::per_element());
    }

    // Awaited when the rows are there, and again when they come later.
    template <class Make>
    void fails(Make make)
    {
        q = stiff(ctx, {.capacity = 8});
        fill_queue();
        BOOST_CHECK_THROW((void)get(make()), std::length_error);
        check_rows(3);

        q = stiff(ctx, {.capacity = 8});
        const auto waits = start(make());
        fill_queue();
        run();
        BOOST_CHECK_THROW((void)waits.result(), std::length_error);
        check_rows(3);
    }
};

// Rows that are not padded by resizing them.
struct sheet
{
    int number = 0;
    bool is_padded = false;
};

void pad_rows(std::span<sheet> sheets)
{
    for (sheet& each : sheets) {
        if (each.number == 3)
            throw std::length_error("three");
        each.is_padded = true;
    }
}

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

// Rows that cannot be padded (S9): whatever form the operation has, it fails with the exception of
// the padding, and its rows are in the queue as they were, in front and in order.

BOOST_FIXTURE_TEST_CASE(every_batch_that_is_awaited_returns_its_rows, stiff_rows)
{
    fails([this] { return q.dequeue_many(3); });
    fails([this] { return q.dequeue_up_to(3); });
    fails([this] { return q.dequeue_many(3).within(1h); });
    fails([this] { return q.dequeue_up_to(3).linger(1h); });
    fails([this] { return sluice::select(q.dequeue_many(3)); });
}

BOOST_FIXTURE_TEST_CASE(a_try_throws_and_returns_the_rows, stiff_rows)
{
    fill_queue();
    BOOST_CHECK_THROW((void)q.try_dequeue_many(9), std::length_error);
    error_code error;
    BOOST_CHECK_THROW((void)q.try_dequeue_many(3, error), std::length_error);
    check_rows(7);
}

BOOST_FIXTURE_TEST_CASE(a_handler_gets_a_code_and_the_rows_return, stiff_rows)
{
    auto waiting = q.async_dequeue_many(3, test::record);
    fill_queue();
    run();
    waiting.check_error(errc::element_failed);
    auto ready = q.async_dequeue_up_to(3, test::record);
    run();
    ready.check_error(errc::element_failed);
    auto selected = sluice::select(q.dequeue_many(3))(test::record);
    run();
    selected.check_error(errc::element_failed);
    check_rows(9);
}

BOOST_FIXTURE_TEST_CASE(the_next_consumer_gets_the_rows_that_return, stiff_rows)
{
    const auto batch = start(q.dequeue_many(3));
    const auto behind = start(q.dequeue());
    for (std::size_t i = 0; i < 3; ++i)
        BOOST_TEST_REQUIRE(q.try_enqueue(some_rows[i]));
    run();
    BOOST_CHECK_THROW((void)batch.result(), std::length_error);
    BOOST_TEST(behind.result() == some_rows[0], boost::test_tools::per_element());
    BOOST_TEST(q.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(rows_that_no_queue_takes_back_are_destroyed, stiff_rows)
{
    auto own = std::make_unique<stiff>(ctx, sluice::queue_options{.capacity = 8});
    auto batch = own->async_dequeue_many(3, test::record);
    for (const row& each : some_rows)
        BOOST_TEST_REQUIRE(own->try_enqueue(each));
    own.reset();  // the batch is on its way
    run();
    batch.check_error(errc::element_failed);
}

BOOST_FIXTURE_TEST_CASE(
    rows_with_a_padding_of_their_own_return_as_it_leaves_them,
    stiff_rows
)
{
    sluice::padding_queue<sheet> sheets{ctx, {.capacity = 8}};
    for (int i = 1; i <= 4; ++i)
        BOOST_TEST_REQUIRE(sheets.try_enqueue(sheet{i}));
    BOOST_CHECK_THROW((void)get(sheets.dequeue_many(4)), std::length_error);
    BOOST_TEST(sheets.size() == 4U);
    for (int i = 1; i <= 4; ++i) {
        const sheet next = sheets.try_dequeue().value();
        BOOST_TEST(next.number == i);
        BOOST_TEST(next.is_padded == (i < 3));
    }
}

BOOST_AUTO_TEST_SUITE_END()
