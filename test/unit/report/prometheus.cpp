// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/report/prometheus.hpp>

#include "support/sample_snapshot.hpp"
#include <sluice/queue/queue_options.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <set>
#include <sstream>
#include <string>

namespace metrics = sluice::metrics;
namespace report = sluice::report;
using namespace std::chrono_literals;

namespace prometheus {

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace prometheus

BOOST_AUTO_TEST_SUITE(prometheus)

BOOST_AUTO_TEST_CASE(each_metric_has_its_help_its_type_and_its_series)
{
    metrics::snapshot sample;
    sample.name = "p";
    sample.queues = {
        {.name = "lines",
         .stats =
             {.size = 3,
              .capacity = 4,
              .waiting_producers = 2,
              .waiting_consumers = 1,
              .enqueued = 10,
              .dequeued = 8,
              .returned = 1},
         .enqueue_waits = {.counts = {1, 0, 2, 0, 0, 0, 0, 0, 1}, .sum = 12'000'100'500ns}
        }
    };
    sample.runners = {
        {.name = "read",
         .stage = "read",
         .to = {"lines"},
         .workers = 1,
         .items_out = 10,
         .busy = 1500ms,
         .blocked_on_enqueue = 2s,
         .idle = 1ms}
    };
    sample.coordinators = {{.name = "main", .tasks = 1}, {.stop_requested = true}};
    sample.tasks.resize(1);
    BOOST_TEST(
        report::to_prometheus(sample) ==
        R"(# HELP sluice_queue_size Elements stored.
# TYPE sluice_queue_size gauge
sluice_queue_size{pipeline="p",queue="lines"} 3
# HELP sluice_queue_capacity Elements that fit in.
# TYPE sluice_queue_capacity gauge
sluice_queue_capacity{pipeline="p",queue="lines"} 4
# HELP sluice_queue_enqueued_total Elements accepted.
# TYPE sluice_queue_enqueued_total counter
sluice_queue_enqueued_total{pipeline="p",queue="lines"} 10
# HELP sluice_queue_dequeued_total Elements delivered to consumers, again after a cancellation returned them.
# TYPE sluice_queue_dequeued_total counter
sluice_queue_dequeued_total{pipeline="p",queue="lines"} 8
# HELP sluice_queue_waiting Operations that wait.
# TYPE sluice_queue_waiting gauge
sluice_queue_waiting{pipeline="p",queue="lines",side="enqueue"} 2
sluice_queue_waiting{pipeline="p",queue="lines",side="dequeue"} 1
# HELP sluice_queue_wait_seconds How long the operations of supervised tasks waited.
# TYPE sluice_queue_wait_seconds histogram
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="enqueue",le="1e-06"} 1
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="enqueue",le="1e-05"} 1
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="enqueue",le="1e-04"} 3
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="enqueue",le="0.001"} 3
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="enqueue",le="0.01"} 3
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="enqueue",le="0.1"} 3
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="enqueue",le="1"} 3
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="enqueue",le="10"} 3
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="enqueue",le="+Inf"} 4
sluice_queue_wait_seconds_sum{pipeline="p",queue="lines",side="enqueue"} 12.0001005
sluice_queue_wait_seconds_count{pipeline="p",queue="lines",side="enqueue"} 4
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="dequeue",le="1e-06"} 0
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="dequeue",le="1e-05"} 0
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="dequeue",le="1e-04"} 0
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="dequeue",le="0.001"} 0
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="dequeue",le="0.01"} 0
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="dequeue",le="0.1"} 0
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="dequeue",le="1"} 0
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="dequeue",le="10"} 0
sluice_queue_wait_seconds_bucket{pipeline="p",queue="lines",side="dequeue",le="+Inf"} 0
sluice_queue_wait_seconds_sum{pipeline="p",queue="lines",side="dequeue"} 0
sluice_queue_wait_seconds_count{pipeline="p",queue="lines",side="dequeue"} 0
# HELP sluice_runner_items_total Elements dequeued, or enqueued by a source.
# TYPE sluice_runner_items_total counter
sluice_runner_items_total{pipeline="p",runner="read"} 10
# HELP sluice_runner_seconds_total Time of the workers by what they did.
# TYPE sluice_runner_seconds_total counter
sluice_runner_seconds_total{pipeline="p",runner="read",state="busy"} 1.5
sluice_runner_seconds_total{pipeline="p",runner="read",state="ready"} 0
sluice_runner_seconds_total{pipeline="p",runner="read",state="blocked_on_enqueue"} 2
sluice_runner_seconds_total{pipeline="p",runner="read",state="blocked_on_dequeue"} 0
sluice_runner_seconds_total{pipeline="p",runner="read",state="idle"} 0.001
# HELP sluice_tasks Tasks that have not ended.
# TYPE sluice_tasks gauge
sluice_tasks{pipeline="p"} 1
# HELP sluice_stop_requested Whether a stop has been requested.
# TYPE sluice_stop_requested gauge
sluice_stop_requested{pipeline="p"} 1
)"
    );
}

