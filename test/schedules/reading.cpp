// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "schedules/manual_time.hpp"
#include "schedules/scenarios.hpp"
#include "schedules/world.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/input/input_producer.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sluice::schedules {

namespace {

// A list that is read for some epochs, perhaps until a stop. Consumers give up their waits, or are
// cancelled, and put elements back. Another reading goes on where the first one stood.
class two_readings
{
public:
    explicit two_readings(world& w) : world_(w) {}

    void run()
    {
        const bool is_stopped = world_.flip();
        const input_position stood = read(std::nullopt, is_stopped);
        if (is_stopped)
            read(stood, false);
        for (const std::size_t times : seen_)
            world_.demand(times == epochs, "an element was read too often or too seldom");
    }

private:
    static constexpr int length = 3;
    static constexpr std::size_t epochs = 2;

    input_position read(const std::optional<input_position>& start, bool is_stopped)
    {
        coordinator scope(world_.executor());
        input_producer<int> numbers(
            world_.executor(),
            {0, 1, 2},
            {.num_epochs = epochs,
             .shuffle = shuffles_,
             .seed = 7,
             .capacity = 1 + world_.below(3),
             .start_at = start}
        );
        numbers.start(scope);
        world_.spawn("consumer", [&] { return consume(numbers); });
        world_.spawn("join", [&]() -> task { co_await scope.join(); });
        if (!is_stopped)  // a position counts; two at a time would not take in its order
            world_.spawn_cancelled("consumer that may go", [&] {
                return consume(numbers);
            });
        else
            world_.spawn("stop", [&]() -> task {
                co_await world_.pause();
                for (; stop_after_ > 0; --stop_after_)
                    co_await world_.pause();
                is_over_ = true;
                scope.request_stop();
            });
        world_.run();
        is_over_ = false;
        const input_position stands = numbers.position();
        while (!is_stopped) {  // what was put back when nobody wanted it any more
            const std::optional<int> left = numbers.queue().try_dequeue();
            if (!left)
                break;
            note(*left);
        }
        return stands;
    }

    // After a stop what is still in the queue is left to the next reading.
    task consume(input_producer<int>& numbers)
    {
        while (!is_over_) {
            const ticks limit = world_.flip() ? ticks(1) : ticks::max();
            const auto [error, batch] =
                co_await numbers.queue().dequeue_up_to(2).within(limit).as_tuple();
            for (const int number : batch)
                note(number);
            if (error && error != errc::timed_out)
                co_return;
        }
    }

    void note(int number) { ++seen_.at(static_cast<std::size_t>(number)); }

    world& world_;
    const bool shuffles_ = world_.flip();
    std::size_t stop_after_ = world_.below(4);
    bool is_over_ = false;
    std::vector<std::size_t> seen_ = std::vector<std::size_t>(length);
};

}  // namespace

std::string run_reading(schedule& order)
{
    world w(order);
    two_readings(w).run();
    return w.problem();
}

}  // namespace sluice::schedules
