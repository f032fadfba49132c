// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "document.hpp"
#include "text_position.hpp"
#include "words.hpp"

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

bool is_space(char c) noexcept
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Builds the document out of what the parser reports.
class document_builder : public nlohmann::json_sax<json>
{
public:
    document_builder(std::string_view text, std::vector<problem>& problems)
        : position_(text), reached_(text.data()), problems_(problems)
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
        mark(0);
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

    bool parse_error(
        std::size_t,
        const std::string& token,
        const nlohmann::detail::exception& error
    ) override
    {
        problem mistake{
            .line = line(),
            .pointer = path(),
            .found = token.empty() ? "the end of the text" : in_quotes(token),
            .expected = expected(error.what()),
            .hint = remedy(token)
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

    // Remembers where the text goes on, for the separator in a message; `ahead` characters
    // have been read already.
    void mark(std::ptrdiff_t ahead) { rest_ = reached_ - ahead; }

    bool add_number(json value)
    {
        add(std::move(value));
        mark(1);
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
        mark(0);
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
        mark(0);
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

    [[nodiscard]] std::string expected(std::string_view message) const
    {
        for (const token_mistake& mistake : token_mistakes)
            if (message.find(mistake.message) != std::string_view::npos)
                return mistake.expected;
        if (open_.empty())
            return begun_ ? "the end of the text" : "a JSON object";
        if (after_key_)
            return separator() == ':' ? "a value" : R"(":")";
        const bool in_object = open_.back().node->value.is_object();
        if (open_.back().node->members.empty())
            return in_object ? R"(a name in quotes or "}")" : R"(a value or "]")";
        if (separator() == ',')
            return in_object ? "a name in quotes" : "a value";
        return in_object ? R"("," or "}")" : R"("," or "]")";
    }

    [[nodiscard]] std::string remedy(std::string_view token) const
    {
        if (token == "}" || token == "]")
            return separator() == ',' ? "remove the comma before it" : "";
        if (token.starts_with('\''))
            return "strings and names stand in double quotes";
        if (token.starts_with('/') || token.starts_with('#'))
            return R"(JSON has no comments; use "description")";
        return "";
    }

    // What stands behind the last value or name, apart from white space.
    [[nodiscard]] char separator() const
    {
        const char* at = rest_;
        while (at < position_.end() && is_space(*at))
            ++at;
        return at < position_.end() ? *at : '\0';
    }

    text_position position_;
    const char* reached_;  // how far the parser has read
    std::vector<problem>& problems_;
    document_node root_;
    std::vector<container> open_;  // from the outermost
    const char* rest_ = nullptr;
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
