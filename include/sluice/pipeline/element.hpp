// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/json_value.hpp>
#include <sluice/queue/element_weight.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::pipeline {

/// What flows into or out of a stage.
enum class element_kind : unsigned char
{
    none,   ///< nothing: what a source takes and a sink gives
    text,   ///< a string: a line, a word
    value,  ///< any JSON value: a record, a number
    batch,  ///< a number of elements that travel as one
    texts,  ///< texts, or batches of texts: what a stage takes
    any,    ///< whatever there is
    same    ///< what a stage gives that passes on what it takes
};

/// The name of a kind in messages and reports, such as "text".
[[nodiscard]] const char* to_string(element_kind kind) noexcept;

/// What flows in a described pipeline: a text, a JSON value, or a batch of elements.
/**
 * A program knows the type of its elements; a file that describes a pipeline does not. Texts
 * are the common case and stay plain strings, so that a word costs no more than a
 * `std::string`.
 *
 * @par Exception safety  moves do not throw; copies have the strong guarantee.
 * @par Thread safety     distinct objects: safe; shared objects: as a `std::string`.
 */
class element
{
public:
    /// The elements of a batch.
    using list = std::vector<element>;

    /// An empty text.
    element() = default;

    /// A text. UTF-8 is neither required nor checked.
    explicit element(std::string text) noexcept : content_(std::move(text)) {}
    /// A text, copied once.
    explicit element(std::string_view text)
        : content_(std::in_place_type<std::string>, text)
    {
    }
    /// A text.
    explicit element(const char* text) : content_(std::string(text)) {}

    /// A JSON value. A JSON string is a value, not a text.
    explicit element(json_value value) noexcept : content_(std::move(value)) {}

    /// A batch.
    explicit element(list elements) noexcept : content_(std::move(elements)) {}

    /// Which of the three it is: text, value or batch.
    [[nodiscard]] element_kind kind() const noexcept;

    /// Whether it is a text.
    [[nodiscard]] bool is_text() const noexcept
    {
        return std::holds_alternative<std::string>(content_);
    }

    /// The text. @throws std::bad_variant_access if it is none.
    [[nodiscard]] std::string& text() { return std::get<std::string>(content_); }
    /// The text. @throws std::bad_variant_access if it is none.
    [[nodiscard]] const std::string& text() const
    {
        return std::get<std::string>(content_);
    }

    /// The JSON value. @throws std::bad_variant_access if it is none.
    [[nodiscard]] json_value& value() { return std::get<json_value>(content_); }
    /// The JSON value. @throws std::bad_variant_access if it is none.
    [[nodiscard]] const json_value& value() const
    {
        return std::get<json_value>(content_);
    }

    /// The elements of the batch. @throws std::bad_variant_access if it is none.
    [[nodiscard]] list& elements() { return std::get<list>(content_); }
    /// The elements of the batch. @throws std::bad_variant_access if it is none.
    [[nodiscard]] const list& elements() const { return std::get<list>(content_); }

    /// What it is as a text: a text itself, a JSON string without its quotes, any other value
    /// and a batch as compact JSON. A text may hold newlines, and bytes that are not UTF-8.
    /// @throws std::runtime_error  if a text inside JSON is not UTF-8 and that is refused.
    [[nodiscard]] std::string to_text(invalid_utf8 rule = invalid_utf8::refuse) &&;

    /// What it is as JSON: a text becomes a string, a batch an array.
    [[nodiscard]] json_value to_json() &&;

    /// Equal in kind and content.
    friend bool operator==(const element&, const element&) = default;

private:
    std::variant<std::string, json_value, list> content_;
};

}  // namespace sluice::pipeline

/// What an element takes of the memory limit of its queue.
/**
 * The bytes of the element, of its characters, and of all values and elements in it, without
 * those that the allocator adds.
 *
 * @par Complexity  O(1) for a text, linear in the number of values otherwise.
 */
template <>
struct sluice::element_weight<sluice::pipeline::element>
{
    /// In bytes.
    [[nodiscard]] static std::size_t of(const pipeline::element& element) noexcept
    {
        return element.is_text() ? sizeof(element) + element.text().size()
                                 : of_parts(element);
    }

private:
    [[nodiscard]] static std::size_t of_parts(const pipeline::element& element) noexcept;
};
