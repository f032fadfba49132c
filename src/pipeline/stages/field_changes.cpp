// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/field_changes.hpp"

#include "pipeline/data/json_text.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <unordered_set>

namespace sluice::pipeline {

namespace {

// More names of records than come at a time, unless they differ from record to record.
constexpr std::size_t most_plans = 16;

bool holds(const std::vector<std::string>& names, const std::string& name)
{
    return std::ranges::find(names, name) != names.end();
}

// The members of an option that is an object of texts.
std::vector<std::pair<std::string, std::string>> texts_of(
    const nlohmann::json& given,
    const char* option,
    const char* expected
)
{
    std::vector<std::pair<std::string, std::string>> texts;
    if (!given.is_object() || given.empty())
        throw option_error(option, detail::in_words(given), expected);
    for (const auto& [name, text] : given.items()) {
        if (!text.is_string())
            throw option_error(option, detail::in_words(text), expected);
        texts.emplace_back(name, text.get<std::string>());
    }
    return texts;
}

}  // namespace

field_changes::field_changes(
    const std::optional<nlohmann::json>& set,
    const std::optional<nlohmann::json>& rename,
    std::optional<names> keep,
    const std::optional<names>& drop
)
    : keep_(std::move(keep)), drop_(drop.value_or(names()))
{
    if (set)
        for (auto& [name, text] :
             texts_of(*set, "set", "an object of names and expressions"))
            set_.emplace_back(name, expression(std::move(text), "set"));
    if (rename)
        rename_ = texts_of(*rename, "rename", "an object of old names and new ones");
    for (auto one = rename_.begin(); one != rename_.end(); ++one)
        if (std::any_of(rename_.begin(), one, [&](const auto& other) {
                return other.second == one->second;
            }))
            throw option_error(
                "rename",
                detail::in_quotes(one->second),
                "different new names"
            );
    if (keep_ && keep_->empty())
        throw option_error("keep", "nothing", "names of fields");
    if (drop && drop->empty())
        throw option_error("drop", "nothing", "names of fields");
    if (keep_ && drop)
        throw option_error(
            "drop",
            detail::in_json(*drop),
            R"(no such option together with "keep")"
        );
    results_.resize(set_.size());
}

element field_changes::apply(element&& in)
{
    const bool has_names = detail::has_fields(in);
    if (in.kind() != element_kind::value ||
        (!has_names && !detail::view_of(in).is_object()))
        throw std::runtime_error(
            fmt::format("it changes the fields of objects, but got {}", shown(in))
        );
    for (std::size_t i = 0; i < set_.size(); ++i) {  // all see the fields as they were
        results_[i].bytes.clear();
        results_[i].is = set_[i].second.append(in, results_[i].bytes);
    }
    if (has_names)
        return applied_to(in, *detail::block_of(in));
    return detail::view_of(in).is_written_json() ? applied_to_text(in)
                                                 : applied_to_value(std::move(in));
}

// The fields that there are then, with their indexes among the given ones and, behind these, the
// computed ones.
auto field_changes::changed(names given) const -> std::vector<indexed_name>
{
    std::vector<indexed_name> fields;
    std::vector<std::size_t> indexes(given.size());
    for (std::size_t i = 0; i < given.size(); ++i)
        indexes[i] = i;
    const std::size_t computed = given.size();
    for (std::size_t i = 0; i < set_.size(); ++i) {
        const auto found = std::ranges::find(given, set_[i].first);
        if (found != given.end()) {
            indexes[static_cast<std::size_t>(found - given.begin())] = computed + i;
        } else {
            given.push_back(set_[i].first);
            indexes.push_back(computed + i);
        }
    }
    std::unordered_set<std::string_view> used;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto other = std::ranges::find(rename_, given[i], [](const auto& each) {
            return each.first;
        });
        const std::string& name = other != rename_.end() ? other->second : given[i];
        if (!rename_.empty() && !used.insert(name).second)
            throw std::runtime_error(
                fmt::format("two fields would have the name {}", detail::in_quotes(name))
            );
        if ((!keep_ || holds(*keep_, name)) && !holds(drop_, name))
            fields.emplace_back(indexes[i], name);
    }
    return fields;
}

auto field_changes::plan_for(const detail::record_block& block) -> plan&
{
    const auto found = std::ranges::find(plans_, block.shared_names(), &plan::source);
    if (found != plans_.end())
        return *found;
    if (plans_.size() == most_plans)
        plans_.clear();
    plan made{.source = block.shared_names(), .fields = {}, .builder = nullptr};
    names changed_names;
    for (auto& [index, name] : changed(block.names()->names())) {
        made.fields.push_back(index);
        changed_names.push_back(std::move(name));
    }
    made.builder = std::make_unique<detail::record_builder>(
        std::make_shared<detail::field_names>(std::move(changed_names))
    );
    return plans_.emplace_back(std::move(made));
}

element field_changes::applied_to(const element& in, const detail::record_block& block)
{
    const plan& chosen = plan_for(block);
    detail::record_builder& into = *chosen.builder;
    const std::uint64_t line = into.follow(in);
    const field* const fields = block.fields_of(in.record());
    for (const std::size_t index : chosen.fields)
        if (index < block.width()) {
            into.add_part(in, fields[index]);
        } else {
            const result& computed = results_[index - block.width()];
            into.add_copy(computed.bytes, computed.is);
        }
    return into.finish(line);
}

element field_changes::applied_to_text(const element& in)
{
    names given;
    std::vector<std::string_view> values;
    detail::view_of(in).for_each_member([&](std::string_view name, value_view value) {
        given.emplace_back(name);
        values.push_back(value.bytes());
    });
    if (given != given_ || fields_.empty()) {
        fields_ = changed(given);
        given_ = std::move(given);
    }
    const std::uint64_t line = texts_.follow(in);
    texts_.add_filled(field_form::json, [&](std::string& out) {
        const char* before = "{";
        for (const auto& [index, name] : fields_) {
            out += std::exchange(before, ",");
            append_json_string(name, out);
            out += ':';
            if (index < values.size()) {
                out += values[index];
                continue;
            }
            const result& computed = results_[index - values.size()];
            value_view(field(computed.bytes, computed.is))
                .append_json(out, invalid_utf8::refuse);
        }
        out += fields_.empty() ? "{}" : "}";
    });
    return texts_.finish(line);
}

element field_changes::applied_to_value(element&& in)
{
    auto& members = in.value().get_ref<json_value::object_t&>();
    names given;
    for (const auto& [name, value] : members)
        given.push_back(name);
    json_value::object_t object;
    for (auto& [index, name] : changed(std::move(given)))
        if (index < members.size()) {
            object.emplace_back(
                std::move(name),
                std::move((members.begin() + static_cast<std::ptrdiff_t>(index))->second)
            );
        } else {
            const result& computed = results_[index - members.size()];
            object.emplace_back(
                std::move(name),
                value_view(field(computed.bytes, computed.is)).to_json()
            );
        }
    members = std::move(object);
    return std::move(in);
}

}  // namespace sluice::pipeline
