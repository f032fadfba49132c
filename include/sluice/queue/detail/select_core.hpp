// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/claim.hpp>
#include <sluice/detail/wait_hub.hpp>

#include <atomic>
#include <string>
#include <utility>

namespace sluice::detail {

class select_core;

// One operation of a select, as the select sees it.
class select_branch
{
public:
    // Completes the operation if that is possible without waiting.
    [[nodiscard]] virtual bool attempt() noexcept = 0;

    // Lets it wait in its line; its completion comes as select_core::branch_decided().
    virtual void line_up() noexcept = 0;

    virtual void cancel_branch(error_code why) noexcept = 0;
    virtual void finish_branch() noexcept = 0;
    virtual void forget_branch(wait_hub::deliveries state) noexcept = 0;
    // The failure as the operation itself reports it, which may be none: the end of next().
    [[nodiscard]] virtual error_code branch_code() const noexcept = 0;
    [[nodiscard]] virtual waiter& node() noexcept = 0;
    [[nodiscard]] const waiter& node() const noexcept
    {
        return const_cast<select_branch*>(this)->node();
    }

protected:
    ~select_branch() = default;
};

// The state machine of a select: several operations wait, exactly one of them happens. It is
// a waiter of its own, which is in no list; its branches are in the lists of their queues.
//
// (B1) Whoever takes the claim decides: a branch, under its queue's lock, or a cancellation.
//      All others step aside.
// (B2) The outcome is delivered once, by the later of two: the decision, and the end of
//      start(). Until both have happened nothing may resume, and so destroy, the owner.
// (B3) When the owner resumes no other branch is linked any more.
// (B4) A deadline that passes before or during the attempts of start() leaves those, and
//      does not matter if one succeeds.
class select_core : public waiter
{
public:
    select_core() noexcept : waiter(0) {}

    // Completes with the first branch that can; ties go to the earlier one. False: none can.
    [[nodiscard]] bool try_start() noexcept
    {
        for (std::size_t i = 0; i < branch_count() && !claim_word_.is_taken(); ++i)
            if (branch(i).attempt())
                return try_win(branch(i));
        return false;
    }

    [[nodiscard]] bool start(delivery how, patience waits) noexcept
    {
        const bool is_over = try_start() || (must_give_up(waits) && give_up());
        if (is_over && how == delivery::inline_if_ready)
            return true;
        suspend();
        if (is_over)
            decide_at_once();
        else
            line_up();
        // acq_rel: the later of the two sees what the earlier one wrote (B2)
        if ((progress_.fetch_or(start_ended, std::memory_order_acq_rel) & decided) != 0)
            deliver();
        return false;
    }

    void cancel(error_code why) noexcept
    {
        if (why == errc::timed_out && comes_before_waiting())
            return;
        if (cancel_waiting(why))
            return;
        // A branch has won, but perhaps not been delivered: then it gives back what it got.
        for (std::size_t i = 0; i < branch_count(); ++i)
            branch(i).cancel_branch(why);
    }

    void finish_delivery() noexcept
    {
        if (winner_ != nullptr)
            winner_->finish_branch();
        forget_losers(wait_hub::deliveries::over);
    }

    void forget(wait_hub::deliveries state) noexcept
    {
        // Nothing can be decided from here on, and what was decided goes back.
        (void)claim_word_.try_take();
        for (std::size_t i = 0; i < branch_count(); ++i)
            branch(i).forget_branch(state);
    }

    // Called by a branch, without a lock.
    void branch_decided(select_branch& decided_branch) noexcept
    {
        if (try_win(decided_branch))
            note_decided();
    }

    // The context of the owner dies, or that of a queue, and then the owner's lives; called
    // by the first branch that is found waiting.
    void branch_abandoned(bool owner_lives) noexcept
    {
        if (!claim_word_.try_take())
            return;  // decided: the completion is posted, and dies with its context
        forget_losers(wait_hub::deliveries::over);
        if (owner_lives)
            orphan();
        abandon();
    }

    [[nodiscard]] std::string describe() const override
    {
        std::string text = "select(";
        for (std::size_t i = 0; i < branch_count(); ++i)
            text += (i == 0 ? "" : ", ") + branch(i).node().describe();
        return text + ")";
    }

