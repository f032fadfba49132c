// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/element.hpp>

namespace sluice::pipeline {

const char* to_string(element_kind kind) noexcept
{
    switch (kind) {
    case element_kind::none:
        return "nothing";
    case element_kind::text:
        return "text";
    case element_kind::value:
        return "value";
    case element_kind::batch:
        return "batch";
    case element_kind::texts:
        return "texts";
    case element_kind::any:
        return "any";
    case element_kind::same:
        return "same";
    }
    return "unknown";
}

element_kind element::kind() const noexcept
{
    constexpr element_kind kinds[] =
        {element_kind::text, element_kind::value, element_kind::batch};
    return kinds[content_.index()];
}

std::string element::to_text(invalid_utf8 rule) &&
{
    if (is_text())
        return std::move(text());
    json_value json = std::move(*this).to_json();
    if (json.is_string())
        return std::move(json.get_ref<std::string&>());
    return to_json_text(json, rule);
}

json_value element::to_json() &&
{
    switch (kind()) {
    case element_kind::text:
        return std::move(text());
    case element_kind::value:
        return std::move(value());
    default:
        break;
    }
    json_value array = json_value::array();
    for (element& each : elements())
        array.push_back(std::move(each).to_json());
    return array;
}

namespace {

// Members and elements are counted with what they stand in.
std::size_t weight_of(const json_value& value) noexcept
{
    std::size_t sum = sizeof(value);
    if (const auto* const text = value.get_ptr<const json_value::string_t*>())
        return sum + sizeof(*text) + text->size();
    if (const auto* const number = value.get_ptr<const json_value::binary_t*>())
        return sum + sizeof(*number) + number->size();
    if (const auto* const items = value.get_ptr<const json_value::array_t*>())
        for (const json_value& item : *items)
            sum += weight_of(item);
    if (const auto* const members = value.get_ptr<const json_value::object_t*>())
        for (const auto& [name, member] : *members)
            sum += sizeof(name) + name.size() + weight_of(member);
    return sum;
}

}  // namespace

}  // namespace sluice::pipeline

std::size_t sluice::element_weight<sluice::pipeline::element>::of_parts(
    const pipeline::element& element
) noexcept
{
    if (element.kind() == pipeline::element_kind::value)
        return sizeof(element) + pipeline::weight_of(element.value());
    std::size_t sum = sizeof(element);
    for (const pipeline::element& part : element.elements())
        sum += of(part);
    return sum;
}
