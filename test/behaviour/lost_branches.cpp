// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S54

#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

// What the branches of a select that are not taken leave behind, while its owner has not resumed
// (S54): nothing that another actor could wait for.

namespace lost_branches {

using namespace sluice;
using namespace sluice::test;
using asio::awaitable;
using queue = fifo_queue<int>;
using batch = std::vector<int>;

struct fixture : io_fixture
{
    // Starts a select on a context that does not run any more when this returns.
    template <class Select>
    void start_on_idle_context(Select body)
    {
        asio::co_spawn(
            owners,
            std::move(body),
            [this](const std::exception_ptr&, std::size_t branch) {
                ended_with = static_cast<int>(branch);
            }
        );
        owners.poll();
    }

    static awaitable<std::size_t> batch_or_one(queue& many, queue& one)
    {
        const auto [error, branch, taken] =
            co_await select(many.dequeue_many(5), one.dequeue()).as_tuple();
        co_return branch;
    }

    // A batch that holds three elements, and a dequeue behind it.
    auto start_batch_and_dequeue()
    {
        start_on_idle_context([this] { return batch_or_one(a, b); });
        const auto behind = a.async_dequeue(record);
        put(a, {1, 2, 3});
        BOOST_TEST(a.stats().held == 3U);
        return behind;
    }

    // Of what was started on the idle context, which runs now; -1: it has not ended.
    int end_of_select()
    {
        owners.restart();
        owners.poll();
        return ended_with;
    }

    static void put(queue& q, const batch& values)
    {
        for (const int value : values)
            BOOST_TEST(q.try_enqueue(value));
    }

    queue a{ctx, {.capacity = 8, .name = "a"}};
    queue b{ctx, {.capacity = 8, .name = "b"}};
    asio::io_context owners;
    int ended_with = -1;
};

}  // namespace lost_branches

BOOST_FIXTURE_TEST_SUITE(lost_branches, fixture)

BOOST_AUTO_TEST_CASE(dequeue_behind_a_lost_batch_completes_while_the_owner_does_not_run)
{
    const auto behind = start_batch_and_dequeue();

    put(b, {7});

    run();
    behind.check_success().check_value(1);
    BOOST_TEST(a.try_dequeue_many(8) == (batch{2, 3}));
    BOOST_TEST(a.stats().held == 0U);
    BOOST_TEST(end_of_select() == 1);
}

BOOST_AUTO_TEST_CASE(dequeue_behind_a_lost_batch_completes_while_the_strand_is_occupied)
{
    auto strand = asio::make_strand(ctx);
    asio::co_spawn(
        strand,
        [&]() -> awaitable<void> {
            const auto taken = co_await select(a.dequeue_many(5), b.dequeue());
            ended_with = static_cast<int>(taken.index());
        },
        [](const std::exception_ptr&) {}
    );
    run();
    const auto behind = a.async_dequeue(record);
    put(a, {1, 2, 3});

    bool is_occupied = false;
    asio::post(strand, [&] {
        is_occupied = true;
        put(b, {7});
        while (ctx.poll_one() > 0) {}
        behind.check_success().check_value(1);
        BOOST_TEST(ended_with == -1);
    });
    run();

    BOOST_TEST(is_occupied);
    BOOST_TEST(ended_with == 1);
    BOOST_TEST(a.try_dequeue_many(8) == (batch{2, 3}));
}

BOOST_AUTO_TEST_CASE(batch_of_a_cancelled_select_lets_go_while_the_owner_does_not_run)
{
    const auto chosen = select(a.dequeue_many(5), b.dequeue())(
        record.on(owners.get_executor()).cancellable()
    );
    const auto behind = a.async_dequeue(record);
    put(a, {1, 2, 3});

    chosen.cancel();

    BOOST_TEST(a.try_dequeue_many(8) == (batch{2, 3}));
    run();
    behind.check_success().check_value(1);
    chosen.check_pending();
    owners.poll();
    chosen.check_error(asio::error::operation_aborted);
}

BOOST_AUTO_TEST_SUITE_END()
