// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/sync/mutex.hpp>
#include <sluice/detail/sync/single_threaded.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sluice::detail {

class hub_registry;
class wait_times;

// What queues and coordinators have in common: a mutex, wait lists, and the rules by which a
// waiter is decided, cancelled, delivered and abandoned.
//
// (H1) A waiter is linked in at most one list. Wait lists are touched under the mutex only; a
//      list of those to deliver or to abandon belongs to the thread that took them out.
// (H2) Outcomes are decided under the mutex and delivered after it is released, in the
//      order decided. What a delivery decides in other hubs comes last. No user code runs
//      under the mutex but moves, copies and comparisons of elements. No thread holds the
//      mutexes of two hubs, but for a coordinator that asks a queue whether it is gone.
// (H3) Every suspended waiter holds a reference to its hub, so an operation may outlive its
//      queue.
// (H4) After abandon() no waiter of that context is in a list. A context must not be destroyed
//      while another thread delivers to it, as with any I/O object.
// (H5) The mutex is held for a bounded number of steps. What is left of a change when they are
//      used up goes on in pieces, between which others get the mutex. So until the thread that
//      has begun it is done, waiters that could move may wait.
//
// How an element comes to a consumer that waits: start() appends the consumer to its list under
// the mutex and lets it suspend. Later a producer's start() appends the producer, serves both
// lists, and so moves the element into the consumer, which is now decided. At the end of the
// critical section the mutex is released and deliver() posts the resumption. When that runs,
// finish_delivery() moves the phase on to delivered, and the owner has the element. A
// cancellation before that moment finds the consumer decided, moves the phase to reclaiming
// instead, and puts the element back to the front; the delivery then reports the cancellation.
class wait_hub
{
public:
    wait_hub() = default;
    wait_hub(const wait_hub&) = delete;
    wait_hub& operator=(const wait_hub&) = delete;

    // See the members of the same names of waiter.
    [[nodiscard]] virtual bool try_start(waiter& target) noexcept;
    [[nodiscard]] bool start_if_ready(waiter& target) noexcept;
    [[nodiscard]] virtual bool start(
        waiter& target,
        delivery how,
        wait_mode mode
    ) noexcept = 0;
    void cancel(waiter& target, error_code why) noexcept;
    void cancel_without_effect(waiter& target, error_code why) noexcept;
    void expire(waiter& target) noexcept;
    bool forget(waiter& target, waiter_list* decided = nullptr) noexcept;

    // Delivers them in order. What a delivery decides elsewhere is appended: so a chain of selects,
    // each of which lets the next one go on, takes no more of the stack than two.
    [[gnu::always_inline]] static void deliver_all(waiter_list& decided) noexcept
    {
        while (!decided.empty()) {
            waiter& next = decided.take_front();  // once it is delivered it may be gone
            interleaving_point();
            next.deliver(decided);
        }
    }

    [[gnu::always_inline]] void finish_delivery(waiter& target) noexcept
    {
        interleaving_point();
        if (!target.try_finish_delivery())
            finish_reclaimed(target);
    }

    // Frees all waiters whose owners live in a context that is being destroyed.
    void abandon(const void* context) noexcept;

    // Waiters of the registry's context are about to wait here. False: it is dead already. The
    // next context may be made at its address, so nothing is kept.
    [[nodiscard]] bool attach(const std::shared_ptr<hub_registry>& registry);

    // The same, for the context that most waiters come from. Called once, for a new hub.
    void attach_home(const std::shared_ptr<hub_registry>& registry);

    // The context of attach_home(); null once that is dead.
    [[nodiscard]] const void* home_context() const noexcept
    {
        return home_context_.load(std::memory_order_relaxed);
    }

    // Whether the hub is attached to the registry of this context, or need not be.
    [[nodiscard]] bool knows(const void* context) const noexcept;

    // Nothing waits here any more, and nothing will.
    void detach() noexcept;

    // How many others than registries have a reference. One stays one while its owner has it.
    [[nodiscard]] std::uint64_t references() const noexcept;

    // From now on it is kept how long supervised operations waited here.
    void keep_wait_times();

    // Null until then. Constant from then on.
    [[nodiscard]] wait_times* kept_wait_times() const noexcept
    {
        // acquire: sees them made
        return wait_times_.load(std::memory_order_acquire);
    }

    // The scope of the mutex. Waiters decided in it are delivered, in order, when it ends;
    // afterwards the hub may be gone.
    class critical_section
    {
    public:
        [[gnu::always_inline]] explicit critical_section(wait_hub& hub) noexcept
            : hub_(hub)
        {
            hub_.mutex_.lock();
        }

