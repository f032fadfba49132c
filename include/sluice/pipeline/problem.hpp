// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

/// One mistake in a description, with its place and the remedy.
struct problem
{
    /// The line of the file, from 1; 0 if the place is not in the file (an override).
    std::size_t line = 0;

    /// Where in the document, as a JSON pointer (RFC 6901); "" is the document itself.
    std::string pointer = {};

    /// What is there, such as `"fivo"` or "a string".
    std::string found = {};

    /// What should be there, such as "fifo, shuffle or priority".
    std::string expected = {};

    /// The nearest known name for a misspelt one, or another remedy; may be empty.
    std::string hint = {};

    /// Equal in all members.
    friend bool operator==(const problem&, const problem&) = default;
};

/// The problem in one line: `line 4, /queues/lines/type: found "fivo", expected fifo, ...;
/// did you mean "fifo"?`
[[nodiscard]] std::string to_string(const problem& mistake);

/// A description that cannot be run. It carries all mistakes that were found.
class description_error : public std::runtime_error
{
public:
    /// Takes at least one problem; what() lists them, a line each.
    explicit description_error(std::vector<problem> problems);

    /// In the order of the file.
    [[nodiscard]] const std::vector<problem>& problems() const noexcept
    {
        return problems_;
    }

private:
    std::vector<problem> problems_;
};

/// The name out of `known` that `name` is most likely meant to be; empty if none is near.
[[nodiscard]] std::string nearest_name(
    std::string_view name,
    const std::vector<std::string>& known
);

}  // namespace sluice::pipeline
