// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/content.hpp"
#include "pipeline/data/value_view.hpp"
#include <sluice/pipeline/element.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// What stages look for in elements.
namespace sluice::pipeline {

// What a stage takes, where the description could not tell whether it gets that. Each throws
// an error that shows the element and says what to do. It does not begin with the name of the
// stage, because that of the runner is put before it. `what` is the option that asks for it.
[[nodiscard]] json_value& expect_value(element& given, const char* what = "it");

// The same without a copy of what others share.
void check_text(const element& given, const char* what = "it");
void check_value(const element& given, const char* what = "it");

// The beginning of an element, for messages.
[[nodiscard]] std::string shown(element given);

// The element that a part of a JSON value becomes: a string a text, the rest values.
[[nodiscard]] element from_json(json_value item);

// The elements of an array, which they are moved out of; nothing if it is none.
[[nodiscard]] std::optional<std::vector<element>> items_of(element& given);

// Where a field of a JSON value is: the name of a member such as "size", or a JSON pointer
// (RFC 6901) such as "/file/size" to one that lies deeper.
class field_path
{
public:
    // Throws option_error with the name of the option if this is no such text.
    field_path(const std::string& written, const char* option);

    // As it was written.
    [[nodiscard]] const std::string& written() const noexcept { return written_; }

    // The field, or null if the value has none there.
    [[nodiscard]] json_value* find(json_value& value) const
    {
        return value.contains(pointer_) ? &value.at(pointer_) : nullptr;
    }

    // The field where it is; nothing if the value has none there.
    [[nodiscard]] value_view find_in(const element& value) const;

    // The name of the member that it begins with.
    [[nodiscard]] const std::string& first_step() const noexcept
    {
        return steps_.front();
    }

    // The field, if so many of its steps lead to this value.
    [[nodiscard]] value_view find_behind(std::size_t steps, value_view found) const;

private:
    friend class field_finder;

    std::string written_;
    json_value::json_pointer pointer_;
    std::vector<std::string> steps_;  // at least one
};

// Finds a field in one element after the other. It remembers where records that have the same names
// have it, so it belongs to one worker.
class field_finder
{
public:
    // The path must outlive it.
    explicit field_finder(const field_path& path) noexcept : path_(&path) {}

    // As field_path::find_in().
    [[nodiscard]] value_view find_in(const element& value)
    {
        const detail::record_block* const block = detail::block_of(value);
        const bool is_known = block != nullptr && block->names() != nullptr &&
                              (block->names() == names_.get() || learn(*block));
        if (!is_known)
            return path_->find_in(value);
        return index_ != names_->none
                   ? value_view(block->fields_of(value.record())[index_])
                   : value_view();
    }

private:
    // False if the field lies deeper.
    [[nodiscard]] bool learn(const detail::record_block& block);

    const field_path* path_;
    std::shared_ptr<const detail::field_names> names_;
    std::size_t index_ = 0;
};

}  // namespace sluice::pipeline
