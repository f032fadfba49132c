// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/closed_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <exception>
#include <stdexcept>

using sluice::closer;

BOOST_AUTO_TEST_SUITE(closed_queue)

BOOST_AUTO_TEST_CASE(text_names_the_queue_who_closed_it_and_what_is_left)
{
    const sluice::closed_queue rows{
        "rows",
        {closer::stop, true, std::make_exception_ptr(std::runtime_error("disk full"))},
        3
    };
    BOOST_TEST(
        to_string(rows) ==
        "queue 'rows' closed by a stop after the error 'disk full', with 3 elements left"
    );
    BOOST_TEST(
        to_string(sluice::closed_queue{"rows", {closer::signal}, 1}) ==
        "queue 'rows' closed by a signal, with 1 element left"
    );
    BOOST_TEST(
        to_string(sluice::closed_queue{"rows", {closer::producers}}) ==
        "queue 'rows' closed by the last of its producers"
    );
}

BOOST_AUTO_TEST_SUITE_END()
