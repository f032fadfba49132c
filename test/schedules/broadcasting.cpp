// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "schedules/manual_time.hpp"
#include "schedules/scenarios.hpp"
#include "schedules/world.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/broadcast.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/fill_after.hpp>
#include <sluice/queue/semaphore.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::schedules {

namespace {

// Two publishers, one of whom is cancelled, and three subscribers: one who is waited for, one whose
// queue drops, and one who leaves. Perhaps a stop comes.
class news_agency
{
public:
    explicit news_agency(world& w) : world_(w) {}

    void run()
    {
        {
            const std::shared_ptr<void> open(nullptr, [this](void*) { news_.close(); });
            world_.spawn("publisher", [this, open] { return publish(open, 10); });
            world_.spawn_cancelled("publisher that may go", [this, open] {
                return publish(open, 20);
            });
        }
        world_.spawn("waited for", [this] { return take_all(waited_for_, all_); });
        world_.spawn("dropping", [this] { return take_all(dropping_, some_); });
        world_.spawn("leaving", [this] { return take_a_few(); });
        world_.spawn_cancelled("late", [this] { return fill_late(); });
        if (is_stopped_)
            world_.spawn("stop", [this]() -> task {
                co_await world_.pause();
                news_.close();
            });
        world_.run();
        check();
    }

private:
    static constexpr int length = 3;

    task publish(std::shared_ptr<void> /*open*/, int first)
    {
        for (int number = first; number < first + length; ++number) {
            const std::size_t desks = 1 + world_.below(desks_.permits());
            const semaphore_permit entered = co_await desks_.acquire(desks);
            at_desks_ += desks;
            world_.demand(at_desks_ <= desks_.permits(), "more than there are permits");
            const std::shared_ptr<void> leaving(nullptr, [this, desks](void*) {
                at_desks_ -= desks;
            });
            try {
                std::optional<std::size_t> taken = news_.try_publish(number);
                if (!taken)
                    taken = co_await news_.publish(number);
                world_.demand(taken >= 1 && taken <= 3, "a wrong number of queues");
                published_.push_back(number);
            } catch (const system_error& error) {
                if (error.code() != errc::queue_closed)
                    throw;
                world_.demand(is_stopped_, "closed before its publishers had ended");
                co_return;
            }
        }
    }

    static task take_all(subscription<int>& from, std::vector<int>& into)
    {
        while (const std::optional<int> number = co_await from.next())
            into.push_back(*number);
    }

    task take_a_few()
    {
        for (std::size_t left = world_.below(3); left > 0; --left) {
            const std::optional<int> number = co_await leaving_.next();
            if (!number)
                co_return;
            few_.push_back(*number);
        }
        leaving_.unsubscribe();
    }

    task fill_late()
    {
        permit<int> place = co_await late_.reserve();
        has_place_ = true;
        co_await fill_after(std::move(place), ticks(1), 1);
    }

    void check()
    {
        std::vector<int> sorted = all_;
        std::ranges::sort(sorted);
        std::ranges::sort(published_);
        world_.demand(sorted == published_, "all got it or nobody: not so");
        world_.demand(is_in_order(some_), "a subscriber who drops has another order");
        world_.demand(
            few_.size() <= all_.size() &&
                std::equal(few_.begin(), few_.end(), all_.begin()),
            "a subscriber who leaves has another order"
        );
        // An element that comes with the stop may miss the queue that drops.
        if (!is_stopped_)
            world_.demand(
                some_.size() + dropping_.dropped() == all_.size(),
                "the dropped elements are not those that are missing"
            );
        world_.demand(late_.size() == (has_place_ ? 1 : 0), "a late element was lost");
        world_.demand(late_.stats().places == 0, "a place is kept");
        world_.demand(desks_.available() == desks_.permits(), "a permit was lost");
    }

    // Whether all subscribers got these in the order of the one who got all.
    [[nodiscard]] bool is_in_order(const std::vector<int>& part) const
    {
        auto at = all_.begin();
        for (const int number : part) {
            at = std::find(at, all_.end(), number);
            if (at == all_.end())
                return false;
            ++at;
        }
        return true;
    }

    world& world_;
    broadcast<int> news_{world_.executor()};
    subscription<int> waited_for_ = news_.subscribe(
        {.capacity = 1 + world_.below(2), .name = "waited for"}
    );
    subscription<int> dropping_ = news_.subscribe(
        {.capacity = 1, .overflow = overflow::drop_oldest, .name = "dropping"}
    );
    subscription<int> leaving_ = news_.subscribe({.capacity = 1, .name = "leaving"});
    semaphore desks_{world_.executor(), {.permits = 1 + world_.below(2)}};
    fifo_queue<int> late_{world_.executor(), {.capacity = 1, .name = "late"}};
    const bool is_stopped_ = world_.flip();
    std::size_t at_desks_ = 0;
    bool has_place_ = false;
    std::vector<int> published_;
    std::vector<int> all_;
    std::vector<int> some_;
    std::vector<int> few_;
};

}  // namespace

std::string run_broadcasting(schedule& order)
{
    world w(order);
    news_agency(w).run();
    return w.problem();
}

}  // namespace sluice::schedules
