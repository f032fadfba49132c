// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/pattern.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

// before the header, which has the names of that width then
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

template <auto Free>
struct freed_by
{
    template <class T>
    void operator()(T* object) const noexcept
    {
        Free(object);
    }
};

template <class T, auto Free>
using owned = std::unique_ptr<T, freed_by<Free>>;
using owned_code = owned<pcre2_code, pcre2_code_free>;
using owned_match = owned<pcre2_match_data, pcre2_match_data_free>;
using owned_rules = owned<pcre2_compile_context, pcre2_compile_context_free>;
using owned_limits = owned<pcre2_match_context, pcre2_match_context_free>;

template <class Owned>
Owned expect_memory(Owned made)
{
    if (!made)
        throw std::bad_alloc();
    return made;
}

PCRE2_SPTR bytes_of(std::string_view text) noexcept
{
    return reinterpret_cast<PCRE2_SPTR>(text.data());
}

std::string message_of(int error)
{
    std::array<PCRE2_UCHAR, 256> text{};
    (void)pcre2_get_error_message(error, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

bool is_about_utf8(int error) noexcept
{
    return error <= PCRE2_ERROR_UTF8_ERR1 && error >= PCRE2_ERROR_UTF8_ERR21;
}

// A pattern, or why it is none.
struct compiled
{
    compiled(std::string_view written, std::uint32_t options)
    {
        // whatever the library was built for
        const auto rules = expect_memory(owned_rules(pcre2_compile_context_create(nullptr)
        ));
        (void)pcre2_set_newline(rules.get(), PCRE2_NEWLINE_LF);
        code.reset(pcre2_compile(
            bytes_of(written),
            written.size(),
            options | PCRE2_DUPNAMES | PCRE2_NEVER_BACKSLASH_C,
            &error,
            &offset,
            rules.get()
        ));
        if (code)  // where there is no JIT it is matched all the same
            (void)pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
    }

    owned_code code;
    int error = 0;
    PCRE2_SIZE offset = 0;
};

// A pattern may take exponential time. These are less than a second, and far more than usual ones
// need.
pcre2_match_context* limits()
{
    constexpr std::uint32_t most_steps = 10'000'000;
    constexpr std::uint32_t most_kibibytes = 64 * 1024;
    static const owned_limits made = [] {
        auto context = expect_memory(owned_limits(pcre2_match_context_create(nullptr)));
        (void)pcre2_set_match_limit(context.get(), most_steps);
        (void)pcre2_set_heap_limit(context.get(), most_kibibytes);
        return context;
    }();
    return made.get();
}

// Where the groups of the last match are.
pcre2_match_data* match_of_this_thread(std::uint32_t groups)
{
    thread_local owned_match data;
    if (!data || pcre2_get_ovector_count(data.get()) <= groups)
        data = expect_memory(owned_match(pcre2_match_data_create(groups + 1, nullptr)));
    return data.get();
}

constexpr std::uint32_t replacement_options = PCRE2_SUBSTITUTE_GLOBAL |
                                              PCRE2_SUBSTITUTE_EXTENDED |
                                              PCRE2_SUBSTITUTE_UNKNOWN_UNSET |
                                              PCRE2_SUBSTITUTE_UNSET_EMPTY |
                                              PCRE2_SUBSTITUTE_OVERFLOW_LENGTH;

}  // namespace

class pattern::engine
{
public:
    struct group
    {
        std::uint32_t number;
        std::size_t name;  // its place among names()
    };

    engine(const std::string& written, const char* option) : written_(written)
    {
        compiled characters(written, PCRE2_UTF);
        compiled bytes(written, 0);
        const compiled& telling = is_about_utf8(characters.error) ? bytes : characters;
        if (!telling.code)
            throw option_error(
                option,
                detail::in_quotes(written),
                fmt::format(
                    "a regular expression ({} at byte {})",
                    message_of(telling.error),
                    telling.offset + 1
                )
            );
        (void)pcre2_pattern_info(telling.code.get(), PCRE2_INFO_CAPTURECOUNT, &count_);
        find_groups(telling.code.get());
        characters_ = std::move(characters.code);
        bytes_ = std::move(bytes.code);
    }

    // Those with names, in the order of their beginnings.
    [[nodiscard]] const std::vector<group>& groups() const noexcept { return groups_; }

    // Of these, each once.
    [[nodiscard]] const std::vector<std::string>& names() const noexcept
    {
        return names_;
    }

    // The pairs of offsets of all groups; nothing if it is not found.
    [[nodiscard]] std::optional<std::span<const PCRE2_SIZE>> search(std::string_view text
    ) const
    {
        pcre2_match_data* const data = match_of_this_thread(count_);
        const int found =
            attempt(text, [&](const pcre2_code* code, std::uint32_t options) {
                const auto match = (options & PCRE2_NO_JIT) != 0 ? &pcre2_match
                                                                 : &pcre2_jit_match;
                return match(
                    code,
                    bytes_of(text),
                    text.size(),
                    0,
                    options,
                    data,
                    limits()
                );
            });
        if (found == PCRE2_ERROR_NOMATCH)
            return std::nullopt;
        return std::span(pcre2_get_ovector_pointer(data), 2 * std::size_t{count_ + 1});
    }

    [[nodiscard]] std::string replace_all(std::string_view text, const std::string& with)
        const
    {
        std::string out(text.size() + with.size(), '\0');
        PCRE2_SIZE size = 0;
        const auto substitute = [&](const pcre2_code* code, std::uint32_t options) {
            size = out.size() + 1;  // std::string has room for the NUL
            return pcre2_substitute(
                code,
                bytes_of(text),
                text.size(),
                0,
                options | replacement_options,
                match_of_this_thread(count_),
                limits(),
                bytes_of(with),
                with.size(),
                reinterpret_cast<PCRE2_UCHAR*>(out.data()),
                &size
            );
        };
        int count = attempt(text, substitute);
        if (count == PCRE2_ERROR_NOMEMORY) {  // now the size is known
            out.resize(size);
            count = attempt(text, substitute);
        }
        if (count == PCRE2_ERROR_NOMATCH)
            return std::string(text);
        out.resize(size);
        return out;
    }

private:
    void find_groups(const pcre2_code* code)
    {
        std::uint32_t names = 0;
        std::uint32_t entry_size = 0;
        PCRE2_SPTR entry = nullptr;
        (void)pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &names);
        (void)pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &entry_size);
        (void)pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, static_cast<void*>(&entry));
        // The number in two bytes, then the name, which ends with NUL.
        std::map<std::uint32_t, std::string> found;
        for (; names > 0; --names, entry += entry_size)
            found.emplace(
                (std::uint32_t{entry[0]} << 8U) | entry[1],
                reinterpret_cast<const char*>(entry + 2)
            );
        for (const auto& [number, name] : found) {
            const auto known = std::ranges::find(names_, name);
            groups_.push_back(
                {.number = number,
                 .name = static_cast<std::size_t>(known - names_.begin())}
            );
            if (known == names_.end())
                names_.push_back(name);
        }
    }

    // By character if the text is UTF-8, by byte if not. Gives a result that is no error.
    template <class Work>
    int attempt(std::string_view text, const Work& work) const
    {
        int result = PCRE2_ERROR_UTF8_ERR1;
        if (characters_ && text::is_utf8(text))
            result = work_with_any_code(characters_.get(), work);
        if (is_about_utf8(result))
            result = bytes_ ? work_with_any_code(bytes_.get(), work)
                            : PCRE2_ERROR_NOMATCH;  // the character is in no such text
        if (result < 0 && result != PCRE2_ERROR_NOMATCH && result != PCRE2_ERROR_NOMEMORY)
            fail(text, result);
        return result;
    }

    // The stack of compiled code is small, and not all machines have such code. The interpreter
    // needs neither.
    template <class Work>
    static int work_with_any_code(const pcre2_code* code, const Work& work)
    {
        const int result = work(code, PCRE2_NO_UTF_CHECK);
        return result == PCRE2_ERROR_JIT_STACKLIMIT || result == PCRE2_ERROR_JIT_BADOPTION
                   ? work(code, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT)
                   : result;
    }

    [[noreturn]] void fail(std::string_view text, int error) const
    {
        if (error != PCRE2_ERROR_MATCHLIMIT && error != PCRE2_ERROR_HEAPLIMIT)
            throw std::runtime_error(fmt::format(
                "cannot match the pattern {}: {}",
                detail::in_quotes(written_),
                message_of(error)
            ));
        throw std::runtime_error(fmt::format(
            "matching the pattern {} would take too many steps for a text of {} "
            "characters, which begins {}; a pattern with fewer * and + that can "
            "match the same is quicker",
            detail::in_quotes(written_),
            text::with_separators(text.size()),
            detail::in_quotes(text)
        ));
    }

    std::string written_;
    owned_code characters_;    // null if the pattern is not UTF-8
    owned_code bytes_;         // null if it names a character that no byte is
    std::uint32_t count_ = 0;  // of all groups
    std::vector<group> groups_;
    std::vector<std::string> names_;
};

