// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/waiter.hpp>

#include "support/printing.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <stdexcept>
#include <string>

using sluice::errc;
using sluice::error_code;
using phase = sluice::detail::waiter::phase;

namespace waiter {

class plain_waiter final : public sluice::detail::waiter
{
public:
    plain_waiter() : waiter(3) {}

private:
    void deliver() noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return "plain"; }
};

}  // namespace waiter

BOOST_AUTO_TEST_SUITE(waiter)

BOOST_AUTO_TEST_CASE(new_waiter_is_idle_in_no_list_and_without_failure)
{
    const plain_waiter w;
    BOOST_CHECK(w.phase_ == phase::idle);
    BOOST_TEST(!w.is_linked());
    BOOST_TEST(!w.is_waiting());
    BOOST_TEST(!w.failed());
    BOOST_TEST(!w.code().failed());
    BOOST_TEST(w.list_ == 3);
}

BOOST_AUTO_TEST_CASE(code_of_success_is_no_failure)
{
    const sluice::detail::failure none{error_code()};
    BOOST_TEST(!none);
    BOOST_TEST(!none.code().failed());
}

BOOST_AUTO_TEST_CASE(code_is_that_of_the_exception_where_it_has_one)
{
    plain_waiter w;
    w.fail(errc::end_of_queue);
    BOOST_TEST(w.code() == errc::end_of_queue);
    w.fail(errc::end_of_queue, std::make_exception_ptr(std::runtime_error("no code")));
    BOOST_TEST(w.code() == errc::end_of_queue);
    w.fail(
        errc::end_of_queue,
        std::make_exception_ptr(sluice::system_error(boost::asio::error::eof))
    );
    BOOST_TEST(w.code() == boost::asio::error::eof);
    BOOST_TEST(w.error() == errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(rearmed_waiter_can_be_started_again)
{
    plain_waiter w;
    w.fail(errc::timed_out);
    w.phase_ = phase::delivered;
    w.rearm();
    BOOST_TEST(!w.failed());
    BOOST_CHECK(w.phase_ == phase::idle);
}

BOOST_AUTO_TEST_CASE(delivery_finishes_only_what_is_decided)
{
    plain_waiter w;
    for (const phase other :
         {phase::idle, phase::waiting, phase::reclaiming, phase::delivered}) {
        w.phase_ = other;
        BOOST_TEST(!w.try_finish_delivery());
        BOOST_CHECK(w.phase_ == other);
    }
    w.phase_ = phase::decided;
    BOOST_TEST(w.try_finish_delivery());
    BOOST_CHECK(w.phase_ == phase::delivered);
}

BOOST_AUTO_TEST_CASE(waiter_without_a_claim_may_always_proceed)
{
    plain_waiter w;
    BOOST_TEST(w.try_claim());
    BOOST_TEST(!w.lost_claim());
    BOOST_TEST(!w.has_claim_);
}

BOOST_AUTO_TEST_CASE(one_of_the_waiters_that_share_a_claim_may_proceed)
{
    sluice::detail::claim word;
    plain_waiter first;
    plain_waiter second;
    first.claim_ = &word;
    second.claim_ = &word;
    BOOST_TEST(!first.lost_claim());
    BOOST_TEST(first.try_claim());
    BOOST_TEST(first.try_claim());  // it has it already
    BOOST_TEST(!second.try_claim());
    BOOST_TEST(second.lost_claim());
    BOOST_TEST(!first.lost_claim());
}

BOOST_AUTO_TEST_CASE(destroyed_waiter_leaves_its_list)
{
    sluice::detail::waiter_list list;
    plain_waiter stays;
    {
        plain_waiter goes;
        list.push_back(goes);
        list.push_back(stays);
    }
    BOOST_TEST(list.size() == 1U);
    BOOST_TEST((&list.front() == &stays));
}

BOOST_AUTO_TEST_SUITE_END()
