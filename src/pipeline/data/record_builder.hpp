// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/content.hpp"
#include <sluice/pipeline/element.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline::detail {

// Makes elements that are records of blocks: add() each of its fields, then finish() the record.
//
// Fields refer to buffers that they keep, or to copies in a buffer of the builder. A builder
// belongs to one worker. It goes on filling its block while others read the records that are
// complete.
class record_builder
{
public:
    // Without names a record has one field.
    explicit record_builder(std::shared_ptr<const field_names> names = nullptr);

    // For so many records whose copied fields have so many bytes: it takes no more memory.
    record_builder(
        std::shared_ptr<const field_names> names,
        std::size_t records,
        std::size_t bytes
    );
    record_builder(const record_builder&) = delete;
    record_builder& operator=(const record_builder&) = delete;
    ~record_builder();

    // The records that follow come from this file. Null: from none. Not within a record.
    void from(std::shared_ptr<const std::string> file);

    // The same file as that of this element. Gives its line.
    std::uint64_t follow(const element& origin);

    // The fields that follow may refer to this buffer. Begins a record, before its first add().
    void keep(const text_buffer& buffer);

    // A field whose bytes are in a buffer that is kept, or live for ever.
    void add(field next)
    {
        begin_record();
        weight_ += next.size();
        *next_++ = next;
    }

    // A field that is part of an element.
    void add_part(const element& whole, field part)
    {
        begin_record();
        if (block_->sources_.empty() ||
            block_->sources_.back().shared_content() != whole.shared_content())
            return add_part_of_other(whole, part);
        add(part);
    }

    // A field whose bytes are copied.
    void add_copy(std::string_view bytes, field_form is);

    // The same for what `fill` appends to a string.
    template <class Fill>
    void add_filled(field_form is, const Fill& fill)
    {
        scratch_.clear();
        fill(scratch_);
        add_copy(scratch_, is);
    }

    // The record of the fields that were added since the last one, which are as many as there are
    // names.
    [[nodiscard]] element finish(std::uint64_t line = 0)
    {
        begin_record();  // if it has no fields
        if (block_->lines_ != nullptr)
            block_->lines_[block_->size_] = line;
        next_ = nullptr;
        const std::size_t weight = std::exchange(weight_, weight_of_places_);
        return {
            *block_,
            static_cast<std::uint32_t>(block_->size_++),
            weight <= std::numeric_limits<std::uint32_t>::max()
                ? static_cast<std::uint32_t>(weight)
                : 0
        };
    }

private:
    // Once for each, or what it keeps would be left to another block.
    void begin_record()
    {
        if (next_ == nullptr)
            find_place();
    }

    void find_place();
    void add_part_of_other(const element& whole, field part);
    void end_block() noexcept;
    void new_block();
    void hold(const text_buffer& buffer);
    void keep_bytes(std::size_t bytes) noexcept;

    const std::shared_ptr<const field_names> names_;
    const std::size_t width_;
    const std::size_t records_;      // of a block
    const std::size_t copied_size_;  // bytes of a buffer of copies
    std::shared_ptr<const std::string> file_;
    record_block* block_ = nullptr;  // that is filled; this is one of its owners
    std::size_t kept_ = 0;    // buffers and blocks that it keeps, without those of copies
    std::size_t copied_ = 0;  // buffers of copies that it keeps
    field* next_ = nullptr;   // of the record that is begun; null: none is
    const std::size_t weight_of_places_ = sizeof(element) + width_ * sizeof(field);
    std::size_t weight_ = weight_of_places_;  // of it, so far
    text_buffer copies_;  // never longer than its capacity, so that it stays
    std::string scratch_;
};

// Copies records of which few are left of large buffers, so that these can be freed.
void leave_large_buffers(std::vector<element>& elements);

// The same for one that is going to be among those of others, as in a queue with another order.
[[nodiscard]] element on_its_own(element shared);

}  // namespace sluice::pipeline::detail
