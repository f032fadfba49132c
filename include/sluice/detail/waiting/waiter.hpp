// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/sync/single_threaded.hpp>
#include <sluice/detail/waiting/linked_list.hpp>
#include <sluice/error.hpp>

#include <atomic>
#include <exception>
#include <string>
#include <utility>

namespace sluice::detail {

class cancel_hook;
class claim;
class wait_hub;
class wait_log;
class waiter;

// Whether an operation that can complete inside its own start() is given to the
// caller at once, or goes the way of all others, through deliver().
enum class delivery : unsigned char
{
    inline_if_ready,
    always_posted
};

// What an operation does that cannot complete at once.
enum class wait_mode : unsigned char
{
    waits,
    gives_up,  // fails with errc::timed_out
    tries  // the try_ members of a queue: keeps what there is, or fails with the reason
};

// How an attempt to complete an operation without a waiter ended. Unless it is done nothing
// has changed; `must_wait` says that there is no use in trying again with one.
enum class attempt : unsigned char
{
    done,
    must_wait,
    unclear
};

// The fast path of operations that have none.
class no_fast_path
{
public:
    template <class Arguments>
    [[nodiscard]] static detail::attempt attempt(const Arguments& /*args*/) noexcept
    {
        return detail::attempt::unclear;
    }
};

// An error_code in less room, for the codes of this library and of Asio; one that wraps a
// std::error_code would lose it.
class failure
{
public:
    failure() = default;

    explicit failure(const error_code& code) noexcept
        : category_(code.failed() ? &code.category() : nullptr), value_(code.value())
    {
    }

    [[nodiscard]] error_code code() const noexcept
    {
        return category_ == nullptr ? error_code() : error_code(value_, *category_);
    }

    [[nodiscard]] explicit operator bool() const noexcept { return category_ != nullptr; }

private:
    const boost::system::error_category* category_ = nullptr;
    int value_ = 0;
};

// The place of a waiter in a list of its hub, and in the wait log of its task (P9).
using hub_hook = list_hook<wait_hub>;
using log_hook = list_hook<wait_log>;

using waiter_list = linked_list<waiter, hub_hook>;

// One operation, from its start until its result is delivered to its owner. It lives
// in the coroutine frame or in the handler's memory, and is linked into the wait lists of one
// wait_hub (a queue or a coordinator); nothing is allocated for waiting.
//
//   idle ──start──▶ waiting ──▶ decided ──▶ delivered
//     └──────── ready at once ────▲  │▲
//                                 reclaiming
//
//   waiting     linked in a list of the hub, guarded by the hub's mutex
//   decided     the outcome is fixed and its delivery is on the way to the executor
//   reclaiming  a cancellation arrived before the delivery and takes the elements back
//   delivered   the owner has the outcome; a cancellation comes too late
//
// What an operation does it does through its hub. A select is a waiter without a hub, which
// has branches instead, and overrides all of that.
class waiter : public hub_hook, public log_hook
{
public:
    using hub_hook::is_linked;
    using hub_hook::unlink;

    // What a class of operations says differently of itself.

    // How it is completed without a waiter; or, for a taker, by the result that it gives.
    using fast_path = no_fast_path;
    template <class Result>
    using fast_path_to = no_fast_path;

    // The class of the same operation with a linger().
    using lingering = void;
    static constexpr bool lingers = false;

    // Refers to arguments that may be temporaries.
    static constexpr bool borrows = false;

    // May be half done, so it cannot be a branch of a select.
    static constexpr bool accepts_in_part = false;

    // What sits in the cancellation slot of a handler.
    using slot_hook = cancel_hook;

    enum class phase : unsigned char
    {
        idle,
        waiting,
        decided,
        reclaiming,
        delivered
    };

    // `list` tells the hub to which of its wait lists the waiter belongs.
    explicit waiter(unsigned char list, wait_hub* hub = nullptr) noexcept
        : hub_(hub), list_(list)
    {
    }

    waiter(const waiter&) = delete;
    waiter& operator=(const waiter&) = delete;

    // The life of an operation -----------------------------------------------------------

    // Completes it if that is possible without waiting; else nothing has changed.
    [[nodiscard]] virtual bool try_start() noexcept;

    // The same for an owner that learns it later: until finish_delivery() it can be forgotten,
    // and then gives back what it got. No thread may cancel it meanwhile.
    [[nodiscard]] virtual bool start_if_ready() noexcept;

    // True: it is complete, and the caller goes on with it. False: it waits, or is on its way
    // to deliver(); *this may be gone.
    [[nodiscard]] virtual bool start(delivery how, wait_mode mode) noexcept;

    // A waiting one ends now; one that is decided but not delivered gives back what it
    // got; a delivered one is not affected.
    virtual void cancel(error_code why) noexcept;

    // The same, unless it waits and has changed something that would stay so.
    void cancel_without_effect(error_code why) noexcept;

    // The owner takes the outcome: from here on a cancellation comes too late.
    virtual void finish_delivery() noexcept;

    // The owner goes away without the outcome: a cancellation of which no owner is told. True: a
    // delivery is on its way, and *this must live until it comes.
    virtual bool forget() noexcept;

    // The same for a branch of a select that does not happen. Those that can go on without it are
    // appended to `decided`, and the caller delivers them.
    void forget(waiter_list& decided) noexcept;

    // Before it waits: from now on it may outlive its queue or coordinator, and ends with the
    // execution context. Called once.
    virtual void set_context(const void* context) noexcept;

