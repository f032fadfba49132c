// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/intrusive/slist.hpp>

namespace sluice::detail {

// A function that a supervised task is to run, in memory that it knows itself.
class task_step : public boost::intrusive::slist_base_hook<
                      boost::intrusive::link_mode<boost::intrusive::normal_link>>
{
public:
    task_step(const task_step&) = delete;
    task_step& operator=(const task_step&) = delete;

    // Takes the function out, gives the memory back, and then calls or drops the function. Done
    // once; *this is gone.
    void complete(bool is_called) { complete_(*this, is_called); }

protected:
    explicit task_step(void (*completion)(task_step& self, bool is_called)) noexcept
        : complete_(completion)
    {
    }

    ~task_step() = default;

private:
    void (*const complete_)(task_step& self, bool is_called);
};

using task_steps = boost::intrusive::slist<
    task_step,
    boost::intrusive::constant_time_size<false>,
    boost::intrusive::cache_last<true>>;

}  // namespace sluice::detail
