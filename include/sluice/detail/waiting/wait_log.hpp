// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/sync/mutex.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <boost/intrusive/list.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace sluice::detail {

// What the operations of one supervised task wait on right now (P9).
class wait_log
{
public:
    using clock = std::chrono::steady_clock;

    void begin(waiter& operation) noexcept
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(operation);
        since_ = clock::now();
    }

    void end(waiter& operation) noexcept
    {
        const std::lock_guard lock(mutex_);
        operation.log_hook::unlink();
        const clock::time_point now = clock::now();
        if (operation.hub_ != nullptr)
            if (wait_times* const times = operation.hub_->kept_wait_times())
                times->add(operation.list_, now - since_);
        since_ = now;
    }

    // All operations that wait, in words; empty if there is none.
    [[nodiscard]] std::string describe() const
    {
        const std::lock_guard lock(mutex_);
        return describe_all();
    }

    // The same for a monitor, with the hubs, at one moment.
    struct reading
    {
        struct place
        {
            hub_ptr hub;  // which its waiter keeps alive until here; null for a select
            unsigned char list;
        };

        std::string text;
        std::vector<place> places;
        clock::time_point since;
    };

    [[nodiscard]] reading read() const
    {
        const std::lock_guard lock(mutex_);
        reading result;
        for (const waiter& operation : waiting_)
            result.places.push_back({operation.hub_, operation.list_});
        result.text = describe_all();
        result.since = since_;
        return result;
    }

    // When the last wait began or ended.
    [[nodiscard]] clock::time_point since() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return since_;
    }

private:
    [[nodiscard]] std::string describe_all() const
    {
        std::string text;
        for (const waiter& operation : waiting_)
            text += (text.empty() ? "" : ", ") + operation.describe();
        return text;
    }

    mutable mutex mutex_;
    boost::intrusive::list<
        waiter,
        boost::intrusive::base_hook<log_hook>,
        boost::intrusive::constant_time_size<false>>
        waiting_;
    clock::time_point since_ = clock::now();
};

}  // namespace sluice::detail
