// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/pipeline_snapshot.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace pipeline = sluice::pipeline;
using namespace std::chrono_literals;

namespace pipeline_snapshot {

// read -> lines -> split -> words -> count, where split is what the others wait for.
pipeline::pipeline_snapshot sample()
{
    pipeline::pipeline_snapshot snapshot;
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

}  // namespace pipeline_snapshot

BOOST_AUTO_TEST_SUITE(pipeline_snapshot)

BOOST_AUTO_TEST_CASE(states_have_names)
{
    BOOST_TEST(to_string(pipeline::run_state::ready) == std::string("ready"));
    BOOST_TEST(to_string(pipeline::run_state::running) == std::string("running"));
    BOOST_TEST(to_string(pipeline::run_state::draining) == std::string("draining"));
    BOOST_TEST(to_string(pipeline::run_state::stopping) == std::string("stopping"));
    BOOST_TEST(to_string(pipeline::run_state::done) == std::string("done"));
}

BOOST_AUTO_TEST_CASE(shares_are_those_of_the_time_of_the_workers)
{
    const pipeline::runner_snapshot split = sample().runners[1];
    BOOST_TEST((time_of_workers(split) == 20s));
    BOOST_TEST(share_of_time(split.busy, split) == 0.95);
    BOOST_TEST(share_of_time(0s, pipeline::runner_snapshot()) == 0.0);
}

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
    const std::string text = pipeline::describe_bottleneck(snapshot);
    BOOST_TEST(contains(text, "The bottleneck is \"read\": its worker was busy 100 %"));
    BOOST_TEST(contains(text, "\"lines\" behind it was empty once"));
    BOOST_TEST(contains(text, "Everything behind it waits for what it reads."));
}

BOOST_AUTO_TEST_CASE(bottleneck_is_none_if_all_wait_for_each_other)
{
    auto snapshot = sample();
    for (auto& runner : snapshot.runners)
        runner.blocked_on_dequeue = 100s;
    const std::string text = pipeline::describe_bottleneck(snapshot);
    BOOST_TEST(contains(text, "No runner was busy most of the time"));
    BOOST_TEST(contains(text, "\"split\", 16 %"));
}

BOOST_AUTO_TEST_CASE(bottleneck_is_not_made_up_before_anything_ran)
{
    BOOST_TEST(pipeline::describe_bottleneck({}).empty());
    auto snapshot = sample();
    for (auto& runner : snapshot.runners)
        runner.busy = runner.blocked_on_enqueue = runner.blocked_on_dequeue = 0s;
    BOOST_TEST(pipeline::describe_bottleneck(snapshot).empty());
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

BOOST_AUTO_TEST_SUITE_END()
