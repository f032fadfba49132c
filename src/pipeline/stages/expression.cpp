// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/expression.hpp"

#include "pipeline/stages/element_content.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace sluice::pipeline {

using detail::in_quotes;

namespace {

// Whether one "=" is none of "==", "<=", ">=" and "!=".
bool holds_assignment(std::string_view written)
{
    constexpr std::string_view before = "=<>!";
    for (auto at = written.find('='); at != written.npos;
         at = written.find('=', at + 1)) {
        const bool ends_operator = at > 0 && before.find(written[at - 1]) != before.npos;
        if (!ends_operator && !written.substr(at + 1).starts_with('='))
            return true;
    }
    return false;
}

// What the parser says, with its quote cut if that is long.
std::string reason(const mu::Parser::exception_type& error)
{
    std::string text = error.GetMsg();
    const std::string quote = fmt::format("\"{}\"", error.GetToken());
    const auto place = text.find(quote);
    if (place != text.npos)
        text.replace(place, quote.size(), in_quotes(error.GetToken()));
    // The parser's own words for a text would be those of a programmer.
    if (error.GetExpr().find('"') != std::string::npos)
        text += "; it compares numbers only, use \"field\" and \"matches\" for texts";
    return text;
}

// What a variable stands for, or null.
const json_value* find_field(const json_value& value, const std::string& name)
{
    if (!value.is_object())
        return name == "value" ? &value : nullptr;
    const auto member = value.find(name);
    return member != value.end() ? &*member : nullptr;
}

// The number a variable stands for, or null.
const json_value* find_number(const json_value& value, const std::string& name)
{
    const json_value* const found = find_field(value, name);
    return found != nullptr && (is_number(*found) || found->is_boolean()) ? found
                                                                          : nullptr;
}

}  // namespace

expression::expression(const std::string& written, const char* option) : written_(written)
{
    const auto refuse = [&](const std::string& why) {
        throw option_error(
            option,
            in_quotes(written),
            fmt::format("a numeric expression ({})", why)
        );
    };
    if (holds_assignment(written))
        refuse("= changes no field here; == compares");
    try {
        compile();
    } catch (const mu::Parser::exception_type& error) {
        refuse(reason(error));
    }
    if (parser_.GetNumResults() != 1)
        refuse("a comma stands only between the arguments of a function; && is \"and\"");
}

void expression::compile()
{
    const auto remainder = [](double a, double b) { return std::fmod(a, b); };
    parser_.DefineOprt("%", +remainder, mu::prMUL_DIV, mu::oaLEFT);
    parser_.DefineFun("floor", +[](double a) { return std::floor(a); });
    parser_.DefineFun("ceil", +[](double a) { return std::ceil(a); });
    parser_.SetExpr(written_);
    for (const auto& [name, unused] : parser_.GetUsedVar())
        variables_.emplace(name, 1.0);
    for (auto& [name, number] : variables_)
        parser_.DefineVar(name, &number);
    (void)parser_.Eval();  // what is wrong beyond names is found here
}

bool expression::has_fields(const json_value& value) const
{
    return std::ranges::all_of(variables_, [&value](const auto& variable) {
        const json_value* const found = find_field(value, variable.first);
        return found != nullptr && !found->is_null();
    });
}

double expression::evaluate(const json_value& value)
{
    for (auto& [name, number] : variables_) {
        const json_value* const found = find_number(value, name);
        if (found == nullptr)
            fail(value, fmt::format("there is no number \"{}\"", name));
        number = found->is_boolean() ? found->get<bool>() : to_double(*found);
    }
    const double result = parser_.Eval();
    if (!std::isfinite(result))
        fail(value, "the result is no number");
    return result;
}

void expression::fail(const json_value& value, const std::string& what) const
{
    throw std::runtime_error(fmt::format(
        "cannot evaluate {} for {}: {}",
        in_quotes(written_),
        shown(element(value)),
        what
    ));
}

json_value to_number(double result)
{
    constexpr double exact =
        9007199254740992.0;  // 2^53: whole numbers up to it are exact
    if (std::trunc(result) == result && std::abs(result) <= exact)
        return static_cast<std::int64_t>(result);
    return result;
}

}  // namespace sluice::pipeline
