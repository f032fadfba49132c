// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_core.hpp>

#include "support/check_error.hpp"
#include "support/message_of.hpp"
#include "support/printing.hpp"
#include "unit/coordination/core_fixture.hpp"
#include <sluice/detail/waiting/claim.hpp>

#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using namespace test::coordination;

BOOST_FIXTURE_TEST_SUITE(coordinator_core, core_fixture)

// (C1) the flag and its effects

BOOST_AUTO_TEST_CASE(c1_effects_follow_in_order_and_once)
{
    const auto worker = add_task(coord, "worker");
    const auto child = make_child(coord);
    const auto nested = add_task(child, "nested");
    close_on_stop("lines");
    const std::stop_callback last(coord->get_stop_token(), [&] {
        events.push_back("token");
    });

    coord->request_stop(nullptr);
    coord->request_stop(nullptr);

    BOOST_TEST(
        events == (history{"close lines", "cancel worker", "cancel nested", "token"})
    );
    BOOST_TEST(child->should_stop());
    BOOST_TEST(coord->changes == 1);
    child->task_ended(nested, nullptr);
    coord->task_ended(worker, nullptr);
    child->shut_down();
}

// As those of connections.
BOOST_AUTO_TEST_CASE(queues_that_come_and_go_do_not_accumulate)
{
    std::vector<std::weak_ptr<int>> lives;
    const auto alive = [&] {
        return std::count_if(lives.begin(), lives.end(), [](const auto& life) {
            return !life.expired();
        });
    };
    const auto come_and_go = [&](int count) {
        for (int i = 0; i < count; ++i) {
            auto* const passing = new queue("passing", events);
            lives.push_back(passing->life);
            coord->close_on_stop(passing, sluice::close_mode::cancel_pending);
            passing->orphaned = true;
        }
    };
    come_and_go(10);
    BOOST_TEST(alive() <= 2);
    for (int i = 0; i < 10; ++i)
        close_on_stop(std::to_string(i));
    come_and_go(100);
    BOOST_TEST(alive() <= 10);
    coord->request_stop(nullptr);
    std::erase(events, "close passing");  // the last ones
    BOOST_TEST(
        events == (history{
                      "close 0",
                      "close 1",
                      "close 2",
                      "close 3",
                      "close 4",
                      "close 5",
                      "close 6",
                      "close 7",
                      "close 8",
                      "close 9"
                  }),
        boost::test_tools::per_element()
    );
}

BOOST_AUTO_TEST_CASE(dropped_queue_and_error_may_use_the_core)
{
    // Under the lock this would never return.
    const auto use_core = [&](void*) {
        events.push_back(coord->joined() ? "joined" : "not joined");
    };
    struct talkative
    {
        std::shared_ptr<void> last_words;
    };
    auto* const gone = new queue("gone", events);
    gone->life = std::shared_ptr<int>(nullptr, use_core);
    coord->close_on_stop(gone, sluice::close_mode::cancel_pending);
    gone->orphaned = true;
    close_on_stop("next");
    BOOST_TEST(events == (history{"not joined"}));

    coord->request_stop(
        std::make_exception_ptr(talkative{std::shared_ptr<void>(nullptr, use_core)})
    );
    coord->clear_stop();

    BOOST_TEST(events == (history{"not joined", "fail next", "not joined"}));
}

BOOST_AUTO_TEST_CASE(task_on_a_stopped_scope_is_refused_by_name)
{
    coord->request_stop(nullptr);
    std::exception_ptr refusal;

    try {
        add_task(coord, "too late");
    } catch (...) {
        refusal = std::current_exception();
    }

    test::check_error(refusal, errc::stop_requested);
    BOOST_TEST(sluice::test::message_of(refusal).find("'too late'") != std::string::npos);
    BOOST_TEST(coord->tasks().empty());
    join_recorder join(*coord);
    BOOST_TEST(join.start());  // (C3): what was refused is not counted
}

// wait_for_stop

BOOST_AUTO_TEST_CASE(branch_that_was_decided_elsewhere_is_not_told_of_the_stop)
{
    sluice::detail::claim word;
    stop_recorder branch(*coord);
    branch.claim_ = &word;
    BOOST_TEST(!branch.start());
    BOOST_TEST(word.try_take());

    coord->request_stop(nullptr);

    BOOST_TEST(branch.delivered == 0);
}

// (C3), (C4) join

BOOST_AUTO_TEST_CASE(c4_companion_goes_after_the_stop_and_before_the_join)
{
    join_recorder join(*coord);
    const auto note = [&](void*) {
        events.push_back(coord->should_stop() ? "stopped" : "not stopped");
        events.push_back(join.delivered == 0 ? "join waits" : "join is over");
    };
    const auto only =
        std::make_shared<task>("only", events, std::shared_ptr<void>(nullptr, note));
    coord->add_task(only);
    (void)join.start();

    coord->task_ended(only, error("broken"));

    BOOST_TEST(events == (history{"cancel only", "stopped", "join waits"}));
    BOOST_TEST(join.delivered == 1);
}

BOOST_AUTO_TEST_CASE(join_finds_all_queues_that_the_stop_has_closed)
{
    const auto only = add_task(coord, "only");
    const boost::intrusive_ptr<queue> rows(new queue("rows", events));
    coord->close_on_stop(rows, sluice::close_mode::cancel_pending);
    join_recorder join(*coord);
    (void)join.start();
    std::size_t found = 0;
    join.on_delivery = [&] { found = coord->closed_queues().size(); };
    rows->on_close = [&] {
        coord->task_ended(only, nullptr);  // its consumer, on another thread perhaps
        BOOST_TEST(join.delivered == 0);
    };

    coord->request_stop(nullptr);

    BOOST_TEST(join.delivered == 1);
    BOOST_TEST(found == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
