// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/expression/expression_tree.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sluice::pipeline {

namespace {

using operation = expression_node::operation;

// Functions that call themselves walk through parentheses and nodes.
constexpr std::size_t deepest_expression = 500;

struct sign
{
    std::string_view written;
    int level;  // the higher, the closer it binds
    operation is;
};

constexpr int level_of_comparisons = 4;
constexpr int highest_level = 6;

// Those that begin as another one before it.
constexpr sign signs[] = {
    {"|", 0, operation::pipe},
    {"//", 1, operation::alternative},
    {"or", 2, operation::either},
    {"and", 3, operation::both},
    {"==", level_of_comparisons, operation::equal},
    {"!=", level_of_comparisons, operation::unequal},
    {"<=", level_of_comparisons, operation::less_or_equal},
    {">=", level_of_comparisons, operation::greater_or_equal},
    {"<", level_of_comparisons, operation::less},
    {">", level_of_comparisons, operation::greater},
    {"+", 5, operation::add},
    {"-", 5, operation::subtract},
    {"*", highest_level, operation::multiply},
    {"/", highest_level, operation::divide},
    {"%", highest_level, operation::remainder}
};

bool begins_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_in_word(char c)
{
    return begins_word(c) || text::is_digit(c);
}

// Takes the text apart from its beginning.
class parser
{
public:
    parser(std::string_view text, const char* option) : text_(text), option_(option) {}

    [[nodiscard]] std::vector<expression_node> all()
    {
        skip_spaces();
        (void)from_level(0);
        if (at_ != text_.size())
            fail_here();
        return std::move(nodes_);
    }

private:
    // What has signs of this level and of higher ones. Gives the index of its node.
    std::size_t from_level(int level)
    {
        if (level > highest_level)
            return factor();
        const std::size_t begin = at_;
        if (level == level_of_comparisons && skip("not")) {
            enter();
            const std::size_t of = is_end_of_operands() ? whole() : from_level(level);
            --nesting_;
            return add(operation::negation, begin, of, of);
        }
        std::size_t left = from_level(level + 1);
        while (const sign* const found = skip_sign(level)) {
            left = add(found->is, begin, left, from_level(level + 1));
            if (level == level_of_comparisons)
                break;  // as in jq, 1 < 2 < 3 is none
        }
        return left;
    }

    std::size_t factor()
    {
        enter();
        const std::size_t begin = at_;
        std::size_t made = 0;
        if (skip("-")) {
            const std::size_t of = factor();
            made = add(operation::negative, begin, of, of);
        } else if (skip("(")) {
            made = from_level(0);
            if (!skip(")"))
                fail_here();
        } else if (skip("length")) {
            const std::size_t of = whole();
            made = add(operation::length, begin, of, of);
        } else if (next() == '.') {
            made = path();
        } else {
            json_value value = constant();
            skip_spaces();
            made = add(operation::constant, begin, 0, 0);
            nodes_.back().constant = std::move(value);
            nodes_.back().its_number = value_view(nodes_.back().constant).as_number();
        }
        --nesting_;
        return made;
    }

    // What it is about.
    std::size_t whole() { return add(operation::path, end_, 0, 0); }

    // A question mark changes nothing, because a missing field is no error.
    std::size_t path()
    {
        const std::size_t begin = at_;
        std::vector<expression_node::step> steps;
        while (next() == '.' || next() == '[') {
            at_ += next() == '.' ? 1U : 0U;
            if (next() == '[')
                steps.push_back(index());
            else if (next() == '"')
                steps.emplace_back(constant().get<std::string>());
            else if (begins_word(next()))
                steps.emplace_back(std::string(take_while(is_in_word)));
            else if (at_ == begin + 1)
                break;
            else
                fail_here();
            (void)take_while([](char c) { return c == '?'; });
        }
        skip_spaces();
        const std::size_t made = add(operation::path, begin, 0, 0);
        nodes_.back().steps = std::move(steps);
        return made;
    }

    expression_node::step index()
    {
        const std::size_t begin = ++at_;
        const json_value taken = next() != '-' ? constant() : nullptr;
        if (!taken.is_string() && !taken.is_number_unsigned())
            fail(begin, "an index is a whole number that is not negative");
        if (next() != ']')
            fail_here();
        ++at_;
        if (taken.is_string())
            return taken.get<std::string>();
        return taken.get<std::size_t>();
    }

