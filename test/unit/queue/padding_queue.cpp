// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/padding_queue.hpp>

#include "support/co_test.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

using sluice::test::record;

namespace padding_queue {

using row = std::vector<int>;
using queue = sluice::padding_queue<row>;

// For coroutines, in which GCC 12 cannot keep a constant list.
template <class... Value>
row row_of(Value... values)
{
    return {values...};
}

template <class... Value>
std::vector<std::size_t> lengths(Value... values)
{
    return {static_cast<std::size_t>(values)...};
}

}  // namespace padding_queue

BOOST_FIXTURE_TEST_SUITE(padding_queue, sluice::test::io_fixture)

SLUICE_CO_TEST(batch_is_padded_to_its_own_longest_row_and_singles_are_not)
{
    static_assert(std::same_as<queue::batch_type, sluice::padded_batch<row>>);
    queue q(ctx, {.capacity = 10});
    for (const std::size_t length : lengths(1, 1, 1, 2, 3, 4))
        co_await q.enqueue(row(length, 7));
    const auto batch = co_await q.dequeue_many(5);
    BOOST_TEST(batch.size() == 5U);
    BOOST_TEST(batch[0] == row_of(7, 0, 0));
    BOOST_TEST(batch[3] == row_of(7, 7, 0));
    BOOST_TEST(batch[4] == row_of(7, 7, 7));
    BOOST_TEST(batch.lengths() == lengths(1, 1, 1, 2, 3));
    BOOST_TEST(co_await q.dequeue() == row_of(7, 7, 7, 7));
}

SLUICE_CO_TEST(every_batch_operation_pads)
{
    queue q(ctx, {.capacity = 10});
    const auto fill = [&q] {
        BOOST_TEST(q.try_enqueue(row_of(1)));
        BOOST_TEST(q.try_enqueue(row_of(1, 2)));
    };
    fill();
    BOOST_TEST((co_await q.dequeue_up_to(2))[0] == row_of(1, 0));
    fill();
    BOOST_TEST((co_await q.dequeue_some(5))[0] == row_of(1, 0));
    fill();
    BOOST_TEST(q.try_dequeue_many(5)[0] == row_of(1, 0));
    fill();
    auto [ec, batch] = co_await q.dequeue_many(2).as_tuple();
    BOOST_TEST(!ec.failed());
    BOOST_TEST(batch.lengths() == lengths(1, 2));
}

BOOST_AUTO_TEST_CASE(token_form_gives_a_padded_batch)
{
    queue q(ctx, {.capacity = 10});
    auto op = q.async_dequeue_many(2, record);
    BOOST_TEST(q.try_enqueue({1, 2, 3}));
    BOOST_TEST(q.try_enqueue({}));
    run();
    op.check_success();
    BOOST_TEST(op.value()[1] == row_of(0, 0, 0));
    BOOST_TEST(op.value().lengths() == lengths(3, 0));
}

BOOST_AUTO_TEST_CASE(returned_rows_are_not_padded)
{
    queue q(ctx, {.capacity = 10});
    auto op = q.async_dequeue_many(3, record.cancellable());
    BOOST_TEST(q.try_enqueue({1, 2, 3}));
    BOOST_TEST(q.try_enqueue({4}));
    op.cancel();
    run();
    op.check_error(boost::asio::error::operation_aborted);
    BOOST_TEST(q.try_dequeue().value().size() == 3U);
    BOOST_TEST(q.try_dequeue().value() == row_of(4));
}

SLUICE_CO_TEST(empty_batch_is_an_empty_padded_batch)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto batch = co_await q.dequeue_many(0);
    BOOST_TEST(batch.empty());
    BOOST_TEST(batch.lengths().empty());
}

BOOST_AUTO_TEST_SUITE_END()
