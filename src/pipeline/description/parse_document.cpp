// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/document.hpp"
#include "pipeline/description/text_position.hpp"
#include "pipeline/words.hpp"
#include "text/number.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

using nlohmann::json;

// Lets the JSON parser read a text and shows how far it has read.
class watched_iterator
{
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    watched_iterator(const char* at, const char** reached) noexcept
        : at_(at), reached_(reached)
    {
    }

    reference operator*() const noexcept { return *at_; }

    watched_iterator& operator++() noexcept
    {
        *reached_ = ++at_;
        return *this;
    }

    friend bool operator==(const watched_iterator& a, const watched_iterator& b) noexcept
    {
        return a.at_ == b.at_;
    }

private:
    const char* at_;
    const char** reached_;
};

// What the message of the parser about a wrong string or number says, in our words.
struct token_mistake
{
    std::string_view message;
    const char* expected;
};

constexpr token_mistake token_mistakes[] = {
    {"missing closing quote", "a quote at the end of the string"},
    {"U+000A", "a quote at the end of the string"},
    {"control character", R"(control characters written as in "\u0009")"},
    {"must be followed by 4 hex", R"(four hexadecimal digits after "\u")"},
    {"surrogate", R"(two surrogates as in "\ud83d\ude00")"},
    {"after backslash", R"(one of " \ / b f n r t u after a backslash)"},
    {"expected digit", "a digit"},
    {"number overflow", "a number of at most 1.797e308"}
};

std::string_view without_space(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text;
}

// Builds the document out of what the parser reports.
class document_builder : public nlohmann::json_sax<json>
{
public:
    document_builder(std::string_view text, std::vector<problem>& problems)
        : position_(text), reached_(text.data()), rest_(text.data()), problems_(problems)
    {
    }

    const char** reached() noexcept { return &reached_; }

    document_node take_root() { return std::move(root_); }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(std::int64_t value) override { return add_number(value); }
    bool number_unsigned(std::uint64_t value) override { return add_number(value); }
    bool number_float(double value, const std::string&) override
    {
        return add_number(value);
    }
    bool string(std::string& value) override { return add(std::move(value)); }
    bool binary(json::binary_t&) override { return false; }  // not in JSON texts

    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(std::string& name) override
    {
        container& object = open_.back();
        object.node->members.push_back({.line = line(), .name = name});
        after_key_ = true;
        rest_ = reached_;
        if (!object.names.insert(std::move(name)).second)
            problems_.push_back(
                {.line = line(),
                 .pointer = path(),
                 .found = in_quotes(object.node->members.back().name) + " a second time",
                 .expected = "each name once in an object",
                 .hint = "remove one of the two"}
            );
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const json::exception& error)
        override
    {
        const unread_text unread = what_is_unread();
        problem mistake{
            .line = line(),
            .pointer = path(),
            .found = unread.token.empty() ? "the end of the text"
                                          : in_quotes(unread.token),
            .expected = expected(error.what(), unread.separator),
            .hint = remedy(unread)
        };
        mistake.found += " in column " + std::to_string(position_.column(last_read()));
        problems_.push_back(std::move(mistake));
        return false;
    }

private:
    struct container
    {
        document_node* node;
        std::unordered_set<std::string> names;
    };

    // The character read last. Behind a number it is the one that ended it.
    [[nodiscard]] const char* last_read() const noexcept
    {
        return reached_ == position_.begin() ? reached_ : reached_ - 1;
    }

    std::size_t line() { return position_.line(last_read()); }

    // The member that was begun last; the document itself at first.
    document_node& current()
    {
        return open_.empty() ? root_ : open_.back().node->members.back();
    }

    bool add_number(json value)
    {
        add(std::move(value));
        // The parser has read one character more, unless the text ends with the number.
        if (!text::is_digit(*last_read()))
            rest_ = last_read();
        return true;
    }

