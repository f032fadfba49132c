// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/immediate_executor.hpp>

#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>

#if BOOST_ASIO_VERSION >= 102700
#include <boost/asio/bind_immediate_executor.hpp>
#endif

namespace immediate_executor {

namespace asio = boost::asio;
using sluice::error_code;
using io_executor = asio::io_context::executor_type;

struct immediate_executor_fixture : sluice::test::io_fixture
{
    sluice::fifo_queue<int> q{ctx, {.capacity = 2}};
};

}  // namespace immediate_executor

BOOST_FIXTURE_TEST_SUITE(immediate_executor, immediate_executor_fixture)

BOOST_AUTO_TEST_CASE(handler_without_one_is_posted)
{
    auto handler = asio::bind_executor(asio::system_executor(), [](error_code) {});
    using handler_type = decltype(handler);
    static_assert(!sluice::detail::has_immediate_executor<handler_type, io_executor>);
    static_assert(!sluice::detail::
                      has_immediate_executor<void (*)(error_code), io_executor>);
    bool called = false;
    q.async_enqueue(1, [&](error_code) { called = true; });
    BOOST_TEST(!called);
    run();
    BOOST_TEST(called);
}

#if BOOST_ASIO_VERSION >= 102700

BOOST_AUTO_TEST_CASE(ready_operation_completes_there)
{
    int calls = 0;
    const auto counts = [&](auto&&...) { ++calls; };
    const auto at_once = asio::bind_immediate_executor(asio::system_executor(), counts);
    q.async_enqueue(1, at_once);
    BOOST_TEST(calls == 1);
    q.async_dequeue(at_once);
    BOOST_TEST(calls == 2);
    q.emplace(2)(at_once);
    select(q.dequeue(), q.dequeue())(at_once);
    BOOST_TEST(calls == 4);
    BOOST_TEST(q.size() == 0U);
}

BOOST_AUTO_TEST_CASE(operation_that_waited_is_posted)
{
    bool called = false;
    q.async_dequeue(asio::bind_immediate_executor(
        asio::system_executor(),
        [&](error_code, std::optional<int> item) { called = item == 7; }
    ));
    BOOST_TEST(q.try_enqueue(7));
    BOOST_TEST(!called);
    run();
    BOOST_TEST(called);
}

// A context that loses its only work stops, and would not run what is posted later.
BOOST_AUTO_TEST_CASE(operation_that_completes_at_once_does_not_stop_its_context)
{
    const auto ignores = [](auto&&...) {};
    q.async_enqueue(1, asio::bind_immediate_executor(asio::system_executor(), ignores));
    BOOST_TEST(!ctx.stopped());
}

#endif

BOOST_AUTO_TEST_SUITE_END()
