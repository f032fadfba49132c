// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/claim.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>

#include <atomic>
#include <string>
#include <utility>

namespace sluice::detail {

// The state machine of a select: several operations wait, exactly one of them happens. It is
// a waiter of its own, which is in no list; its branches are in the lists of their queues.
//
// (B1) What takes the claim decides: a branch, under its queue's lock, or a cancellation.
//      All others step aside.
// (B2) The outcome is delivered once, by the later of two: the decision, and the end of
//      start(). Until both have happened nothing may resume, and so destroy, the owner.
// (B3) Before that, the same thread takes out the other branches, each under the lock of its
//      own queue. So what they hold does not wait for the owner, and when that may resume none
//      of them is linked any more.
// (B4) A deadline that passes before or during the attempts of start() leaves those, and
//      does not matter if one succeeds.
class select_core : public waiter
{
public:
    select_core() noexcept : waiter(0) {}

    // Completes with the first branch that can; ties go to the earlier one. False: none can.
    [[nodiscard]] bool try_start() noexcept override
    {
        for (std::size_t i = 0; i < branch_count() && !claim_word_.is_taken(); ++i)
            if (branch(i).try_start())
                return try_win(branch(i));
        return false;
    }

    [[nodiscard]] bool start_if_ready() noexcept override
    {
        if (!try_start())
            return false;
        decide_at_once();
        progress_.fetch_or(start_ended, std::memory_order_relaxed);
        return true;
    }

    [[nodiscard]] bool start(delivery how, wait_mode mode) noexcept override
    {
        const bool is_over = try_start() || (must_give_up(mode) && give_up());
        if (is_over && how == delivery::inline_if_ready)
            return true;
        suspend();
        if (is_over)
            decide_at_once();
        else
            append_branches();
        // acq_rel: the later of the two sees what the earlier one wrote (B2)
        if ((progress_.fetch_or(start_ended, std::memory_order_acq_rel) & decided) != 0)
            complete();
        return false;
    }

    void cancel(error_code why) noexcept override
    {
        if (why == errc::timed_out && comes_before_waiting())
            return;
        if (cancel_waiting(why))
            return;
        // A branch has won, but perhaps not been delivered: then it gives back what it got.
        for (std::size_t i = 0; i < branch_count(); ++i)
            branch(i).cancel(why);
    }

    void finish_delivery() noexcept override
    {
        if (winner_ != nullptr)
            winner_->finish_delivery();
        // It was taken back, so it is as if no branch had won: the failure is that of the select
        // (S14).
        if (winner_ != nullptr && winner_->claim_ == nullptr) {
            fail(winner_->error());
            winner_ = nullptr;
        }
        progress_.fetch_or(delivered, std::memory_order_relaxed);
    }

    bool forget() noexcept override
    {
        // Nothing can be decided from here on, and what was decided is returned.
        const bool was_decided = !claim_word_.try_take();
        for (std::size_t i = 0; i < branch_count(); ++i)
            branch(i).forget();
        const auto ended = progress_.load(std::memory_order_relaxed);
        return was_decided && (ended & start_ended) != 0 && (ended & delivered) == 0;
    }

    void set_context(const void* context) noexcept override
    {
        for (std::size_t i = 0; i < branch_count(); ++i)
            branch(i).set_context(context);
    }

    [[nodiscard]] wait_hub* hub_to_attach() const noexcept override
    {
        for (std::size_t i = 0; i < branch_count(); ++i)
            if (wait_hub* const hub = branch(i).hub_to_attach())
                return hub;
        return nullptr;
    }

    // Called by a branch, without a lock.
    void branch_decided(waiter& decided_branch, waiter_list& rest) noexcept
    {
        if (try_win(decided_branch) && note_decided())
            complete_before(rest);
    }

    // The context of the owner dies, or that of a queue, and then the owner's lives; called
    // by the first branch that is found waiting.
    void branch_abandoned(bool owner_lives) noexcept
    {
        if (!claim_word_.try_take())
            return;  // decided: the completion is posted, and dies with its context
        waiter_list freed;
        forget_losers(freed);
        wait_hub::deliver_all(freed);
        if (owner_lives)
            orphan();
        abandon();
    }

    [[nodiscard]] std::string describe() const override
    {
        std::string text = "select(";
        for (std::size_t i = 0; i < branch_count(); ++i)
            text += (i == 0 ? "" : ", ") + branch(i).describe();
        return text + ")";
    }

