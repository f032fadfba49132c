// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/kept_wakes.hpp>

#include <boost/asio/execution/relationship.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <utility>

namespace sluice::detail {
namespace {

// Unless its thread is gone, or went to another context.
bool is_used(const std::shared_ptr<kept_wakes>& wakes) noexcept
{
    return wakes.use_count() > 1;
}

}  // namespace

void kept_wakes::open() noexcept
{
    const std::lock_guard lock(mutex_);
    open_.store(true, std::memory_order_relaxed);
}

void kept_wakes::close() noexcept
{
    const std::lock_guard lock(mutex_);
    open_.store(false, std::memory_order_relaxed);
}

// Destroyed uncalled, because its context dies, it takes the wakes with it.
class kept_wakes::ticket
{
public:
    explicit ticket(kept_wakes& wakes) noexcept : wakes_(&wakes) {}

    ticket(ticket&& other) noexcept : wakes_(std::exchange(other.wakes_, nullptr)) {}

    ticket& operator=(ticket&&) = delete;

    ~ticket()
    {
        if (wakes_ != nullptr)
            wakes_->drop();
    }

    void operator()() { std::exchange(wakes_, nullptr)->run_oldest(); }

private:
    kept_wakes* wakes_;
};

void kept_wakes::post_ticket() noexcept
{
    post_with(
        boost::asio::prefer(
            context_.load(std::memory_order_relaxed)->get_executor(),
            boost::asio::execution::relationship.continuation
        ),
        ticket(*this),
        post_allocator<void>(ticket_memory_)
    );
}

void kept_wakes::run_oldest()
{
    wake oldest = pop();
    bool has_next = false;
    {
        const std::lock_guard lock(mutex_);
        has_next = has_ticket_ = count_ > 0;
    }
    // Before the oldest runs, because it may throw.
    if (has_next)
        post_ticket();
    if (oldest)
        oldest();
}

wake kept_wakes::pop() noexcept
{
    const std::lock_guard lock(mutex_);
    if (count_ == 0)
        return {};
    --count_;
    ++popped_;
    return std::move(wakes_[first_++ % limit]);
}

void kept_wakes::drop() noexcept
{
    while (const wake dropped = pop()) {}
}

bool kept_wakes::inspect(bool may_stay_open) noexcept
{
    bool stuck = false;
    {
        const std::lock_guard lock(mutex_);
        const std::uint64_t popped = popped_ - popped_before_;
        popped_before_ = popped_;
        stuck = popped == 0 && count_ > 0;
        if (popped < worthwhile || !may_stay_open)
            open_.store(false, std::memory_order_relaxed);
        if (!stuck)
            return is_open() || count_ > 0;
    }
    publish();
    return false;
}

void kept_wakes::publish() noexcept
{
    const auto executor = context_.load(std::memory_order_relaxed)->get_executor();
    while (wake oldest = pop())
        oldest.post(executor);
}

wake_watch::wake_watch(boost::asio::execution_context& context)
    : service(context), context_(static_cast<boost::asio::io_context&>(context))
{
}

wake_watch::~wake_watch()
{
    // Threads may know them for longer.
    for (const auto& wakes : all_)
        wakes->orphan();
}

std::shared_ptr<kept_wakes> wake_watch::obtain()
{
    const std::lock_guard lock(mutex_);
    const auto unused = std::ranges::find_if_not(all_, is_used);
    if (unused != all_.end())
        return *unused;
    return all_.emplace_back(std::make_shared<kept_wakes>(context_));
}

void wake_watch::open(kept_wakes& wakes)
{
    const std::lock_guard lock(mutex_);
    if (!has_several_threads())
        return;
    if (!timer_)
        timer_.emplace(context_);
    if (!waits_)
        wait();
    wakes.open();
}

void wake_watch::shutdown()
{
    const std::lock_guard lock(mutex_);
    timer_.reset();
}

bool wake_watch::has_several_threads() const noexcept
{
    return std::ranges::count_if(all_, is_used) > 1;
}

void wake_watch::wait()
{
    timer_->expires_after(period);
    timer_->async_wait([this](const boost::system::error_code& error) {
        if (!error)
            look();
    });
    waits_ = true;
}

void wake_watch::look()
{
    const std::lock_guard lock(mutex_);
    waits_ = false;
    bool busy = false;
    const bool useful = has_several_threads();
    for (const auto& wakes : all_)
        busy = wakes->inspect(useful) || busy;
    if (busy)
        wait();
}

}  // namespace sluice::detail
