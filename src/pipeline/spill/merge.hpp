// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/spill/record_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline::spill {

// The records of several sources, each of which has them in the order of their keys, in that
// order. Records of equal keys come one after the other.
//
// A source has next(), which goes to the next record, the first one at first, and is false at
// the end; and the key() of that record.
template <class Source>
class merge
{
public:
    explicit merge(std::vector<Source> sources) : sources_(std::move(sources))
    {
        for (std::size_t i = 0; i < sources_.size(); ++i)
            if (sources_[i].next())
                heap_.push_back({first_bytes(sources_[i].key()), i});
        for (std::size_t i = heap_.size(); i-- > 0;)
            sink(i);
    }

    // Whether there is a current record.
    [[nodiscard]] bool has_record() const noexcept { return !heap_.empty(); }

    // The source of the current record. @pre has_record()
    [[nodiscard]] const Source& record() const { return sources_[heap_.front().source]; }

    // Goes to the next record. @pre has_record()
    void next()
    {
        place& first = heap_.front();
        Source& source = sources_[first.source];
        if (source.next()) {
            first.prefix = first_bytes(source.key());
        } else {
            first = heap_.back();
            heap_.pop_back();
        }
        if (!heap_.empty())
            sink(0);
    }

private:
    struct place
    {
        std::uint64_t prefix;  // of the key of its current record
        std::size_t source;
    };

    [[nodiscard]] bool is_before(const place& a, const place& b) const
    {
        return a.prefix != b.prefix ? a.prefix < b.prefix
                                    : sources_[a.source].key() < sources_[b.source].key();
    }

    // Lets a place go down in the heap to where it belongs.
    void sink(std::size_t at)
    {
        while (true) {
            std::size_t child = 2 * at + 1;
            if (child >= heap_.size())
                return;
            if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child]))
                ++child;
            if (!is_before(heap_[child], heap_[at]))
                return;
            std::swap(heap_[child], heap_[at]);
            at = child;
        }
    }

    std::vector<Source> sources_;
    std::vector<place> heap_;  // of those that have a record; the least key is in front
};

}  // namespace sluice::pipeline::spill
