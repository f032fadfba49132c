// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_log.hpp>

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace detail = sluice::detail;

namespace wait_log {

class named_operation final : public detail::waiter
{
public:
    explicit named_operation(std::string name) : waiter(0), name_(std::move(name)) {}

private:
    void deliver() noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return name_; }

    std::string name_;
};

}  // namespace wait_log

BOOST_AUTO_TEST_SUITE(wait_log)

BOOST_AUTO_TEST_CASE(new_log_says_nothing)
{
    const detail::wait_log log;
    BOOST_TEST(log.read().text.empty());
    BOOST_TEST(!log.read().is_ready);
    BOOST_TEST((log.read().since <= detail::wait_log::clock::now()));
}

BOOST_AUTO_TEST_CASE(names_what_waits_in_the_order_it_began)
{
    detail::wait_log log;
    named_operation first("dequeue on queue 'a'");
    named_operation second("enqueue on queue 'b'");
    log.begin(first);
    log.begin(second);
    BOOST_TEST(log.read().text == "dequeue on queue 'a', enqueue on queue 'b'");
    BOOST_TEST(log.read().places.size() == 2U);
    log.end(first);
    BOOST_TEST(log.read().text == "enqueue on queue 'b'");
    log.end(second);
    BOOST_TEST(log.read().text.empty());
}

BOOST_AUTO_TEST_CASE(since_moves_with_each_begin_and_end)
{
    detail::wait_log log;
    named_operation operation("dequeue");
    const auto created = log.read().since;
    log.begin(operation);
    const auto began = log.read().since;
    log.end(operation);
    BOOST_TEST((created <= began));
    BOOST_TEST((began <= log.read().since));
}

// What waits is over when its end is posted; the rest is the wait for a thread.
BOOST_AUTO_TEST_CASE(task_whose_wait_has_ended_is_ready_until_a_thread_runs_it)
{
    detail::wait_log log;
    named_operation operation("dequeue");
    log.begin(operation);
    const auto began = log.read().since;
    log.post();
    const detail::wait_log::reading seen = log.read();
    BOOST_TEST(seen.is_ready);
    BOOST_TEST(seen.text.empty());
    BOOST_TEST(seen.places.empty());
    BOOST_TEST((began <= seen.since));
    log.resume();
    BOOST_TEST(!log.read().is_ready);
    BOOST_TEST(log.read().text == "dequeue");
    log.end(operation);
    BOOST_TEST((seen.since <= log.read().since));
    log.suspend();
    BOOST_TEST(!log.read().is_ready);
}

BOOST_AUTO_TEST_CASE(what_is_posted_to_a_running_task_makes_it_ready_when_it_suspends)
{
    detail::wait_log log;
    log.post();
    log.resume();
    log.post();
    BOOST_TEST(!log.read().is_ready);
    log.suspend();
    BOOST_TEST(log.read().is_ready);
    log.resume();
    log.post();
    log.resume();  // inside of the other
    log.suspend();
    BOOST_TEST(!log.read().is_ready);
    log.suspend();
    BOOST_TEST(!log.read().is_ready);
}

BOOST_AUTO_TEST_CASE(task_is_not_ready_once_what_it_would_run_is_dropped)
{
    detail::wait_log log;
    log.post();
    log.post();
    log.drop();
    BOOST_TEST(log.read().is_ready);
    log.drop();
    BOOST_TEST(!log.read().is_ready);
}

BOOST_AUTO_TEST_CASE(time_while_ready_counts_up_to_the_look_and_stops_when_it_runs)
{
    using namespace std::chrono_literals;
    using clock = detail::wait_log::clock;
    detail::wait_log log;
    log.post();
    BOOST_TEST((log.read_ready(log.read().since).time == 0s));
    log.resume();
    log.keep_ready_time();
    const auto before = log.read_ready(clock::now()).time;
    BOOST_TEST((before > 0s));  // until it began
    log.keep_ready_time();
    BOOST_TEST((log.read_ready(clock::now()).time == before));
    log.suspend();
    log.post();
    const auto since = log.read().since;
    BOOST_TEST(log.read_ready(since).is_ready);
    BOOST_TEST((log.read_ready(since - 1s).time == before));
    BOOST_TEST((log.read_ready(since + 3s).time == before + 3s));
    log.resume();
    const auto ran = log.read_ready(clock::now());
    BOOST_TEST(!ran.is_ready);
    BOOST_TEST((ran.time > before));
    BOOST_TEST((ran.time <= before + (clock::now() - since)));
    BOOST_TEST((log.read_ready(clock::now() + 3s).time == ran.time));
    log.suspend();
    log.post();
    BOOST_TEST((log.read_ready(log.read().since + 2s).time == ran.time + 2s));
}

BOOST_AUTO_TEST_CASE(may_be_read_while_others_write)
{
    detail::wait_log log;
    bool well_formed = true;
    sluice::test::run_threads(3, [&](std::size_t index) {
        for (int i = 0; i < 1000; ++i) {
            if (index == 0) {
                const std::string text = log.read().text;
                well_formed = well_formed &&
                              (text.empty() || text.starts_with("dequeue"));
                continue;
            }
            named_operation operation("dequeue");
            log.begin(operation);
            log.post();
            log.resume();
            log.end(operation);
            log.suspend();
        }
    });
    BOOST_TEST(well_formed);
    BOOST_TEST(log.read().text.empty());
    BOOST_TEST(!log.read().is_ready);
}

BOOST_AUTO_TEST_SUITE_END()
