// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/jq/simple_condition.hpp"

#include "pipeline/data/content.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace sluice::pipeline {

namespace {

bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_in_name(char c)
{
    return begins_name(c) || text::is_digit(c);
}

bool is_in_number(char c)
{
    return is_in_name(c) || c == '.' || c == '+' || c == '-';
}

bool are_equal(const value_view& found, const json_value& constant)
{
    const value_view other(constant);
    if (const auto its = other.as_number()) {
        const auto number = found.as_number();
        return number && number->value() == its->value();
    }
    if (const auto flag = other.as_flag())
        return found.as_flag() == flag;
    if (!constant.is_string())
        return !found || found.is_null();
    std::string scratch;
    return found.is_string() &&
           found.string(scratch) == constant.get_ref<const std::string&>();
}

}  // namespace

// Takes the text apart from its beginning. What gives nothing leaves it anywhere.
class simple_condition::scanner
{
public:
    explicit scanner(std::string_view text) : rest_(text) {}

    [[nodiscard]] std::optional<std::vector<comparison>> all()
    {
        std::vector<comparison> found;
        do {
            std::optional<comparison> next = one();
            if (!next)
                return std::nullopt;
            found.push_back(std::move(*next));
        } while (skip_and());
        if (!rest_.empty())
            return std::nullopt;
        return found;
    }

private:
    std::optional<comparison> one()
    {
        skip_spaces();
        if (!skip(".") || rest_.empty() || !begins_name(rest_.front()))
            return std::nullopt;
        std::string field(take_while(is_in_name));
        skip_spaces();
        const std::optional<relation> is = take_relation();
        skip_spaces();
        std::optional<json_value> constant = take_constant();
        if (!is || !constant || (is_order(*is) && !is_number(*constant)))
            return std::nullopt;
        const auto limit = value_view(*constant).as_number();
        return comparison{
            std::move(field),
            *is,
            std::move(*constant),
            limit ? limit->value() : 0
        };
    }

    // Whether another comparison must follow. Spaces behind the last one belong to it.
    bool skip_and()
    {
        const std::string_view before = rest_;
        skip_spaces();
        return rest_.size() != before.size() && skip("and");
    }

    std::optional<relation> take_relation()
    {
        // the longer ones first
        constexpr std::array<std::pair<std::string_view, relation>, 6> signs{
            {{"==", relation::equal},
             {"!=", relation::unequal},
             {"<=", relation::less_or_equal},
             {">=", relation::greater_or_equal},
             {"<", relation::less},
             {">", relation::greater}}
        };
        for (const auto& [sign, is] : signs)
            if (skip(sign))
                return is;
        return std::nullopt;
    }

    std::optional<json_value> take_constant()
    {
        if (skip("\""))
            return take_string();
        json_value constant = json_value::parse(take_while(is_in_number), nullptr, false);
        if (constant.is_discarded())
            return std::nullopt;
        return constant;
    }

    // Of escapes jq has more than JSON. Its texts have U+FFFD where a field has other bytes.
    std::optional<json_value> take_string()
    {
        constexpr std::string_view replacement = "\xEF\xBF\xBD";
        const std::string_view content = take_while([](char c) { return c != '"'; });
        if (!skip("\"") || content.find('\\') != content.npos ||
            content.find(replacement) != content.npos ||
            text::valid_beginning(content).size() != content.size())
            return std::nullopt;
        return json_value(std::string(content));
    }

    static bool is_order(relation is)
    {
        return is != relation::equal && is != relation::unequal;
    }

    void skip_spaces() { (void)take_while(is_space); }

    bool skip(std::string_view expected)
    {
        if (!rest_.starts_with(expected))
            return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    template <class Predicate>
    std::string_view take_while(Predicate predicate)
    {
        const auto end = std::ranges::find_if_not(rest_, predicate);
        const auto size = static_cast<std::size_t>(end - rest_.begin());
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    std::string_view rest_;
};

bool simple_condition::comparison::holds_for(const value_view& found) const
{
    if (is == relation::equal || is == relation::unequal)
        return are_equal(found, constant) == (is == relation::equal);
    const auto its = found.as_number();
    if (!its)
        return false;
    switch (is) {
    case relation::less:
        return its->value() < limit;
    case relation::less_or_equal:
        return its->value() <= limit;
    case relation::greater:
        return its->value() > limit;
    default:
        return its->value() >= limit;
    }
}

std::optional<simple_condition> simple_condition::parse(std::string_view text)
{
    std::optional<std::vector<comparison>> comparisons = scanner(text).all();
    if (!comparisons)
        return std::nullopt;
    simple_condition made;
    made.comparisons_ = std::move(*comparisons);
    return made;
}

std::optional<bool> simple_condition::holds_for(const element& value) const
{
    const value_view whole = detail::view_of(value);
    if (value.kind() != element_kind::value || (whole && !whole.is_object()))
        return std::nullopt;
    return std::ranges::all_of(comparisons_, [&](const comparison& each) {
        return each.holds_for(detail::field_of(value, each.field));
    });
}

}  // namespace sluice::pipeline
