// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/detail/dropped_elements.hpp>
#include <sluice/queue/detail/queue_core.hpp>

#include <exception>
#include <string>
#include <utility>

namespace sluice::detail {

// A queue whose enqueues do not wait: what does not fit drops others, or is dropped. Only who
// asks for a place waits here; it takes what consumers make free, and an enqueue that comes while
// it waits needs nothing of that, so it does not overtake.
//
// Elements are dropped only here, when an enqueue comes, and only after consumers who wait have
// taken what they can. What is dropped is destroyed after the lock is released: a destructor may
// use the queue.
template <class T, element_store<T> Store>
class overflow_core final : public queue_core<T, Store>
{
    using base = queue_core<T, Store>;
    using typename base::critical_section;

    using base::append_and_serve;
    using base::begin;
    using base::closed_;
    using base::comes_in_weighed;
    using base::conclude;
    using base::consumers_;
    using base::contents_;
    using base::drop;
    using base::held_by_head;
    using base::producers_;
    using base::serve;

public:
    using typename base::producer;

    using base::base;

    [[nodiscard]] bool try_start(waiter& w) noexcept override
    {
        if (!brings_rows(w))
            return base::try_start(w);
        auto& p = static_cast<producer&>(w);
        dropped_elements<T> dropped;
        critical_section section(*this);
        // With others in the way start() says who goes first.
        if (closed_ || p.left() == 0 || !producers_.empty() ||
            (p.left() > 1 && !consumers_.empty()))
            return false;
        accept_all(p, dropped);
        serve(section);
        return true;
    }

    [[nodiscard]] bool start(waiter& w, delivery how, wait_mode mode) noexcept override
    {
        if (!brings_rows(w))
            return base::start(w, how, mode);
        auto& p = static_cast<producer&>(w);
        dropped_elements<T> dropped;
        critical_section section(*this);
        begin(p, mode, section);
        end_by_overflow(p, section, dropped);
        return conclude(p, how, mode, section);
    }

    void flush(producer& p) noexcept override
    {
        dropped_elements<T> dropped;
        critical_section section(*this);
        if (p.left() == 0)
            return;
        if (closed_)
            return p.fail(errc::queue_closed);
        append_and_serve(producers_, p, section);
        end_by_overflow(p, section, dropped);
        section.release(p);
        serve(section);
    }

private:
    [[nodiscard]] static bool brings_rows(const waiter& w) noexcept
    {
        return w.list_ == producer::list &&
               !static_cast<const producer&>(w).asks_for_place();
    }

    // Ends one that waits.
    void end_by_overflow(
        producer& p,
        critical_section& section,
        dropped_elements<T>& dropped
    ) noexcept
    {
        if (!p.is_waiting())
            return;
        if (!p.try_claim())
            return drop(p);
        accept_all(p, dropped);
        section.decide(p);
        serve(section);
    }

    // Whether it has succeeded or failed then.
    void accept_all(producer& p, dropped_elements<T>& dropped) noexcept
    {
        try {
            while (p.left() > 0)
                accept_some(p, dropped);
        } catch (...) {
            p.fail(errc::element_failed, std::current_exception());
        }
    }

    void accept_some(producer& p, dropped_elements<T>& dropped)
    {
        if (contents_.room() > 0 || comes_in_weighed(p))
            contents_.accept_rows(p, held_by_head());
        else if (contents_.limits().when_full == overflow::drop_oldest &&
                 contents_.size() > 0)
            contents_.drop_stored(dropped);
        else
            contents_.drop_row(p, dropped);
    }
};

// The core for these options. Throws if one of them is outside its range.
template <class T, element_store<T> Store>
[[nodiscard]] queue_core<T, Store>* make_queue_core(
    const typename Store::options_type& options
)
{
    const queue_limits limits = limits_of(options);
    Store store(options);
    std::string name(options.name);
    if (limits.when_full == overflow::wait)
        return new queue_core<T, Store>(std::move(store), limits, std::move(name));
    return new overflow_core<T, Store>(std::move(store), limits, std::move(name));
}

}  // namespace sluice::detail
