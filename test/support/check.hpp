// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {

// Why: a helper that fails must name the line of the test that called it, may be used from
// any thread (Boost.Test's own assertions may not), and must itself be testable.

/// Fail the running test with this message, at the caller's line. Any thread.
void fail(
    std::string_view message,
    std::source_location where = std::source_location::current()
);

/// Count an assertion; fail with the message unless it passed. Returns `passed`.
bool check(
    bool passed,
    std::string_view message,
    std::source_location where = std::source_location::current()
);

/// While it lives, failures reported by `fail` and `check` land here, not in the test.
/**
 * For tests of helpers: act inside the block, then look at what was reported. The innermost
 * living object receives; objects must be destroyed in the reverse order of construction.
 */
class captured_failures
{
public:
    captured_failures();
    captured_failures(const captured_failures&) = delete;
    captured_failures& operator=(const captured_failures&) = delete;
    ~captured_failures();

    [[nodiscard]] std::size_t count() const;

    /// Whether the message of some failure contains the text.
    [[nodiscard]] bool mention(std::string_view text) const;

    /// The source lines that were blamed, in order.
    [[nodiscard]] std::vector<unsigned> lines() const;

private:
    friend void fail(std::string_view, std::source_location);

    void add(std::string_view message, std::source_location where);

    captured_failures* outer_;           // guarded by the mutex in check.cpp
    std::vector<std::string> messages_;  // guarded by the mutex in check.cpp
    std::vector<unsigned> lines_;        // guarded by the mutex in check.cpp
};

}  // namespace sluice::test
