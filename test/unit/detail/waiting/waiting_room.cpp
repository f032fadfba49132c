// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/waiting_room.hpp>

#include "support/printing.hpp"
#include "unit/detail/waiting/recording_hub.hpp"
#include <sluice/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace waiting_room {

namespace detail = sluice::detail;
using boost::asio::error::operation_aborted;
using detail::delivery;
using detail::wait_mode;
using sluice::errc;
using sluice::test::recording_waiter;

// A door that is open or not.
class door final : public detail::waiting_room<detail::wait_hub>
{
public:
    void open() noexcept
    {
        critical_section section(*this);
        is_open_ = true;
        serve(section);
    }

    [[nodiscard]] std::string describe() const override { return "door"; }

private:
    [[nodiscard]] bool is_ready(const detail::waiter& /*target*/) const noexcept override
    {
        return is_open_;
    }

    bool is_open_ = false;
};

struct fixture
{
    bool start(detail::waiter& w, wait_mode mode = wait_mode::waits)
    {
        return room->start(w, delivery::inline_if_ready, mode);
    }

    boost::intrusive_ptr<door> room{new door};
};

}  // namespace waiting_room

BOOST_FIXTURE_TEST_SUITE(waiting_room, ::waiting_room::fixture)

BOOST_AUTO_TEST_CASE(waiters_go_on_in_their_order_when_the_room_opens)
{
    std::string order;
    recording_waiter first;
    recording_waiter second;
    first.on_deliver = [&order] { order += "1"; };
    second.on_deliver = [&order] { order += "2"; };
    BOOST_TEST(!start(first));
    BOOST_TEST(!start(second));
    room->open();
    BOOST_TEST(order == "12");
    recording_waiter late;
    BOOST_TEST(start(late));  // at once, on the stack of its owner
    BOOST_TEST(late.deliveries == 0);
}

BOOST_AUTO_TEST_CASE(attempt_gives_up_and_leaves_no_trace)
{
    recording_waiter w;
    BOOST_TEST(start(w, wait_mode::gives_up));
    BOOST_TEST(w.error() == errc::timed_out);
    BOOST_TEST(!w.is_linked());
}

BOOST_AUTO_TEST_CASE(cancelled_waiter_leaves_the_others)
{
    recording_waiter first;
    recording_waiter second;
    BOOST_TEST(!start(first));
    BOOST_TEST(!start(second));
    room->cancel(first, operation_aborted);
    BOOST_TEST(first.error() == operation_aborted);
    BOOST_TEST(second.is_waiting());
    room->cancel_all(operation_aborted);
    BOOST_TEST(second.error() == operation_aborted);
    BOOST_TEST(second.deliveries == 1);
}

BOOST_AUTO_TEST_CASE(branch_that_was_decided_elsewhere_is_not_told)
{
    detail::claim claim;
    recording_waiter lost;
    recording_waiter other;
    lost.claim_ = &claim;
    BOOST_TEST(!start(lost));
    BOOST_TEST(!start(other));
    BOOST_TEST(claim.try_take());
    room->open();
    BOOST_TEST(lost.deliveries == 0);
    BOOST_TEST(!lost.is_linked());
    BOOST_TEST(other.deliveries == 1);
}

BOOST_AUTO_TEST_CASE(waiters_of_a_context_that_dies_are_abandoned)  // H4
{
    const int context = 0;
    recording_waiter dies;
    recording_waiter stays;
    dies.context_ = &context;
    BOOST_TEST(!start(dies));
    BOOST_TEST(!start(stays));
    room->abandon(&context);
    BOOST_TEST(dies.abandonments == 1);
    room->open();
    BOOST_TEST(dies.deliveries == 0);
    BOOST_TEST(stays.deliveries == 1);
}

BOOST_AUTO_TEST_SUITE_END()
