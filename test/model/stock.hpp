// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_settings.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace sluice::model {

// Why: queues differ in the order in which elements leave, and in how many may leave. This
// says it for all of them, with a vector that is searched and shifted at will.

/// What a queue has stored.
class stock
{
public:
    explicit stock(const queue_settings& settings)
        : kind_(settings.kind), min_after_dequeue_(settings.min_after_dequeue)
    {
        if (kind_ == queue_kind::shuffle)  // this is by far the dearest part
            random_.emplace(settings.seed);
    }

    [[nodiscard]] const std::vector<int>& elements() const { return elements_; }

    [[nodiscard]] std::size_t size() const { return elements_.size(); }

    /// How many may leave now: a shuffle queue keeps a minimum while it is open.
    [[nodiscard]] std::size_t available(bool closed) const
    {
        if (kind_ != queue_kind::shuffle || closed)
            return size();
        return size() - std::min(size(), min_after_dequeue_);
    }

    void add(int element)
    {
        auto place = elements_.end();
        if (kind_ == queue_kind::priority)
            place = std::upper_bound(elements_.begin(), place, element, by_rank());
        elements_.insert(place, element);
    }

    [[nodiscard]] int take()
    {
        auto leaving = elements_.begin();
        if (kind_ == queue_kind::shuffle) {
            // one draw per element, and the last fills the hole
            leaving = elements_.end() - 1;
            std::swap(elements_[(*random_)() % size()], *leaving);
        }
        const int element = *leaving;
        elements_.erase(leaving);
        return element;
    }

    /// Elements go back to the front, in order; in front of their equals, if ranked.
    void put_back(const std::vector<int>& taken)
    {
        for (auto last = taken.rbegin(); last != taken.rend(); ++last)
            put_back(*last);
    }

    void clear() { elements_.clear(); }

private:
    void put_back(int element)
    {
        auto place = elements_.begin();
        if (kind_ == queue_kind::shuffle)
            place = elements_.end();  // anywhere will do, but always the same
        else if (kind_ == queue_kind::priority)
            place = std::lower_bound(place, elements_.end(), element, by_rank());
        elements_.insert(place, element);
    }

    const queue_kind kind_;
    const std::size_t min_after_dequeue_;
    std::optional<std::mt19937_64> random_;
    std::vector<int> elements_;  // the next to leave first, unless shuffled
};

}  // namespace sluice::model
