// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/statistics.hpp"
#include <sluice/pipeline/json_value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// Values that are equal in some fields. What has the highest rank comes first, and in the order of
// keys what has the same.
struct group
{
    // Returns how many bytes more it takes.
    std::size_t add(group&& other);

    template <class Entry>
    [[nodiscard]] static bool comes_before(const Entry& a, const Entry& b);

    std::uint64_t count = 0;
    std::vector<numbers> fields;  // for each of "of"
    double rank = 0;              // among those of one place
};

struct grouping_options
{
    std::vector<std::string> by;
    std::vector<std::string> of;
    std::vector<std::string> compute = {"sum", "mean", "min", "max"};
    std::vector<std::string> top_in;
    std::string top_by = "count";
};

// Which group a value belongs to, what of it counts there, and what is given of a group.
// A field that is a number; empty where there is none.
struct found_number
{
    value_view value;
    std::optional<pipeline::number> number;
};

class grouping
{
public:
    // Throws option_error.
    explicit grouping(const grouping_options& options);

    // Finds what counts of a value, for one worker.
    class reader
    {
    public:
        // The grouping must outlive it.
        explicit reader(const grouping& of);

        // Throws std::runtime_error if a field of "of" is no number.
        void read(const element& value);

        // Of the last value: the fields "top_in" as JSON, which is its place, and "by" as an array.
        [[nodiscard]] const std::string& key() const noexcept { return key_; }

        // Of the last value, which must still be there: the fields "of".
        [[nodiscard]] const std::vector<found_number>& numbers() const noexcept
        {
            return numbers_;
        }

    private:
        void find_key(const element& value);

        const grouping& of_;
        std::vector<field_finder> by_;
        std::vector<field_finder> numbers_in_;
        std::string key_;
        std::vector<found_number> numbers_;
    };

    // Adds what a reader has found. Returns how many bytes more the group takes.
    std::size_t add(const std::vector<found_number>& found, group& to) const;

    // Whether groups keep numbers one by one.
    [[nodiscard]] bool keeps_all() const noexcept { return keeps_all_; }

    // The object that is given.
    [[nodiscard]] json_value result_of(const std::string& key, group& its_group) const;

    // What groups of one place are ranked by.
    [[nodiscard]] double rank_of(group& its_group) const;

    // The beginning of a key that is the same for all groups that compete. Nothing in JSON is a
    // null character, which ends it.
    [[nodiscard]] static std::string_view place_in(std::string_view key) noexcept
    {
        return key.substr(0, key.find('\0') + 1);
    }

private:
    [[nodiscard]] std::vector<std::string> computed_names() const;
    void check_names();

    const grouping_options options_;
    const std::vector<field_path> by_;
    const std::vector<field_path> of_;
    std::vector<std::size_t> places_;  // the indices in by_ of "top_in"
    std::vector<statistic> statistics_;
    std::size_t top_by_ = 0;  // its index in computed_names()
    bool keeps_all_ = false;  // for quantiles
};

template <class Entry>
bool group::comes_before(const Entry& a, const Entry& b)
{
    const std::string_view place = grouping::place_in(a.first);
    const std::string_view other = grouping::place_in(b.first);
    if (place != other)
        return place < other;
    return a.second.rank != b.second.rank ? a.second.rank > b.second.rank
                                          : a.first < b.first;
}

}  // namespace sluice::pipeline
