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

// A thread owns it. False once that has ended or gone to another context.
bool is_used(const std::shared_ptr<kept_wakes>& wakes) noexcept
{
    return wakes.use_count() > 1;
}

}  // namespace

void kept_wakes::open() noexcept
{
    const std::lock_guard lock(mutex_);
    // A ticket that has not come back lies behind a handler that does not return, though it
    // runs others; what is kept now would lie there, too.
    open_.store(!has_ticket_, std::memory_order_relaxed);
}

void kept_wakes::close() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        open_.store(false, std::memory_order_relaxed);
    }
    publish();
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
    std::unique_lock lock(mutex_);
    wake oldest = take();
    const bool has_next = has_ticket_ = count_ > 0;
    lock.unlock();
    // Before the oldest runs, because it may throw.
    if (has_next)
        post_ticket();
    if (oldest)
        oldest();
}

void kept_wakes::drop() noexcept
{
    while (const wake dropped = pop()) {}
}

bool kept_wakes::inspect(bool may_stay_open) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        const std::uint64_t popped = popped_ - std::exchange(popped_before_, popped_);
        if (is_open() && may_stay_open && popped >= worthwhile)
            return true;
        if (popped == 0 && count_ > 0)
            stuck_.store(true, std::memory_order_relaxed);
        // Before others come in: of what they pushed no look would see that it is stuck.
        open_.store(false, std::memory_order_relaxed);
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

wake kept_wakes::pop() noexcept
{
    const std::lock_guard lock(mutex_);
    return take();
}

wake kept_wakes::take() noexcept
{
    if (count_ == 0)
        return {};
    --count_;
    ++popped_;
    return std::move(wakes_[first_++ % limit]);
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
    if (!several_threads_keep())
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

bool wake_watch::several_threads_keep() const noexcept
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
    const bool is_useful = several_threads_keep();
    for (const auto& wakes : all_)
        busy = wakes->inspect(is_useful) || busy;
    if (!busy)
        return;
    try {
        wait();
    } catch (...) {  // no memory: nobody would look after them
        for (const auto& wakes : all_)
            wakes->close();
    }
}

}  // namespace sluice::detail
