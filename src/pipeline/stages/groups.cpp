// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/groups.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

// How many entries are worked on in one step, after which a stop is heeded.
constexpr std::size_t step_size = 16 * 1024;

}  // namespace

group& groups::table::make(std::string_view key)
{
    group& made = map_[keep(key)];
    const std::size_t fields = all_->options_.fields;
    if (fields != 0)
        made.fields = std::make_unique<numbers[]>(fields);
    outside_ += fields * sizeof(numbers);
    all_->check(*this);
    return made;
}

std::string_view groups::table::keep(std::string_view key)
{
    constexpr std::size_t least = 1024;  // more than a string has in itself
    constexpr std::size_t most = 64 * 1024;
    if (texts_.empty() || texts_.back().capacity() - texts_.back().size() < key.size()) {
        const std::size_t usual_size = std::clamp(outside_, least, most);
        texts_.emplace_back().reserve(std::max(usual_size, key.size()));
        outside_ += texts_.back().capacity();
    }
    const std::size_t begin = texts_.back().size();
    return std::string_view(texts_.back().append(key)).substr(begin);
}

void groups::table::add_numbers(std::span<const found_number> found, group& to)
{
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].number) {
            outside_ -= to.fields[i].bytes();
            to.fields[i].add(found[i], all_->options_.keeps_numbers);
            outside_ += to.fields[i].bytes();
        }
    all_->check(*this);
}

// What another worker has of a key.
void groups::table::add(entry& other)
{
    group& to = at(other.first);
    to.count += other.second.count;
    for (std::size_t i = 0; i < all_->options_.fields; ++i) {
        outside_ -= to.fields[i].bytes();
        to.fields[i].add(std::move(other.second.fields[i]));
        outside_ += to.fields[i].bytes();
    }
    all_->check(*this);
}

// A table that is full is there twice while it grows. Later all entries are ranked.
std::size_t groups::table::bytes() const noexcept
{
    constexpr std::size_t slot_size = sizeof(entry) + 2;
    const std::size_t slots = map_.bucket_count() * slot_size;
    const bool is_full = map_.size() == map_.max_load();
    return outside_ + (is_full ? 3 * slots : slots) + map_.size() * sizeof(ranked);
}

void groups::leave(table&& own)
{
    const std::lock_guard lock(mutex_);
    tables_.push_back(std::move(own));
    // The largest one gets what the others have.
    if (tables_.back().map_.size() > tables_.front().map_.size())
        std::swap(tables_.front(), tables_.back());
}

asio::awaitable<void> groups::unite(stage_context& context)
{
    while (tables_.size() > 1) {
        table& to = tables_.front();
        table& from = tables_.back();
        auto next = from.map_.begin();
        const auto add_some = [&to, &from, &next] {
            for (std::size_t i = 0; i < step_size && next != from.map_.end(); ++i, ++next)
                to.add(*next);
            return next != from.map_.end();
        };
        while (co_await context.blocking(add_some)) {}
        tell(from, 0, 0);
        tables_.pop_back();
    }
}

asio::awaitable<void> groups::rank(
    stage_context& context,
    std::function<long double(group&)> rank_of
)
{
    rank_of_ = std::move(rank_of);
    if (tables_.empty() || tables_.front().map_.empty())
        co_return;
    map& all = tables_.front().map_;
    order_.reserve(all.size());
    auto next = all.begin();
    // No more of a chunk can be among the first of all.
    const std::size_t most = options_.top == 0 || options_.has_places ? step_size
                                                                      : options_.top;
    const auto comes_first = [this](const ranked& a, const ranked& b) {
        return comes_before(a, b);
    };
    const auto rank_some = [this, &all, &next, most, comes_first] {
        const std::size_t count = std::min(step_size, all.size() - order_.size());
        for (std::size_t i = 0; i < count; ++i, ++next)
            order_.push_back({static_cast<double>(rank_of_(next->second)), &*next});
        ranked* const end = order_.data() + order_.size();
        ranked* const begin = end - count;
        ranked* const rest = begin + std::min(most, count);
        std::nth_element(begin, rest, end, comes_first);
        std::sort(begin, rest, comes_first);
        chunks_.push_back({begin, rest});
        std::ranges::push_heap(chunks_, chunk_comes_after());
        return next != all.end();
    };
    while (co_await context.blocking(rank_some)) {}
}

groups::entry* groups::next()
{
    while (!chunks_.empty()) {
        entry& found = pop();
        const std::string_view place = place_of(found.first);
        given_ = place == place_ ? given_ + 1 : 1;
        place_ = place;
        if (options_.top == 0 || given_ <= options_.top)
            return &found;
        if (!options_.has_places)
            chunks_.clear();
    }
    return nullptr;
}

groups::entry& groups::pop()
{
    std::ranges::pop_heap(chunks_, chunk_comes_after());
    chunk& from = chunks_.back();
    entry& first = *from.next++->of;
    if (from.next == from.end)
        chunks_.pop_back();
    else
        std::ranges::push_heap(chunks_, chunk_comes_after());
    return first;
}

bool groups::comes_before(const ranked& a, const ranked& b) const
{
    if (options_.has_places) {
        const std::string_view place = place_of(a.of->first);
        const std::string_view other = place_of(b.of->first);
        if (place != other)
            return place < other;
    }
    if (a.rank != b.rank)
        return a.rank > b.rank;
    // There a rank stands for several whole numbers.
    if (std::abs(a.rank) >= 0x1p53 && std::isfinite(a.rank)) {
        const long double exact = rank_of_(a.of->second);
        const long double other = rank_of_(b.of->second);
        if (exact != other)
            return exact > other;
    }
    return a.of->first < b.of->first;
}

void groups::check(table& own)
{
    const std::size_t bytes = own.bytes();
    if (bytes == own.told_bytes_)
        return;
    tell(own, bytes, own.map_.size());
    if (bytes_.load(std::memory_order_relaxed) <= options_.memory)
        return;
    throw std::runtime_error(fmt::format(
        "what it keeps of {} takes more than its \"memory\", {}; raise that, or {}",
        detail::counted(keys_.load(std::memory_order_relaxed), "key"),
        text::byte_size_text(options_.memory),
        options_.keeps_numbers ? R"(leave median and percentiles out of "compute")"
                               : R"(sort the keys first, with "command": "sort" as in )"
                                 "docs/pipelines/cli.md#more-keys-than-memory-holds"
    ));
}

// What this table takes, for the sums of all. They wrap around when it has become smaller.
void groups::tell(table& own, std::size_t bytes, std::size_t keys) noexcept
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

}  // namespace sluice::pipeline
