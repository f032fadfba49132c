// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/interleaving_point.hpp>
#include <sluice/detail/mutex.hpp>
#include <sluice/detail/threads_exist.hpp>
#include <sluice/detail/waiter.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace sluice::detail {

// Whether an operation that can complete inside its own start() is handed back to the
// caller at once, or goes the way of all others, through deliver().
enum class delivery : unsigned char
{
    inline_if_ready,
    always_posted
};

// What an operation does that cannot complete at once.
enum class patience : unsigned char
{
    waits,
    gives_up
};

class hub_registry;

// What queues and coordinators have in common: a mutex, lists of waiters, and the rules by
// which a waiter is decided, cancelled, delivered and abandoned.
//
// (H1) A waiter is linked in at most one list. Lists are touched under the mutex only,
//      except for the lists of decided and of abandoned waiters, which belong to whoever
//      took them out.
// (H2) Outcomes are decided under the mutex and delivered after it is released, in the
//      order decided. No user code runs under the mutex but moves, copies and comparisons
//      of elements.
// (H3) Every suspended waiter holds a reference to its hub, so an operation may outlive its
//      queue.
// (H4) abandon() and detach() return only when no delivery that began earlier is still
//      running, so that nothing is posted to a context after its death. Inside a delivery,
//      where waiting for it would never end, abandon() takes its waiters of the dead context
//      and detach() is put off to its end.
class wait_hub
{
public:
    wait_hub() = default;
    wait_hub(const wait_hub&) = delete;
    wait_hub& operator=(const wait_hub&) = delete;

    // Cancels one operation with the given code. A waiting one ends now; one that is decided
    // but not delivered gives back what it was handed; a delivered one is not affected.
    void cancel(waiter& target, error_code why) noexcept;

    // The owner of a waiter goes away without taking its outcome: a cancellation after
    // which nobody is told. If the owner's memory does not depend on the delivery (the frame
    // of a coroutine that somebody destroys), pass `may_run`: it waits until a delivery
    // that has begun no longer touches the waiter.
    enum class deliveries : unsigned char
    {
        over,
        may_run
    };
    void forget(waiter& target, deliveries state) noexcept;

    // Fixes the outcome of a decided waiter: from here on a cancellation comes too late.
    void finish_delivery(waiter& target) noexcept
    {
        interleaving_point();
        while (!target.is_delivered() && !target.try_finish_delivery()) {
            // A cancellation is taking the elements back; it holds the mutex while it does.
            mutex_.lock();
            mutex_.unlock();
        }
    }

    // Frees all waiters whose owners live in a context that is being destroyed.
    void abandon(const void* context) noexcept;

    // Waiters of the registry's context are about to wait here.
    void attach(const std::shared_ptr<hub_registry>& registry);

    // Nothing waits here any more, and nothing will.
    void detach() noexcept;

    // The registry's context is dead.
    void detach_from(const hub_registry& registry) noexcept;

    // The context that most waiters come from; attached once, so that waiting need not.
    [[nodiscard]] const void* home_context() const noexcept
    {
        return home_context_.load(std::memory_order_relaxed);
    }

    void set_home_context(const void* context) noexcept
    {
        home_context_.store(context, std::memory_order_relaxed);
    }

    // What the hub is, for people: "queue 'lines'".
    [[nodiscard]] virtual std::string describe() const = 0;

    friend void intrusive_ptr_add_ref(wait_hub* hub) noexcept
    {
        fetch_add(hub->users_, reference, std::memory_order_relaxed);
    }

    friend void intrusive_ptr_release(wait_hub* hub) noexcept { hub->leave(reference); }

protected:
    virtual ~wait_hub() = default;

    // The scope of the mutex. Waiters decided in it are delivered, in order, when it ends.
    class critical_section
    {
    public:
        explicit critical_section(wait_hub& hub) noexcept : hub_(hub)
        {
            hub_.mutex_.lock();
        }

        // Of one that is locked already.
        critical_section(wait_hub& hub, std::adopt_lock_t /*locked*/) noexcept : hub_(hub)
        {
        }

        ~critical_section()
        {
            if (decided_.empty())
                hub_.mutex_.unlock();
            else
                unlock_and_deliver();
        }

        critical_section(const critical_section&) = delete;
        critical_section& operator=(const critical_section&) = delete;

        // The outcome of `target` is fixed, as far as the hub is concerned.
        void decide(waiter& target) noexcept
        {
            if (target.is_linked())
                target.unlink();
            // release: the outcome is published together with the phase
            target.phase_.store(waiter::phase::decided, std::memory_order_release);
            decided_.push_back(target);
        }

