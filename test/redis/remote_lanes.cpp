// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/remote_lanes.hpp>

#include "support/redis/remote_parts.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace detail = sluice::redis::detail;
namespace test = sluice::test;
using detail::lane;

namespace remote_lanes {

struct lane_with_two
{
    lane_with_two()
    {
        tested.waiting().push_back(first);
        tested.waiting().push_back(second);
    }

    void send_both()
    {
        tested.serve({&first, &second});
        tested.start_turn();
    }

    void refuse()
    {
        static_cast<void>(tested.take_served());
        tested.end_turn(true);
    }

    test::plain_consumer first{sluice::detail::demand::some, 1, nullptr};
    test::plain_consumer second{sluice::detail::demand::some, 1, nullptr};
    detail::remote_lane tested;
};

}  // namespace remote_lanes

BOOST_FIXTURE_TEST_SUITE(remote_lanes, lane_with_two)

// (E1)
BOOST_AUTO_TEST_CASE(lane_is_not_ready_while_a_command_is_on_its_way)
{
    BOOST_TEST(tested.is_ready());
    send_both();
    BOOST_TEST(!tested.is_ready());
    BOOST_TEST(first.is_sent());
    const auto served = tested.take_served();
    BOOST_TEST((served == std::vector<detail::remote_waiter*>{&first, &second}));
    BOOST_TEST(!first.is_sent());
    tested.end_turn(false);
    BOOST_TEST(tested.is_ready());
    BOOST_TEST(tested.take_served().empty());
}

// (E2)
BOOST_AUTO_TEST_CASE(refused_lane_is_blocked_until_there_is_news)
{
    send_both();
    refuse();
    BOOST_TEST(tested.is_blocked());
    BOOST_TEST(!tested.is_ready());
    tested.ask_again();
    BOOST_TEST(tested.is_ready());
}

// (E2)
BOOST_AUTO_TEST_CASE(news_during_a_turn_counts_once)
{
    send_both();
    tested.ask_again();
    BOOST_TEST(!tested.is_ready());
    refuse();
    BOOST_TEST(tested.is_ready());
    send_both();
    refuse();
    BOOST_TEST(tested.is_blocked());
}

// (E2)
BOOST_AUTO_TEST_CASE(only_an_operation_at_the_head_unblocks_when_it_enters_or_leaves)
{
    send_both();
    refuse();
    tested.entered(second);
    tested.leaves(second);
    BOOST_TEST(tested.is_blocked());
    tested.leaves(first);
    BOOST_TEST(tested.is_ready());
    send_both();
    refuse();
    tested.entered(first);
    BOOST_TEST(tested.is_ready());
    first.unlink();
    send_both();
    refuse();
    tested.leaves(first);
    BOOST_TEST(tested.is_blocked());
}

// (E3)
BOOST_AUTO_TEST_CASE(operation_that_leaves_during_a_turn_leaves_an_empty_slot)
{
    send_both();
    tested.leaves(first);
    BOOST_TEST(!first.is_sent());
    const auto served = tested.take_served();
    BOOST_TEST((served == std::vector<detail::remote_waiter*>{nullptr, &second}));
    tested.leaves(second);
}

// (E7)
BOOST_AUTO_TEST_CASE(carrier_is_busy_with_the_settlements_and_answers_for_them_once)
{
    detail::remote_lanes lanes;
    lanes.start_turn(lane::settling, lane::enqueuing);
    BOOST_TEST(!lanes[lane::settling].is_ready());
    BOOST_TEST(!lanes[lane::enqueuing].is_ready());
    BOOST_TEST(lanes[lane::dequeuing].is_ready());
    BOOST_TEST(!lanes.take_carrier(lane::dequeuing));
    BOOST_TEST(lanes.take_carrier(lane::enqueuing));
    BOOST_TEST(!lanes.take_carrier(lane::enqueuing));
    lanes.start_turn(lane::dequeuing, lane::dequeuing);
    BOOST_TEST(!lanes.take_carrier(lane::dequeuing));
}

BOOST_AUTO_TEST_CASE(lost_connection_makes_all_lanes_ready_and_keeps_whom_they_served)
{
    detail::remote_lanes lanes;
    lanes[lane::dequeuing].serve({&first});
    for (detail::remote_lane& each : lanes) {
        each.start_turn();
        each.ask_again();
    }
    lanes[lane::asking].end_turn(true);
    lanes.reset();
    for (detail::remote_lane& each : lanes) {
        BOOST_TEST(each.is_ready());
        each.start_turn();
        each.end_turn(true);
        BOOST_TEST(each.is_blocked());  // the news was of the connection before
    }
    BOOST_TEST(lanes[lane::dequeuing].take_served().size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
