// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/problem.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::pipeline {

/// A number of bytes, as the value of an option.
struct byte_size
{
    /// How many.
    std::uint64_t count = 0;
};

/// What the value of an option is, in JSON and in the program.
enum class option_type : unsigned char
{
    text,      ///< a string; std::string, or an enumeration
    texts,     ///< an array of strings, or one string; std::vector<std::string>
    integer,   ///< a whole number; std::int64_t
    number,    ///< a number; double
    flag,      ///< true or false; bool
    duration,  ///< a string such as "250ms"; std::chrono::nanoseconds
    size,      ///< a string such as "64 MiB", or a number of bytes; byte_size
    json       ///< anything; nlohmann::json
};

/// Which values of an option are allowed; by default all of its type.
struct option_limits
{
    /// The smallest number; for integer and number.
    std::optional<double> minimum = std::nullopt;
    /// The largest number; for integer and number.
    std::optional<double> maximum = std::nullopt;
    /// The only texts allowed; empty: every text.
    std::vector<std::string> choices = {};
    /// Other options, of which one must be there too, or this one is an error; empty: none.
    std::vector<std::string> needs = {};
    /// The only text that this other option may be; empty: anything.
    std::string needed_text = {};
};

/// An option as help texts and the schema show it.
struct option_info
{
    /// The key in "options".
    std::string name;
    /// What it is.
    option_type type = option_type::text;
    /// What it means, in one sentence without a full stop.
    std::string summary;
    /// Whether a description must give it.
    bool required = false;
    /// What counts if it is not given; null if there is nothing.
    nlohmann::json default_value = nullptr;
    /// Which values are allowed.
    option_limits limits = {};
};

/// What the constructor of a stage throws if an option is of the right type and still wrong,
/// such as a regular expression that does not compile.
class option_error : public std::invalid_argument
{
public:
    /// Takes the name of the option, what is there and what should be there.
    option_error(std::string option, std::string found, const std::string& expected)
        : std::invalid_argument(expected),
          option_(std::move(option)),
          found_(std::move(found))
    {
    }

    /// The name of the option.
    [[nodiscard]] const std::string& option() const noexcept { return option_; }

    /// What is there; what() says what should be there.
    [[nodiscard]] const std::string& found() const noexcept { return found_; }

private:
    std::string option_;
    std::string found_;
};

namespace detail {

[[nodiscard]] problem problem_of(const option_error& wrong);

using std::chrono::nanoseconds;
using texts = std::vector<std::string>;

// The names of an enumeration whose enumerators count from 0: what to_string() gives until it
// gives "unknown".
template <class Enum>
[[nodiscard]] std::vector<std::string> names_of()
{
    std::vector<std::string> names;
    while (names.empty() || names.back() != "unknown")
        names.emplace_back(to_string(static_cast<Enum>(names.size())));
    names.pop_back();
    return names;
}

template <class T>
inline constexpr option_type type_of = std::same_as<T, std::string> ? option_type::text
                                       : std::is_enum_v<T>          ? option_type::text
                                       : std::same_as<T, texts>     ? option_type::texts
                                       : std::same_as<T, bool>      ? option_type::flag
                                       : std::integral<T>           ? option_type::integer
                                       : std::same_as<T, double>    ? option_type::number
                                       : std::same_as<T, nanoseconds>
                                           ? option_type::duration
                                       : std::same_as<T, byte_size> ? option_type::size
                                                                    : option_type::json;
template <class T>
inline constexpr option_type type_of<std::optional<T>> = type_of<T>;

// The text of a string; empty if the value is none.
[[nodiscard]] std::string text_of(const nlohmann::json& value);

// Each reads one value, or returns false if it is of another type.
[[nodiscard]] bool read_value(const nlohmann::json&, std::string&);
[[nodiscard]] bool read_value(const nlohmann::json&, texts&);
[[nodiscard]] bool read_value(const nlohmann::json&, std::int64_t&);
[[nodiscard]] bool read_value(const nlohmann::json&, double&);
[[nodiscard]] bool read_value(const nlohmann::json&, bool&);
[[nodiscard]] bool read_value(const nlohmann::json&, nanoseconds&);
[[nodiscard]] bool read_value(const nlohmann::json&, byte_size&);
[[nodiscard]] bool read_value(const nlohmann::json&, nlohmann::json&);

template <std::unsigned_integral T>
[[nodiscard]] bool read_value(const nlohmann::json& given, T& value)
{
    std::int64_t number = 0;
    const bool fits = read_value(given, number) && std::in_range<T>(number);
    value = fits ? static_cast<T>(number) : value;
    return fits;
}

template <class T>
    requires std::is_enum_v<T>
[[nodiscard]] bool read_value(const nlohmann::json& given, T& value)
{
    const std::vector<std::string> names = names_of<T>();
    const auto found = std::ranges::find(names, text_of(given));
    value = found == names.end() ? value : static_cast<T>(found - names.begin());
    return found != names.end();
}

template <class T>
[[nodiscard]] bool read_value(const nlohmann::json& given, std::optional<T>& value)
{
    if (!read_value(given, value.emplace()))
        value.reset();
    return value.has_value();
}

[[nodiscard]] nlohmann::json to_json_value(double value);
[[nodiscard]] nlohmann::json to_json_value(nanoseconds value);
[[nodiscard]] nlohmann::json to_json_value(byte_size value);
template <class T>
[[nodiscard]] nlohmann::json to_json_value(const T& value)
{
    if constexpr (std::is_enum_v<T>)
        return to_string(value);
    else
        return value;
}
template <class T>
[[nodiscard]] nlohmann::json to_json_value(const std::optional<T>& value)
{
    return value ? to_json_value(*value) : nlohmann::json();
}

// What options of one type have in common.
struct option_access
{
    option_type type;

