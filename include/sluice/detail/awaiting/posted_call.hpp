// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <utility>

namespace sluice::detail {

// What is posted to an executor for an object that waits for it: calls run_posted() of the
// object, or, if the executor drops it uncalled, drop_posted(). Each happens once, and the object
// may be gone afterwards.
//
// One class for all of them, so that what an executor makes of a function is compiled once, and
// not for each type of operation and handler.
class posted_call
{
public:
    template <class Target>
    explicit posted_call(Target* target) noexcept : target_(target), end_(&end_of<Target>)
    {
    }

    posted_call(posted_call&& other) noexcept
        : target_(std::exchange(other.target_, nullptr)), end_(other.end_)
    {
    }

    posted_call& operator=(posted_call&&) = delete;

    ~posted_call()
    {
        if (target_ != nullptr)
            end_(target_, false);
    }

    void operator()() { end_(std::exchange(target_, nullptr), true); }

private:
    template <class Target>
    static void end_of(void* target, bool is_called)
    {
        if (is_called)
            static_cast<Target*>(target)->run_posted();
        else
            static_cast<Target*>(target)->drop_posted();
    }

    void* target_;  // null once it was moved from or called
    void (*end_)(void* target, bool is_called);
};

}  // namespace sluice::detail