pattern::pattern(const std::string& written, const char* option)
    : engine_(std::make_shared<engine>(written, option)), names_(engine_->names())
{
}

bool pattern::is_found(std::string_view text) const
{
    return engine_->search(text).has_value();
}

bool pattern::find(std::string_view text, std::vector<std::string_view>& found) const
{
    found.assign(names_.size(), {});
    const auto offsets = engine_->search(text);
    if (!offsets)
        return false;
    for (const auto& [number, name] : engine_->groups()) {
        const PCRE2_SIZE begin = (*offsets)[2 * std::size_t{number}];
        const PCRE2_SIZE end = (*offsets)[2 * std::size_t{number} + 1];
        if (begin == PCRE2_UNSET || end < begin)
            continue;
        std::string_view& matched = found[name];
        if (matched.data() == nullptr)
            matched = text.substr(begin, end - begin);
    }
    return true;
}

void pattern::expect_replacement(const std::string& with, const char* option)
{
    // what any match would show
    const compiled nothing("", 0);
    std::array<PCRE2_UCHAR, 1> unused{};
    PCRE2_SIZE size = unused.size();
    const int result = pcre2_substitute(
        nothing.code.get(),
        bytes_of(""),
        0,
        0,
        replacement_options,
        nullptr,
        nullptr,
        bytes_of(with),
        with.size(),
        unused.data(),
        &size
    );
    if (result < 0 && result != PCRE2_ERROR_NOMEMORY)
        throw option_error(
            option,
            detail::in_quotes(with),
            fmt::format(
                R"(what replaces a match; $$ and \\ stand for $ and \ ({}))",
                message_of(result)
            )
        );
}

std::string pattern::replace_all(std::string_view text, const std::string& with) const
{
    return engine_->replace_all(text, with);
}

}  // namespace sluice::pipeline
