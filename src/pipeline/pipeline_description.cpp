// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/pipeline_description.hpp>

#include <cstddef>
#include <span>

namespace sluice::pipeline {

namespace {

// The name at the place of an enumerator; for what is none, "unknown".
template <class Enum>
const char* name_of(Enum value, std::span<const char* const> names) noexcept
{
    const auto index = static_cast<std::size_t>(value);
    return index < names.size() ? names[index] : "unknown";
}

}  // namespace

const char* to_string(error_action action) noexcept
{
    static constexpr const char* names[] = {"fail", "skip", "to"};
    return name_of(action, names);
}

const char* to_string(queue_type type) noexcept
{
    static constexpr const char* names[] =
        {"fifo", "shuffle", "priority", "padding", "redis"};
    return name_of(type, names);
}

const char* to_string(acknowledgement when) noexcept
{
    static constexpr const char* names[] = {"written", "taken"};
    return name_of(when, names);
}

}  // namespace sluice::pipeline

const char* sluice::to_string(overflow rule) noexcept
{
    static constexpr const char* names[] = {"wait", "drop_oldest", "drop_newest"};
    return pipeline::name_of(rule, names);
}
