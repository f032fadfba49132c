// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/hub_operation.hpp>

#include "support/printing.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/fifo_store.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>

namespace asio = boost::asio;
namespace detail = sluice::detail;

namespace {

using core = detail::queue_core<int, sluice::fifo_store<int>>;

// A dequeue whose owner is the test.
class taking final : public detail::hub_operation<core, core::consumer>
{
public:
    explicit taking(core& queue)
        : hub_operation(queue, detail::demand::one, std::size_t{1})
    {
    }

    ~taking() { forget(detail::wait_hub::deliveries::over); }

    void deliver() noexcept override
    {
        ++delivered;
        finish_delivery();
    }

    void abandon() noexcept override { ++abandoned; }

    [[nodiscard]] std::string describe() const override { return "taking"; }

    int delivered = 0;
    int abandoned = 0;
};

struct hub_operation_fixture
{
    ~hub_operation_fixture()
    {
        if (queue)
            queue->detach();
    }

    [[nodiscard]] bool wait(taking& target)
    {
        target.set_context(context);
        return !target.start(detail::delivery::inline_if_ready, detail::wait_mode::waits);
    }

    asio::io_context context;
    boost::intrusive_ptr<core> queue{
        new core(sluice::fifo_store<int>(sluice::queue_options{}), 2, "lines")
    };
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hub_operation, hub_operation_fixture)

BOOST_AUTO_TEST_CASE(cancelled_waiter_is_delivered_once)
{
    taking waiter(*queue);
    BOOST_TEST(wait(waiter));
    waiter.cancel(asio::error::operation_aborted);
    waiter.cancel(sluice::errc::timed_out);
    BOOST_TEST(waiter.delivered == 1);
    BOOST_TEST(waiter.code() == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(forgotten_waiter_leaves_its_line)
{
    {
        taking waiter(*queue);
        BOOST_TEST(wait(waiter));
        BOOST_TEST(queue->stats().waiting_consumers == 1U);
    }
    BOOST_TEST(queue->stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(waiting_operation_keeps_its_core_alive)
{
    taking waiter(*queue);
    BOOST_TEST(wait(waiter));
    queue->shut_down();
    queue->detach();
    queue.reset();
    BOOST_TEST(waiter.delivered == 1);
    BOOST_TEST(waiter.code() == sluice::errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(operation_that_never_began_does_not_touch_its_core)
{
    taking waiter(*queue);
    queue.reset();
    BOOST_TEST(waiter.delivered == 0);
}

BOOST_AUTO_TEST_CASE(death_of_the_context_abandons_the_waiter)  // P12
{
    taking waiter(*queue);
    BOOST_TEST(wait(waiter));
    queue->abandon(&context);
    BOOST_TEST(waiter.abandoned == 1);
    BOOST_TEST(waiter.delivered == 0);
}

BOOST_AUTO_TEST_SUITE_END()