    // A hub in which it waits and that does not know its context yet; null if there is none.
    [[nodiscard]] virtual wait_hub* hub_to_attach() const noexcept;

    // Its time is over: it fails with errc::timed_out, but a batch that lingers completes with what
    // there is.
    virtual void expire() noexcept;

    // For the hub --------------------------------------------------------------------------

    // It cannot proceed yet and is linked; called under the hub's mutex, because once that is
    // released another thread may deliver.
    virtual void suspend() noexcept {}

    // There is something for a batch that lingers; called under the hub's mutex, each time it is
    // served. The first time its time begins. False: it has none, and takes what there is.
    [[nodiscard]] virtual bool linger() noexcept { return false; }

    // The outcome is decided: see that the owner learns it, on its own executor. Called once,
    // without a lock; *this may be gone when it returns. Those that it decides elsewhere are
    // appended to the `others` that are delivered after it.
    virtual void deliver(waiter_list& others) noexcept = 0;

    // The execution context of the owner is being destroyed: free everything, run nothing.
    virtual void abandon() noexcept = 0;

    // Called before abandon() if it is not the owner's context that dies but the hub's: the
    // owner's cancellation signal lives, and must not reach *this any more.
    virtual void orphan() noexcept {}

    // What this operation is, for people: "dequeue_many(4) on queue 'lines'".
    [[nodiscard]] virtual std::string describe() const = 0;

    // The outcome --------------------------------------------------------------------------

    [[nodiscard]] bool failed() const noexcept { return static_cast<bool>(failure_); }

    // The failure, if any; fixed once decided. While idle: a cancellation before the start.
    [[nodiscard]] error_code error() const noexcept { return failure_.code(); }

    // The same as one code for the owner: that of the exception where it has one.
    [[nodiscard]] virtual error_code code() const noexcept
    {
        return exception_ ? code_of(exception_, error()) : error();
    }

    // Throws the failure: as the exception it came with, or as a system_error that names the
    // operation, its hub and the numbers.
    [[noreturn]] void throw_failure(const std::string& numbers = {}) const;

    // For those that report failures as exceptions: the one that came along, or one of the code.
    [[nodiscard]] std::exception_ptr failure_as_exception() const;

    void fail(error_code error, std::exception_ptr exception = nullptr) noexcept
    {
        failure_ = failure(error);
        exception_ = std::move(exception);
    }

    // Back to where it was before a start that gave up.
    void rearm() noexcept
    {
        failure_ = {};
        phase_.store(phase::idle, std::memory_order_relaxed);
    }

    // The phase ----------------------------------------------------------------------------

    [[nodiscard]] bool is_waiting() const noexcept
    {
        return phase_.load(std::memory_order_relaxed) == phase::waiting;
    }

    // Started, and its outcome not yet with the owner.
    [[nodiscard]] bool is_pending() const noexcept
    {
        // acquire: what a hub did to a waiter that it dropped happens before its end
        const phase seen = phase_.load(std::memory_order_acquire);
        return seen != phase::idle && seen != phase::delivered;
    }

    [[nodiscard]] bool is_delivered() const noexcept
    {
        return phase_.load(std::memory_order_relaxed) == phase::delivered;
    }

    // decided -> delivered, unless a cancellation is reclaiming at this moment.
    [[nodiscard]] bool try_finish_delivery() noexcept
    {
        return compare_exchange(
            phase_,
            phase::decided,
            phase::delivered,
            std::memory_order_acquire  // see the outcome that was decided
        );
    }

    // The claim ----------------------------------------------------------------------------

    // True if this operation may complete now; false if it is a branch of a select that
    // was decided elsewhere.
    [[nodiscard]] bool try_claim() noexcept
    {
        return claim_ == nullptr || has_claim_ || take_claim();
    }

    [[nodiscard]] bool lost_claim() const noexcept
    {
        return claim_ != nullptr && !has_claim_ && is_claim_taken();
    }

    // Of an enqueue and a dequeue that meet, of which one is a branch: takes the claims that are
    // needed, or none, and gives the branch that was decided elsewhere. That of `b` is needed if it
    // `completes`.
    [[nodiscard]] static waiter* try_claim_both(
        waiter& a,
        waiter& b,
        bool completes
    ) noexcept;

    wait_hub* const hub_;  // null: a select, or a test without one
    // Shared with the other branches of a select; null once a cancellation has taken back what this
    // one got.
    claim* claim_ = nullptr;
    std::exception_ptr exception_;   // more about the failure, if there is more
    const void* context_ = nullptr;  // execution context whose death abandons this
    // The members that follow, and the first ones of a derived class, lie in its tail padding.
    [[no_unique_address]] failure failure_;
    // Written under the hub's mutex; without it by an owner that takes the outcome or has not
    // started, or by a select that tries its branches.
    std::atomic<phase> phase_{phase::idle};
    const unsigned char list_;    // meaning defined by the hub
    bool has_claim_ : 1 = false;  // this branch took the claim
    bool was_ready_ : 1 = false;  // at its start: no deadline takes it back (S3)
    bool keeps_hub_ : 1 = false;  // has a reference to its hub
    // Its start goes on in pieces: another thread that decides it leaves the outcome to that one.
    // Guarded by the hub's mutex, and set only before the owner is suspended.
    bool is_starting_ : 1 = false;
    bool is_late_ : 1 = false;  // its limit passed meanwhile; guarded by the hub's mutex

protected:
    ~waiter();

private:
    bool take_claim() noexcept;
    [[nodiscard]] bool is_claim_taken() const noexcept;
};

}  // namespace sluice::detail
