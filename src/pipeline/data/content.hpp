// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/value_view.hpp"
#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/json_value.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What elements are made of. An element is a place in one of these, which it shares with others.
namespace sluice::pipeline::detail {

// Counts the elements that share it. The last one deletes it.
class content
{
public:
    enum class form : unsigned char
    {
        records,  // record_block
        text,     // text_content
        value     // value_content
    };

    content(const content&) = delete;
    content& operator=(const content&) = delete;
    virtual ~content() = default;

    [[nodiscard]] form is() const noexcept { return form_; }

    void retain() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }

    // By so many of its owners.
    void release(std::uint32_t owners = 1) noexcept
    {
        // acq_rel: what deletes it sees all that the other owners have read and written
        if (owners_.fetch_sub(owners, std::memory_order_acq_rel) == owners)
            delete this;
    }

    // Whether the element that asks may change it.
    [[nodiscard]] bool has_one_owner() const noexcept
    {
        return owners_.load(std::memory_order_acquire) == 1;
    }

protected:
    explicit content(form is, std::uint32_t owners = 1) noexcept
        : owners_(owners), form_(is)
    {
    }

private:
    std::atomic<std::uint32_t> owners_;
    const form form_;
};

struct text_content final : content
{
    explicit text_content(std::string held) : content(form::text), text(std::move(held))
    {
    }

    std::string text;
};

struct value_content final : content
{
    explicit value_content(json_value held) : content(form::value), value(std::move(held))
    {
    }

    json_value value;
};

// The names of the fields of records, each also as it stands before its field in JSON.
class field_names
{
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    explicit field_names(std::vector<std::string> names);

    [[nodiscard]] const std::vector<std::string>& names() const noexcept
    {
        return names_;
    }

    // Such as `{"id":` of the first and `,"price":` of another one.
    [[nodiscard]] const std::string& prefix(std::size_t index) const
    {
        return prefixes_[index];
    }

    // none: there is no such field.
    [[nodiscard]] std::size_t find(std::string_view name) const noexcept
    {
        for (std::size_t i = 0; i < names_.size(); ++i)
            if (names_[i] == name)
                return i;
        return none;
    }

private:
    std::vector<std::string> names_;
    std::vector<std::string> prefixes_;
};

// Characters that fields refer to. They stay where they are as long as the buffer lives.
using text_buffer = std::shared_ptr<std::string>;

// Records that share buffers and the names of their fields.
//
// A field refers to bytes in a buffer. Without names a record is its one field: a text, or the text
// of a JSON value. With names it is an object, or an array if there are no columns.
//
// The block is filled by one worker, and may be read by others meanwhile, because nothing in it
// moves: a record is complete before there is an element for it, and an element comes to another
// worker through a queue. Only the worker that fills it looks at buffers_, sources_ and size_.
//
// The elements of all its records own it from the beginning. So none is counted when it is made,
// while other workers count those that end, in the same line of the cache.
class record_block final : public content
{
public:
    record_block(
        std::shared_ptr<const field_names> names,
        std::size_t width,
        std::size_t capacity
    );

    [[nodiscard]] const field_names* names() const noexcept { return names_.get(); }

    [[nodiscard]] const std::shared_ptr<const field_names>& shared_names() const noexcept
    {
        return names_;
    }

    [[nodiscard]] std::size_t width() const noexcept { return width_; }

    [[nodiscard]] const field* fields_of(std::uint32_t record) const noexcept
    {
        return fields_.get() + record * width_;
    }

    // The bytes of all fields of a record.
    [[nodiscard]] std::size_t bytes_of(std::uint32_t record) const noexcept;

    // That of an element which is this record.
    [[nodiscard]] std::size_t weight_of(std::uint32_t record) const noexcept
    {
        return sizeof(element) + width_ * sizeof(field) + bytes_of(record);
    }

    // The first line of a record in its file; 0 if there is none.
    [[nodiscard]] std::uint64_t line_of(std::uint32_t record) const noexcept
    {
        return lines_ != nullptr ? lines_[record] : 0;
    }

    // The name of the file that its records come from; null if there is none.
    [[nodiscard]] const std::shared_ptr<const std::string>& file() const noexcept
    {
        return file_;
    }

    // About how many bytes it keeps in memory besides itself.
    [[nodiscard]] std::size_t kept_bytes() const noexcept
    {
        return kept_bytes_.load(std::memory_order_relaxed);
    }

private:
    friend class record_builder;

    const std::shared_ptr<const field_names> names_;
    const std::size_t width_;
    const std::size_t capacity_;  // in records
    const std::unique_ptr<field[]> fields_;
    std::shared_ptr<const std::string> file_;
    std::unique_ptr<std::uint64_t[]> lines_;  // null: the records have no origin
    std::vector<text_buffer> buffers_;
    std::vector<element> sources_;  // of blocks to whose buffers fields refer
    std::atomic<std::size_t> kept_bytes_ = 0;
    std::size_t size_ = 0;
};

// The block and the record that an element is; null if it is something else.
[[nodiscard]] inline const record_block* block_of(const element& of) noexcept
{
    const content* const shared = of.shared_content();
    return shared != nullptr && shared->is() == content::form::records
               ? static_cast<const record_block*>(shared)
               : nullptr;
}

// Whether it is a record with names.
[[nodiscard]] inline bool has_fields(const element& of) noexcept
{
    const record_block* const block = block_of(of);
    return block != nullptr && block->names() != nullptr;
}

// Its content where it is. A record with names has none: it has fields.
[[nodiscard]] value_view view_of(const element& of) noexcept;

// A field of a record, or a member of another value; nothing if there is none.
[[nodiscard]] inline value_view field_of(const element& of, std::string_view name)
{
    if (!has_fields(of))
        return view_of(of).member(name);
    const record_block& block = *block_of(of);
    const std::size_t index = block.names()->find(name);
    return index != field_names::none ? value_view(block.fields_of(of.record())[index])
                                      : value_view();
}

// Calls a function with the name and the value of each field of a record, or member of another
// object.
template <class Use>
void for_each_member(const element& of, Use use)
{
    if (!has_fields(of))
        return view_of(of).for_each_member(use);
    const record_block& block = *block_of(of);
    for (std::size_t i = 0; i < block.width(); ++i)
        use(std::string_view(block.names()->names()[i]),
            value_view(block.fields_of(of.record())[i]));
}

// Appends it as JSON. What was read is written as it was.
void append_json(const element& of, std::string& out, invalid_utf8 rule);

}  // namespace sluice::pipeline::detail
