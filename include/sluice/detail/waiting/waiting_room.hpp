// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/wait_hub.hpp>

namespace sluice::detail {

// A hub whose waiters take nothing from each other: all for which the change has come go on, in the
// order in which they began to wait, and a cancellation has nothing to give back.
template <class Hub>
class waiting_room : public Hub
{
protected:
    using typename Hub::critical_section;

public:
    [[nodiscard]] bool start(waiter& target, delivery how, wait_mode mode) noexcept
        override
    {
        critical_section section(*this);
        if (Hub::append_unless_failed(waiters_, target, mode, section))
            serve(section);
        return Hub::conclude(target, how, mode, section);
    }

    // Ends all operations that wait.
    void cancel_all(error_code why) noexcept
    {
        const hub_ptr keep(this);  // what is delivered may have the last reference
        critical_section section(*this);
        section.end_in_pieces(waiters_, why);
    }

protected:
    ~waiting_room() override = default;

    // Whether what it waits for has come. Under the mutex.
    [[nodiscard]] virtual bool is_ready(const waiter& target) const noexcept = 0;

    void serve(critical_section& section) noexcept override
    {
        for (auto it = waiters_.begin(); it != waiters_.end();) {
            waiter& next = *it++;
            if (!is_ready(next))
                continue;
            if (next.try_claim())
                section.decide(next);
            else
                Hub::drop(next);
        }
    }

    void collect(const void* context, waiter_list& abandoned) noexcept override
    {
        // With its own context the hub dies for all waiters.
        Hub::collect_from(
            waiters_,
            context == Hub::home_context() ? nullptr : context,
            abandoned
        );
    }

    waiter_list waiters_;  // guarded by the mutex
};

}  // namespace sluice::detail
