// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/detail/runner_core.hpp>

#include "support/printing.hpp"
#include "support/run_threads.hpp"
#include <sluice/detail/waiting/hub_registry.hpp>

#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;

namespace runner_core {

const auto broken = std::make_exception_ptr(std::runtime_error("broken"));
const auto other = std::make_exception_ptr(std::runtime_error("other"));

using core_ptr = boost::intrusive_ptr<detail::runner_core>;

// A join whose owner is the test.
class join final : public detail::waiter
{
public:
    explicit join(const core_ptr& core) : waiter(0, core.get()) {}

    ~join() { waiter::forget(); }

    using waiter::start;

    // True if it is complete at once.
    bool start()
    {
        return start(detail::delivery::inline_if_ready, detail::wait_mode::waits);
    }

    void deliver(detail::waiter_list& /*others*/) noexcept override
    {
        ++delivered;
        waiter::finish_delivery();
    }

    void abandon() noexcept override { ++abandoned; }

    [[nodiscard]] std::string describe() const override { return "join"; }

    int delivered = 0;
    int abandoned = 0;
};

struct core_fixture
{
    // As a runner does for its last worker.
    void end_run(std::exception_ptr failure = nullptr)
    {
        BOOST_TEST(core->worker_ended(failure).last);
        core->end_run();
    }

    core_ptr core{new detail::runner_core("numbers")};
};

}  // namespace runner_core

BOOST_FIXTURE_TEST_SUITE(runner_core, core_fixture)

// runs

BOOST_AUTO_TEST_CASE(r1_last_worker_is_counted_until_the_queue_is_released)
{
    BOOST_TEST(core->begin(1));
    BOOST_TEST(core->worker_ended(nullptr).last);

    BOOST_TEST(core->running() == 1u);
    BOOST_TEST(!core->begin(1));
    core->end_run();
    BOOST_TEST(core->running() == 0u);
}

BOOST_AUTO_TEST_CASE(r2_run_begins_with_an_empty_list)
{
    BOOST_TEST(core->begin(1));
    end_run(broken);
    BOOST_TEST(core->exceptions().size() == 1u);

    BOOST_TEST(core->begin(1));

    BOOST_TEST(core->exceptions().empty());
    BOOST_TEST((core->worker_ended(nullptr).cause == nullptr));
}

BOOST_AUTO_TEST_CASE(r1_one_of_many_threads_is_the_last)
{
    constexpr std::size_t workers = 8;
    for (int round = 0; round != 50; ++round) {
        std::atomic<int> last{0};
        BOOST_TEST(core->begin(workers));

        test::run_threads(workers, [&](std::size_t index) {
            last += core->worker_ended(index % 2 == 0 ? broken : nullptr).last ? 1 : 0;
        });

        BOOST_TEST(last == 1);
        BOOST_TEST(core->exceptions().size() == workers / 2);
        core->end_run();
    }
}

// joins

BOOST_AUTO_TEST_CASE(r3_joins_are_told_in_order_when_the_queue_is_released)
{
    join first(core);
    join second(core);
    BOOST_TEST(core->begin(2));
    BOOST_TEST(!first.start());
    BOOST_TEST(!second.start());
    (void)core->worker_ended(broken);
    (void)core->worker_ended(other);
    BOOST_TEST(first.delivered + second.delivered == 0);

    core->end_run();

    BOOST_TEST(first.delivered + second.delivered == 2);
    BOOST_TEST((first.exception_ == broken));
    BOOST_TEST((second.exception_ == broken));
}

BOOST_AUTO_TEST_CASE(core_that_was_shut_down_is_forgotten_by_its_contexts_after_the_run)
{
    const int context = 0;
    const auto registry = std::make_shared<detail::hub_registry>(&context);
    join waiting(core);
    BOOST_TEST(core->begin(1));
    BOOST_TEST(core->attach(registry));
    BOOST_TEST(!waiting.start());
    core->shut_down();
    BOOST_TEST(registry.use_count() == 2);

    end_run();

    BOOST_TEST(registry.use_count() == 1);
    BOOST_TEST(core->attach(registry));  // nothing waits any more
    BOOST_TEST(registry.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(core_that_is_shut_down_while_idle_is_forgotten_at_once)
{
    const int context = 0;
    const auto registry = std::make_shared<detail::hub_registry>(&context);
    join waiting(core);
    BOOST_TEST(core->attach(registry));
    BOOST_TEST(waiting.start());

    core->shut_down();

    BOOST_TEST(registry.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
