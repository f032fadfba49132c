// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/json_text.hpp"
#include <sluice/pipeline/json_value.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sluice::pipeline {

// What the bytes of a field are.
enum class field_form : unsigned char
{
    text,  // the text itself
    json   // a JSON value as it was written, known to be right
};

// A field of a record: bytes in a buffer that the block keeps. Two words, each written at once, so
// that what reads it next need not wait for parts of them.
class field
{
public:
    field() = default;

    field(std::string_view content, field_form form) noexcept
        : data_(content.data()),
          size_and_form_(content.size() << 1U | static_cast<std::size_t>(form))
    {
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_and_form_ >> 1U; }

    [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size()}; }

    [[nodiscard]] field_form form() const noexcept
    {
        return static_cast<field_form>(size_and_form_ & 1U);
    }

private:
    const char* data_;
    std::size_t size_and_form_;
};

// A number of JSON. Whole numbers are exact to 64 bits, and are compared so.
class number
{
public:
    explicit number(std::int64_t whole) noexcept : value_(whole) {}
    explicit number(double value) noexcept : value_(value) {}

    // One beyond the range of std::int64_t.
    explicit number(std::uint64_t large) noexcept : value_(large) {}

    // Nothing if it is not what JSON calls a number, or is beyond the range of double.
    [[nodiscard]] static std::optional<number> parse(std::string_view text) noexcept;

    // A whole number in the range of std::int64_t, written without fraction and exponent.
    [[nodiscard]] bool is_whole() const noexcept
    {
        return std::holds_alternative<std::int64_t>(value_);
    }
    // Written so, but of any size up to 64 bits.
    [[nodiscard]] bool is_integer() const noexcept
    {
        return !std::holds_alternative<double>(value_);
    }
    // @pre is_whole()
    [[nodiscard]] std::int64_t whole() const noexcept
    {
        return *std::get_if<std::int64_t>(&value_);
    }

    // Every double and every whole number of 64 bits, exactly.
    [[nodiscard]] long double value() const noexcept
    {
        return std::visit(
            [](auto held) { return static_cast<long double>(held); },
            value_
        );
    }

    friend std::partial_ordering operator<=>(
        const number& left,
        const number& right
    ) noexcept
    {
        if (left.is_whole() && right.is_whole())
            return left.whole() <=> right.whole();
        return left.value() <=> right.value();
    }

    friend bool operator==(const number& left, const number& right) noexcept
    {
        return (left <=> right) == 0;
    }

private:
    std::variant<std::int64_t, std::uint64_t, double> value_;
};

// A text, a JSON value as it was written, or one that was computed, wherever it is. Nothing is
// copied, and nothing is parsed before it is asked for. As a std::string_view it must not outlive
// what it refers to.
class value_view
{
public:
    // Nothing at all, such as a field that is not there.
    value_view() = default;

    explicit value_view(field of) noexcept
        : bytes_(of.bytes()), is_(of.form() == field_form::json ? form::json : form::text)
    {
    }

    [[nodiscard]] static value_view of_text(std::string_view text) noexcept
    {
        return {text, form::text};
    }

    [[nodiscard]] static value_view of_json(std::string_view json) noexcept
    {
        return {json, form::json};
    }

    explicit value_view(const json_value& computed) noexcept
        : computed_(&computed), is_(form::computed)
    {
    }

    // Whether there is something.
    explicit operator bool() const noexcept { return is_ != form::missing; }

    [[nodiscard]] bool is_null() const noexcept;
    [[nodiscard]] bool is_string() const noexcept;
    [[nodiscard]] bool is_object() const noexcept;
    [[nodiscard]] bool is_array() const noexcept;
    // Nothing if it is neither true nor false.
    [[nodiscard]] std::optional<bool> as_flag() const noexcept;
    // Nothing if it is no number. A text is none.
    [[nodiscard]] std::optional<number> as_number() const noexcept;

    // The string, in `scratch` only if it is not there as it is. @pre is_string()
    [[nodiscard]] std::string_view string(std::string& scratch) const;

    // A member of an object, an element of an array; nothing if there is none, or it is neither.
    [[nodiscard]] value_view member(std::string_view name) const;
    [[nodiscard]] value_view item(std::size_t index) const;

    // Calls a function with the name and the value of each member of an object.
    template <class Use>
    void for_each_member(Use use) const
    {
        std::string scratch;
        std::string_view rest = bytes_;
        if (is_ == form::json)
            while (const auto next = take_json_member(rest))
                use(json_string(next->name, scratch), of_json(next->value));
        else if (is_object())
            for (const auto& [name, value] :
                 computed_->get_ref<const json_value::object_t&>())
                use(std::string_view(name), value_view(value));
    }

    // Calls a function with each element of an array.
    template <class Use>
    void for_each_item(Use use) const
    {
        std::string_view rest = bytes_;
        if (is_ == form::json)
            while (const auto next = take_json_item(rest))
                use(of_json(*next));
        else if (is_array())
            for (const json_value& item : *computed_)
                use(value_view(item));
    }

    // A copy. Nothing becomes null.
    [[nodiscard]] json_value to_json() const;

    // A string as it is, other values as JSON. In `scratch` only if it is not there.
    [[nodiscard]] std::string_view written(std::string& scratch, invalid_utf8 rule) const;

    // As JSON, as it was written if it was.
    void append_json(std::string& out, invalid_utf8 rule) const;

    // As JSON without a blank, so that values that differ in blanks and escapes only are the same.
    void append_compact(std::string& out, invalid_utf8 rule) const;

    // If it is a text that is there as it is, or JSON that was read.
    [[nodiscard]] bool is_text() const noexcept { return is_ == form::text; }
    [[nodiscard]] bool is_written_json() const noexcept { return is_ == form::json; }
    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

private:
    enum class form : unsigned char
    {
        missing,
        text,
        json,
        computed
    };

    value_view(std::string_view bytes, form is) noexcept : bytes_(bytes), is_(is) {}

    std::string_view bytes_;
    const json_value* computed_ = nullptr;
    form is_ = form::missing;
};

}  // namespace sluice::pipeline
