// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/record_builder.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/stages/worker_function_stage.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct split_words_options
{
    std::string characters = "A-Za-z0-9_";
    bool lower = false;
    std::int64_t min_length = 1;
};

// Takes one character, which a backslash may stand before, from the front.
unsigned char take(std::string_view& rest)
{
    if (rest.front() == '\\' && rest.size() > 1)
        rest.remove_prefix(1);
    const auto character = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    return character;
}

// Some characters, written as for tr: "A-Za-z0-9_"; a backslash stands before one that is
// meant itself. All bytes beyond ASCII are members, too.
class character_set
{
public:
    // Throws option_error with the name of the option if this is no such text.
    character_set(const std::string& written, const char* option)
    {
        if (written.empty())
            throw option_error(option, "\"\"", "at least one character");
        constexpr std::size_t first_beyond_ascii = 128;
        std::fill(members_.begin() + first_beyond_ascii, members_.end(), true);
        for (std::string_view rest = written; !rest.empty();) {
            const unsigned char first = take(rest);
            unsigned char last = first;
            if (rest.size() > 1 && rest.front() == '-') {
                rest.remove_prefix(1);
                last = take(rest);
            }
            if (last < first)
                throw option_error(
                    option,
                    detail::in_quotes(written),
                    "ranges that begin with the smaller character, such as a-z"
                );
            std::fill(members_.begin() + first, members_.begin() + last + 1, true);
        }
    }

    [[nodiscard]] bool contains(char c) const noexcept
    {
        return members_[static_cast<unsigned char>(c)];
    }

private:
    std::array<bool, 256> members_{};
};

// Letters other than A to Z are as they are: what is one depends on the encoding.
bool is_upper(char letter)
{
    return letter >= 'A' && letter <= 'Z';
}

char to_lower(char letter)
{
    return is_upper(letter) ? static_cast<char>(letter - 'A' + 'a') : letter;
}

class split_words final : public worker_function_stage
{
public:
    explicit split_words(const split_words_options& options)
        : in_words_(options.characters, "characters"),
          lower_(options.lower),
          min_length_(static_cast<std::size_t>(options.min_length))
    {
    }

private:
    [[nodiscard]] function make_function() const override
    {
        return [this,
                builder = std::make_shared<detail::record_builder>(
                )](element&& in, std::vector<element>& out) { split(in, *builder, out); };
    }

    // One pass. A word is a part of the text, unless it is changed.
    void split(
        const element& in,
        detail::record_builder& builder,
        std::vector<element>& out
    ) const
    {
        check_text(in);
        const std::uint64_t line = builder.follow(in);
        const std::string_view text = in.text();
        const auto is_in_word = [this](char c) { return in_words_.contains(c); };
        auto end = text.begin();
        while (true) {
            const auto begin = std::find_if(end, text.end(), is_in_word);
            if (begin == text.end())
                return;
            end = std::find_if_not(begin, text.end(), is_in_word);
            const std::string_view word(begin, end);
            if (word.size() < min_length_)
                continue;
            if (lower_ && std::ranges::any_of(word, is_upper))
                builder.add_filled(field_form::text, [&](std::string& lower) {
                    std::ranges::transform(word, std::back_inserter(lower), to_lower);
                });
            else
                builder.add_part(in, {word, field_form::text});
            out.push_back(builder.finish(line));
        }
    }

    const character_set in_words_;
    const bool lower_;
    const std::size_t min_length_;  // in bytes
};

constexpr const char* split_words_details =
    R"(A word is as long a run as possible of "characters", which are written as for tr:
single ones and ranges, a backslash before \ and -. Bytes beyond ASCII belong to words, so
that words in UTF-8 stay whole.

    { "stage": "split_words", "from": "lines", "to": "words",
      "options": { "lower": true, "min_length": 3 } })";

}  // namespace

void add_split_words(stage_registry& stages)
{
    using options = split_words_options;
    stages.add<split_words>(
        {.name = "split_words",
         .summary = "gives each word of a text",
         .takes = element_kind::text,
         .gives = element_kind::text,
         .details = split_words_details},
        stage_options<options>()
            .optional(
                "characters",
                &options::characters,
                "what words are made of, besides bytes beyond ASCII"
            )
            .optional("lower", &options::lower, "whether A to Z become a to z")
            .optional(
                "min_length",
                &options::min_length,
                "how many bytes a word has at least",
                {.minimum = 1}
            )
    );
}

}  // namespace sluice::pipeline
