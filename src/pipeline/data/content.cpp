// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/content.hpp"

#include "pipeline/data/json_text.hpp"

namespace sluice::pipeline::detail {

void retain(content* shared) noexcept
{
    shared->retain();
}

void release(content* shared) noexcept
{
    shared->release();
}

void release_all(std::vector<element>& elements) noexcept
{
    content* last = nullptr;
    std::uint32_t owners = 0;
    for (element& each : elements) {
        each.record_and_weight_ = 0;
        content* const its = std::exchange(each.content_, nullptr);
        if (its != last && its != nullptr) {
            if (last != nullptr)
                last->release(std::exchange(owners, 0));
            last = its;
        }
        owners += its != nullptr ? 1U : 0U;
    }
    if (last != nullptr)
        last->release(owners);
}

field_names::field_names(std::vector<std::string> names) : names_(std::move(names))
{
    char before = '{';
    for (const std::string& name : names_) {
        std::string& prefix = prefixes_.emplace_back(1, std::exchange(before, ','));
        append_json_string(name, prefix);
        prefix += ':';
    }
}

record_block::record_block(
    std::shared_ptr<const field_names> names,
    std::size_t width,
    std::size_t capacity
)
    : content(form::records, static_cast<std::uint32_t>(capacity) + 1),
      names_(std::move(names)),
      width_(width),
      capacity_(capacity),
      fields_(std::make_unique_for_overwrite<field[]>(width * capacity))
{
}

std::size_t record_block::bytes_of(std::uint32_t record) const noexcept
{
    std::size_t sum = 0;
    const field* const fields = fields_of(record);
    for (std::size_t i = 0; i < width_; ++i)
        sum += fields[i].size();
    return sum;
}

value_view view_of(const element& of) noexcept
{
    const content* const shared = of.shared_content();
    if (shared == nullptr)
        return value_view::of_text({});
    switch (shared->is()) {
    case content::form::text:
        return value_view::of_text(static_cast<const text_content*>(shared)->text);
    case content::form::value:
        return value_view(static_cast<const value_content*>(shared)->value);
    case content::form::records:
        break;
    }
    const auto* const block = static_cast<const record_block*>(shared);
    return block->names() == nullptr ? value_view(*block->fields_of(of.record()))
                                     : value_view();
}

void append_json(const element& of, std::string& out, invalid_utf8 rule)
{
    const record_block* const block = block_of(of);
    if (block == nullptr || block->names() == nullptr) {
        view_of(of).append_json(out, rule);
        return;
    }
    if (block->width() == 0)
        out += '{';
    const field* const fields = block->fields_of(of.record());
    for (std::size_t i = 0; i < block->width(); ++i) {
        out += block->names()->prefix(i);
        value_view(fields[i]).append_json(out, rule);
    }
    out += '}';
}

}  // namespace sluice::pipeline::detail
