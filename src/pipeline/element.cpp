// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/element.hpp>

#include "pipeline/data/content.hpp"
#include "pipeline/words.hpp"

#include <variant>

namespace sluice::pipeline {

using detail::content;
using detail::record_block;
using detail::text_content;
using detail::value_content;

const char* to_string(element_kind kind) noexcept
{
    static constexpr const char* names[] = {"nothing", "text", "value", "any", "same"};
    return detail::name_of(kind, names);
}

namespace {

// What can be changed, because no other element has it; null if there is no such content yet.
template <class Content>
Content* own_content(const element& of, content::form is) noexcept
{
    const content* const shared = of.shared_content();
    if (shared == nullptr || shared->is() != is || !shared->has_one_owner())
        return nullptr;
    // it was made by this element, which is not constant where this is called
    return static_cast<Content*>(const_cast<content*>(shared));
}

// The fields of a record as the members of an object.
json_value object_of(const record_block& block, std::uint32_t record)
{
    json_value::object_t object;
    object.reserve(block.width());
    for (std::size_t i = 0; i < block.width(); ++i)
        object.emplace_back(
            block.names()->names()[i],
            value_view(block.fields_of(record)[i]).to_json()
        );
    return object;
}

}  // namespace

element::element(std::string text) : content_(new text_content(std::move(text))) {}

element::element(json_value value) : content_(new value_content(std::move(value))) {}

element_kind element::kind() const noexcept
{
    if (content_ == nullptr)
        return element_kind::text;
    switch (content_->is()) {
    case content::form::text:
        return element_kind::text;
    case content::form::value:
        return element_kind::value;
    case content::form::records:
        break;
    }
    const auto& block = static_cast<const record_block&>(*content_);
    return block.names() == nullptr &&
                   block.fields_of(record())->form() == field_form::text
               ? element_kind::text
               : element_kind::value;
}

void element::own(content* made) noexcept
{
    if (content_ != nullptr)
        detail::release(content_);
    content_ = made;
    record_and_weight_ = 0;
}

std::string& element::text()
{
    if (auto* const found = own_content<text_content>(*this, content::form::text))
        return found->text;
    auto* const made = new text_content(std::string(std::as_const(*this).text()));
    own(made);
    return made->text;
}

std::string_view element::text() const
{
    if (!is_text())
        throw std::bad_variant_access();
    return detail::view_of(*this).bytes();
}

json_value& element::value()
{
    if (auto* const found = own_content<value_content>(*this, content::form::value))
        return found->value;
    if (kind() != element_kind::value)
        throw std::bad_variant_access();
    auto* const made = new value_content(std::as_const(*this).to_json());
    own(made);
    return made->value;
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

json_value element::to_json() const&
{
    return detail::has_fields(*this) ? object_of(*detail::block_of(*this), record())
                                     : detail::view_of(*this).to_json();
}

json_value element::to_json() &&
{
    if (is_text())
        return std::move(text());
    return std::move(value());
}

bool operator==(const element& left, const element& right)
{
    if (left.kind() != right.kind())
        return false;
    return left.is_text() ? left.text() == right.text()
                          : left.to_json() == right.to_json();
}

namespace {

// Members and elements are counted with what they stand in.
std::size_t weight_of(const json_value& value) noexcept
{
    std::size_t sum = sizeof(value);
    if (const auto* const text = value.get_ptr<const json_value::string_t*>())
        return sum + sizeof(json_value::string_t) + text->size();
    if (const auto* const number = value.get_ptr<const json_value::binary_t*>())
        return sum + sizeof(json_value::binary_t) + number->size();
    if (const auto* const items = value.get_ptr<const json_value::array_t*>())
        for (const json_value& item : *items)
            sum += weight_of(item);
    if (const auto* const members = value.get_ptr<const json_value::object_t*>())
        for (const auto& [name, member] : *members)
            sum += sizeof(json_value::string_t) + name.size() + weight_of(member);
    return sum;
}

}  // namespace

std::size_t element::compute_weight() const noexcept
{
    std::size_t sum = sizeof(element);
    if (content_ == nullptr)
        return sum;
    switch (content_->is()) {
    case content::form::text:
        return sum + static_cast<const text_content*>(content_)->text.size();
    case content::form::value:
        return sum + weight_of(static_cast<const value_content*>(content_)->value);
    case content::form::records:
        break;
    }
    return static_cast<const record_block*>(content_)->weight_of(record());
}

}  // namespace sluice::pipeline