    bool add(json value)
    {
        if (!open_.empty() && open_.back().node->value.is_array())
            open_.back().node->members.emplace_back();
        document_node& node = current();
        node.line = line();
        node.value = std::move(value);
        after_key_ = false;
        begun_ = true;
        rest_ = reached_;
        return true;
    }

    bool open(json empty)
    {
        if (open_.size() == deepest_nesting) {
            problems_.push_back(
                {.line = line(),
                 .pointer = path(),
                 .found = "an array or object inside of " +
                          std::to_string(deepest_nesting) + " others",
                 .expected = "at most " + std::to_string(deepest_nesting) + " levels"}
            );
            return false;
        }
        add(std::move(empty));
        open_.push_back({&current(), {}});
        return true;
    }

    bool close()
    {
        open_.pop_back();
        rest_ = reached_;
        return true;
    }

    // The pointer of the member that is read.
    [[nodiscard]] std::string path() const
    {
        std::string pointer;
        for (const container& each : open_) {
            const std::vector<document_node>& members = each.node->members;
            if (members.empty())
                break;
            pointer += each.node->value.is_object()
                           ? pointer_step(members.back().name)
                           : pointer_step(std::to_string(members.size() - 1));
        }
        return pointer;
    }

    // What the parser has read behind the last value, name or bracket.
    struct unread_text
    {
        char separator = '\0';  // the right one, if it is there
        std::string_view token;
    };

    [[nodiscard]] unread_text what_is_unread() const
    {
        const char right = after_key_ ? ':' : ',';
        unread_text unread;
        unread.token = without_space({rest_, reached_});
        const bool may_follow = !open_.empty() && !open_.back().node->members.empty();
        if (may_follow && unread.token.starts_with(right)) {
            unread.separator = right;
            unread.token = without_space(unread.token.substr(1));
        }
        // The parser may have read one character more.
        if (!unread.token.starts_with('"'))
            unread.token =
                unread.token.substr(0, unread.token.find_first_of(",:]} \n", 1));
        return unread;
    }

    [[nodiscard]] std::string expected(std::string_view message, char separator) const
    {
        message = message.substr(0, message.find("; last read"));
        for (const token_mistake& mistake : token_mistakes)
            if (message.find(mistake.message) != std::string_view::npos)
                return mistake.expected;
        if (open_.empty())
            return begun_ ? "the end of the text" : "a JSON object";
        if (after_key_)
            return separator == ':' ? "a value" : R"(":")";
        const bool in_object = open_.back().node->value.is_object();
        if (open_.back().node->members.empty())
            return in_object ? R"(a name in quotes or "}")" : R"(a value or "]")";
        if (separator == ',')
            return in_object ? "a name in quotes" : "a value";
        return in_object ? R"("," or "}")" : R"("," or "]")";
    }

    static std::string remedy(const unread_text& unread)
    {
        if (unread.separator == ',' && (unread.token == "}" || unread.token == "]"))
            return "remove the comma before it";
        if (unread.token.starts_with('\''))
            return "strings and names stand in double quotes";
        if (unread.token.starts_with('/') || unread.token.starts_with('#'))
            return R"(JSON has no comments; use "description")";
        return "";
    }

    text_position position_;
    const char* reached_;  // how far the parser has read
    const char* rest_;     // what follows the last value, name or bracket
    std::vector<problem>& problems_;
    document_node root_;
    std::vector<container> open_;  // from the outermost
    bool after_key_ = false;
    bool begun_ = false;
};

}  // namespace

std::optional<document_node> parse_document(
    std::string_view text,
    std::vector<problem>& problems
)
{
    const std::string utf8 = replace_wrong_bytes(text, problems);
    document_builder builder(utf8, problems);
    const watched_iterator begin(utf8.data(), builder.reached());
    const watched_iterator end(utf8.data() + utf8.size(), builder.reached());
    if (!json::sax_parse(begin, end, &builder))
        return std::nullopt;
    return builder.take_root();
}

}  // namespace sluice::pipeline::detail
