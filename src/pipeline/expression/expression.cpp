// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/expression/expression.hpp"

#include "pipeline/data/content.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/words.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sluice::pipeline {

namespace {

using operation = expression_node::operation;

// A value where it is, or a number or a flag that was computed.
class operand
{
public:
    explicit operand(const value_view& found) noexcept : found_(found) {}

    // One whose number is known already.
    operand(const value_view& found, const std::optional<number>& its) noexcept
        : found_(found), number_(its)
    {
    }

    explicit operand(const number& computed) noexcept : number_(computed) {}
    explicit operand(bool computed) noexcept : flag_(computed) {}

    // Nothing if it was computed.
    [[nodiscard]] const value_view& found() const noexcept { return found_; }

    [[nodiscard]] std::optional<number> as_number() const noexcept
    {
        return number_ ? number_ : found_.as_number();
    }

    [[nodiscard]] std::optional<bool> as_flag() const noexcept
    {
        return flag_ ? flag_ : found_.as_flag();
    }

    // Also if it is missing.
    [[nodiscard]] bool is_null() const noexcept
    {
        return found_ ? found_.is_null() : !number_ && !flag_;
    }

    [[nodiscard]] bool is_true() const noexcept
    {
        return !is_null() && as_flag().value_or(true);
    }

    void append_json(std::string& out, invalid_utf8 rule) const
    {
        if (flag_)
            out += *flag_ ? "true" : "false";
        else if (found_ || !number_)
            found_.append_json(out, rule);
        else if (number_->is_whole())
            out += fmt::format("{}", number_->whole());
        else
            out += fmt::format("{}", static_cast<double>(number_->value()));
    }

private:
    value_view found_;
    std::optional<number> number_;
    std::optional<bool> flag_;
};

bool are_equal(const operand& left, const operand& right)
{
    const auto its = left.as_number();
    const auto other = right.as_number();
    if (its || other)
        return its == other;
    if (left.as_flag() || right.as_flag())
        return left.as_flag() == right.as_flag();
    if (left.is_null() || right.is_null())
        return left.is_null() && right.is_null();
    const value_view& one = left.found();
    const value_view& another = right.found();
    if (one.is_string() != another.is_string())
        return false;
    std::string scratch;
    std::string anothers;
    if (one.is_string())
        return one.string(scratch) == another.string(anothers);
    one.append_compact(scratch, invalid_utf8::show);
    another.append_compact(anothers, invalid_utf8::show);
    return scratch == anothers;
}

// Only two numbers or two strings are in an order.
std::partial_ordering order_of(const operand& left, const operand& right)
{
    const auto its = left.as_number();
    const auto other = right.as_number();
    if (its && other)
        return *its <=> *other;
    if (!left.found().is_string() || !right.found().is_string())
        return std::partial_ordering::unordered;
    std::string scratch;
    std::string others;
    return left.found().string(scratch) <=> right.found().string(others);
}

// Nothing if that is no whole number of 64 bits. @pre no division by zero
std::optional<std::int64_t> exactly(operation is, std::int64_t left, std::int64_t right)
{
    if (is == operation::divide && right == -1)  // of which alone it may be too large
        return exactly(operation::subtract, 0, left);
    if (is == operation::divide)
        return left % right == 0 ? std::optional(left / right) : std::nullopt;
    if (is == operation::remainder)
        return right == -1 ? 0 : left % right;
    std::int64_t result = 0;
    const bool overflows = is == operation::add
                               ? __builtin_add_overflow(left, right, &result)
                           : is == operation::subtract
                               ? __builtin_sub_overflow(left, right, &result)
                               : __builtin_mul_overflow(left, right, &result);
    return overflows ? std::nullopt : std::optional(result);
}

double approximately(operation is, long double left, long double right)
{
    const auto one = static_cast<double>(left);
    const auto other = static_cast<double>(right);
    return is == operation::add        ? one + other
           : is == operation::subtract ? one - other
           : is == operation::multiply ? one * other
                                       : one / other;
}

}  // namespace

// Of one element. Operands refer to the element, to the expression, and to this.
class expression::evaluation
{
public:
    evaluation(const expression& of, const element& input) : of_(of), input_(input) {}

