// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/record_builder.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/stages/worker_function_stage.hpp"
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
    bool lower = false;
    std::int64_t min_length = 1;
};

// Letters, digits and _ of ASCII, and all bytes beyond it.
constexpr std::array<bool, 256> in_words = [] {
    std::array<bool, 256> members{};
    std::fill(members.begin() + 'A', members.begin() + 'Z' + 1, true);
    std::fill(members.begin() + 'a', members.begin() + 'z' + 1, true);
    std::fill(members.begin() + '0', members.begin() + '9' + 1, true);
    std::fill(members.begin() + '\x7f' + 1, members.end(), true);
    members['_'] = true;
    return members;
}();

bool is_in_word(char c) noexcept
{
    return in_words[static_cast<unsigned char>(c)];
}

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
        : lower_(options.lower), min_length_(static_cast<std::size_t>(options.min_length))
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

    const bool lower_;
    const std::size_t min_length_;  // in bytes
};

constexpr const char* split_words_details =
    R"(A word is as long a run as possible of letters, digits and _. Bytes beyond ASCII belong to
words, so that words in UTF-8 stay whole. For words of other characters use the stage command with a
program such as grep -oE '[A-Za-z-]+'.

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
