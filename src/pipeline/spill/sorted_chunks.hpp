// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/spill/merge.hpp"
#include "pipeline/spill/record_bytes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline::spill {

// Records in memory, sorted by chunks, so that no single step takes long.
//
// A record is small, refers to bytes elsewhere, and has key() and append_value(std::string&).
template <class Record>
class sorted_chunks
{
    struct item
    {
        std::uint64_t prefix;  // of the key; most comparisons need no more
        Record record;
    };

public:
    static constexpr std::size_t chunk_size = 32 * 1024;

    // Only the first `most` of them are wanted; 0: all.
    explicit sorted_chunks(std::size_t most = 0)
        : most_(most),
          size_(
              most == 0 ? chunk_size : std::clamp(2 * most, std::size_t{1024}, chunk_size)
          )
    {
    }

    // Sorts a chunk now and then. Returns whether no later record than last() is wanted.
    bool add(Record added)
    {
        if (chunks_.empty() || chunks_.back().size() == size_)
            chunks_.emplace_back();
        std::vector<item>& last = chunks_.back();
        last.push_back({first_bytes(added.key()), added});
        if (last.size() < size_)
            return false;
        sort(last);
        return last.size() == most_;
    }

    [[nodiscard]] bool empty() const noexcept { return chunks_.empty(); }

    [[nodiscard]] std::size_t bytes() const noexcept
    {
        return chunks_.empty() ? 0
                               : ((chunks_.size() - 1) * size_ + chunks_.back().size()) *
                                     sizeof(item);
    }

    // The last record of the last chunk. @pre add() has just returned true.
    [[nodiscard]] const Record& last() const { return chunks_.back().back().record; }

    // One chunk, on the way through it.
    class reader
    {
    public:
        explicit reader(const std::vector<item>& chunk)
            : next_(chunk.data()), end_(next_ + chunk.size())
        {
        }

        [[nodiscard]] bool next()
        {
            current_ = next_;
            return next_ != end_ && (++next_, true);
        }

        [[nodiscard]] std::string_view key() const { return current_->record.key(); }
        void append_value(std::string& out) const { current_->record.append_value(out); }

    private:
        const item* current_ = nullptr;
        const item* next_;
        const item* end_;
    };

    // All of them in order; refers to this.
    [[nodiscard]] merge<reader> merged()
    {
        if (!chunks_.empty() && chunks_.back().size() < size_)
            sort(chunks_.back());
        std::vector<reader> readers(chunks_.begin(), chunks_.end());
        return merge<reader>(std::move(readers));
    }

private:
    void sort(std::vector<item>& chunk) const
    {
        std::sort(chunk.begin(), chunk.end(), [](const item& a, const item& b) {
            return a.prefix != b.prefix ? a.prefix < b.prefix
                                        : a.record.key() < b.record.key();
        });
        if (most_ != 0 && chunk.size() > most_)
            chunk.erase(chunk.begin() + static_cast<std::ptrdiff_t>(most_), chunk.end());
    }

    std::size_t most_;
    std::size_t size_;  // of a chunk; larger than most_ unless all chunks are kept
    std::vector<std::vector<item>> chunks_;
};

}  // namespace sluice::pipeline::spill
