// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A signal of the operating system stops a program as request_stop() does.

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstddef>
#include <unistd.h>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using test::record;

namespace signals {

// What the process does about a signal until the end of *this.
struct disposition
{
    disposition(int of, void (*now)(int)) : signal(of), before(std::signal(of, now)) {}
    disposition(const disposition&) = delete;
    disposition& operator=(const disposition&) = delete;
    ~disposition() { std::signal(signal, before); }

    int signal;
    void (*before)(int);
};

struct signal_fixture : test::io_fixture
{
    ~signal_fixture() { run(); }

    // the tests may run in the background of a script
    disposition interrupt{SIGINT, SIG_DFL};
    disposition terminate{SIGTERM, SIG_DFL};
    sluice::coordinator coord{ctx};
};

}  // namespace signals

BOOST_FIXTURE_TEST_SUITE(signals, signal_fixture)

BOOST_AUTO_TEST_CASE(each_of_the_signals_requests_the_stop)
{
    for (const int signal : {SIGINT, SIGTERM}) {
        sluice::coordinator scope{ctx};
        scope.request_stop_on_signal({SIGINT, SIGTERM});
        run();
        BOOST_TEST(!scope.should_stop());

        std::raise(signal);
        run_until([&] { return scope.should_stop(); });

        BOOST_TEST(scope.exceptions().empty());
        run();
        BOOST_TEST(ctx.stopped());
    }
}

BOOST_AUTO_TEST_CASE(clean_drain_of_a_running_program)
{
    sluice::fifo_queue<int> queue{ctx, {.capacity = 4}};
    int made = 0;
    std::vector<int> taken;
    sluice::queue_runner runner{queue, [&]() -> asio::awaitable<void> {
                                    co_await queue.enqueue(int{made});
                                    ++made;
                                }};
    coord.close_on_stop(queue, sluice::close_mode::drain);
    BOOST_TEST(runner.start(coord));
    coord.request_stop_on_signal({SIGINT});
    const auto consumer = spawn([&]() -> asio::awaitable<void> {
        while (const auto item = co_await queue.next()) {
            taken.push_back(*item);
            if (taken.size() == 10)
                std::raise(SIGINT);
        }
    });
    const auto join = coord.async_join(record);

    run_until([&] { return join.done() && consumer.done(); });
    run();

    join.check_success();
    consumer.result();
    BOOST_TEST(taken.size() == static_cast<std::size_t>(made));  // nothing was lost
    BOOST_TEST(taken.size() >= 10u);
}

BOOST_AUTO_TEST_CASE(two_scopes_may_watch_the_same_signal)
{
    sluice::coordinator other{ctx};
    coord.request_stop_on_signal({SIGUSR1});
    other.request_stop_on_signal({SIGUSR1});

    std::raise(SIGUSR1);
    run_until([&] { return coord.should_stop() && other.should_stop(); });

    run();
    BOOST_TEST(ctx.stopped());
}

BOOST_AUTO_TEST_CASE(signal_after_clear_stop_has_to_be_asked_for_again)
{
    coord.request_stop_on_signal({SIGUSR1});
    std::raise(SIGUSR1);
    run_until([&] { return coord.should_stop(); });
    coord.clear_stop();

    coord.request_stop_on_signal({SIGUSR1});
    std::raise(SIGUSR1);
    run_until([&] { return coord.should_stop(); });

    run();
    BOOST_TEST(ctx.stopped());
}

BOOST_AUTO_TEST_CASE(signal_that_is_ignored_stays_so)
{
    const disposition ignored{SIGUSR1, SIG_IGN};
    coord.request_stop_on_signal({SIGUSR1, SIGUSR2});

    std::raise(SIGUSR1);
    run();
    BOOST_TEST(!coord.should_stop());
    std::raise(SIGUSR2);
    run_until([&] { return coord.should_stop(); });
}

BOOST_AUTO_TEST_CASE(scope_that_is_destroyed_watches_no_longer)
{
    {
        sluice::coordinator scope{ctx};
        scope.request_stop_on_signal({SIGUSR1});
        run();
    }
    run();
    BOOST_TEST(ctx.stopped());
}

BOOST_AUTO_TEST_SUITE_END()
