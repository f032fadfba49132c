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
#include <vector>

namespace sluice::pipeline {

/// What flows into or out of a stage.
enum class element_kind : unsigned char
{
    none,   ///< nothing: what a source takes and a sink gives
    text,   ///< a string: a line, a word
    value,  ///< any JSON value: a record, a number
    any,    ///< whatever there is
    same    ///< what a stage gives that passes on what it takes
};

/// The name of a kind in messages and reports, such as "text".
[[nodiscard]] const char* to_string(element_kind kind) noexcept;

class element;

namespace detail {

class content;

void retain(content* shared) noexcept;
void release(content* shared) noexcept;

// Leaves empty texts. The elements of a block, which most often come together, are counted once.
void release_all(std::vector<element>& elements) noexcept;

}  // namespace detail

/// What flows in a described pipeline: a text or a JSON value.
/**
 * A program knows the type of its elements; a file that describes a pipeline does not.
 *
 * Elements that a stage has read or made together are records of one block: they share a buffer,
 * and the names of their fields. So an element is no more than a place in a block. It becomes
 * an object of its own when a program asks for a reference to its content.
 *
 * @par Complexity        copies and moves are O(1); a copy shares the content.
 * @par Exception safety  neither copies nor moves throw.
 * @par Thread safety     distinct objects: safe, also if they share their content; shared
 *                        objects: as a `std::string`.
 */
class element
{
public:
    /// An empty text.
    element() noexcept = default;

    /// A text. UTF-8 is neither required nor checked.
    explicit element(std::string text);
    /// A text, copied once.
    explicit element(std::string_view text) : element(std::string(text)) {}
    /// A text.
    explicit element(const char* text) : element(std::string(text)) {}

    /// A JSON value. A JSON string is a value, not a text.
    explicit element(json_value value);

    /// A record of a block, for the stages of this library. Takes over one of the references that a
    /// block has for its records. A weight that is known need not be computed; 0: it is not.
    element(detail::content& block, std::uint32_t record, std::uint32_t weight) noexcept
        : content_(&block), record_and_weight_(std::uint64_t{weight} << 32U | record)
    {
    }

    /// Shares the content.
    element(const element& other) noexcept
        : content_(other.content_), record_and_weight_(other.record_and_weight_)
    {
        if (content_ != nullptr)
            detail::retain(content_);
    }

    /// Leaves an empty text behind.
    element(element&& other) noexcept
        : content_(std::exchange(other.content_, nullptr)),
          record_and_weight_(std::exchange(other.record_and_weight_, 0))
    {
    }

    /// As the copy or move that makes `other`.
    element& operator=(element other) noexcept
    {
        std::swap(content_, other.content_);
        record_and_weight_ = other.record_and_weight_;
        return *this;
    }

    ~element()
    {
        if (content_ != nullptr)
            detail::release(content_);
    }

    /// Which of the two it is: text or value.
    [[nodiscard]] element_kind kind() const noexcept;

    /// Whether it is a text.
    [[nodiscard]] bool is_text() const noexcept { return kind() == element_kind::text; }

    /// The text, to be changed. @throws std::bad_variant_access if it is none.
    [[nodiscard]] std::string& text();
    /// The text. Valid as long as the element, and until text() is called of one that is not
    /// constant. @throws std::bad_variant_access if it is none.
    [[nodiscard]] std::string_view text() const;

    /// The JSON value, to be changed. Of a constant element there is to_json().
    /// @throws std::bad_variant_access if it is none.
    [[nodiscard]] json_value& value();

    /// What it is as a text: a text itself, a JSON string without its quotes, any other value
    /// as compact JSON. A text may hold newlines, and bytes that are not UTF-8.
    /// @throws std::runtime_error  if a text inside JSON is not UTF-8 and that is refused.
    [[nodiscard]] std::string to_text(invalid_utf8 rule = invalid_utf8::refuse) &&;

    /// What it is as JSON: a text becomes a string.
    [[nodiscard]] json_value to_json() const&;
    /// The same without a copy, if no other element shares it.
    [[nodiscard]] json_value to_json() &&;

    /// Equal in kind and content.
    friend bool operator==(const element& left, const element& right);

    /// What it shares with others; null: an empty text. For the stages of this library.
    [[nodiscard]] const detail::content* shared_content() const noexcept
    {
        return content_;
    }

    /// Which record of that it is. For the stages of this library.
    [[nodiscard]] std::uint32_t record() const noexcept
    {
        return static_cast<std::uint32_t>(record_and_weight_);
    }

    /// The bytes of the element, of its characters, and of all values in it, without those that
    /// the allocator adds. O(1) for a record of a block.
    [[nodiscard]] std::size_t weight() const noexcept
    {
        const std::uint64_t known = record_and_weight_ >> 32U;
        return known != 0 ? known : compute_weight();
    }

private:
    friend void detail::release_all(std::vector<element>& elements) noexcept;

    void own(detail::content* made) noexcept;
    [[nodiscard]] std::size_t compute_weight() const noexcept;

    detail::content* content_ = nullptr;
    // The weight of a record, of which 0 says that it has to be computed, in the upper half. One
    // word, because a move of two that were just written would wait for both.
    std::uint64_t record_and_weight_ = 0;
};

}  // namespace sluice::pipeline

/// What an element takes of the memory limit of its queue: its weight().
template <>
struct sluice::element_weight<sluice::pipeline::element>
{
    /// In bytes.
    [[nodiscard]] static std::size_t of(const pipeline::element& element) noexcept
    {
        return element.weight();
    }
};
