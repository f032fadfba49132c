// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <concepts>
#include <string>
#include <string_view>

namespace sluice::report {

// Writes JSON in one line. The caller opens and closes objects and arrays; commas are put where
// they belong. Bytes that are not UTF-8 are replaced.
class json_writer
{
public:
    json_writer& begin_object() { return open('{'); }
    json_writer& end_object() { return close('}'); }
    json_writer& begin_array() { return open('['); }
    json_writer& end_array() { return close(']'); }

    // The name of the next value of an object: of the program's own, without characters that are
    // escaped.
    json_writer& key(std::string_view name);

    json_writer& value(std::string_view text);
    json_writer& value(const char* text) { return value(std::string_view(text)); }
    json_writer& value(bool truth);
    json_writer& value(double number);  // null if it is not finite
    json_writer& null();

    // In seconds.
    json_writer& value(std::chrono::nanoseconds duration);

    template <std::integral Number>
    json_writer& value(Number number)
    {
        return add(std::to_string(number));
    }

    // A member of an object.
    template <class Value>
    json_writer& member(std::string_view name, const Value& what)
    {
        return key(name).value(what);
    }

    // The same; null stands for an empty text.
    json_writer& name(std::string_view member_name, std::string_view text);

    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    json_writer& open(char bracket);
    json_writer& close(char bracket);
    json_writer& add(std::string_view value);
    void separate();

    std::string text_;
    bool is_first_ = true;  // of its object or array, or after a key
};

}  // namespace sluice::report
