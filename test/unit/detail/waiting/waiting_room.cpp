// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/waiting_room.hpp>

#include "support/printing.hpp"
#include "unit/detail/waiting/recording_hub.hpp"
#include <sluice/detail/waiting/claim.hpp>

#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <list>

namespace waiting_room {

namespace detail = sluice::detail;
using detail::delivery;
using detail::wait_mode;
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
    bool start(detail::waiter& w)
    {
        return room->start(w, delivery::inline_if_ready, wait_mode::waits);
    }

    boost::intrusive_ptr<door> room{new door};
};

}  // namespace waiting_room

BOOST_FIXTURE_TEST_SUITE(waiting_room, ::waiting_room::fixture)

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

BOOST_AUTO_TEST_CASE(others_use_it_while_many_waits_are_cancelled)  // H5
{
    std::list<recording_waiter> all(2000);
    for (recording_waiter& each : all)
        BOOST_TEST_REQUIRE(!start(each));
    std::ptrdiff_t left = 0;
    all.front().on_deliver = [&] {
        left = std::ranges::count_if(all, &recording_waiter::is_waiting);
        room->open();  // does not wait for the lock
    };
    room->cancel_all(boost::asio::error::operation_aborted);
    BOOST_TEST(left > 0);
    BOOST_TEST(left < 2000);
    for (const recording_waiter& each : all)
        BOOST_TEST(each.failed());
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
