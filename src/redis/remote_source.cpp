// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/remote_source.hpp>

#include "redis/client.hpp"
#include "redis/queue_terms.hpp"
#include <sluice/operation.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace sluice::redis {

remote_source::remote_source(
    detail::remote_state_ptr core,
    std::weak_ptr<detail::client> server,
    std::chrono::nanoseconds interval
)
    : core_(std::move(core)),
      server_(std::move(server)),
      interval_(interval),
      seen_{
          .name = core_->name(),
          .type = detail::name_of(core_->kind()),
          .remote = metrics::remote_figures()
      }
{
    seen_.stats.capacity = core_->capacity();
    seen_.stats.weight_limit = std::numeric_limits<std::size_t>::max();  // there is none
}

metrics::queue_snapshot remote_source::look()
{
    ask_if_due();
    const std::lock_guard lock(mutex_);
    metrics::queue_snapshot now = seen_;
    if (read_at_)
        now.remote->read_ago = clock::now() - *read_at_;
    const auto waiting = core_->waiting();
    now.stats.waiting_producers = waiting.producers;
    now.stats.waiting_consumers = waiting.consumers;
    auto losses = core_->losses();
    now.remote->lost = losses.elements;
    now.remote->warning = std::move(losses.what);
    // While there is no connection the question waits, and says nothing.
    if (const auto server = server_.lock()) {
        if (now.remote->problem.empty())
            now.remote->problem = server->problem();
        if (now.remote->warning.empty())
            now.remote->warning = server->warning();
    }
    return now;
}

bool remote_source::is_over() const noexcept
{
    return core_->is_orphaned();
}

void remote_source::ask_if_due()
{
    {
        const std::lock_guard lock(mutex_);
        const clock::time_point now = clock::now();
        if (is_asking_ || is_over() || (asked_at_ && now - *asked_at_ < interval_))
            return;
        is_asking_ = true;
        asked_at_ = now;
    }
    try {
        ask();
    } catch (...) {
        const std::lock_guard lock(mutex_);
        is_asking_ = false;  // without memory; the next look asks
    }
}

// While the server is out of reach this waits, as all operations do, and what was said last gets
// older.
void remote_source::ask()
{
    operation<detail::status_call, boost::asio::any_io_executor> status(
        {core_.get()},
        core_->executor()
    );
    std::move(status)([weak = weak_from_this(
                       )](const error_code& error, const queue_status& answer) {
        if (const auto self = weak.lock())
            self->on_answer(error, answer);
    });
}

void remote_source::on_answer(
    const error_code& error,
    const queue_status& status
) noexcept
{
    if (!error.failed())
        note(status);
    const std::lock_guard lock(mutex_);
    is_asking_ = false;
    try {
        if (error.failed())
            seen_.remote->problem = error.message();
    } catch (...) {
        // without memory for the text
    }
}

void remote_source::note(const queue_status& status) noexcept
{
    const std::lock_guard lock(mutex_);
    queue_stats& stats = seen_.stats;
    stats.size = status.size;
    stats.capacity = status.capacity;
    stats.high_water = std::max(stats.high_water, status.size);
    stats.enqueued = status.enqueued;
    stats.dequeued = status.acknowledged;
    stats.closed = status.is_closed;
    metrics::remote_figures& remote = *seen_.remote;
    remote.pending = status.leased;
    remote.oldest_age = status.age;
    remote.redelivered = status.redelivered;
    remote.dead = status.dead;
    remote.dead_letters = status.dead_letters;
    remote.problem.clear();
    read_at_ = clock::now();
}

const sluice::detail::wait_hub* remote_source::hub() const noexcept
{
    return core_.get();
}

metrics::activity remote_source::doing_in(unsigned char list) const noexcept
{
    if (list == static_cast<unsigned char>(detail::lane::enqueuing))
        return metrics::activity::waiting_to_enqueue;
    if (list == static_cast<unsigned char>(detail::lane::dequeuing))
        return metrics::activity::waiting_to_dequeue;
    return metrics::activity::idle;
}

}  // namespace sluice::redis
