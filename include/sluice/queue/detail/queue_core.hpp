// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>
#include <sluice/queue/detail/queue_lists.hpp>
#include <sluice/queue/queue_stats.hpp>
#include <sluice/queue_end.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// A critical section in which elements are dropped. They are destroyed before it ends, without the
// lock: whatever is told of the enqueue may destroy what those destructors use.
template <class T>
class dropping_section : public wait_hub::critical_section
{
public:
    using critical_section::critical_section;

    dropping_section(const dropping_section&) = delete;
    dropping_section& operator=(const dropping_section&) = delete;

    ~dropping_section()
    {
        if (!dropped.empty())
            without_lock([this] { dropped.destroy(); });
    }

    dropped_elements<T> dropped;
};

enum class sides : unsigned char
{
    producers,
    consumers,
    both
};

// The state machine of a queue: its mutex and the one state that it guards. It knows elements,
// waiters and closing, and nothing of executors or coroutines; tests drive it with waiters that
// write into a vector. The rules are in queue_lists.hpp.
//
//   open ──close──▶ closed ──▶ drained     elements and waiting producers leave first
template <class T, element_store<T> Store>
class queue_core final : public closable
{
    using lists = queue_lists<T, Store>;

public:
    using element_type = T;
    using batch_type = typename Store::batch_type;
    static constexpr bool whole_batches = Store::whole_batches;
    using producer = typename lists::producer;
    using consumer = typename lists::consumer;

    queue_core(Store store, const queue_limits& limits, std::string name)
        : lists_(std::move(store), limits), name_(std::move(name))
    {
    }

    // Throws if an option is outside its range.
    explicit queue_core(const typename Store::options_type& options)
        : queue_core(Store(options), limits_of(options), std::string(options.name))
    {
    }

    // The fast path: one element, no waiter -------------------------------------------------

    [[nodiscard, gnu::always_inline]] attempt try_push(T&& element) noexcept
    {
        return try_push_any(std::move(element));
    }

    [[nodiscard, gnu::always_inline]] attempt try_push(const T& element) noexcept
    {
        if constexpr (std::is_nothrow_copy_constructible_v<T>)
            return try_push_any(element);
        else
            return attempt::unclear;
    }

    [[nodiscard, gnu::always_inline]] attempt try_pop(std::optional<T>& element) noexcept
    {
        mutex_.lock();
        if (!lists_.is_quiet() || lists_.contents().available(false) == 0)
            return pop_and_unlock(element);
        const attempt tried = lists_.contents().pop(element);
        mutex_.unlock();
        return tried;
    }

    // Starting operations -------------------------------------------------------------------

    [[nodiscard]] bool try_start(waiter& w) noexcept override
    {
        if (is_dropping(w))
            return start_dropping(static_cast<producer&>(w));
        critical_section section(*this);
        return w.list_ == producer::list
                   ? lists_.try_begin(static_cast<producer&>(w), section)
                   : lists_.try_begin(static_cast<consumer&>(w), section);
    }

    [[nodiscard]] bool start(waiter& w, delivery how, wait_mode mode) noexcept override
    {
        if (is_dropping(w)) [[unlikely]]
            return start_dropping(static_cast<producer&>(w), how, mode);
        critical_section section(*this);
        const bool is_producer = w.list_ == producer::list;
        if (!is_producer && !w.failed())
            lists_.prepare(static_cast<consumer&>(w), section, mode);
        if (w.failed() && !has_last_attempt(w, mode))
            section.decide(w);
        else if (is_producer)
            lists_.begin(static_cast<producer&>(w), section);
        else
            lists_.begin(static_cast<consumer&>(w), section);
        if (mode == wait_mode::tries && w.is_waiting())
            lists_.cut_off(w, section);
        return conclude(w, how, mode, section);
    }

    // Places --------------------------------------------------------------------------------

    // Takes so many, or says why not. Strong.
    [[nodiscard]] error_code try_take_places(std::size_t count)
    {
        critical_section section(*this);
        return lists_.try_take_places(count, section);
    }