        void decide_failed(
            waiter& target,
            error_code error,
            std::exception_ptr exception = nullptr
        ) noexcept
        {
            target.fail(error, std::move(exception));
            decide(target);
        }

        // The caller of start() gets the outcome itself.
        void hand_to_caller(waiter& target) noexcept
        {
            if (target.is_linked())
                target.unlink();
            target.phase_.store(waiter::phase::delivered, std::memory_order_relaxed);
        }

    private:
        void unlock_and_deliver() noexcept;

        wait_hub& hub_;
        waiter_list decided_;
    };

    // Takes a waiting operation out of its list, giving back what it holds.
    virtual void withdraw(waiter& target) noexcept = 0;

    // Undoes a decided operation, giving back what it was handed; false if it stands
    // (an element that is in the queue already, a stop that has happened).
    virtual bool reclaim(waiter& target) noexcept = 0;

    // Lets other waiters proceed after a change.
    virtual void settle(critical_section& section) noexcept = 0;

    // Unlinks the waiters of a dying context and hands them over.
    virtual void collect(const void* context, waiter_list& abandoned) noexcept = 0;

    // Puts a waiter at the end of a line; whether it can proceed is for settle() to see.
    static void append(waiter_list& line, waiter& target) noexcept
    {
        line.push_back(target);
        target.phase_.store(waiter::phase::waiting, std::memory_order_relaxed);
    }

    // For one that failed before its start: a deadline that passed between connecting and
    // starting leaves it the one attempt that every deadline leaves (S3).
    [[nodiscard]] static bool has_last_attempt(waiter& target, patience& waits) noexcept
    {
        if (target.error() != errc::timed_out)
            return false;
        target.rearm();
        waits = patience::gives_up;
        return true;
    }

    // What start() ends with: true if `target` is complete and the caller goes on with it at
    // once; false if it waits or is on its way to deliver().
    [[nodiscard]] bool conclude(
        waiter& target,
        delivery how,
        patience waits,
        critical_section& section
    ) noexcept
    {
        if (target.is_waiting() && waits == patience::gives_up) {
            withdraw(target);
            section.decide_failed(target, errc::timed_out);
            settle(section);
        }
        if (target.is_waiting() || how == delivery::always_posted) {
            target.was_ready_ = !target.is_waiting();  // (S3)
            target.suspend();
            return false;
        }
        section.hand_to_caller(target);
        return true;
    }

    // Takes out a branch of a select that was decided elsewhere. Its owner does that as well,
    // but perhaps late, and those behind it must not wait for that.
    void drop(waiter& target) noexcept
    {
        withdraw(target);
        if (target.is_linked())
            target.unlink();
        target.phase_.store(waiter::phase::delivered, std::memory_order_release);
    }

    // A context that was attached is being destroyed. Called without a lock.
    virtual void context_destroyed(const void* /*context*/) noexcept {}

    // For collect(): moves those of one list that live in `context`; null stands for all.
    void collect_from(
        waiter_list& list,
        const void* context,
        waiter_list& abandoned
    ) noexcept;

    mutable mutex mutex_;

private:
    class delivery_scope;

    // users_ counts references in its lower and running deliveries in its upper half, so
    // that a delivery keeps the hub alive and is announced with one atomic operation.
    static constexpr std::uint64_t reference = 1;
    static constexpr std::uint64_t running_delivery = (std::uint64_t{1} << 32U) +
                                                      reference;

    // decided -> reclaiming, if there is something to take back and the delivery has not won.
    bool take_back(waiter& target) noexcept;

    void leave(std::uint64_t share) noexcept
    {
        // acq_rel: the last user sees everything the others did
        if (fetch_add(users_, std::uint64_t{0} - share, std::memory_order_acq_rel) ==
            share)
            delete this;
    }

    // Those of other threads.
    void wait_for_running_deliveries() const noexcept;

    std::atomic<std::uint64_t> users_{0};
    std::atomic<const void*> home_context_{nullptr};  // null once that context is dead
    std::vector<std::shared_ptr<hub_registry>> attached_;  // guarded by mutex_
};

using hub_ptr = boost::intrusive_ptr<wait_hub>;

// The hubs in which waiters of one execution context may be found when it is destroyed. It
// outlives the context, so that context and hubs can go in any order.
class hub_registry
{
public:
    explicit hub_registry(const void* context) noexcept : context_(context) {}

    void add(wait_hub& hub);
    void remove(wait_hub& hub) noexcept;

    // The context is being destroyed: abandons its waiters everywhere.
    void shut_down() noexcept;

private:
    const void* const context_;
    mutex mutex_;
    std::set<hub_ptr> hubs_;  // guarded by mutex_
    bool shut_down_ = false;  // guarded by mutex_
};

}  // namespace sluice::detail