        // Of one that is locked already.
        critical_section(wait_hub& hub, std::adopt_lock_t /*locked*/) noexcept : hub_(hub)
        {
        }

        [[gnu::always_inline]] ~critical_section()
        {
            if (is_cut_short_) [[unlikely]] {
                finish_in_pieces();
                return;
            }
            hub_.mutex_.unlock();
            deliver_all(decided_);
        }

        critical_section(const critical_section&) = delete;
        critical_section& operator=(const critical_section&) = delete;

        // The outcome of `target` is fixed, as far as the hub is concerned.
        [[gnu::always_inline]] void decide(waiter& target) noexcept
        {
            target.unlink();
            // release: the outcome is published together with the phase
            target.phase_.store(waiter::phase::decided, std::memory_order_release);
            if (!target.is_starting_)
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
        static void hand_to_caller(waiter& target) noexcept
        {
            target.unlink();
            target.phase_.store(waiter::phase::delivered, std::memory_order_relaxed);
        }

        // Puts a waiter at the end of a list; whether it goes on is for serve() to see.
        static void append(waiter_list& list, waiter& target) noexcept
        {
            list.push_back(target);
            target.phase_.store(waiter::phase::waiting, std::memory_order_relaxed);
        }

        // Takes out a branch of a select that was decided elsewhere.
        void drop(waiter& target) noexcept { hub_.drop(target); }

        // Ends all that wait in a list, with a failure if there is one.
        void end_all(
            waiter_list& list,
            error_code why = {},
            const std::exception_ptr& cause = nullptr
        ) noexcept;

        // The same with pauses. It does not end what begins to wait meanwhile.
        void end_in_pieces(waiter_list& list, error_code why) noexcept;

        // Whatever was found under the mutex before may have changed then.
        template <class Function>
        void without_lock(Function&& function) noexcept
        {
            hub_.mutex_.unlock();
            function();
            hub_.mutex_.lock();
        }

        // Pieces (H5) ---------------------------------------------------------------------

        // Whether more than `kept` elements may still be moved, or waiters decided, in this piece.
        [[nodiscard]] bool has_steps(std::size_t kept = 0) const noexcept
        {
            return steps_ > static_cast<std::ptrdiff_t>(kept);
        }

        void note_steps(std::size_t count) noexcept
        {
            steps_ -= static_cast<std::ptrdiff_t>(count);
        }

        // Something could move, but not in this piece.
        void cut_short() noexcept { is_cut_short_ = true; }

        [[nodiscard]] bool is_cut_short() const noexcept { return is_cut_short_; }

        // Delivers what is decided, lets others have the mutex, and begins the next piece. Whatever
        // was found under the mutex before may have changed, and who was decided may be gone.
        void pause() noexcept;

        // For a start() whose waiter is first in its list and has not suspended its owner: goes on
        // until `target` is decided or has to wait.
        void go_on_with(waiter& target) noexcept
        {
            if (is_cut_short_ && target.is_waiting()) [[unlikely]]
                serve_in_pieces(target);
        }

        // The caller delivers what has been decided up to now.
        void hand_over(waiter_list& decided) noexcept { decided.splice_back(decided_); }

    private:
        void end_first(
            waiter_list& list,
            error_code why,
            const std::exception_ptr& cause
        ) noexcept;

        [[gnu::cold]] void finish_in_pieces() noexcept;
        [[gnu::cold]] void serve_in_pieces(waiter& target) noexcept;

        wait_hub& hub_;
        waiter_list decided_;  // and to be delivered
        std::ptrdiff_t steps_ = steps_of_piece;
        bool is_cut_short_ = false;
    };

    // Ten microseconds or so. A batch of half of them and its consumers need no second piece.
    static constexpr std::size_t steps_of_piece = 512;

    // What the hub is, for people: "queue 'lines'".
    [[nodiscard]] virtual std::string describe() const = 0;

    friend void intrusive_ptr_add_ref(wait_hub* hub) noexcept
    {
        fetch_add(hub->users_, std::uint64_t{1}, std::memory_order_relaxed);
    }

    friend void intrusive_ptr_release(wait_hub* hub) noexcept
    {
        // acq_rel: the last user sees everything the others did
        if (fetch_add(hub->users_, ~std::uint64_t{0}, std::memory_order_acq_rel) == 1)
            delete hub;
    }

protected:
    virtual ~wait_hub();

