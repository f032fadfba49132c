// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/coordinator_options.hpp>

#include "support/printing.hpp"
#include <sluice/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <system_error>

namespace asio = boost::asio;
using sluice::errc;

namespace coordinator_options {

template <class Exception>
bool is_clean(const Exception& exception)
{
    return sluice::is_clean_stop(std::make_exception_ptr(exception));
}

bool is_clean_code(const sluice::error_code& code)
{
    return is_clean(sluice::system_error(code));
}

}  // namespace coordinator_options

BOOST_AUTO_TEST_SUITE(coordinator_options)

BOOST_AUTO_TEST_CASE(defaults_are_those_of_the_documentation)
{
    const sluice::coordinator_options options;

    BOOST_TEST((options.stop_grace_period == std::chrono::seconds(20)));
    BOOST_TEST((options.overdue_after == std::chrono::seconds(5)));
    BOOST_TEST(!options.on_overdue);
    BOOST_REQUIRE(options.is_clean_stop);
    BOOST_TEST(options.is_clean_stop(
        std::make_exception_ptr(sluice::system_error(errc::end_of_queue))
    ));
}

BOOST_AUTO_TEST_CASE(is_clean_stop_is_true_for_the_condition_of_that_name)
{
    BOOST_TEST(is_clean_code(errc::end_of_queue));
    BOOST_TEST(is_clean_code(errc::queue_closed));
    BOOST_TEST(is_clean_code(errc::stop_requested));
}

BOOST_AUTO_TEST_CASE(is_clean_stop_is_false_for_everything_else)
{
    for (const errc code :
         {errc::timed_out,
          errc::tasks_still_running,
          errc::invalid_argument,
          errc::element_failed})
        BOOST_TEST(!is_clean_code(code));
    BOOST_TEST(!is_clean_code(asio::error::operation_aborted));
    BOOST_TEST(!is_clean_code(asio::error::eof));
    BOOST_TEST(!is_clean(std::runtime_error("end_of_queue")));
    BOOST_TEST(!is_clean(std::system_error(std::make_error_code(std::errc::io_error))));
    BOOST_TEST(!is_clean(1));
}

BOOST_AUTO_TEST_SUITE_END()
