// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/metrics/bottleneck.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace metrics = sluice::metrics;
using namespace std::chrono_literals;

namespace bottleneck {

// read -> lines -> split -> words -> count, where split is what the others wait for.
metrics::snapshot sample()
{
    metrics::snapshot snapshot;
    snapshot.queues = {
        {.name = "lines", .waits_to_enqueue = 118},
        {.name = "words", .waits_to_dequeue = 900}
    };
    snapshot.runners = {
        {.name = "read",
         .to = {"lines"},
         .workers = 1,
         .busy = 2s,
         .blocked_on_enqueue = 8s},
        {.name = "split",
         .from = "lines",
         .to = {"words"},
         .workers = 2,
         .busy = 19s,
         .blocked_on_dequeue = 1s},
        {.name = "count",
         .from = "words",
         .workers = 1,
         .busy = 4s,
         .blocked_on_dequeue = 6s}
    };
    return snapshot;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace bottleneck

BOOST_AUTO_TEST_SUITE(bottleneck)

BOOST_AUTO_TEST_CASE(bottleneck_is_the_busiest_runner_with_the_queues_around_it)
{
    BOOST_TEST(
        describe_bottleneck(sample()) ==
        "The bottleneck is \"split\": its 2 workers were busy 95 % of the time; the "
        "queue "
        "\"lines\" before it was full 118 times when others wanted to enqueue; the queue "
        "\"words\" behind it was empty 900 times when others wanted to dequeue. More "
        "workers "
        "for it help while there are idle processors; otherwise give it less to do."
    );
}

BOOST_AUTO_TEST_CASE(bottleneck_may_be_the_source)
{
    auto snapshot = sample();
    snapshot.runners[0].busy = 10s;
    snapshot.runners[0].blocked_on_enqueue = 0s;
    snapshot.queues[0].waits_to_dequeue = 1;
    const std::string text = metrics::describe_bottleneck(snapshot);
    BOOST_TEST(contains(text, "The bottleneck is \"read\": its worker was busy 100 %"));
    BOOST_TEST(contains(text, "\"lines\" behind it was empty once"));
    BOOST_TEST(contains(text, "Everything behind it waits for what it reads."));
}

BOOST_AUTO_TEST_CASE(bottleneck_is_none_if_all_wait_for_each_other)
{
    auto snapshot = sample();
    for (auto& runner : snapshot.runners)
        runner.blocked_on_dequeue = 100s;
    const std::string text = metrics::describe_bottleneck(snapshot);
    BOOST_TEST(contains(text, "No runner was busy most of the time"));
    BOOST_TEST(contains(text, "\"split\", 16 %"));
}

BOOST_AUTO_TEST_CASE(bottleneck_is_not_made_up_before_anything_ran)
{
    BOOST_TEST(metrics::describe_bottleneck({}).empty());
    auto snapshot = sample();
    for (auto& runner : snapshot.runners)
        runner.busy = runner.blocked_on_enqueue = runner.blocked_on_dequeue = 0s;
    BOOST_TEST(metrics::describe_bottleneck(snapshot).empty());
}

// Programs, of whose runners less is known than of those of pipelines.

BOOST_AUTO_TEST_CASE(signs_of_the_moment_stand_for_what_was_not_counted)
{
    auto snapshot = sample();
    snapshot.queues[0] = {.name = "lines", .stats = {.waiting_producers = 1}};
    snapshot.queues[1] = {.name = "words", .stats = {.waiting_consumers = 2}};
    const std::string text = metrics::describe_bottleneck(snapshot);
    BOOST_TEST(contains(
        text,
        "the queue \"lines\" before it is full, and 1 operation waits to enqueue"
    ));
    BOOST_TEST(contains(
        text,
        "the queue \"words\" behind it is empty, and 2 operations wait to dequeue"
    ));
}

BOOST_AUTO_TEST_CASE(without_times_the_last_full_queue_says_where_it_is_slow)
{
    metrics::snapshot snapshot;
    snapshot.queues = {
        {.name = "a", .stats = {.waiting_producers = 1}},
        {.name = "b", .stats = {.waiting_producers = 3}},
        {.name = "c", .stats = {.waiting_consumers = 1}}
    };
    BOOST_TEST(
        metrics::describe_bottleneck(snapshot) ==
        "The queue \"b\" is full, and 3 operations wait to enqueue: what dequeues from "
        "it "
        "limits the flow."
    );
}

BOOST_AUTO_TEST_CASE(without_times_and_full_queues_the_first_empty_one_does)
{
    metrics::snapshot snapshot;
    snapshot.queues = {
        {.name = "a", .stats = {.size = 2}},
        {.name = "b", .stats = {.waiting_consumers = 1}},
        {.name = "c", .stats = {.waiting_consumers = 1}}
    };
    BOOST_TEST(
        metrics::describe_bottleneck(snapshot) ==
        "The queue \"b\" is empty, and 1 operation waits to dequeue: what enqueues into "
        "it "
        "limits the flow."
    );
    snapshot.queues = {{.name = "a", .stats = {.size = 2}}};
    BOOST_TEST(metrics::describe_bottleneck(snapshot).empty());
}

BOOST_AUTO_TEST_CASE(each_queue_behind_the_bottleneck_is_mentioned)
{
    auto snapshot = sample();
    snapshot.queues.push_back({.name = "copies", .waits_to_dequeue = 1});
    snapshot.runners[1].to.push_back("copies");
    const std::string text = describe_bottleneck(snapshot);
    BOOST_TEST(contains(text, "the queue \"words\" behind it was empty 900 times"));
    BOOST_TEST(contains(text, "the queue \"copies\" behind it was empty once"));
}

BOOST_AUTO_TEST_CASE(bottleneck_makes_the_queue_before_it_drop)
{
    auto snapshot = sample();
    snapshot.runners[1].busy = 1h;
    BOOST_TEST(!contains(describe_bottleneck(snapshot), "dropped"));
    snapshot.queues[0].stats.dropped = 7;
    BOOST_TEST(contains(
        describe_bottleneck(snapshot),
        "before it was full and dropped 7 elements"
    ));
}

BOOST_AUTO_TEST_CASE(source_of_one_file_needs_no_more_workers)
{
    auto snapshot = sample();
    snapshot.runners[0].busy = 1h;
    snapshot.runners[0].parts = 1;
    BOOST_TEST(contains(
        describe_bottleneck(snapshot),
        "do not help, because its input is one file."
    ));
    snapshot.runners[0].parts = 2;
    BOOST_TEST(!contains(describe_bottleneck(snapshot), "do not help"));
    snapshot.runners[0].workers = 2;
    BOOST_TEST(contains(describe_bottleneck(snapshot), "because its input is 2 files."));
}

BOOST_AUTO_TEST_CASE(stage_with_a_limit_of_its_own_needs_no_more_workers)
{
    auto snapshot = sample();
    snapshot.runners[1].own_limit = "\"per_second\": 5";
    BOOST_TEST(describe_bottleneck(snapshot).ends_with(
        "when others wanted to dequeue. More workers for it do not help, because it "
        "holds itself to \"per_second\": 5."
    ));
}

// Threads -------------------------------------------------------------------------------------

// Two workers that compute on two processors. The reader waits for a thread of the event loop with
// two threads, and for the processors with three.
BOOST_AUTO_TEST_CASE(runner_that_computes_is_named_whatever_the_number_of_threads)
{
    metrics::snapshot snapshot;
    snapshot.processors = 2;
    snapshot.queues = {{.name = "lines"}, {.name = "rows"}};
    snapshot.runners = {
        {.name = "read", .to = {"lines"}, .workers = 1, .busy = 160ms, .ready = 5340ms},
        {.name = "parse",
         .from = "lines",
         .to = {"rows"},
         .workers = 2,
         .busy = 10800ms,
         .blocked_on_dequeue = 200ms},
        {.name = "write", .from = "rows", .workers = 1, .blocked_on_dequeue = 5500ms}
    };
    snapshot.threads = 2;
    const std::string with_two = describe_bottleneck(snapshot);
    snapshot.runners[0].ready = 0ms;
    snapshot.runners[0].blocked_on_enqueue = 5340ms;
    snapshot.threads = 3;
    BOOST_TEST(
        with_two.starts_with("The bottleneck is \"parse\": its 2 workers were busy 98 %"),
        with_two
    );
    BOOST_TEST(describe_bottleneck(snapshot) == with_two);
}

// Eight workers that compute on two threads.
metrics::snapshot crowded()
{
    metrics::snapshot snapshot;
    snapshot.runners = {
        {.name = "read", .workers = 1, .busy = 3s, .ready = 7s},
        {.name = "parse", .from = "lines", .workers = 8, .busy = 16s, .ready = 64s}
    };
    return snapshot;
}

BOOST_AUTO_TEST_CASE(threads_are_the_bottleneck_if_all_are_ready_most_of_the_time)
{
    auto snapshot = crowded();
    const std::string begin =
        "There is more work than threads: the workers were ready, with no free thread, "
        "79 % of the time. Most of the work is that of \"parse\". ";
    BOOST_TEST(
        describe_bottleneck(snapshot) ==
        begin + "More threads help while there are idle processors; otherwise give them "
                "less to do."
    );
    snapshot.threads = 2;
    snapshot.processors = 4;
    BOOST_TEST(
        describe_bottleneck(snapshot) ==
        begin + "Try --threads 4: there are 2 for 4 processors."
    );
}

BOOST_AUTO_TEST_CASE(no_more_threads_are_advised_than_there_are_processors)
{
    auto snapshot = crowded();
    snapshot.threads = 2;
    snapshot.processors = 2;
    BOOST_TEST(describe_bottleneck(snapshot).ends_with(
        "More threads do not help, because there are 2 for 2 processors; give them less "
        "to do."
    ));
    snapshot.threads = 3;
    snapshot.processors = 1;
    BOOST_TEST(describe_bottleneck(snapshot).ends_with(
        "because there are 3 for 1 processor; give them less to do."
    ));
}

BOOST_AUTO_TEST_CASE(bottleneck_that_has_all_threads_needs_threads_before_workers)
{
    auto snapshot = sample();  // two workers of "split"
    snapshot.threads = 2;
    snapshot.processors = 4;
    BOOST_TEST(describe_bottleneck(snapshot).ends_with(
        "to dequeue. Try --threads 4: there are 2 for 4 processors."
    ));
    snapshot.threads = 3;
    BOOST_TEST(contains(describe_bottleneck(snapshot), "More workers for it help"));
}

BOOST_AUTO_TEST_CASE(large_counts_have_separators)
{
    auto snapshot = sample();
    snapshot.queues[0].waits_to_enqueue = 1'234'567;
    BOOST_TEST(contains(describe_bottleneck(snapshot), "was full 1,234,567 times"));
}

BOOST_AUTO_TEST_CASE(a_paused_runner_is_the_reason_while_it_runs)
{
    auto snapshot = sample();
    snapshot.runners[0].paused = true;
    snapshot.runners[0].running = 1;
    BOOST_TEST(
        describe_bottleneck(snapshot) ==
        "The runner \"" + snapshot.runners[0].name + "\" is paused."
    );
    snapshot.runners[0].running = 0;
    BOOST_TEST(!contains(describe_bottleneck(snapshot), "paused"));
}

BOOST_AUTO_TEST_SUITE_END()
