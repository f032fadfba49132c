// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/check_error.hpp"

#include "support/check.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>

namespace asio = boost::asio;
namespace test = sluice::test;

namespace {

std::exception_ptr system_error(asio::error::basic_errors code)
{
    return std::make_exception_ptr(boost::system::system_error{code});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(check_error)

BOOST_AUTO_TEST_CASE(code_enumerator_and_condition_are_compared)
{
    const auto aborted = system_error(asio::error::operation_aborted);

    BOOST_TEST(test::check_error(aborted, asio::error::operation_aborted));
    BOOST_TEST(test::check_error(aborted, make_error_code(asio::error::operation_aborted))
    );
    BOOST_TEST(test::check_error(aborted, boost::system::errc::operation_canceled));
}

BOOST_AUTO_TEST_CASE(anything_else_is_a_failure_at_the_callers_line)
{
    test::captured_failures failures;
    const auto broken = std::make_exception_ptr(std::runtime_error{"broken"});

    const unsigned line = __LINE__ + 1;
    BOOST_TEST(!test::check_error(nullptr, asio::error::operation_aborted));
    BOOST_TEST(!test::check_error(broken, asio::error::operation_aborted));
    BOOST_TEST(!test::check_error(
        system_error(asio::error::timed_out),
        asio::error::operation_aborted
    ));

    BOOST_TEST(failures.count() == 3u);
    BOOST_TEST(failures.lines().front() == line);
    BOOST_TEST(failures.mention("ended with no exception, not system:"));
    BOOST_TEST(failures.mention("exception \"broken\""));
}

BOOST_AUTO_TEST_SUITE_END()