    [[nodiscard]] operand result() { return value_of(of_.nodes_.back()); }

private:
    [[nodiscard]] operand value_of(const expression_node& at)
    {
        const expression_node& left = of_.nodes_[at.left];
        const expression_node& right = of_.nodes_[at.right];
        switch (at.is) {
        case operation::constant:
            return {value_view(at.constant), at.its_number};
        case operation::path:
            return found_at(at.steps);
        case operation::pipe: {
            const auto outer = std::exchange(piped_, value_of(left));
            const operand given = value_of(right);
            piped_ = outer;
            return given;
        }
        case operation::alternative: {
            const operand first = value_of(left);
            return first.is_true() ? first : value_of(right);
        }
        case operation::either:
            return operand(value_of(left).is_true() || value_of(right).is_true());
        case operation::both:
            return operand(value_of(left).is_true() && value_of(right).is_true());
        case operation::negation:
            return operand(!value_of(left).is_true());
        case operation::equal:
            return operand(are_equal(value_of(left), value_of(right)));
        case operation::unequal:
            return operand(!are_equal(value_of(left), value_of(right)));
        case operation::less:
            return operand(order_of(value_of(left), value_of(right)) < 0);
        case operation::less_or_equal:
            return operand(order_of(value_of(left), value_of(right)) <= 0);
        case operation::greater:
            return operand(order_of(value_of(left), value_of(right)) > 0);
        case operation::greater_or_equal:
            return operand(order_of(value_of(left), value_of(right)) >= 0);
        case operation::negative:
            return operand(
                computed(operation::subtract, number(std::int64_t{0}), number_of(left))
            );
        case operation::length:
            return operand(length_of(value_of(left)));
        default: {
            const number first = number_of(left);
            return operand(computed(at.is, first, number_of(right)));
        }
        }
    }

    [[nodiscard]] operand found_at(const std::vector<expression_node::step>& steps)
    {
        if (piped_ && steps.empty())
            return *piped_;
        auto next = steps.begin();
        const bool is_field = !piped_ && !steps.empty() &&
                              std::holds_alternative<std::string>(*next);
        value_view found = piped_ ? piped_->found()
                           : is_field
                               ? detail::field_of(input_, std::get<std::string>(*next++))
                               : whole();
        for (; next != steps.end(); ++next)
            if (const auto* const name = std::get_if<std::string>(&*next))
                found = found.member(*name);
            else
                found = found.item(std::get<std::size_t>(*next));
        return operand(found);
    }

    // A record with names stands nowhere as a whole.
    [[nodiscard]] value_view whole()
    {
        if (const value_view there = detail::view_of(input_))
            return there;
        if (!whole_)
            whole_ = input_.to_json();
        return value_view(*whole_);
    }

    [[nodiscard]] number length_of(const operand& of) const
    {
        if (of.as_number() || of.as_flag())
            fail(fmt::format("{} has no length", in_words(of)));
        std::string scratch;
        const std::size_t length = of.found().is_string()
                                       ? text::count_characters(of.found().string(scratch)
                                         )
                                       : of.found().to_json().size();
        return number(static_cast<std::int64_t>(length));
    }

    [[nodiscard]] number number_of(const expression_node& at)
    {
        const operand of = value_of(at);
        const auto its = of.as_number();
        if (!its)
            fail(fmt::format(
                "{} is {}, not a number",
                text::cut_to_bytes(at.written, longest_quote),
                in_words(of)
            ));
        return *its;
    }

    [[nodiscard]] number computed(operation is, const number& left, const number& right)
        const
    {
        const bool is_remainder = is == operation::remainder;
        if ((is_remainder || is == operation::divide) && right.value() == 0)
            fail("it divides by zero");
        if (left.is_whole() && right.is_whole())
            if (const auto exact = exactly(is, left.whole(), right.whole()))
                return number(*exact);
        if (is_remainder)
            fail("% takes whole numbers of 64 bits");
        const double value = approximately(is, left.value(), right.value());
        if (!std::isfinite(value))
            fail("its result is beyond 1.8e308");
        return number(value);
    }

    [[nodiscard]] static std::string in_words(const operand& of)
    {
        std::string all;
        of.append_json(all, invalid_utf8::show);
        const std::string_view beginning = text::cut_to_bytes(all, longest_quote);
        return fmt::format("{}{}", beginning, beginning.size() < all.size() ? "..." : "");
    }

    [[noreturn]] void fail(const std::string& why) const
    {
        throw std::runtime_error(fmt::format(
            "cannot evaluate {} for {}: {}",
            detail::in_quotes(of_.text_),
            shown(input_),
            why
        ));
    }

    static constexpr std::size_t longest_quote = 60;

    const expression& of_;
    const element& input_;
    std::optional<operand> piped_;     // what "." is behind a pipe
    std::optional<json_value> whole_;  // the element, once that is asked for
};

expression::expression(std::string text, const char* option)
    : text_(std::move(text)), nodes_(parse_expression(text_, option))
{
}

bool expression::holds_for(const element& of) const
{
    return evaluation(*this, of).result().is_true();
}

field_form expression::append(const element& of, std::string& out) const
{
    evaluation one(*this, of);
    const operand given = one.result();
    if (!given.found().is_string() || given.found().is_written_json()) {
        given.append_json(out, invalid_utf8::refuse);
        return field_form::json;
    }
    std::string scratch;
    out += given.found().string(scratch);
    return field_form::text;
}

}  // namespace sluice::pipeline
