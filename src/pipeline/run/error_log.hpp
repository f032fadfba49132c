// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// The elements that a runner has left out: how many, and why the first ones. The workers add,
// any thread reads.
class error_log
{
public:
    void add(std::string reason)
    {
        const std::lock_guard lock(mutex_);
        ++count_;
        if (first_.size() < most_kept)
            first_.push_back(std::move(reason));
    }

    [[nodiscard]] std::uint64_t count() const
    {
        const std::lock_guard lock(mutex_);
        return count_;
    }

    [[nodiscard]] std::vector<std::string> first() const
    {
        const std::lock_guard lock(mutex_);
        return first_;
    }

private:
    static constexpr std::size_t most_kept = 3;

    mutable std::mutex mutex_;
    std::uint64_t count_ = 0;         // guarded by mutex_
    std::vector<std::string> first_;  // guarded by mutex_
};

}  // namespace sluice::pipeline
