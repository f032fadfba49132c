// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S36

#include <sluice/report/summary_writer.hpp>

#include "pipeline/temporary_folder.hpp"
#include "report/event_record.hpp"
#include "report/summary_event.hpp"
#include "support/run_threads.hpp"
#include "unit/report/limited_file_size.hpp"
#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <fstream>
#include <future>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace summary_writer {

namespace report = sluice::report;
namespace test = sluice::test;

constexpr auto never = std::chrono::steady_clock::duration::max();

// As many bytes as the first record of a file.
const std::size_t version_size = report::make_record(report::version_event(0)).size();

std::size_t scalar_size(std::string_view tag)
{
    return report::make_record(report::scalar_event({0, 0}, tag, 0)).size();
}

struct fixture
{
    sluice::summary_writer& start(sluice::summary_writer_options options = {})
    {
        log.emplace(folder.path("run"), std::move(options));
        path = log->path();
        return *log;
    }

    std::string content() const
    {
        std::ifstream stream(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    // How many whole records the file has; it must have nothing else.
    std::size_t records() const
    {
        const std::string bytes = content();
        BOOST_TEST(report::whole_records(bytes) == bytes.size());
        std::size_t count = 0;
        for (std::size_t at = 0; at < bytes.size(); ++count)
            at += 16 + static_cast<unsigned char>(bytes[at]) +
                  256U * static_cast<unsigned char>(bytes[at + 1]);
        return count;
    }

    test::temporary_folder folder;
    std::filesystem::path path;
    std::optional<sluice::summary_writer> log;
};

BOOST_FIXTURE_TEST_SUITE(summary_writer, fixture)

BOOST_AUTO_TEST_CASE(file_begins_with_the_version)
{
    start().flush();
    BOOST_TEST(content().size() == version_size);
    BOOST_TEST(content().find("brain.Event:2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(flush_returns_when_the_file_has_everything)
{
    start({.flush_interval = never});
    log->scalar("loss", 1, 1);
    log->histogram("times", std::vector{1.0, 2.0}, 1);
    log->text("note", "hello");
    log->graph({.nodes = {{"read", "queue_runner"}}});
    log->flush();
    BOOST_TEST(records() == 5U);

    log->scalar("loss", 1, 2);
    log->flush();
    BOOST_TEST(records() == 6U);
    BOOST_TEST(!log->error());
    BOOST_TEST(log->dropped() == 0U);
}

BOOST_AUTO_TEST_CASE(destruction_writes_what_is_left)
{
    start({.flush_interval = never});
    log->scalar("loss", 1, 1);
    log.reset();
    BOOST_TEST(records() == 2U);
}

// Each of these would otherwise wait for ever.
BOOST_AUTO_TEST_CASE(written_without_a_flush_after_the_interval_or_when_half_full)
{
    const auto wait_for = [&](std::size_t count) {
        while (records() < count)
            std::this_thread::yield();
    };
    start({.flush_interval = std::chrono::milliseconds(1)});
    log->scalar("loss", 1, 1);
    wait_for(2);

    start({.flush_interval = std::chrono::seconds(-1)});
    log->scalar("loss", 1, 1);
    wait_for(2);

    start({.flush_interval = never, .buffer_limit = 4 * scalar_size("loss")});
    log->flush();  // the version
    log->scalar("loss", 1, 1);
    log->scalar("loss", 1, 2);
    log->scalar("loss", 1, 3);  // more than half
    wait_for(4);

    start({.flush_interval = never});
    log->scalar("loss", 1, 1);
    log->request_flush();
    wait_for(2);
}

BOOST_AUTO_TEST_CASE(wrong_graph_adds_nothing)
{
    start();
    BOOST_CHECK_EXCEPTION(
        log->graph({.edges = {{"a", "b"}}}),
        sluice::system_error,
        [](const auto& error) { return error.code() == sluice::errc::invalid_argument; }
    );
    log->flush();
    BOOST_TEST(records() == 1U);
}

BOOST_AUTO_TEST_CASE(threads_may_write_and_flush_at_once)
{
    constexpr int count = 200;
    start({.flush_interval = std::chrono::seconds(0)});
    test::run_threads(4, [&](std::size_t thread) {
        for (int step = 0; step < count; ++step) {
            log->scalar("loss/" + std::to_string(thread), step, step);
            if (step % 50 == 0)
                log->flush();
        }
    });
    log.reset();
    BOOST_TEST(records() == 1U + 4 * count);
}

// Full buffer and full disk

BOOST_AUTO_TEST_CASE(summary_beyond_the_limit_is_dropped_and_counted)
{
    start({.flush_interval = never, .buffer_limit = scalar_size("loss")});
    log->text("note", std::string(1000, 'x'));
    BOOST_TEST(log->dropped() == 1U);

    log->flush();
    log->scalar("loss", 1, 1);  // as large as the limit
    log->flush();
    BOOST_TEST(records() == 2U);
    BOOST_TEST(log->dropped() == 1U);
}

BOOST_AUTO_TEST_CASE(full_disk_is_reported_and_what_has_room_in_memory_follows_later)
{
    std::promise<sluice::error_code> reported;
    const std::size_t size = scalar_size("loss");
    start(
        {.flush_interval = never,
         .buffer_limit = 10 * size,
         .on_error = [&](sluice::error_code error) { reported.set_value(error); }}
    );
    log->flush();
    {
        const test::limited_file_size limit(version_size + 2 * size + size / 2);
        for (int step = 0; step < 5; ++step)
            log->scalar("loss", step, step);
        BOOST_CHECK_THROW(log->flush(), sluice::system_error);
        BOOST_TEST((log->error() == boost::system::errc::file_too_large));
        BOOST_TEST((reported.get_future().get() == log->error()));
        BOOST_TEST(records() == 3U);
        BOOST_CHECK_THROW(log->flush(), sluice::system_error);  // reported once

        // Three of ten are still there.
        for (int step = 5; step < 15; ++step)
            log->scalar("loss", step, step);
        BOOST_TEST(log->dropped() == 3U);
        BOOST_CHECK_THROW(log->flush(), sluice::system_error);
        BOOST_TEST(records() == 3U);
    }
    log->flush();
    BOOST_TEST(!log->error());
    BOOST_TEST(records() == 1U + 5 + 7);
}

// No handler ignores the signal that a write beyond the limit sends.
BOOST_AUTO_TEST_CASE(limit_of_the_system_does_not_end_the_program)
{
    start();
    const test::limited_file_size limit(1);
    std::signal(SIGXFSZ, SIG_DFL);
    log->scalar("loss", 1, 1);
    BOOST_CHECK_THROW(log->flush(), sluice::system_error);
    log.reset();
    BOOST_TEST(records() == 0U);
}

BOOST_AUTO_TEST_CASE(destruction_ends_with_a_full_disk)
{
    int reports = 0;
    const test::limited_file_size limit(0);
    start({.flush_interval = never, .on_error = [&](sluice::error_code) { ++reports; }});
    log.reset();
    BOOST_TEST(reports == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace summary_writer