    // Takes a waiting operation out of its list, giving back what it holds.
    virtual void withdraw(waiter& /*target*/) noexcept {}

    // Whether one that waits has changed something that a withdrawal leaves as it is.
    [[nodiscard]] virtual bool has_effect(const waiter& /*target*/) const noexcept
    {
        return false;
    }

    // Completes a waiting operation with what there is; false if it cannot.
    virtual bool complete_in_part(
        waiter& /*target*/,
        critical_section& /*section*/
    ) noexcept
    {
        return false;
    }

    // Undoes a decided operation, giving back what it got; false if it stands
    // (an element that is in the queue already, a stop that has happened).
    virtual bool reclaim(waiter& /*target*/) noexcept { return false; }

    // Lets other waiters proceed after a change.
    virtual void serve(critical_section& section) noexcept = 0;

    // Unlinks the waiters of a dying context and hands them over.
    virtual void collect(const void* context, waiter_list& abandoned) noexcept = 0;

    // For one that failed before its start: a deadline that passed between connecting and
    // starting leaves it the one attempt that every deadline leaves (S3).
    [[nodiscard]] static bool has_last_attempt(waiter& target, wait_mode& mode) noexcept;

    // How a start() begins that appends. False: `target` has failed before, and is decided.
    [[nodiscard]] static bool append_unless_failed(
        waiter_list& list,
        waiter& target,
        wait_mode& mode,
        critical_section& section
    ) noexcept;

    // What start() ends with: true if `target` is complete and the caller goes on with it at
    // once; false if it waits or is on its way to deliver().
    [[nodiscard]] bool conclude(
        waiter& target,
        delivery how,
        wait_mode mode,
        critical_section& section
    ) noexcept
    {
        if (target.is_waiting() && (mode == wait_mode::gives_up || target.is_late_))
            give_up(target, section);
        if (target.is_waiting() || how == delivery::always_posted) {
            target.was_ready_ = !target.is_waiting();  // (S3)
            target.suspend();
            return false;
        }
        section.hand_to_caller(target);
        return true;
    }

    // Takes out a branch of a select that was decided elsewhere. The thread that has decided it
    // does that as well (B3), but later; those behind the branch need not wait for it.
    void drop(waiter& target) noexcept;

    // The context of attach_home() is being destroyed. Called without a lock.
    virtual void home_destroyed() noexcept {}

    // For collect(): moves those of one list that live in `context`; null stands for all.
    void collect_from(
        waiter_list& list,
        const void* context,
        waiter_list& abandoned
    ) noexcept;

    mutable mutex mutex_;

private:
    void cancel(waiter& target, error_code why, critical_section& section) noexcept;

    void give_up(waiter& target, critical_section& section) noexcept;

    // A cancellation takes the elements back at this moment.
    void finish_reclaimed(waiter& target) noexcept;

    // decided -> reclaiming, if there is something to take back and the delivery has not won.
    bool take_back(waiter& target) noexcept;

    [[nodiscard]] bool is_attached_to(const void* context) const noexcept;

    std::atomic<std::uint64_t> users_{0};
    std::atomic<const void*> home_context_{nullptr};
    std::atomic<wait_times*> wait_times_{nullptr};         // owned
    std::vector<std::shared_ptr<hub_registry>> attached_;  // guarded by mutex_
    unsigned cut_short_by_ = 0;  // threads that go on in pieces; guarded by mutex_
    bool is_detached_ = false;   // guarded by mutex_
};

using hub_ptr = boost::intrusive_ptr<wait_hub>;

inline bool waiter::try_start() noexcept
{
    return hub_->try_start(*this);
}

inline bool waiter::start_if_ready() noexcept
{
    return hub_->start_if_ready(*this);
}

inline bool waiter::start(delivery how, wait_mode mode) noexcept
{
    return hub_->start(*this, how, mode);
}

inline void waiter::finish_delivery() noexcept
{
    hub_->finish_delivery(*this);
}

// One that is over, or never began, holds no reference: its hub may be gone.
inline bool waiter::forget() noexcept
{
    return is_pending() && hub_->forget(*this);
}

inline void waiter::forget(waiter_list& decided) noexcept
{
    if (is_pending())
        (void)hub_->forget(*this, &decided);
}

inline void waiter::set_context(const void* context) noexcept
{
    intrusive_ptr_add_ref(hub_);
    keeps_hub_ = true;
    context_ = context;
}

[[gnu::always_inline]] inline waiter::~waiter()
{
    if (keeps_hub_)
        intrusive_ptr_release(hub_);
}

}  // namespace sluice::detail