BOOST_AUTO_TEST_CASE(labels_are_escaped)
{
    metrics::snapshot sample;
    sample.name = "a\\b\"c\nd\xFF";
    BOOST_TEST(contains(
        report::to_prometheus(sample),
        "sluice_tasks{pipeline=\"a\\\\b\\\"c\\nd\xEF\xBF\xBD\"} 0\n"
    ));
}

BOOST_AUTO_TEST_CASE(no_two_series_are_the_same)
{
    metrics::snapshot sample;
    sample.queues = {{.name = "q"}, {.name = "other"}, {.name = "q"}, {.name = "q#2"}};
    sample.queues.push_back({.name = "\xFE"});  // both become U+FFFD
    sample.queues.push_back({.name = "\xFF"});
    sample.runners = {{.name = "r"}, {.name = "r"}, {.name = "r#2"}};
    std::istringstream lines(report::to_prometheus(sample));
    std::set<std::string> series;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("#"))
            continue;
        const std::string name = line.substr(0, line.rfind(' '));
        BOOST_TEST(series.insert(name).second, name << " is there twice");
    }
    BOOST_TEST(series.contains("sluice_queue_size{pipeline=\"\",queue=\"q#2\"}"));
}

BOOST_AUTO_TEST_CASE(what_is_not_known_or_has_no_limit_is_not_made_up)
{
    metrics::snapshot sample;
    sample.queues = {{.name = "q", .stats = {.capacity = sluice::unbounded}}};
    sample.runners = {{.name = "r", .workers = 1}};  // of a program
    const std::string text = report::to_prometheus(sample);
    BOOST_TEST(contains(text, "sluice_queue_capacity{pipeline=\"\",queue=\"q\"} +Inf\n"));
    BOOST_TEST(!contains(text, "sluice_runner_items_total{"));
}

BOOST_AUTO_TEST_CASE(queues_on_a_server_have_figures_of_their_own)
{
    auto sample = sample_with_a_server();
    sample.name = "p";
    sample.queues[1].name = "unheard";
    sample.queues[1].remote = metrics::remote_figures();
    sample.queues.push_back({.name = "local"});
    const std::string text = report::to_prometheus(sample);
    const std::string labels = R"({pipeline="p",queue="lines"} )";
    BOOST_TEST(contains(text, "# TYPE sluice_queue_pending gauge\n"));
    BOOST_TEST(contains(text, "sluice_queue_pending" + labels + "16\n"));
    BOOST_TEST(contains(text, "sluice_queue_oldest_age_seconds" + labels + "2.1\n"));
    BOOST_TEST(contains(text, "# TYPE sluice_queue_redelivered_total counter\n"));
    BOOST_TEST(contains(text, "sluice_queue_redelivered_total" + labels + "5\n"));
    BOOST_TEST(contains(text, "sluice_queue_dead_total" + labels + "3\n"));
    BOOST_TEST(contains(text, "sluice_queue_dead_letters" + labels + "2\n"));
    BOOST_TEST(contains(text, "# TYPE sluice_queue_lost_total counter\n"));
    BOOST_TEST(contains(text, "sluice_queue_lost_total" + labels + "1\n"));
    BOOST_TEST(contains(text, "sluice_queue_read_age_seconds" + labels + "0.25\n"));
    BOOST_TEST(
        !contains(text, "sluice_queue_wait_seconds_sum{pipeline=\"p\",queue=\"lines\"")
    );
    BOOST_TEST(contains(text, "sluice_queue_size{pipeline=\"p\",queue=\"local\"} 0\n"));
    BOOST_TEST(!contains(text, "sluice_queue_pending{pipeline=\"p\",queue=\"local\""));
    BOOST_TEST(!contains(text, "sluice_queue_size{pipeline=\"p\",queue=\"unheard\""));
    BOOST_TEST(!contains(text, "sluice_queue_pending{pipeline=\"p\",queue=\"unheard\""));
}

BOOST_AUTO_TEST_SUITE_END()
