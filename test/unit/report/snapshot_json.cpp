// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/report/snapshot_json.hpp>

#include "support/sample_snapshot.hpp"
#include <sluice/queue/queue_options.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>

namespace report = sluice::report;
namespace metrics = sluice::metrics;
using sluice::closer;

namespace snapshot_json {

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace snapshot_json

BOOST_AUTO_TEST_SUITE(snapshot_json)

BOOST_AUTO_TEST_CASE(an_empty_snapshot_has_empty_lists)
{
    BOOST_TEST(
        report::to_json({}) ==
        R"({"name":"","state":"ready","elapsed_seconds":0,"queues":[],"runners":[],)"
        R"("coordinators":[],"tasks":[],"first_error":null,"bottleneck":""})"
    );
}

BOOST_AUTO_TEST_CASE(closed_queue_says_by_whom_and_why)
{
    metrics::snapshot now;
    now.queues = {
        {.name = "ended", .stats = {.closed = true, .end = {closer::producers}}},
        {.name = "cut",
         .stats =
             {.closed = true,
              .end =
                  {closer::stop,
                   true,
                   std::make_exception_ptr(std::runtime_error("disk full"))}}}
    };
    const std::string json = report::to_json(now);
    BOOST_TEST(
        contains(json, R"("closed":true,"closed_by":"producers","closed_because":null})")
    );
    BOOST_TEST(contains(
        json,
        R"("closed":true,"closed_by":"stop","closed_because":"disk full"})"
    ));
}

BOOST_AUTO_TEST_CASE(queues_and_runners_have_all_their_figures)
{
    const std::string json = report::to_json(sample_snapshot());
    BOOST_TEST(contains(
        json,
        R"({"name":"lines","type":"fifo","size":128,"capacity":256,"bytes":0,)"
        R"("memory":0,"high_water":256,"enqueued":12128,"dequeued":12000,"dropped":0,"waiting_producers":1,)"
        R"("waiting_consumers":0,)"
        R"("waits_to_enqueue":118,"waits_to_dequeue":3,)"
        R"("longest_wait_to_enqueue_seconds":0,"longest_wait_to_dequeue_seconds":0,)"
        R"("enqueue_waits":{"counts":[0,0,0,0,0,0,0,0,0],"sum_seconds":0},)"
        R"("dequeue_waits":{"counts":[0,0,0,0,0,0,0,0,0],"sum_seconds":0},)"
        R"("closed":false})"
    ));
    BOOST_TEST(contains(
        json,
        R"({"name":"read","stage":"read","from":null,"to":"lines","workers":1,)"
        R"("running":1,"waiting_to_enqueue":1,"waiting_to_dequeue":0,"waiting_for_thread":0,"items_in":0,)"
        R"("items_out":12128,"busy_seconds":2,"ready_seconds":0,"blocked_on_enqueue_seconds":8,)"
        R"("blocked_on_dequeue_seconds":0,"idle_seconds":0,"progress":0.5})"
    ));
    BOOST_TEST(contains(json, R"(,"progress":0.5,"seconds_left":10})"));
    BOOST_TEST(contains(json, R"("bottleneck":"The bottleneck is \"split\": )"));
}

BOOST_AUTO_TEST_CASE(threads_and_processors_are_there_if_they_are_known)
{
    sluice::metrics::snapshot sample;
    BOOST_TEST(!contains(report::to_json(sample), "threads"));
    sample.threads = 2;
    sample.processors = 4;
    BOOST_TEST(contains(report::to_json(sample), R"(,"threads":2,"processors":4,)"));
}

BOOST_AUTO_TEST_CASE(names_of_queues_runners_and_coordinators_are_unique)
{
    sluice::metrics::snapshot sample;
    sample.queues = {{.name = "a"}, {.name = "a"}, {.name = "a#2"}};
    sample.runners = {{.name = "r"}, {.name = "r"}};
    sample.coordinators = {{.name = "c"}, {.name = "c"}};
    sample.tasks = {{.name = "t"}, {.name = "t"}};
    const std::string json = report::to_json(sample);
    for (const char* name : {"a", "a#2", "a#2#2", "r", "r#2", "c", "c#2"}) {
        const std::string member = "{\"name\":\"" + std::string(name) + "\"";
        const std::size_t found = json.find(member);
        BOOST_TEST(found != json.npos, name);
        BOOST_TEST(json.find(member, found + 1) == json.npos, name);
    }
    BOOST_TEST(!contains(json, "t#2"));  // tasks are not looked up by name
}

BOOST_AUTO_TEST_CASE(queue_on_a_server_says_what_that_has_said_and_when)
{
    auto sample = sample_with_a_server();
    BOOST_TEST(contains(
        report::to_json(sample),
        R"("remote":{"pending":16,"redelivered":5,"dead":3,"dead_letters":2,"lost":1,)"
        R"("oldest_age_seconds":2.1,"read_seconds_ago":0.25,"stale":false,"problem":null,"warning":null},)"
    ));
    sample.queues[0].remote = sluice::metrics::remote_figures{
        .problem = "out of reach",
        .warning = "may evict"
    };
    BOOST_TEST(contains(
        report::to_json(sample),
        R"("oldest_age_seconds":null,"read_seconds_ago":null,"stale":true,)"
        R"("problem":"out of reach","warning":"may evict"},)"
    ));
    BOOST_TEST(!contains(report::to_json(sample_snapshot()), "remote"));
}

BOOST_AUTO_TEST_CASE(what_has_no_limit_is_null)
{
    sluice::metrics::snapshot sample;
    sample.queues = {
        {.name = "a", .stats = {.capacity = sluice::unbounded, .weight_limit = 64}},
        {.name = "b", .stats = {.capacity = 4, .weight_limit = sluice::unbounded}}
    };
    sample.queues[0].stats.weight = 5;
    const std::string json = report::to_json(sample);
    BOOST_TEST(contains(json, R"("capacity":null,"bytes":5,"memory":64,)"));
    BOOST_TEST(contains(json, R"("capacity":4,"bytes":0,"memory":null,)"));
}

BOOST_AUTO_TEST_CASE(queues_of_a_runner_are_one_name_or_several)
{
    auto sample = sample_snapshot();
    sample.runners[0].to.push_back("words");
    const std::string json = report::to_json(sample);
    BOOST_TEST(contains(
        json,
        R"("name":"read","stage":"read","from":null,"to":["lines","words"],"workers")"
    ));
    BOOST_TEST(contains(json, R"("from":"lines","to":"words","workers")"));
    BOOST_TEST(contains(json, R"("from":"words","to":null,"workers")"));
}

BOOST_AUTO_TEST_CASE(queue_for_errors_of_a_runner_is_there_if_it_has_one)
{
    auto sample = sample_snapshot();
    BOOST_TEST(!contains(report::to_json(sample), "errors_to"));
    sample.runners[1].errors_to = "rejects";
    BOOST_TEST(
        contains(report::to_json(sample), R"("idle_seconds":0,"errors_to":"rejects"})")
    );
}

BOOST_AUTO_TEST_CASE(only_a_runner_that_is_paused_says_so)
{
    auto sample = sample_snapshot();
    BOOST_TEST(!contains(report::to_json(sample), "paused"));
    sample.runners[1].paused = true;
    BOOST_TEST(contains(report::to_json(sample), R"("paused":true})"));
}

BOOST_AUTO_TEST_CASE(what_was_left_out_is_there_with_the_first_reasons)
{
    auto sample = sample_snapshot();
    sample.runners[1].skipped = 1'203;
    sample.runners[1].first_errors = {"this", "that"};
    BOOST_TEST(contains(
        report::to_json(sample),
        R"("skipped":1203,"first_errors":["this","that"]})"
    ));
}

BOOST_AUTO_TEST_CASE(tasks_and_coordinators_are_there_with_names_or_null)
{
    sluice::metrics::snapshot sample;
    sample.coordinators = {
        {.name = "main", .tasks = 1, .stop_requested = true, .errors = {"broken"}}
    };
    sample.tasks = {
        {.name = "parse",
         .doing = sluice::metrics::activity::waiting_to_dequeue,
         .waiting_on = "dequeue on queue 'lines'",
         .queue = "lines",
         .since = std::chrono::milliseconds(250),
         .is_straggler = true},
        {.name = "free"}
    };
    sample.first_error = "broken";
    BOOST_TEST(contains(
        report::to_json(sample),
        R"("coordinators":[{"name":"main","tasks":1,"stop_requested":true,)"
        R"("errors":["broken"]}],"tasks":[{"name":"parse","doing":"waiting to dequeue",)"
        R"("waiting_on":"dequeue on queue 'lines'","queue":"lines","since_seconds":0.25,)"
        R"("straggler":true},{"name":"free","doing":"busy","waiting_on":null,)"
        R"("queue":null,"since_seconds":0,"straggler":false}],"first_error":"broken")"
    ));
}

BOOST_AUTO_TEST_SUITE_END()
