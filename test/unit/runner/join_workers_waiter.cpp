// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/detail/join_workers_waiter.hpp>

#include "support/check_error.hpp"
#include "support/message_of.hpp"
#include <sluice/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <stdexcept>
#include <tuple>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;

namespace join_workers_waiter {

class join final : public detail::join_workers_waiter
{
public:
    using join_workers_waiter::join_workers_waiter;

    ~join() { join_workers_waiter::forget(); }

    void deliver() noexcept override { join_workers_waiter::finish_delivery(); }
    void abandon() noexcept override {}
};

struct join_fixture
{
    std::exception_ptr thrown() const
    {
        try {
            joined.result();
        } catch (...) {
            return std::current_exception();
        }
        return nullptr;
    }

    boost::intrusive_ptr<detail::runner_core> core{new detail::runner_core("numbers")};
    join joined{join::arguments{core.get()}};
};

}  // namespace join_workers_waiter

BOOST_FIXTURE_TEST_SUITE(join_workers_waiter, join_fixture)

BOOST_AUTO_TEST_CASE(join_is_described_with_its_runner)
{
    BOOST_TEST(joined.describe() == "join on queue_runner 'numbers'");
}

BOOST_AUTO_TEST_CASE(join_without_a_failure_has_nothing_to_tell)
{
    BOOST_TEST(joined.try_start());

    BOOST_CHECK_NO_THROW(joined.result());
    BOOST_TEST((joined.outcome() == std::tuple(std::exception_ptr())));
}

BOOST_AUTO_TEST_CASE(join_throws_the_very_exception_of_the_worker)
{
    const auto broken = std::make_exception_ptr(std::runtime_error("broken"));
    BOOST_TEST(core->begin(1));
    (void)core->worker_ended(broken);
    core->end_run();

    BOOST_TEST(joined.try_start());

    BOOST_TEST((thrown() == broken));
    BOOST_TEST((std::get<0>(joined.outcome()) == broken));
}

BOOST_AUTO_TEST_CASE(cancelled_join_throws_its_code_and_says_what_it_was)
{
    BOOST_TEST(core->begin(1));
    (void)joined.start(detail::delivery::inline_if_ready, detail::wait_mode::waits);

    joined.cancel(asio::error::operation_aborted);

    test::check_error(thrown(), asio::error::operation_aborted);
    BOOST_TEST(sluice::test::message_of(thrown()).starts_with("join on queue_runner"));
    test::check_error(std::get<0>(joined.outcome()), asio::error::operation_aborted);
}

BOOST_AUTO_TEST_SUITE_END()
