// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include "support/run_threads.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/coordination/task_handle.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/task/sync_wait.hpp>

#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>

// Threads cancel a task, ask for its state and wait for it while it ends, and while another one
// that shares its strand goes on to its own end.

namespace handles_race_end {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;

constexpr std::size_t races = scaled(1000);

}  // namespace handles_race_end

BOOST_AUTO_TEST_SUITE(handles_race_end)

using namespace ::handles_race_end;

BOOST_AUTO_TEST_CASE(cancellation_that_races_the_end_reaches_its_task_alone)
{
    for (std::size_t race = 0; race != races; ++race) {
        io_context_pool pool{2};
        coordinator tasks{pool};
        fifo_queue<int> lines{pool, {.capacity = unbounded}};
        const auto strand = boost::asio::make_strand(pool.get_executor());
        const auto read = [&]() -> awaitable<int> {
            while (co_await lines.next()) {}
            co_return 7;
        };
        const auto one = tasks.spawn(strand, "one", read);
        const auto other = tasks.spawn(strand, "other", read);

        test::run_threads(4, [&](std::size_t thread) {
            switch (thread) {
            case 0:
                one.cancel();
                break;
            case 1:
                lines.close();
                break;
            case 2:
                sync_wait(one.join());
                break;
            default:
                if (sync_wait(other.result()) != 7)
                    throw std::logic_error("another result");
            }
        });

        BOOST_TEST((other.state() == task_state::completed));
        BOOST_TEST(
            (one.state() == task_state::completed || one.state() == task_state::cancelled)
        );
        BOOST_TEST(!tasks.should_stop());
        pool.run(tasks.async_join(boost::asio::use_awaitable));
    }
}

BOOST_AUTO_TEST_SUITE_END()
