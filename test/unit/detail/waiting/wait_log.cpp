// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_log.hpp>

#include "support/run_threads.hpp"
#include "unit/detail/waiting/recording_hub.hpp"
#include <sluice/detail/waiting/task_step.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

namespace detail = sluice::detail;

namespace wait_log {

class named_operation final : public detail::waiter
{
public:
    explicit named_operation(std::string name, detail::wait_hub* hub = nullptr)
        : waiter(0, hub), name_(std::move(name))
    {
    }

private:
    void deliver(detail::waiter_list& /*others*/) noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return name_; }

    std::string name_;
};

struct silent_step final : detail::task_step
{
    silent_step() : task_step([](task_step& /*self*/, bool /*is_called*/) {}) {}
};

}  // namespace wait_log

BOOST_AUTO_TEST_SUITE(wait_log)

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

BOOST_AUTO_TEST_CASE(task_that_a_thread_runs_is_running)
{
    detail::wait_log log;
    silent_step step;
    BOOST_TEST(log.push(step));
    BOOST_TEST(!log.read().is_running);
    const auto ready = log.read().since;
    (void)log.begin_run();
    BOOST_TEST(log.read().is_running);
    BOOST_TEST((log.read().since >= ready));
    BOOST_TEST(!log.end_run());
    BOOST_TEST(!log.read().is_running);
}

BOOST_AUTO_TEST_CASE(time_while_ready_counts_up_to_the_look_and_stops_when_it_runs)
{
    using namespace std::chrono_literals;
    using clock = detail::wait_log::clock;
    detail::wait_log log;
    silent_step step;
    const auto begin_run = [&] { (void)log.begin_run(); };
    const auto end_run = [&] { (void)log.end_run(); };
    (void)log.push(step);
    BOOST_TEST((log.read_ready(log.read().since).time == 0s));
    begin_run();
    log.keep_ready_time();
    const auto before = log.read_ready(clock::now()).time;
    BOOST_TEST((before > 0s));  // until it began
    log.keep_ready_time();
    BOOST_TEST((log.read_ready(clock::now()).time == before));
    end_run();
    (void)log.push(step);
    const auto since = log.read().since;
    BOOST_TEST(log.read_ready(since).is_ready);
    BOOST_TEST((log.read_ready(since - 1s).time == before));
    BOOST_TEST((log.read_ready(since + 3s).time == before + 3s));
    begin_run();
    const auto ran = log.read_ready(clock::now());
    BOOST_TEST(!ran.is_ready);
    BOOST_TEST((ran.time > before));
    BOOST_TEST((ran.time <= before + (clock::now() - since)));
    BOOST_TEST((log.read_ready(clock::now() + 3s).time == ran.time));
    end_run();
    (void)log.push(step);
    BOOST_TEST((log.read_ready(log.read().since + 2s).time == ran.time + 2s));
}

// A monitor sums up waits of microseconds.
BOOST_AUTO_TEST_CASE(wait_is_measured_exactly_if_the_hub_keeps_the_times)
{
    using clock = detail::wait_log::clock;
    detail::wait_log log;
    const boost::intrusive_ptr hub(new sluice::test::recording_hub);
    silent_step step;
    for (const bool is_kept : {false, true}) {
        if (is_kept)
            hub->keep_wait_times();
        named_operation operation("dequeue", hub.get());
        const auto before = clock::now();
        log.begin(operation);
        if (is_kept)
            BOOST_TEST((log.read().since >= before));
        const auto between = clock::now();
        (void)log.push(step);
        if (is_kept)
            BOOST_TEST((log.read().since >= between));
        (void)log.begin_run();
        log.end(operation);
        (void)log.end_run();
    }
    const auto kept = hub->kept_wait_times()->read(0);
    BOOST_TEST(std::accumulate(kept.counts.begin(), kept.counts.end(), 0U) == 1U);
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
            silent_step step;
            log.begin(operation);
            if (index == 1)
                (void)log.push(step);
            log.end(operation);
            if (index == 1) {
                (void)log.begin_run();
                (void)log.end_run();
            }
        }
    });
    BOOST_TEST(well_formed);
    BOOST_TEST(log.read().text.empty());
    BOOST_TEST(!log.read().is_ready);
}

BOOST_AUTO_TEST_SUITE_END()
