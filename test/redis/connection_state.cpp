// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/connection_state.hpp>

#include "support/printing.hpp"
#include <sluice/redis/redis_error.hpp>

#include <boost/test/unit_test.hpp>

namespace redis = sluice::redis;

BOOST_AUTO_TEST_SUITE(connection_state)

BOOST_AUTO_TEST_CASE(queue_is_opened_once_on_each_connection)
{
    redis::detail::connection_state state;
    BOOST_TEST(!state.is_to_be_opened());
    for (const std::uint64_t number : {1U, 2U}) {
        state.on_connected();
        BOOST_TEST(state.number() == number);
        BOOST_TEST(state.is_to_be_opened());
        state.on_opening();
        BOOST_TEST(!state.is_to_be_opened());
        BOOST_TEST(!state.is_open());
        state.on_opened();
        BOOST_TEST(state.is_open());
        BOOST_TEST(!state.is_to_be_opened());
        state.on_lost();
        BOOST_TEST(!state.is_open());
        BOOST_TEST(!state.is_connected());
        BOOST_TEST(!state.is_to_be_opened());
    }
}

BOOST_AUTO_TEST_CASE(opening_that_was_refused_is_tried_again_and_then_operations_go_on)
{
    redis::detail::connection_state state;
    state.on_connected();
    state.on_opening();
    state.refuse({redis::errc::queue_mismatch});
    BOOST_TEST(!state.is_to_be_opened());
    state.try_again();
    BOOST_TEST(state.is_to_be_opened());
    BOOST_TEST((state.refusal().code == redis::errc::queue_mismatch));
    state.on_opening();
    state.on_opened();
    BOOST_TEST(!state.refusal().code.failed());
    state.try_again();
    BOOST_TEST(state.is_open());
    state.open_again();
    BOOST_TEST(state.is_to_be_opened());
}

BOOST_AUTO_TEST_CASE(reason_ends_with_the_next_connection)
{
    redis::detail::connection_state state;
    state.refuse({redis::errc::connection_failed});
    state.on_connected();
    BOOST_TEST(!state.refusal().code.failed());
}

// An answer may be read behind the end of the connection object.
BOOST_AUTO_TEST_CASE(answer_does_not_revive_a_connection_that_was_destroyed)
{
    redis::detail::connection_state state;
    state.on_connected();
    state.on_opening();
    state.refuse({redis::errc::connection_closed});
    state.on_opened();
    BOOST_TEST((state.refusal().code == redis::errc::connection_closed));
}

BOOST_AUTO_TEST_SUITE_END()
