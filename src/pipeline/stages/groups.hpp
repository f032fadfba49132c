// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/stages/statistics.hpp"
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// What there is of all elements that have the same key.
struct group
{
    std::uint64_t count = 0;
    std::unique_ptr<numbers[]>
        fields;  // one for each of groups_options::fields; null: none
};

struct groups_options
{
    std::uint64_t memory = 0;
    std::size_t fields = 0;      // so many numbers of an element count
    bool keeps_numbers = false;  // all of them, one by one
    std::size_t top = 0;         // so many are given; 0: all
    // So many of each place. That is the beginning of a key up to its first null character.
    bool has_places = false;
};

// The groups of all workers of a stage, in limited memory.
/*
 * Each worker fills a table of its own, and calls leave() at its end. When all have left there is
 * unite(), then rank(), and then next() until it gives null.
 *
 * Errors: std::runtime_error if all tables together take more than the memory. Thread safety:
 * several workers at a time, until unite().
 */
class groups
{
public:
    // Its keys are in the table, side by side.
    using map =
        boost::unordered_flat_map<std::string_view, group, std::hash<std::string_view>>;
    using entry = map::value_type;

    // What one worker has.
    class table
    {
    public:
        explicit table(groups& all) : all_(&all) {}

        // The group of a key; null if there is none.
        [[nodiscard]] group* find(std::string_view key)
        {
            const auto found = map_.find(key);
            return found != map_.end() ? &found->second : nullptr;
        }

        // Made if there is none.
        [[nodiscard]] group& at(std::string_view key)
        {
            group* const found = find(key);
            return found != nullptr ? *found : make(key);
        }

        // Adds an element, of which these numbers count, to a group.
        void add(group& to, std::span<const found_number> found)
        {
            ++to.count;
            if (!found.empty())
                add_numbers(found, to);
        }

    private:
        friend class groups;

        group& make(std::string_view key);
        [[nodiscard]] std::string_view keep(std::string_view key);
        void add_numbers(std::span<const found_number> found, group& to);
        void add(entry& other);
        [[nodiscard]] std::size_t bytes() const noexcept;

        groups* all_;
        map map_;
        std::vector<std::string> texts_;  // of keys, side by side; none moves
        std::size_t outside_ = 0;         // bytes of keys and numbers
        std::size_t told_bytes_ = 0;
        std::size_t told_keys_ = 0;
    };

    explicit groups(const groups_options& options) : options_(options) {}

    void leave(table&& own);

    // Brings the tables of all workers together.
    [[nodiscard]] boost::asio::awaitable<void> unite(stage_context& context);

    // Puts them in order: by their places, then by what the function gives, the largest first, then
    // by their keys.
    [[nodiscard]] boost::asio::awaitable<void> rank(
        stage_context& context,
        std::function<long double(group&)> rank_of
    );

    // The next one in order. Null at the end.
    [[nodiscard]] entry* next();

private:
    struct ranked
    {
        double rank;  // the nearest one; comes_before() asks for the rest
        entry* of;
    };

    // Of order_, sorted: what is left of it.
    struct chunk
    {
        ranked* next;
        ranked* end;
    };

    [[nodiscard]] std::string_view place_of(std::string_view key) const noexcept
    {
        return options_.has_places ? key.substr(0, key.find('\0') + 1) : "";
    }

    [[nodiscard]] bool comes_before(const ranked& a, const ranked& b) const;
    [[nodiscard]] auto chunk_comes_after() const
    {
        return [this](const chunk& a, const chunk& b) {
            return comes_before(*b.next, *a.next);
        };
    }

    [[nodiscard]] entry& pop();
    void check(table& own);
    void tell(table& own, std::size_t bytes, std::size_t keys) noexcept;

    const groups_options options_;
    std::atomic<std::size_t> bytes_ = 0;  // of all tables
    std::atomic<std::size_t> keys_ = 0;   // of all tables
    std::mutex mutex_;
    // Of workers that have left; guarded by mutex_ until unite().
    std::vector<table> tables_;
    std::function<long double(group&)> rank_of_;
    std::vector<ranked> order_;  // all of them, in sorted chunks
    std::vector<chunk> chunks_;  // a heap: the one with the first entry is in front
    std::string_view place_;     // of the last one that came
    std::size_t given_ = 0;      // how many of that place have come
};

}  // namespace sluice::pipeline