    // As JSON has it: a string, a number, or true, false and null.
    json_value constant()
    {
        const std::size_t begin = at_;
        if (next() == '"') {
            for (++at_; at_ < text_.size() && next() != '"'; ++at_)
                at_ += next() == '\\' ? 1U : 0U;
            at_ = std::min(at_ + 1, text_.size());
        } else if (text::is_digit(next())) {
            char before = '0';
            (void)take_while([&before](char c) {
                const bool is_sign = (c == '+' || c == '-') &&
                                     (before == 'e' || before == 'E');
                before = c;
                return is_sign || c == '.' || is_in_word(c);
            });
        } else if (!is_word("true") && !is_word("false") && !is_word("null")) {
            fail_here();
        } else {
            (void)take_while(is_in_word);
        }
        json_value read =
            json_value::parse(text_.substr(begin, at_ - begin), nullptr, false);
        if (read.is_discarded())
            fail(begin, "JSON has no such constant");
        return read;
    }

    std::size_t add(operation is, std::size_t begin, std::size_t left, std::size_t right)
    {
        std::size_t depth = 1;
        if (is != operation::path && is != operation::constant)
            depth += std::max(nodes_[left].depth, nodes_[right].depth);
        if (depth > deepest_expression)
            fail(begin, fmt::format("it has more than {} levels", deepest_expression));
        nodes_.push_back(
            {.is = is,
             .left = left,
             .right = right,
             .written = std::string(text_.substr(begin, end_ - begin)),
             .depth = depth}
        );
        return nodes_.size() - 1;
    }

    void enter()
    {
        if (++nesting_ > deepest_expression)
            fail(at_, fmt::format("it has more than {} levels", deepest_expression));
    }

    [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    [[nodiscard]] bool is_end_of_operands() const
    {
        return at_ == text_.size() || next() == ')' || next() == '|' || next() == '/' ||
               is_word("and") || is_word("or");
    }

    // A word is not the beginning of a longer one, and / not of //.
    [[nodiscard]] bool is_word(std::string_view expected) const
    {
        const std::string_view rest = text_.substr(at_);
        if (!rest.starts_with(expected))
            return false;
        const char after = rest.size() > expected.size() ? rest[expected.size()] : '\0';
        return begins_word(expected.front()) ? !is_in_word(after)
                                             : expected != "/" || after != '/';
    }

    // Also the spaces behind it.
    bool skip(std::string_view expected)
    {
        if (!is_word(expected))
            return false;
        at_ += expected.size();
        skip_spaces();
        return true;
    }

    const sign* skip_sign(int level)
    {
        const auto* const found = std::ranges::find_if(signs, [&](const sign& each) {
            return each.level == level && skip(each.written);
        });
        return found != std::end(signs) ? found : nullptr;
    }

    void skip_spaces()
    {
        end_ = at_;
        (void)take_while([](char c) {
            return c == ' ' || c == '\t' || c == '\r' || c == '\n';
        });
    }

    template <class Predicate>
    std::string_view take_while(Predicate predicate)
    {
        const std::size_t begin = at_;
        while (at_ < text_.size() && predicate(text_[at_]))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

    [[noreturn]] void fail_here()
    {
        const std::size_t begin = at_;
        const std::string_view word = take_while(is_in_word);
        if (begin == text_.size())
            fail(begin, "a value is missing");
        if (word.empty() || text::is_digit(word.front()))
            fail(
                begin,
                detail::in_quotes(text::first_character(text_.substr(begin))) +
                    " is not expected"
            );
        fail(
            begin,
            fmt::format(
                "the name of a field has a dot before it, as .{}",
                text::cut_to_bytes(word, 40)
            )
        );
    }

    [[noreturn]] void fail(std::size_t at, std::string_view reason)
    {
        throw option_error(
            option_,
            detail::in_quotes(text_),
            fmt::format(
                "an expression ({} at character {}; the stage jq runs programs)",
                reason,
                text::count_characters(text_.substr(0, at)) + 1
            )
        );
    }

    const std::string_view text_;
    const char* const option_;
    std::vector<expression_node> nodes_;
    std::size_t at_ = 0;
    std::size_t end_ = 0;  // of what was taken, without the spaces behind it
    std::size_t nesting_ = 0;
};

}  // namespace

std::vector<expression_node> parse_expression(std::string_view text, const char* option)
{
    return parser(text, option).all();
}

}  // namespace sluice::pipeline
