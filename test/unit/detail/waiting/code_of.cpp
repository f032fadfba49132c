// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/code_of.hpp>

#include "support/printing.hpp"
#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <exception>
#include <stdexcept>
#include <system_error>

BOOST_AUTO_TEST_SUITE(code_of)

BOOST_AUTO_TEST_CASE(code_of_an_exception_with_a_code_is_that_code)
{
    const sluice::error_code fallback = sluice::errc::end_of_queue;
    const auto ours = std::make_exception_ptr(
        sluice::system_error(sluice::errc::timed_out, "text")
    );
    BOOST_TEST(sluice::detail::code_of(ours, fallback) == sluice::errc::timed_out);
    const auto standard = std::make_exception_ptr(
        std::system_error(std::make_error_code(std::errc::no_space_on_device))
    );
    const std::error_code code = sluice::detail::code_of(standard, fallback);
    BOOST_TEST((code == std::errc::no_space_on_device));
}

BOOST_AUTO_TEST_CASE(code_of_another_exception_is_the_fallback)
{
    const sluice::error_code fallback = sluice::errc::end_of_queue;
    BOOST_TEST(
        sluice::detail::code_of(
            std::make_exception_ptr(std::runtime_error("x")),
            fallback
        ) == fallback
    );
    BOOST_TEST(sluice::detail::code_of(std::make_exception_ptr(7), fallback) == fallback);
    BOOST_TEST(sluice::detail::code_of(nullptr, fallback) == fallback);
}

BOOST_AUTO_TEST_SUITE_END()
