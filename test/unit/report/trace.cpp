// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/report/trace.hpp>

#include "support/count_of.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace metrics = sluice::metrics;
namespace report = sluice::report;
using metrics::activity;
using sluice::test::count_of;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(trace)

BOOST_AUTO_TEST_CASE(an_empty_trace_names_its_process)
{
    const report::trace events("a \"name\"");
    BOOST_TEST(
        events.to_json() ==
        R"({"displayTimeUnit":"ms","traceEvents":[{"ph":"M","name":"process_name","pid":1,)"
        R"("tid":0,"args":{"name":"a \"name\""}}],"otherData":{"dropped_events":0}})"
    );
}

BOOST_AUTO_TEST_CASE(spans_are_on_their_tracks_and_idle_ones_are_left_out)
{
    report::trace events("p");
    const auto first = events.add_track("read/0");
    const auto second = events.add_track("count/0");
    const auto begin = report::trace::clock::now();
    events.add_span(first, activity::busy, begin, begin + 1500ns);
    events.add_span(first, activity::waiting_to_enqueue, begin + 1500ns, begin + 2us);
    events.add_span(first, activity::idle, begin + 2us, begin + 3us);
    events.add_span(second, activity::waiting_to_dequeue, begin, begin + 1ms);
    const std::string json = events.to_json();
    BOOST_TEST(count_of(json, R"("ph":"X")") == 3);
    BOOST_TEST(count_of(json, R"("tid":0,"args":{"name":"read/0"})") == 1);
    BOOST_TEST(count_of(json, R"("tid":1,"args":{"name":"count/0"})") == 1);
    BOOST_TEST(count_of(json, R"("name":"busy","pid":1,"tid":0,"ts":)") == 1);
    BOOST_TEST(count_of(json, R"("dur":1.5})") == 1);
    BOOST_TEST(count_of(json, R"("dur":0.5})") == 1);
    BOOST_TEST(
        count_of(json, R"("name":"waiting to dequeue","pid":1,"tid":1,"ts":)") == 1
    );
    BOOST_TEST(count_of(json, R"("dur":1000})") == 1);
}

BOOST_AUTO_TEST_CASE(a_counter_has_an_event_for_each_change)
{
    report::trace events("p");
    metrics::snapshot now;
    now.queues = {{.name = "lines", .stats = {.size = 3}}};
    events.add_figures(now);
    events.add_figures(now);
    now.queues[0].stats.size = 4;
    events.add_figures(now);
    const std::string json = events.to_json();
    BOOST_TEST(count_of(json, R"("ph":"C","name":"lines")") == 2);
    BOOST_TEST(count_of(json, R"("args":{"size":3})") == 1);
    BOOST_TEST(count_of(json, R"("args":{"size":4})") == 1);
}

// With one counter for two of them each look would find it changed.
BOOST_AUTO_TEST_CASE(queues_of_one_name_have_a_counter_each)
{
    report::trace events("p");
    metrics::snapshot now;
    now.queues = {
        {.name = "a", .stats = {.size = 1}},
        {.name = "a", .stats = {.size = 2}},
        {.name = "a#2", .stats = {.size = 3}}
    };
    now.coordinators = {
        {.name = "c", .stop_requested = true},
        {.name = "c", .stop_requested = true}
    };
    for (int look = 0; look < 5; ++look)
        events.add_figures(now);
    const std::string json = events.to_json();
    BOOST_TEST(count_of(json, R"("ph":"C")") == 3);
    for (const char* name : {R"("name":"a",)", R"("name":"a#2",)", R"("name":"a#2#2",)"})
        BOOST_TEST(count_of(json, name) == 1, name);
    BOOST_TEST(count_of(json, R"("name":"stop of c")") == 1);
    BOOST_TEST(count_of(json, R"("name":"stop of c#2")") == 1);
}

BOOST_AUTO_TEST_CASE(closing_a_stop_and_the_first_error_are_marked_once)
{
    report::trace events("p");
    metrics::snapshot now;
    now.queues = {{.name = "lines", .stats = {.closed = true}}};
    now.coordinators = {{.name = "main", .stop_requested = true}};
    now.first_error = "broken";
    events.add_figures(now);
    events.add_figures(now);
    const std::string json = events.to_json();
    BOOST_TEST(count_of(json, R"("ph":"i")") == 3);
    BOOST_TEST(count_of(json, R"("name":"close of lines")") == 1);
    BOOST_TEST(count_of(json, R"("name":"stop of main")") == 1);
    BOOST_TEST(count_of(json, R"("name":"error: broken")") == 1);
}

BOOST_AUTO_TEST_CASE(a_task_has_a_span_for_each_thing_it_does)
{
    report::trace events("p");
    metrics::snapshot now;
    now.tasks = {{.name = "t", .doing = activity::busy}, {.name = "t"}};
    events.add_tasks(now);
    events.add_tasks(now);
    now.tasks[0].doing = activity::waiting_to_dequeue;
    events.add_tasks(now);
    const std::string going_on = events.to_json();  // with what goes on
    BOOST_TEST(count_of(going_on, R"("name":"busy","pid":1,"tid":0)") == 1);
    BOOST_TEST(count_of(going_on, R"("name":"waiting to dequeue","pid":1,"tid":0)") == 1);
    BOOST_TEST(count_of(going_on, R"("name":"busy","pid":1,"tid":1)") == 1);
    BOOST_TEST(count_of(going_on, R"("args":{"name":"t#2"})") == 1);

    events.add_tasks({});  // they have ended
    const std::string ended = events.to_json();
    BOOST_TEST(count_of(ended, R"("ph":"X")") == 3);
    BOOST_TEST(events.dropped() == 0U);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_in_is_dropped_and_counted)
{
    report::trace events("p", {.capacity = 2});
    const auto track = events.add_track("t");
    const auto begin = report::trace::clock::now();
    for (int n = 1; n <= 5; ++n)
        events.add_span(track, activity::busy, begin, begin + n * 1us);
    BOOST_TEST(events.dropped() == 3U);
    const std::string json = events.to_json();
    BOOST_TEST(count_of(json, R"("ph":"X")") == 2);
    BOOST_TEST(count_of(json, R"("dur":5})") == 1);
    BOOST_TEST(count_of(json, R"("otherData":{"dropped_events":3})") == 1);
}

BOOST_AUTO_TEST_CASE(tasks_of_ever_new_names_do_not_fill_the_memory)
{
    report::trace events("p");
    metrics::snapshot now;
    for (int n = 0; n < 1001; ++n)
        now.tasks.push_back({.name = std::to_string(n)});
    events.add_tasks(now);
    BOOST_TEST(events.dropped() == 1U);
}

BOOST_AUTO_TEST_CASE(queues_of_ever_new_names_do_not_fill_the_memory)
{
    report::trace events("p");
    for (int n = 0; n < 10'001; ++n) {
        metrics::snapshot now;
        now.queues.push_back({.name = std::to_string(n)});
        events.add_figures(now);
    }
    BOOST_TEST(events.dropped() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
