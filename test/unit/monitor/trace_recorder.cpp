// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/monitor/trace_recorder.hpp>

#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

namespace trace_recorder {

// Its size says how often it was looked at. The second look fails.
class failing_source final : public sluice::metrics::queue_source
{
public:
    explicit failing_source(int& looks) : looks_(looks) {}

    sluice::metrics::queue_snapshot look() override
    {
        if (++looks_ == 2)
            throw std::runtime_error("no figures now");
        return {.name = "q", .stats = {.size = static_cast<std::size_t>(looks_)}};
    }

    bool is_over() const noexcept override { return false; }

private:
    int& looks_;
};

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace trace_recorder

BOOST_FIXTURE_TEST_SUITE(trace_recorder, test::io_fixture)

BOOST_AUTO_TEST_CASE(it_records_until_it_is_stopped)
{
    sluice::fifo_queue<int> queue{ctx, {.capacity = 4, .name = "numbers"}};
    sluice::coordinator tasks{ctx};
    sluice::monitor watch{ctx, {.name = "test"}};
    watch.add(queue);
    watch.add(tasks, "main");
    tasks.spawn("consumer", [&]() -> asio::awaitable<void> {
        while (co_await queue.next())
            ;
    });
    auto recorder = watch.trace({.interval = 1ms});
    run_until([&] {
        return contains(recorder.to_json(), R"("name":"waiting to dequeue")");
    });
    tasks.request_stop();
    run_until([&] { return contains(recorder.to_json(), "stop of main"); });
    recorder.stop();
    recorder.stop();
    run();  // the timer is over
    const std::string json = recorder.to_json();
    BOOST_TEST(contains(json, R"("args":{"name":"consumer"})"));
    BOOST_TEST(contains(json, R"("ph":"C","name":"numbers")"));
    BOOST_TEST(recorder.dropped() == 0U);
}

BOOST_AUTO_TEST_CASE(look_that_fails_is_left_out)
{
    int looks = 0;
    sluice::monitor watch{ctx, {.name = "test"}};
    watch.add(std::make_shared<failing_source>(looks));
    auto recorder = watch.trace({.interval = 1ms});
    run_until([&] { return contains(recorder.to_json(), R"("args":{"size":3})"); });
    recorder.stop();
    run();
}

BOOST_AUTO_TEST_CASE(it_may_be_destroyed_while_its_timer_is_on_its_way)
{
    std::optional<sluice::monitor> watch(std::in_place, ctx);
    {
        const auto recorder = watch->trace({.interval = 0ms});
    }
    watch.reset();
    run();  // the handler finds nothing to do
}

BOOST_AUTO_TEST_SUITE_END()
