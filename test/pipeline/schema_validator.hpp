// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>

namespace sluice::test {

// Checks values against a JSON Schema, as far as keywords go that the schema of descriptions
// uses; it throws for any other.
class schema_validator
{
public:
    using json = nlohmann::json;

    explicit schema_validator(json schema) : root_(std::move(schema)) {}

    [[nodiscard]] bool accepts(const json& value) const { return fits(root_, value); }

private:
    // To compile a pattern takes far longer than to look for it.
    [[nodiscard]] bool matches(const std::string& text, const std::string& pattern) const
    {
        const auto found = patterns_.try_emplace(pattern, pattern).first;
        return std::regex_search(text, found->second);
    }

    [[nodiscard]] bool fits(const json& schema, const json& value) const
    {
        if (schema.is_boolean())
            return schema.get<bool>();
        const auto& rules = schema.items();
        return std::all_of(rules.begin(), rules.end(), [&](const auto& rule) {
            return fits_rule(schema, rule.key(), rule.value(), value);
        });
    }

    [[nodiscard]] bool fits_rule(
        const json& schema,
        const std::string& keyword,
        const json& rule,
        const json& value
    ) const
    {
        for (const char* const note :
             {"$schema", "$defs", "title", "description", "default"})
            if (keyword == note)
                return true;
        if (keyword == "$ref")
            return fits(
                root_.at(json::json_pointer(rule.get<std::string>().substr(1))),
                value
            );
        if (keyword == "type")
            return has_type(rule.get<std::string>(), value);
        if (keyword == "enum")
            return std::find(rule.begin(), rule.end(), value) != rule.end();
        if (keyword == "const")
            return rule == value;
        if (keyword == "not")
            return !fits(rule, value);
        if (keyword == "allOf")
            return std::all_of(rule.begin(), rule.end(), [&](const json& each) {
                return fits(each, value);
            });
        if (keyword == "anyOf")
            return std::any_of(rule.begin(), rule.end(), [&](const json& each) {
                return fits(each, value);
            });
        if (keyword == "if")
            return !fits(rule, value) || fits(schema.at("then"), value);
        if (keyword == "then")
            return true;  // seen at "if"
        return fits_rule_of_type(schema, keyword, rule, value);
    }

    [[nodiscard]] bool fits_rule_of_type(
        const json& schema,
        const std::string& keyword,
        const json& rule,
        const json& value
    ) const
    {
        if (keyword == "minimum")
            return !value.is_number() || number(value) >= number(rule);
        if (keyword == "maximum")
            return !value.is_number() || number(value) <= number(rule);
        if (keyword == "pattern")
            return !value.is_string() || matches(value.get<std::string>(), rule);
        if (keyword == "minLength")
            return !value.is_string() || length(value) >= rule.get<std::size_t>();
        if (keyword == "maxLength")
            return !value.is_string() || length(value) <= rule.get<std::size_t>();
        if (keyword == "items")
            return !value.is_array() ||
                   std::all_of(value.begin(), value.end(), [&](const json& each) {
                       return fits(rule, each);
                   });
        if (keyword == "minItems")
            return !value.is_array() || value.size() >= rule.get<std::size_t>();
        if (keyword == "maxItems")
            return !value.is_array() || value.size() <= rule.get<std::size_t>();
        return fits_rule_of_objects(schema, keyword, rule, value);
    }

    [[nodiscard]] bool fits_rule_of_objects(
        const json& schema,
        const std::string& keyword,
        const json& rule,
        const json& value
    ) const
    {
        const json members = value.is_object() ? value : json::object();
        if (keyword == "maxProperties")
            return members.size() <= rule.get<std::size_t>();
        if (keyword == "required")
            return !value.is_object() ||
                   std::all_of(rule.begin(), rule.end(), [&](const json& name) {
                       return members.contains(name.get<std::string>());
                   });
        const auto all_members = [&members](auto fits_member) {
            const auto& items = members.items();
            return std::all_of(items.begin(), items.end(), [&](const auto& each) {
                return fits_member(each.key(), each.value());
            });
        };
        if (keyword == "properties")
            return all_members([&](const std::string& name, const json& member) {
                return !rule.contains(name) || fits(rule.at(name), member);
            });
        if (keyword == "propertyNames")
            return all_members([&](const std::string& name, const json&) {
                return fits(rule, name);
            });
        if (keyword == "additionalProperties")
            return all_members([&](const std::string& name, const json& member) {
                const bool known = schema.contains("properties") &&
                                   schema.at("properties").contains(name);
                return known || fits(rule, member);
            });
        throw std::invalid_argument(
            "the keyword " + keyword + " is not known to the test"
        );
    }

    static bool has_type(const std::string& type, const json& value)
    {
        if (type == "integer")
            return value.is_number() && number(value) == std::floor(number(value));
        if (type == "number")
            return value.is_number();
        return value.type_name() == type;
    }

    // Exact for all whole numbers of 64 bits.
    static long double number(const json& value) { return value.get<long double>(); }

    static std::size_t length(const json& value)
    {
        const auto& text = value.get_ref<const std::string&>();
        return static_cast<std::size_t>(std::count_if(
            text.begin(),
            text.end(),
            [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }
        ));
    }

    json root_;
    mutable std::map<std::string, std::regex> patterns_;
};

}  // namespace sluice::test