    // False if the queue is destroyed. Strong: if it throws, place and element are as before.
    [[nodiscard]] bool fill_place(T&& element)
    {
        critical_section section(*this);
        if (orphaned_)
            return false;
        lists_.contents().fill_place(std::move(element));
        lists_.serve(section);
        return true;
    }

    void free_places(std::size_t count) noexcept
    {
        critical_section section(*this);
        if (orphaned_)
            return;
        lists_.contents().free_places(count);
        lists_.serve(section);
    }

    // For a permit, which does not know the store: fills its place, or frees it if there is nothing
    // to fill it with.
    static void end_place(closable& queue, T* element)
    {
        auto& core = static_cast<queue_core&>(queue);
        if (element == nullptr)
            core.free_places(1);
        else
            (void)core.fill_place(std::move(*element));
    }

    // Loans ---------------------------------------------------------------------------------

    // What consumers have and may bring back: from now on there is room for `count` more. Strong.
    void lend(std::size_t count)
    {
        const std::lock_guard lock(mutex_);
        lists_.contents().lend(count, lists_.held_by_head());
        lists_.note_quiet();
    }

    void end_loan(std::size_t count) noexcept
    {
        const std::lock_guard lock(mutex_);
        lists_.contents().end_loan(count);
        lists_.note_quiet();
    }

    // Takes back what `Holder` has of a loan, to the front and in order, and ends the loan. In a
    // queue that is destroyed the elements stay with the holder.
    template <class Holder>
    void take_back(Holder& holder, std::size_t loan) noexcept
    {
        critical_section section(*this);
        lists_.contents().end_loan(loan);
        if (orphaned_)
            return;
        lists_.contents().take_back(holder);
        lists_.serve(section);
    }

    // What the program gets of a batch that was delivered. If that cannot be made, the elements
    // are as if the operation had been cancelled (S9). Otherwise they are gone for good.
    [[nodiscard]] batch_type make_batch(consumer& c)
    {
        if constexpr (lists::contents_type::makes_batches_safely) {
            return batch_type(std::move(c.batch()));
        } else {
            const std::size_t loan = c.held();
            try {
                batch_type made(std::move(c.batch()));
                end_loan(loan);
                return made;
            } catch (...) {
                take_back(c, loan);
                throw;
            }
        }
    }

    // Closing -------------------------------------------------------------------------------

    void close(const closing& how) noexcept override
    {
        const hub_ptr keep(this);  // what is delivered may have the last reference
        critical_section section(*this);
        lists_.close(how, section);
    }

    // Ends the operations that wait.
    void cancel_all(error_code why, sides whose = sides::both) noexcept
    {
        const hub_ptr keep(this);  // what is delivered may have the last reference
        critical_section section(*this);
        if (whose != sides::consumers)
            section.end_in_pieces(lists_.producers(), why);
        if (whose != sides::producers)
            section.end_in_pieces(lists_.consumers(), why);
        lists_.serve(section);
    }

    // The queue is being destroyed: resolves all waiters and destroys the elements.
    void shut_down() noexcept
    {
        std::optional<Store> discarded;  // destroyed after the lock is released
        critical_section section(*this);
        orphaned_ = true;
        lists_.contents().free_places(lists_.contents().places());  // nothing fills them
        lists_.close({close_mode::cancel_pending, closer::destructor}, section);
        while (section.is_cut_short()) {
            section.pause();
            lists_.serve(section);
        }
        discarded.emplace(lists_.contents().take_store());
    }

    // Memory --------------------------------------------------------------------------------

    // Drops all that is stored, and returns how many those are. Strong.
    std::size_t clear()
    {
        std::optional<decltype(lists_.contents().clear(0))>
            discarded;  // without the lock
        critical_section section(*this);
        const std::size_t count = lists_.contents().size();
        discarded.emplace(lists_.contents().clear(lists_.held_by_head()));
        lists_.serve(section);
        return count;
    }

    // Strong.
    void shrink_to_fit()
    {
        std::optional<decltype(lists_.contents().shrink_to_fit(0))>
            unused;  // destroyed without the lock
        const std::lock_guard lock(mutex_);
        unused.emplace(lists_.contents().shrink_to_fit(lists_.held_by_head()));
    }

