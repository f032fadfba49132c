// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element_key.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// The keys of elements that came into their queue together and have consecutive numbers.
struct key_run
{
    element_key first;
    std::uint64_t count = 1;

    friend bool operator==(const key_run&, const key_run&) = default;
};

// These keys, all different, as runs.
[[nodiscard]] std::vector<key_run> runs_of(std::vector<element_key> keys);

// Runs as one word, such as "1767225600000:1+32,1767225600007:40+1", and back. Throws
// std::runtime_error for what is no such word.
[[nodiscard]] std::string to_text(const std::vector<key_run>& runs);
[[nodiscard]] std::vector<key_run> runs_from(std::string_view text);

// A set of keys. What was enqueued together takes one entry, about 64 bytes.
class key_set
{
public:
    // Adds those of a run, none of which is there.
    void add(const key_run& run);

    // O(log n) in the number of entries, as add().
    [[nodiscard]] bool contains(element_key key) const;

    [[nodiscard]] std::size_t entries() const noexcept { return counts_.size(); }

private:
    std::map<element_key, std::uint64_t> counts_;  // of runs, by their first keys
};

}  // namespace sluice::pipeline
