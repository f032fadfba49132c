// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "soak/dice.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::schedules {

// Why: everything in a scenario that could have been otherwise, which handler comes first and
// how many elements there are, is a choice that is made, and can be made again.

/// Makes the choices of one run.
class schedule
{
public:
    schedule() = default;
    schedule(const schedule&) = delete;
    schedule& operator=(const schedule&) = delete;
    virtual ~schedule() = default;

    /// One of `count` possibilities, 0 to count - 1.
    virtual std::size_t choose(std::size_t count) = 0;
};

/// Chance, the same for the same seed.
class random_schedule final : public schedule
{
public:
    explicit random_schedule(std::uint64_t seed) : random_(seed) {}

    std::size_t choose(std::size_t count) override { return random_.below(count); }

private:
    soak::dice random_;
};

/// One run after the other, all that there are, the last choice varied first.
class every_schedule final : public schedule
{
public:
    std::size_t choose(std::size_t count) override
    {
        if (at_ == path_.size())
            path_.push_back({0, count});
        return path_[at_++].taken;
    }

    /// On to the next run; false if there is none.
    bool next()
    {
        at_ = 0;
        while (!path_.empty() && ++path_.back().taken == path_.back().count)
            path_.pop_back();
        return !path_.empty();
    }

private:
    struct choice
    {
        std::size_t taken;
        std::size_t count;
    };

    std::vector<choice> path_;
    std::size_t at_ = 0;
};

}  // namespace sluice::schedules