    [[nodiscard]] claim& claim_word() noexcept { return claim_word_; }

protected:
    ~select_core() = default;

    [[nodiscard]] virtual std::size_t branch_count() const noexcept = 0;
    [[nodiscard]] virtual waiter& branch(std::size_t index) noexcept = 0;

    [[nodiscard]] const waiter& branch(std::size_t index) const noexcept
    {
        return const_cast<select_core*>(this)->branch(index);
    }

    // The branch whose result this select gives; null if it was cancelled.
    [[nodiscard]] const waiter* winner() const noexcept { return winner_; }

private:
    static constexpr unsigned char expired = 1;
    static constexpr unsigned char attempts_failed = 2;
    static constexpr unsigned char start_ended = 4;
    static constexpr unsigned char decided = 8;
    static constexpr unsigned char delivered = 16;

    // A branch that fails in its own start, or by a cancellation, comes without a claim.
    bool try_win(waiter& candidate) noexcept
    {
        if (!candidate.has_claim_ && !claim_word_.try_take())
            return false;
        winner_ = &candidate;
        return true;
    }

    // (B4) Whichever of the two comes first, the other one sees it.
    bool comes_before_waiting() noexcept
    {
        const auto before = progress_.fetch_or(expired, std::memory_order_relaxed);
        return (before & attempts_failed) == 0;
    }

    // After the attempts; from here on a deadline ends the select.
    bool must_give_up(wait_mode mode) noexcept
    {
        const auto before =
            progress_.fetch_or(attempts_failed, std::memory_order_relaxed);
        return mode == wait_mode::gives_up || (before & expired) != 0;
    }

    // False if it is over already.
    bool give_up() noexcept
    {
        if (!claim_word_.try_take())
            return false;
        fail(errc::timed_out);
        return true;
    }

    // What the winner got may be taken back until it is delivered.
    void decide_at_once() noexcept
    {
        if (winner_ != nullptr)
            winner_->phase_.store(phase::decided, std::memory_order_relaxed);
        progress_.fetch_or(decided, std::memory_order_relaxed);
    }

    void append_branches() noexcept
    {
        for (std::size_t i = 0; i < branch_count() && !claim_word_.is_taken(); ++i)
            (void)branch(i).start(delivery::always_posted, wait_mode::waits);
    }

    // Ends the select if no branch has won.
    bool cancel_waiting(error_code why) noexcept
    {
        if (!claim_word_.try_take())
            return false;
        fail(why);
        if (note_decided())
            complete();
        return true;
    }

    // True: start() has ended before.
    [[nodiscard]] bool note_decided() noexcept
    {
        return (progress_.fetch_or(decided, std::memory_order_acq_rel) & start_ended) !=
               0;
    }

    void complete() noexcept
    {
        waiter_list freed;
        complete_before(freed);
        wait_hub::deliver_all(freed);
    }

    // (B3); *this may be gone when it returns.
    void complete_before(waiter_list& rest) noexcept
    {
        forget_losers(rest);
        deliver(rest);
    }

    void forget_losers(waiter_list& freed) noexcept
    {
        for (std::size_t i = 0; i < branch_count(); ++i)
            if (&branch(i) != winner_)
                branch(i).forget(freed);
    }

    claim claim_word_;
    std::atomic<unsigned char> progress_{0};
    waiter* winner_ = nullptr;  // written by the owner of the claim
};

// A queue or coordinator operation as a branch: its completion goes to the select.
template <class Waiter>
class select_branch final : public Waiter
{
public:
    select_branch(typename Waiter::arguments&& args, select_core& owner)
        : Waiter(std::move(args)), owner_(owner)
    {
        this->claim_ = &owner.claim_word();
    }

    // An attempt that gives up leaves no trace.
    [[nodiscard]] bool try_start() noexcept override
    {
        (void)Waiter::start(delivery::inline_if_ready, wait_mode::gives_up);
        if (this->has_claim_ || (this->failed() && this->error() != errc::timed_out))
            return true;
        this->rearm();
        return false;
    }

private:
    void deliver(waiter_list& others) noexcept override
    {
        owner_.branch_decided(*this, others);
    }

    void orphan() noexcept override { orphaned_ = true; }

    void abandon() noexcept override { owner_.branch_abandoned(orphaned_); }

    select_core& owner_;
    bool orphaned_ = false;
};

}  // namespace sluice::detail
