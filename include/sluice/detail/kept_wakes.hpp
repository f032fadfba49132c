// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/mutex.hpp>
#include <sluice/detail/post_memory.hpp>
#include <sluice/detail/wake.hpp>

#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::detail {

// Wakes that a thread of an io_context keeps to itself: they run there when the handler that
// it is in returns, and wake no other thread. What runs them is the ticket, a continuation
// handler of the context: it runs the oldest wake, and before that posts itself again for the
// next one.
//
// (K1) While there are wakes the ticket is on its way.
// (K2) While there are wakes it is open, and the watch looks after it: if the handler does not
//      return, because it computes or waits for what only a wake can bring, they are posted
//      for all threads. Nothing but their time depends on that handler.
class kept_wakes
{
public:
    static constexpr std::size_t limit = 16;

    explicit kept_wakes(boost::asio::io_context& context) noexcept : context_(&context) {}

    kept_wakes(const kept_wakes&) = delete;
    kept_wakes& operator=(const kept_wakes&) = delete;

    [[nodiscard]] bool belongs_to(const boost::asio::io_context& context) const noexcept
    {
        return context_.load(std::memory_order_relaxed) == &context;
    }

    // The context is dead; the next one may be made at the same address.
    void orphan() noexcept { context_.store(nullptr, std::memory_order_relaxed); }

    [[nodiscard]] bool is_open() const noexcept
    {
        return open_.load(std::memory_order_relaxed);
    }

    // True if the watch found wakes that nobody had run, since this was asked last.
    [[nodiscard]] bool take_stuck() noexcept
    {
        return stuck_.load(std::memory_order_relaxed) &&
               stuck_.exchange(false, std::memory_order_relaxed);
    }

    // From now on wakes are kept, unless the ticket is still on its way.
    void open() noexcept;

    // From now on they are not; those that are kept are posted for all threads. The context
    // must live.
    void close() noexcept;

    // By the thread that they belong to. False if `function` was not taken: the caller posts
    // it.
    template <class Function>
    [[nodiscard]] bool push(Function& function, post_memory& memory) noexcept
    {
        {
            std::unique_lock lock(mutex_);
            // Looked at again, because the watch closes under the lock.
            if (!is_open())
                return false;
            if (count_ < limit) {
                wakes_[(first_ + count_++) % limit].assign(std::move(function), memory);
                const bool needs_ticket = !std::exchange(has_ticket_, true);
                lock.unlock();
                if (needs_ticket)
                    post_ticket();
                return true;
            }
        }
        close();  // so many are work for all threads
        return false;
    }

    // For the watch, at regular times. Closes what is not used much, or stuck; true if it is
    // still open.
    [[nodiscard]] bool inspect(bool may_stay_open) noexcept;

private:
    class ticket;

    // Below that number between two looks, a watch costs more than it saves.
    static constexpr std::uint64_t worthwhile = 20;

    void post_ticket() noexcept;
    void run_oldest();
    void drop() noexcept;
    void publish() noexcept;
    wake pop() noexcept;   // empty if there is none
    wake take() noexcept;  // the same, under the lock

    std::atomic<boost::asio::io_context*> context_;
    std::atomic<bool> open_{false};  // written under mutex_
    std::atomic<bool> stuck_{false};
    mutex mutex_;
    std::array<wake, limit> wakes_;    // a ring; guarded by mutex_
    std::size_t first_ = 0;            // guarded by mutex_
    std::size_t count_ = 0;            // guarded by mutex_
    std::uint64_t popped_ = 0;         // guarded by mutex_
    std::uint64_t popped_before_ = 0;  // at the last look; guarded by mutex_
    bool has_ticket_ = false;          // it is on its way; guarded by mutex_
    post_memory ticket_memory_;        // for the ticket on its way
};

// The wakes kept by all threads of an io_context, and the timer that looks after them. It
// runs only while a thread keeps wakes, and so at most two periods longer than needed; and
// only if several threads would: one alone wakes no other, but would ask its reactor for the
// timer between any two handlers.
class wake_watch final : public boost::asio::execution_context::service
{
public:
    using key_type = wake_watch;
    static inline boost::asio::execution_context::id id;

    static constexpr std::chrono::milliseconds period{1};

    // `context` is an io_context.
    explicit wake_watch(boost::asio::execution_context& context);
    ~wake_watch() override;

    // For a thread that has none of this context yet.
    [[nodiscard]] std::shared_ptr<kept_wakes> obtain();

    // Opens it and begins to look after it, if there is another thread.
    void open(kept_wakes& wakes);

private:
    void shutdown() override;
    [[nodiscard]] bool several_threads_keep() const noexcept;
    void wait();
    void look();

    boost::asio::io_context& context_;
    std::mutex mutex_;
    std::vector<std::shared_ptr<kept_wakes>> all_;    // guarded by mutex_
    std::optional<boost::asio::steady_timer> timer_;  // guarded by mutex_
    bool waits_ = false;                              // guarded by mutex_
};

}  // namespace sluice::detail
