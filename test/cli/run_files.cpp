// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/run_files.hpp"

#include "pipeline/temporary_folder.hpp"
#include "support/count_of.hpp"
#include "support/message_of.hpp"
#include "support/sample_snapshot.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace cli = sluice::cli;
namespace metrics = sluice::metrics;
namespace test = sluice::test;

namespace run_files {

using namespace std::chrono_literals;

metrics::snapshot snapshot_at(std::chrono::milliseconds elapsed)
{
    auto now = sample_snapshot();
    now.elapsed = elapsed;
    return now;
}

// The bytes of the only file that `write` makes. A tag is in them once for each of its points.
std::string written_by(const std::function<void(cli::run_summaries&)>& write)
{
    const test::temporary_folder folder;
    cli::run_summaries summaries(folder.path());
    write(summaries);
    const std::filesystem::directory_iterator only(folder.path());
    return folder.read(only->path().filename().string());
}

}  // namespace run_files

BOOST_AUTO_TEST_SUITE(run_files)

BOOST_AUTO_TEST_CASE(a_last_rate_over_milliseconds_is_left_out)
{
    const std::string bytes = written_by([](cli::run_summaries& summaries) {
        summaries.update(snapshot_at(1000ms));
        summaries.finish(snapshot_at(1003ms));
    });
    BOOST_TEST(test::count_of(bytes, "runner/read/items_per_s") == 1u);
    BOOST_TEST(test::count_of(bytes, "queue/lines/enqueued_per_s") == 1u);
    BOOST_TEST(test::count_of(bytes, "queue/lines/size") == 2u);
}

BOOST_AUTO_TEST_CASE(a_last_rate_over_half_an_interval_is_there)
{
    const std::string bytes = written_by([](cli::run_summaries& summaries) {
        summaries.update(snapshot_at(1000ms));
        summaries.finish(snapshot_at(1500ms));
    });
    BOOST_TEST(test::count_of(bytes, "runner/read/items_per_s") == 2u);
}

BOOST_AUTO_TEST_CASE(a_short_run_has_its_rates)
{
    const std::string bytes = written_by([](cli::run_summaries& summaries) {
        summaries.finish(snapshot_at(3ms));
    });
    BOOST_TEST(test::count_of(bytes, "runner/read/items_per_s") == 1u);
}

BOOST_AUTO_TEST_CASE(what_a_server_had_before_the_run_is_no_rate)
{
    const std::string bytes = written_by([](cli::run_summaries& summaries) {
        for (const auto elapsed : {0ms, 1000ms, 2000ms}) {
            auto now = snapshot_at(elapsed);
            now.queues[0].remote.emplace();
            if (elapsed > 0ms)  // it has not answered before
                now.queues[0].remote->read_ago = 0ns;
            summaries.update(now);
        }
        summaries.finish(snapshot_at(2000ms));
    });
    BOOST_TEST(test::count_of(bytes, "queue/lines/enqueued_per_s") == 1u);
}

BOOST_AUTO_TEST_CASE(a_directory_that_cannot_be_made_is_named_with_the_reason)
{
    const test::temporary_folder folder;
    const std::string path = folder.write("taken", "") + "/log";
    BOOST_TEST(test::message_of([&] {
                   cli::run_summaries summaries(path);
               }) == "sluice: cannot write summaries to " + path + ": Not a directory");
}

BOOST_AUTO_TEST_SUITE_END()
