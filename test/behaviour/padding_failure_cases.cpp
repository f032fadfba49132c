// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// S9 for rows that cannot be padded: whatever form the operation has, it fails with the exception
// of the padding, and its rows are in the queue as they were, in front and in order.

#include "behaviour/queue_cases.hpp"
#include "support/recording_handler.hpp"
#include <sluice/input/padded_batcher.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::errc;
using sluice::error_code;
using namespace std::chrono_literals;

namespace padding_failure_cases {

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

using rows = std::vector<row>;
using queue = sluice::padding_queue<row>;

// The second one stays as it is, and the third one throws.
const rows some_rows{{1}, {2, 2}, {0}, {3, 3, 3}};

struct stiff_rows : test::queue_fixture
{
    queue q{ctx, {.capacity = 8, .name = "rows"}};

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
        q = queue(ctx, {.capacity = 8});
        fill_queue();
        BOOST_CHECK_THROW((void)get(make()), std::length_error);
        check_rows(3);

        q = queue(ctx, {.capacity = 8});
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

}  // namespace padding_failure_cases

BOOST_FIXTURE_TEST_SUITE(padding_failure_cases, stiff_rows)

BOOST_AUTO_TEST_CASE(every_batch_that_is_awaited_returns_its_rows)
{
    fails([this] { return q.dequeue_many(3); });
    fails([this] { return q.dequeue_up_to(3); });
    fails([this] { return q.dequeue_many(3).within(1h); });
    fails([this] { return q.dequeue_up_to(3).linger(1h); });
    fails([this] { return sluice::select(q.dequeue_many(3)); });
}

BOOST_AUTO_TEST_CASE(a_try_throws_and_returns_the_rows)
{
    fill_queue();
    BOOST_CHECK_THROW((void)q.try_dequeue_many(9), std::length_error);
    error_code error;
    BOOST_CHECK_THROW((void)q.try_dequeue_many(3, error), std::length_error);
    check_rows(7);
}

BOOST_AUTO_TEST_CASE(a_handler_gets_a_code_and_the_rows_return)
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

BOOST_AUTO_TEST_CASE(a_batcher_returns_the_rows)
{
    std::size_t read = 0;
    sluice::padded_batcher<row> batches{
        ctx,
        [&]() -> asio::awaitable<row> {
            if (read == some_rows.size())
                throw sluice::system_error(errc::end_of_queue);
            co_return some_rows[read++];
        },
        {.batch_size = 3, .name = "batches"}
    };
    batches.start(ctx);
    run();
    BOOST_CHECK_THROW((void)get(batches.next()), std::length_error);
    const auto [code, batch] = get(batches.next().as_tuple());
    BOOST_TEST(code == errc::element_failed);
    BOOST_TEST(!batch.has_value());
    for (const row& each : some_rows)
        BOOST_TEST(
            batches.queue().try_dequeue().value() == each,
            boost::test_tools::per_element()
        );
}

BOOST_AUTO_TEST_CASE(the_next_consumer_gets_the_rows_that_return)
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

BOOST_AUTO_TEST_CASE(rows_that_no_queue_takes_back_are_destroyed)
{
    auto own = std::make_unique<queue>(ctx, sluice::queue_options{.capacity = 8});
    auto batch = own->async_dequeue_many(3, test::record);
    for (const row& each : some_rows)
        BOOST_TEST_REQUIRE(own->try_enqueue(each));
    own.reset();  // the batch is on its way
    run();
    batch.check_error(errc::element_failed);
}

BOOST_AUTO_TEST_CASE(rows_with_a_padding_of_their_own_return_as_it_leaves_them)
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
