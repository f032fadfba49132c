// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/stages/in_steps.hpp"
#include "pipeline/stages/memory_option.hpp"
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// What all workers of a stage have of each key, in limited memory.
/*
 * Each worker fills a table of its own, and calls leave() at its end. When all have left there is
 * unite(), then rank(), and then next() while has_next().
 *
 * A Total has add(Total&&), which returns how many bytes outside of its own the sum takes more;
 * and a static comes_before(), which compares two entries.
 *
 * Errors: those of fail_beyond_memory(). Thread safety: several workers at a time, until unite().
 */
template <class Total>
class keyed_totals
{
public:
    // So that a key need not be a std::string to be found.
    struct hash
    {
        using is_transparent = void;

        [[nodiscard]] std::size_t operator()(std::string_view key) const noexcept
        {
            return std::hash<std::string_view>()(key);
        }
    };

    using map = boost::unordered_flat_map<std::string, Total, hash, std::equal_to<>>;
    using entry = typename map::value_type;

    // What one worker has. Throws if all tables together take more than the memory.
    class table
    {
    public:
        explicit table(keyed_totals& totals) : totals_(&totals) {}

        // What belongs to the key, made if there is nothing.
        [[nodiscard]] Total& operator[](std::string_view key)
        {
            if (const auto found = map_.find(key); found != map_.end())
                return found->second;
            const auto made = map_.try_emplace(std::string(key)).first;
            grow(bytes_of(made->first));
            return made->second;
        }

        // Tells that totals take more memory than their size says.
        void grow(std::size_t bytes)
        {
            outside_ += bytes;
            totals_->check(*this);
        }

    private:
        friend class keyed_totals;

        // What the allocator takes for a text that does not fit into its string.
        [[nodiscard]] static std::size_t bytes_of(const std::string& text) noexcept
        {
            constexpr std::size_t of_allocator = 24;
            return text.capacity() < sizeof text / 2 ? 0 : text.capacity() + of_allocator;
        }

        // A table that is full is there twice while it grows. Later all entries are ranked.
        [[nodiscard]] std::size_t bytes() const noexcept
        {
            constexpr std::size_t slot_size = sizeof(entry) + 2;
            const std::size_t slots = map_.bucket_count() * slot_size;
            const bool is_full = map_.size() == map_.max_load();
            return outside_ + (is_full ? 3 * slots : slots) +
                   map_.size() * sizeof(entry*);
        }

        keyed_totals* totals_;
        map map_;
        std::size_t outside_ = 0;  // bytes of keys and totals outside of map_
        std::size_t told_bytes_ = 0;
        std::size_t told_keys_ = 0;
    };

    explicit keyed_totals(std::uint64_t memory, const char* advice = sort_first)
        : memory_(memory), advice_(advice)
    {
    }

    void leave(table&& own)
    {
        const std::lock_guard lock(mutex_);
        tables_.push_back(std::move(own));
        // The largest one gets what the others have.
        if (tables_.back().map_.size() > tables_.front().map_.size())
            std::swap(tables_.front(), tables_.back());
    }

    // Brings the tables of all workers together.
    [[nodiscard]] boost::asio::awaitable<void> unite(stage_context& context)
    {
        while (tables_.size() > 1) {
            table& to = tables_.front();
            table& from = tables_.back();
            auto next = from.map_.begin();
            co_await in_steps(context, [&to, &from, &next] {
                for (std::size_t i = 0; i < step_size && next != from.map_.end();
                     ++i, ++next) {
                    Total& total = to[next->first];
                    to.grow(total.add(std::move(next->second)));
                }
                return next != from.map_.end();
            });
            tell(from, 0, 0);
            tables_.pop_back();
        }
    }

    // Puts them in order, of which the first `most` are given; 0: all. Before that `prepare` is
    // called with each total.
    template <class Prepare>
    [[nodiscard]] boost::asio::awaitable<void> rank(
        stage_context& context,
        std::size_t most,
        Prepare prepare
    )
    {
        if (tables_.empty() || tables_.front().map_.empty())
            co_return;
        left_ = most == 0 ? std::numeric_limits<std::size_t>::max() : most;
        map& all = tables_.front().map_;
        order_.reserve(all.size());
        auto next = all.begin();
        co_await in_steps(context, [this, &all, &next, &prepare] {
            const std::size_t count = std::min(step_size, all.size() - order_.size());
            for (std::size_t i = 0; i < count; ++i, ++next) {
                prepare(next->second);
                order_.push_back(&*next);
            }
            entry** const end = order_.data() + order_.size();
            std::sort(end - count, end, comes_before);
            chunks_.push_back({end - count, end});
            std::push_heap(chunks_.begin(), chunks_.end(), chunk_comes_after);
            return next != all.end();
        });
    }

    [[nodiscard]] bool has_next() const noexcept
    {
        return left_ != 0 && !chunks_.empty();
    }

    // @pre has_next()
    [[nodiscard]] entry& next()
    {
        std::pop_heap(chunks_.begin(), chunks_.end(), chunk_comes_after);
        chunk& from = chunks_.back();
        entry& first = **from.next++;
        if (from.next == from.end)
            chunks_.pop_back();
        else
            std::push_heap(chunks_.begin(), chunks_.end(), chunk_comes_after);
        --left_;
        return first;
    }

private:
    // How many entries are worked on in one step, after which a stop is heeded.
    static constexpr std::size_t step_size = 16 * 1024;

    // Of order_, sorted: what is left of it.
    struct chunk
    {
        entry** next;
        entry** end;
    };

    [[nodiscard]] static bool comes_before(const entry* a, const entry* b)
    {
        return Total::comes_before(*a, *b);
    }

    [[nodiscard]] static bool chunk_comes_after(const chunk& a, const chunk& b)
    {
        return comes_before(*b.next, *a.next);
    }

    void check(table& own)
    {
        const std::size_t bytes = own.bytes();
        if (bytes == own.told_bytes_)
            return;
        tell(own, bytes, own.map_.size());
        if (bytes_.load(std::memory_order_relaxed) > memory_)
            fail_beyond_memory(memory_, keys_.load(std::memory_order_relaxed), advice_);
    }

    // What this table takes, for the sums of all. They wrap around when it has become smaller.
    void tell(table& own, std::size_t bytes, std::size_t keys) noexcept
    {
        bytes_.fetch_add(
            bytes - std::exchange(own.told_bytes_, bytes),
            std::memory_order_relaxed
        );
        keys_.fetch_add(
            keys - std::exchange(own.told_keys_, keys),
            std::memory_order_relaxed
        );
    }

    const std::uint64_t memory_;
    const char* const advice_;
    std::atomic<std::size_t> bytes_ = 0;  // of all tables
    std::atomic<std::size_t> keys_ = 0;   // of all tables
    std::mutex mutex_;
    std::vector<table>
        tables_;  // of workers that have left; guarded by mutex_ until unite()
    std::vector<entry*> order_;  // all of them, in sorted chunks
    std::vector<chunk> chunks_;  // a heap: the one with the first entry is in front
    std::size_t left_ = 0;       // how many are wanted
};

}  // namespace sluice::pipeline
