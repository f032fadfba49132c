// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/connection.hpp>

#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include <sluice/detail/awaiting/supervised_executor.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace asio = boost::asio;
namespace detail = sluice::detail;
using detail::wait_mode;
using namespace std::chrono_literals;

namespace connection {

// Records what a connection and a cancel_hook do to an operation.
class recording_operation : public detail::waiter
{
public:
    recording_operation() : waiter(0) {}

    void cancel(sluice::error_code why) noexcept override
    {
        ++cancellations;
        reason = why;
    }

    void set_context(const void* context) noexcept override { seen_context = context; }

    [[nodiscard]] detail::wait_hub* hub_to_attach() const noexcept override
    {
        return nullptr;
    }

    int cancellations = 0;
    sluice::error_code reason;
    const void* seen_context = nullptr;

protected:
    ~recording_operation() = default;

private:
    void deliver(detail::waiter_list& /*others*/) noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return "operation"; }
};

// An operation that has a connection, and is final as all of these are.
class limited final : public recording_operation
{
public:
    template <class Executor>
    wait_mode open(const Executor& executor, const detail::time_limit& limit)
    {
        return connection_.open(executor, limit);
    }

    void close() noexcept { connection_.close(); }

private:
    detail::connection<detail::time_limit> connection_{*this};
};

struct connection_fixture : sluice::test::io_fixture
{
    const boost::intrusive_ptr<detail::task_strand> log = detail::task_strand::make(
        ctx.get_executor()
    );
    const asio::any_io_executor supervised = detail::supervised_executor(log);
};

}  // namespace connection

BOOST_FIXTURE_TEST_SUITE(connection, connection_fixture)

// A task that computes for long must not keep others from timing out.
BOOST_AUTO_TEST_CASE(deadline_passes_while_the_strand_that_armed_the_first_is_occupied)
{
    limited first;
    (void)first.open(supervised, detail::time_limit::within(1h));
    limited other;
    (void)other.open(ctx.get_executor(), detail::time_limit::within(1ms));
    asio::post(supervised, [&] { run_until([&] { return other.cancellations != 0; }); });
    run_until([&] { return other.cancellations != 0; });
    BOOST_TEST(other.reason == sluice::errc::timed_out);
    first.close();
    run();
}

BOOST_AUTO_TEST_CASE(limit_that_has_passed_arms_nothing)
{
    limited operation;
    const wait_mode mode = operation.open(supervised, detail::time_limit::within(0s));
    BOOST_CHECK(mode == wait_mode::gives_up);
    BOOST_TEST(log->read().text.empty());
    ctx.run();  // returns: nothing is armed
    BOOST_TEST(operation.cancellations == 0);
}

BOOST_AUTO_TEST_CASE(limit_beyond_what_the_clock_can_count_arms_nothing)
{
    limited operation;
    (void
    )operation.open(supervised, detail::time_limit::within(std::chrono::hours::max()));
    BOOST_TEST(log->read().text == "operation");
    ctx.run();  // returns: nothing is armed
    operation.close();
    BOOST_TEST(log->read().text.empty());
}

BOOST_AUTO_TEST_SUITE_END()
