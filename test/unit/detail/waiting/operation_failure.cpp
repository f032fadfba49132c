// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/operation_failure.hpp>

#include <sluice/detail/waiting/wait_hub.hpp>
#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <exception>

BOOST_AUTO_TEST_SUITE(operation_failure)

BOOST_AUTO_TEST_CASE(
    failure_knows_the_hub_of_its_operation_and_an_exception_made_of_a_code_none
)
{
    const int place = 0;  // of a hub that is gone
    const auto* const hub = reinterpret_cast<const sluice::detail::wait_hub*>(&place);
    const auto failure = std::make_exception_ptr(
        sluice::detail::operation_failure(sluice::errc::queue_closed, "enqueue", hub)
    );
    BOOST_TEST(sluice::detail::hub_of(failure) == hub);
    const auto plain = std::make_exception_ptr(
        sluice::system_error(sluice::errc::queue_closed)
    );
    BOOST_TEST(sluice::detail::hub_of(plain) == nullptr);
    BOOST_TEST(sluice::detail::hub_of(nullptr) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
