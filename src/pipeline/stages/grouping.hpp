// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/statistics.hpp"
#include <sluice/pipeline/json_value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// Values that are equal in some fields.
struct group
{
    std::uint64_t count = 0;
    std::vector<numbers> fields;  // for each of "of"

    // How many numbers it keeps one by one.
    [[nodiscard]] std::size_t kept() const noexcept;
};

// How groups are put to disk, and added.
struct group_form
{
    using value = group;

    void append(const group& written, std::string& out) const;
    [[nodiscard]] group take(std::string_view bytes) const;

    // Throws if it would keep more numbers than are allowed.
    std::size_t add(group& to, group&& from) const;

    std::uint64_t most_kept;  // numbers in one group
};

// What a group with too many numbers is answered with. The name may be empty.
[[noreturn]] void fail_with_too_many_numbers(
    std::uint64_t most_kept,
    std::string_view name = {}
);

struct grouping_options
{
    std::vector<std::string> by;
    std::vector<std::string> of;
    std::vector<std::string> compute = {"sum", "mean", "min", "max"};
    std::vector<std::string> top_in;
    std::string top_by = "count";
};

// Which group a value belongs to, what of it counts there, and what is given of a group.
class grouping
{
public:
    // Throws option_error.
    explicit grouping(const grouping_options& options);

    // The values of the fields "by" as a JSON array.
    [[nodiscard]] std::string key_of(json_value& value) const;

    // The numbers of the fields "of"; null where there is none. Throws std::runtime_error if
    // there is something else.
    [[nodiscard]] std::vector<const json_value*> numbers_of(json_value& value) const;

    // Adds what numbers_of() has found. Returns how many bytes more the group takes.
    std::size_t add(const std::vector<const json_value*>& found, group& to) const;

    // Whether groups keep numbers one by one.
    [[nodiscard]] bool keeps_all() const noexcept { return keeps_all_; }

    // The object that is given.
    [[nodiscard]] json_value result_of(const std::string& key, group& its_group) const;

    // Where a result is among the others: bytes in the order in which results are given.
    [[nodiscard]] std::string rank_of(const json_value& result, std::string_view key)
        const;

    // The beginning of a rank that is the same for all results that compete.
    [[nodiscard]] static std::string_view place_in(std::string_view rank);

private:
    [[nodiscard]] std::vector<std::string> computed_names() const;
    void check_names() const;

    const grouping_options options_;
    const std::vector<field_path> by_;
    const std::vector<field_path> of_;
    std::vector<statistic> statistics_;
    bool keeps_all_ = false;  // for quantiles
};

}  // namespace sluice::pipeline