    // Without a member it only says whether the value is of the type.
    bool (*read)(const nlohmann::json& given, void* member);

    nlohmann::json (*write)(const void* member);
};

template <class T>
inline constexpr option_access access_to{
    .type = type_of<T>,
    .read =
        [](const nlohmann::json& given, void* member) {
            T unbound{};
            return read_value(given, member ? *static_cast<T*>(member) : unbound);
        },
    .write = [](const void* member
             ) { return to_json_value(*static_cast<const T*>(member)); }
};

// The options of any struct, each a number of bytes behind its beginning; without one the program
// reads the value itself.
class option_table
{
public:
    using offset = std::optional<std::ptrdiff_t>;

    void add(
        const option_access& access,
        offset member,
        std::string_view name,
        std::string_view summary,
        const option_limits& limits,
        bool required,
        const nlohmann::json& default_value
    );

    [[nodiscard]] const std::vector<option_info>& infos() const noexcept
    {
        return infos_;
    }

    void read(const nlohmann::json& given, void* options, std::vector<problem>& problems)
        const;

    void check(const void* options, std::vector<problem>& problems) const;

private:
    struct accessed_member
    {
        const option_access* access;
        offset member;
    };

    std::vector<option_info> infos_;
    std::vector<accessed_member> members_;  // of the same indexes
};

}  // namespace detail

/// The options of a stage: which members of a struct they are, and what they mean.
/**
 * The struct gives the types and the defaults, so that a stage uses `options.suffix` and not
 * a lookup by name:
 * @code
 * struct shout_options
 * {
 *     std::string suffix = "!";
 *     std::int64_t times = 1;
 * };
 *
 * sluice::pipeline::stage_options<shout_options> options;
 * options.optional("suffix", &shout_options::suffix, "what to append")
 *     .optional("times", &shout_options::times, "how often", {.minimum = 1});
 * @endcode
 *
 * A member may be that of a base class. Its type is one of those named at option_type, an unsigned
 * integer, an enumeration, or std::optional of these for an option without a default. Of an
 * enumeration the enumerators count from 0, and its to_string() gives their names, and "unknown"
 * for what is behind them.
 *
 * @tparam Options  default-constructible.
 */
template <std::default_initializable Options>
class stage_options
{
public:
    /// Adds an option that a description must give. @return *this.
    template <class T, class Base>
        requires std::derived_from<Options, Base>
    stage_options& required(
        std::string_view name,
        T Base::* member,
        std::string_view summary,
        const option_limits& limits = {}
    )
    {
        const auto offset = offset_of<T>(Options(), member);
        table_.add(detail::access_to<T>, offset, name, summary, limits, true, nullptr);
        return *this;
    }

    /// Adds an option whose default is what the member is initialised with. @return *this.
    template <class T, class Base>
        requires std::derived_from<Options, Base>
    stage_options& optional(
        std::string_view name,
        T Base::* member,
        std::string_view summary,
        const option_limits& limits = {}
    )
    {
        const Options values{};
        const auto offset = offset_of<T>(values, member);
        const nlohmann::json value = detail::to_json_value(values.*member);
        table_.add(detail::access_to<T>, offset, name, summary, limits, false, value);
        return *this;
    }

    /// Adds an option of type `T` that the program reads itself. A description must give it if
    /// there is no default. @return *this.
    template <class T>
    stage_options& unbound(
        std::string_view name,
        std::string_view summary,
        const nlohmann::json& default_value = nullptr,
        const option_limits& limits = {}
    )
    {
        const auto& access = detail::access_to<T>;
        const bool required = default_value.is_null();
        table_.add(access, std::nullopt, name, summary, limits, required, default_value);
        return *this;
    }

    /// The options, in the order added.
    [[nodiscard]] const std::vector<option_info>& infos() const noexcept
    {
        return table_.infos();
    }

    /// Reads and checks the options of a description.
    /**
     * @param given     a JSON object.
     * @param problems  where all mistakes are added: names that are not known or missing,
     *                  wrong types, values outside the limits; their pointers begin at the
     *                  options, their lines are 0.
     * @return the options; meaningless if there were problems.
     */
    [[nodiscard]] Options read(
        const nlohmann::json& given,
        std::vector<problem>& problems
    ) const
    {
        Options options;
        read(given, options, problems);
        return options;
    }

    /// The same, into options that there are; those that are not given stay as they are.
    void read(
        const nlohmann::json& given,
        Options& options,
        std::vector<problem>& problems
    ) const
    {
        table_.read(given, &options, problems);
    }

    /// Adds the values outside the limits to the problems.
    void check(const Options& options, std::vector<problem>& problems) const
    {
        table_.check(&options, problems);
    }

private:
    template <class T>
    static std::ptrdiff_t offset_of(const Options& options, T Options::* member)
    {
        return reinterpret_cast<const char*>(&(options.*member)) -
               reinterpret_cast<const char*>(&options);
    }

    detail::option_table table_;
};

}  // namespace sluice::pipeline
