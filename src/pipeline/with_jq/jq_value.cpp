// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/with_jq/jq_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sluice::pipeline {

namespace {

// Values are printed by functions that call themselves for each level.
constexpr std::size_t deepest_result = 500;

class owned_jv
{
public:
    explicit owned_jv(jv value) noexcept : value_(value) {}
    owned_jv(const owned_jv&) = delete;
    owned_jv& operator=(const owned_jv&) = delete;
    ~owned_jv() { jv_free(value_); }

    [[nodiscard]] jv get() const noexcept { return value_; }

    // For a function of libjq that takes its argument over.
    [[nodiscard]] jv copy() const noexcept { return jv_copy(value_); }

private:
    jv value_;
};

jv to_jv(std::string_view text)
{
    constexpr std::size_t longest = std::numeric_limits<int>::max() / 4;
    if (text.size() > longest)
        throw std::runtime_error("a text is too long for jq");
    return jv_string_sized(text.data(), static_cast<int>(text.size()));
}

jv to_jv(const json_value& value)
{
    if (is_number(value))
        return jv_number(to_double(value));
    switch (value.type()) {
    case json_value::value_t::boolean:
        return jv_bool(value.get<bool>() ? 1 : 0);
    case json_value::value_t::string:
        return to_jv(std::string_view(value.get_ref<const std::string&>()));
    case json_value::value_t::array: {
        jv array = jv_array();
        for (const json_value& each : value)
            array = jv_array_append(array, to_jv(each));
        return array;
    }
    case json_value::value_t::object: {
        jv object = jv_object();
        for (const auto& [name, each] : value.items())
            object = jv_object_set(object, to_jv(std::string_view(name)), to_jv(each));
        return object;
    }
    default:
        return jv_null();
    }
}

json_value to_number(double number)
{
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (std::isnan(number))
        return nullptr;
    const bool is_whole = std::trunc(number) == number && std::abs(number) <= exact;
    if (is_whole && !(number == 0 && std::signbit(number)))
        return static_cast<std::int64_t>(number);
    constexpr double largest = std::numeric_limits<double>::max();
    return std::clamp(number, -largest, largest);
}

std::string to_string(const owned_jv& string)
{
    const int size = jv_string_length_bytes(string.copy());
    return {jv_string_value(string.get()), static_cast<std::size_t>(size)};
}

json_value from_jv(const owned_jv& value, std::size_t depth);

json_value to_array(const owned_jv& value, std::size_t depth)
{
    json_value array = json_value::array();
    const int size = jv_array_length(value.copy());
    for (int i = 0; i < size; ++i)
        array.push_back(from_jv(owned_jv(jv_array_get(value.copy(), i)), depth));
    return array;
}

json_value to_object(const owned_jv& value, std::size_t depth)
{
    json_value::object_t object;
    for (int at = jv_object_iter(value.get()); jv_object_iter_valid(value.get(), at) != 0;
         at = jv_object_iter_next(value.get(), at)) {
        const owned_jv name(jv_object_iter_key(value.get(), at));
        const owned_jv member(jv_object_iter_value(value.get(), at));
        object.emplace_back(to_string(name), from_jv(member, depth));
    }
    return object;
}

// The depth of what is in an array or object at this one.
std::size_t below(std::size_t depth)
{
    if (depth == deepest_result)
        throw std::runtime_error(
            fmt::format("the result is nested deeper than {} levels", deepest_result)
        );
    return depth + 1;
}

json_value from_jv(const owned_jv& value, std::size_t depth)
{
    switch (jv_get_kind(value.get())) {
    case JV_KIND_FALSE:
        return false;
    case JV_KIND_TRUE:
        return true;
    case JV_KIND_NUMBER:
        return to_number(jv_number_value(value.get()));
    case JV_KIND_STRING:
        return to_string(value);
    case JV_KIND_ARRAY:
        return to_array(value, below(depth));
    case JV_KIND_OBJECT:
        return to_object(value, below(depth));
    default:
        return nullptr;
    }
}

}  // namespace

jv to_jv(const element& content)
{
    return content.is_text() ? to_jv(content.text()) : to_jv(content.to_json());
}

json_value from_jv(jv value)
{
    return from_jv(owned_jv(value), 0);
}

}  // namespace sluice::pipeline