    // Observers -----------------------------------------------------------------------------

    [[nodiscard]] std::size_t size() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return lists_.contents().size();
    }

    [[nodiscard]] std::size_t capacity() const noexcept
    {
        return lists_.contents().capacity();
    }

    [[nodiscard]] bool is_closed() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return lists_.record().is_closed();
    }

    [[nodiscard]] bool is_orphaned() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return orphaned_;
    }

    [[nodiscard]] closable::ending how_it_ended() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return {lists_.record().end(), lists_.contents().size()};
    }

    [[nodiscard]] const std::string& name() const noexcept override { return name_; }

    [[nodiscard]] std::string describe() const override
    {
        return "queue '" + name_ + "'";
    }

    [[nodiscard]] queue_stats stats() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return lists_.stats();
    }

    // 0 where nothing is weighed.
    [[nodiscard]] std::size_t weight() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return lists_.contents().weight();
    }

    // How many were dropped since construction.
    [[nodiscard]] std::uint64_t dropped() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return lists_.contents().dropped();
    }

private:
    // The fast path -------------------------------------------------------------------------

    // Moved from, or copied, only if there is room.
    template <class Element>
    [[gnu::always_inline]] attempt try_push_any(Element&& element) noexcept
    {
        mutex_.lock();
        if (!lists_.is_quiet() || lists_.contents().is_full())
            return push_and_unlock(std::forward<Element>(element));
        const attempt tried = lists_.contents().push(std::forward<Element>(element));
        mutex_.unlock();
        return tried;
    }

    // Something waits, or has to. Out of line, so that the fast path stays short.

    template <class Element>
    [[gnu::noinline]] attempt push_and_unlock(Element&& element) noexcept
    {
        const attempt possible = lists_.can_push();
        if (possible != attempt::done)
            return mutex_.unlock(), possible;
        critical_section section(*this, std::adopt_lock);
        return lists_.push(std::forward<Element>(element), section);
    }

    [[gnu::noinline]] attempt pop_and_unlock(std::optional<T>& element) noexcept
    {
        const attempt possible = lists_.can_pop();
        if (possible != attempt::done)
            return mutex_.unlock(), possible;
        critical_section section(*this, std::adopt_lock);
        return lists_.pop(element, section);
    }

    // Dropping ------------------------------------------------------------------------------

    // Whether it is an enqueue that does not wait, because what does not fit is dropped.
    [[nodiscard]] bool is_dropping(const waiter& w) const noexcept
    {
        return lists_.contents().drops() && w.list_ == producer::list &&
               !static_cast<const producer&>(w).asks_for_place();
    }

    [[gnu::noinline]] bool start_dropping(
        producer& p,
        delivery how = delivery::inline_if_ready,
        wait_mode mode = wait_mode::gives_up
    ) noexcept
    {
        dropping_section<T> section(*this);
        if (p.failed() && !has_last_attempt(p, mode))
            section.decide(p);
        else
            lists_.begin_dropping(p, section.dropped, section);
        return conclude(p, how, mode, section);
    }

    // As a hub ------------------------------------------------------------------------------

    void serve(critical_section& section) noexcept override { lists_.serve(section); }

    void withdraw(waiter& target) noexcept override { lists_.withdraw(target); }

    bool reclaim(waiter& target) noexcept override { return lists_.reclaim(target); }

    bool complete_in_part(waiter& target, critical_section& section) noexcept override
    {
        return lists_.complete_in_part(target, section);
    }

    [[nodiscard]] bool has_effect(const waiter& target) const noexcept override
    {
        return lists_.has_effect(target);
    }

    void collect(const void* context, waiter_list& abandoned) noexcept override
    {
        // With its own context the queue dies for all waiters.
        const void* const whose = context == home_context() ? nullptr : context;
        collect_from(lists_.producers(), whose, abandoned);
        collect_from(lists_.consumers(), whose, abandoned);
    }

    lists lists_;  // guarded by mutex_, but for the capacity and what follows of it
    const std::string name_;
    bool orphaned_ = false;  // guarded by mutex_
};

}  // namespace sluice::detail
