// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/producer_name.hpp>

#include "redis/command.hpp"

#include <random>
#include <utility>

namespace sluice::redis::detail {
namespace {

std::string random_client()
{
    std::random_device device;
    std::string text = "p:" + std::to_string(device());
    for (int i = 0; i < 3; ++i)
        text += '-' + std::to_string(device());
    return text;
}

}  // namespace

producer_name::producer_name(std::string_view name)
    : name_(name), process_(random_client())
{
}

void producer_name::write_opening(command& text)
{
    opening_ = process_ + '#' + std::to_string(++openings_);
    text.add(name_);
    text.add(opening_);
    text.add(replaced_);
}

void producer_name::write(command& text) const
{
    if (!empty())
        text.add(name_);
    text.add(empty() ? process_ : opening_);
}

void producer_name::number(remote_producer& target) noexcept
{
    if (target.number == 0)
        target.number = ++last_number_;
}

producer_name::standing producer_name::on_opened(
    std::string_view owner,
    std::uint64_t last
) noexcept
{
    if (!is_wanted())
        return standing::held;
    try {
        replaced_ = owner;
    } catch (...) {
        // without memory; it is told again
    }
    const bool is_own = owner.substr(0, owner.rfind('#')) == process_;
    if (is_held_ && (!is_own || last < last_added_))
        return is_own || owner.empty() ? standing::forgotten : standing::taken;
    // Of its own it may be an earlier one, whose answer was lost.
    const bool is_this = owner == opening_;
    is_held_ = is_held_ || is_this;
    return is_this ? standing::held : standing::not_yet;
}

void producer_name::fence(failure_reason why) noexcept
{
    fenced_ = std::move(why);
}

}  // namespace sluice::redis::detail
