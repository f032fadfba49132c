// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/loss_watch.hpp>

#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <algorithm>
#include <utility>

namespace sluice::redis::detail {
namespace {

std::string counted(std::uint64_t elements)
{
    return std::to_string(elements) + (elements == 1 ? " element" : " elements");
}

}  // namespace

bool loss_watch::on_opened(
    std::string_view base,
    std::uint64_t lost,
    std::size_t size
) noexcept
try {
    const bool is_first = base_.empty();
    const bool is_anew = !is_first && base_ != base;
    base_ = base;
    if (!is_first && !is_anew)
        return on_status(size_, lost);
    lost_ = lost;
    // If it still has the old base, the answer is older than the deletion.
    const bool is_on_purpose = std::exchange(is_being_deleted_, false);
    if (is_first)
        return false;
    const std::size_t had = std::exchange(size_, size);
    if (!is_on_purpose)
        losses_.what = std::string(of_) + " was deleted on the server, " +
                       (had > size ? "with up to " + counted(had - size) + ", " : "") +
                       "and has been created again";
    return false;
} catch (...) {
    return false;  // without memory for a text
}

bool loss_watch::on_status(
    std::size_t size,
    std::uint64_t lost,
    std::string_view base
) noexcept
{
    if (std::exchange(looks_for_it_, false) && base == base_)
        is_being_deleted_ = false;
    size_ = size;
    if (lost <= lost_)
        return false;
    note(lost - std::exchange(lost_, lost));
    return true;
}

void loss_watch::note(std::uint64_t elements) noexcept
{
    losses_.elements += elements;
    try {
        losses_.what = std::string(of_) + ": the server has lost " + counted(elements) +
                       (elements == losses_.elements
                            ? std::string()
                            : ", " + std::to_string(losses_.elements) + " in all");
        news_ = {
            errc::elements_lost,
            std::make_exception_ptr(system_error(errc::elements_lost, losses_.what))
        };
    } catch (...) {
        news_ = {errc::elements_lost};  // without memory for the text
    }
}

void loss_watch::on_acknowledged(std::size_t count) noexcept
{
    size_ -= std::min(size_, count);
}

failure_reason loss_watch::take_news() noexcept
{
    return std::exchange(news_, {});
}

}  // namespace sluice::redis::detail