    [[nodiscard]] claim& claim_word() noexcept { return claim_word_; }

protected:
    [[nodiscard]] virtual std::size_t branch_count() const noexcept = 0;
    [[nodiscard]] virtual select_branch& branch(std::size_t index) noexcept = 0;

    [[nodiscard]] const select_branch& branch(std::size_t index) const noexcept
    {
        return const_cast<select_core*>(this)->branch(index);
    }

    // The branch whose result this select gives; null if it was cancelled.
    [[nodiscard]] const select_branch* winner() const noexcept { return winner_; }

private:
    static constexpr unsigned char expired = 1;
    static constexpr unsigned char attempts_failed = 2;
    static constexpr unsigned char start_ended = 4;
    static constexpr unsigned char decided = 8;

    // A branch that fails in its own start, or by a cancellation, comes without a claim.
    bool try_win(select_branch& candidate) noexcept
    {
        if (!candidate.node().has_claim_ && !claim_word_.try_take())
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
    bool must_give_up(patience waits) noexcept
    {
        const auto before =
            progress_.fetch_or(attempts_failed, std::memory_order_relaxed);
        return waits == patience::gives_up || (before & expired) != 0;
    }

    // False if it is over already.
    bool give_up() noexcept
    {
        if (!claim_word_.try_take())
            return false;
        fail(errc::timed_out);
        return true;
    }

    // What the winner was handed may be taken back until it is delivered.
    void decide_at_once() noexcept
    {
        if (winner_ != nullptr)
            winner_->node().phase_.store(phase::decided, std::memory_order_relaxed);
        progress_.fetch_or(decided, std::memory_order_relaxed);
    }

    void line_up() noexcept
    {
        for (std::size_t i = 0; i < branch_count() && !claim_word_.is_taken(); ++i)
            branch(i).line_up();
    }

    // Ends the select if no branch has won.
    bool cancel_waiting(error_code why) noexcept
    {
        if (!claim_word_.try_take())
            return false;
        fail(why);
        note_decided();
        return true;
    }

    void note_decided() noexcept
    {
        if ((progress_.fetch_or(decided, std::memory_order_acq_rel) & start_ended) != 0)
            deliver();
    }

    void forget_losers(wait_hub::deliveries state) noexcept
    {
        for (std::size_t i = 0; i < branch_count(); ++i)
            if (&branch(i) != winner_)
                branch(i).forget_branch(state);
    }

    claim claim_word_;
    std::atomic<unsigned char> progress_{0};
    select_branch* winner_ = nullptr;  // written by whoever has the claim
};

// Makes a branch of a queue operation.
template <class Waiter>
class select_branch_of final : public Waiter, public select_branch
{
public:
    select_branch_of(typename Waiter::arguments&& args, select_core& owner)
        : Waiter(std::move(args)), owner_(owner)
    {
        this->claim_ = &owner.claim_word();
    }

    [[nodiscard]] bool attempt() noexcept override
    {
        (void)Waiter::start(delivery::inline_if_ready, patience::gives_up);
        if (this->has_claim_ || (this->failed() && this->error() != errc::timed_out))
            return true;
        this->rearm();
        return false;
    }

    void line_up() noexcept override
    {
        (void)Waiter::start(delivery::always_posted, patience::waits);
    }

    void cancel_branch(error_code why) noexcept override { Waiter::cancel(why); }

    void finish_branch() noexcept override { Waiter::finish_delivery(); }

    void forget_branch(wait_hub::deliveries state) noexcept override
    {
        Waiter::forget(state);
    }

    [[nodiscard]] error_code branch_code() const noexcept override
    {
        return Waiter::code();
    }

    using select_branch::node;
    [[nodiscard]] waiter& node() noexcept override { return *this; }

private:
    void deliver() noexcept override { owner_.branch_decided(*this); }

    void orphan() noexcept override { orphaned_ = true; }

    void abandon() noexcept override { owner_.branch_abandoned(orphaned_); }

    select_core& owner_;
    bool orphaned_ = false;
};

}  // namespace sluice::detail
