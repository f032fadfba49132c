// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A program of its own, because all sources of a program must agree on this. With the preset
// `portable` all other tests are compiled so, too.
//
// Runs under ASan only, because of the time it takes to compile.
#define SLUICE_PORTABLE_AWAIT 1

#include <sluice/detail/awaiting/portable_awaiter.hpp>

#include "support/allocation_counter.hpp"
#include "support/co_test.hpp"
#include "support/counted.hpp"
#include "support/failing_allocator.hpp"
#include "support/native_await.hpp"
#include "support/printing.hpp"
#include <sluice/detail/awaiting/link_check.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <new>

namespace asio = boost::asio;
namespace test = sluice::test;
using asio::error::operation_aborted;
using test::counted;

static_assert(!test::native_await);

// The library of the tests awaits natively, and so would not link with this. What this program
// uses of it awaits nothing.
template <class Setting>
const char sluice::detail::program_and_library_differ_in<Setting>::setting = 0;
template struct sluice::detail::program_and_library_differ_in<
    sluice::detail::sluice_portable_await<true>>;

namespace portable_awaiter {

struct awaiter_fixture : test::counted_fixture, test::io_fixture
{
    sluice::fifo_queue<counted> q{ctx, {.capacity = 2}};
};

}  // namespace portable_awaiter

BOOST_FIXTURE_TEST_SUITE(portable_awaiter, awaiter_fixture)

BOOST_AUTO_TEST_CASE(element_assigned_to_a_cancelled_coroutine_is_returned)  // P1, D2
{
    const auto waits = spawn([&]() -> asio::awaitable<void> {
        (void)co_await q.dequeue();
    });
    run();
    // from inside the context: co_spawn posts a cancellation that comes from outside
    asio::post(ctx, [&] {
        BOOST_TEST(q.try_enqueue(counted(1)));
        waits.cancel();
    });
    run();
    waits.check_error(operation_aborted);
    BOOST_TEST(q.try_dequeue().value() == 1);
}

BOOST_AUTO_TEST_CASE(coroutine_that_goes_on_after_its_cancellation_gets_nothing)  // S17
{
    const auto goes_on = spawn([&]() -> asio::awaitable<void> {
        co_await asio::this_coro::throw_if_cancelled(false);
        const auto [first, none] = co_await q.dequeue().as_tuple();
        BOOST_TEST(first == operation_aborted);
        BOOST_TEST(q.try_enqueue(counted(1)));
        (void)co_await q.dequeue();
    });
    run();
    goes_on.cancel();
    run();
    goes_on.check_error(operation_aborted);
    BOOST_TEST(q.size() == 1U);
}

SLUICE_CO_TEST(operation_that_finds_no_memory_may_be_made_again)
{
    BOOST_TEST(q.try_enqueue(counted(1)));
    std::size_t failures = 0;
    while (q.size() == 1) {
        test::allocation_budget budget(failures);
        const test::failing_new region(budget);
        try {
            (void)co_await q.dequeue();
        } catch (const std::bad_alloc&) {
            ++failures;
        }
    }
    BOOST_TEST(failures > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
