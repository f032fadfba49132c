// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/problem.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
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
    text,      ///< a string; std::string
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

// Each reads one value, or returns false if it is of another type.
[[nodiscard]] bool read_value(const nlohmann::json&, std::string&);
[[nodiscard]] bool read_value(const nlohmann::json&, std::vector<std::string>&);
[[nodiscard]] bool read_value(const nlohmann::json&, std::int64_t&);
[[nodiscard]] bool read_value(const nlohmann::json&, double&);
[[nodiscard]] bool read_value(const nlohmann::json&, bool&);
[[nodiscard]] bool read_value(const nlohmann::json&, std::chrono::nanoseconds&);
[[nodiscard]] bool read_value(const nlohmann::json&, byte_size&);
[[nodiscard]] bool read_value(const nlohmann::json&, nlohmann::json&);

template <std::unsigned_integral T>
[[nodiscard]] bool read_value(const nlohmann::json& given, T& value)
{
    std::int64_t number = 0;
    if (!read_value(given, number) || !std::in_range<T>(number))
        return false;
    value = static_cast<T>(number);
    return true;
}

template <class T>
[[nodiscard]] bool read_value(const nlohmann::json& given, std::optional<T>& value)
{
    if (read_value(given, value.emplace()))
        return true;
    value.reset();
    return false;
}

[[nodiscard]] nlohmann::json to_json_value(double value);
[[nodiscard]] nlohmann::json to_json_value(std::chrono::nanoseconds value);
[[nodiscard]] nlohmann::json to_json_value(byte_size value);
template <class T>
[[nodiscard]] nlohmann::json to_json_value(const T& value)
{
    return value;
}
template <class T>
[[nodiscard]] nlohmann::json to_json_value(const std::optional<T>& value)
{
    return value ? to_json_value(*value) : nlohmann::json();
}

template <class T>
[[nodiscard]] consteval option_type type_of()
{
    if constexpr (std::same_as<T, std::string>)
        return option_type::text;
    else if constexpr (std::same_as<T, std::vector<std::string>>)
        return option_type::texts;
    else if constexpr (std::same_as<T, bool>)
        return option_type::flag;
    else if constexpr (std::integral<T>)
        return option_type::integer;
    else if constexpr (std::same_as<T, double>)
        return option_type::number;
    else if constexpr (std::same_as<T, std::chrono::nanoseconds>)
        return option_type::duration;
    else if constexpr (std::same_as<T, byte_size>)
        return option_type::size;
    else if constexpr (std::same_as<T, nlohmann::json>)
        return option_type::json;
    else
        return type_of<typename T::value_type>();  // std::optional
}

// Names that are not known, or missing.
void check_names(
    const nlohmann::json& given,
    const std::vector<option_info>& known,
    std::vector<problem>& problems
);

// A value within the limits, or a problem; null is no value.
void check_limits(
    const nlohmann::json& value,
    const option_info& info,
    std::vector<problem>& problems
);

[[nodiscard]] problem option_problem(
    const option_info& info,
    const nlohmann::json& found
);

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
 * The types of members are those named at option_type, unsigned integers, and std::optional
 * of these for an option without a default.
 *
 * @tparam Options  default-constructible.
 */
template <std::default_initializable Options>
class stage_options
{
public:
    /// Adds an option that a description must give. @return *this.
    template <class T>
    stage_options& required(
        std::string name,
        T Options::* member,
        std::string summary,
        option_limits limits = {}
    )
    {
        return add(std::move(name), member, std::move(summary), true, std::move(limits));
    }

    /// Adds an option whose default is what the member is initialised with. @return *this.
    template <class T>
    stage_options& optional(
        std::string name,
        T Options::* member,
        std::string summary,
        option_limits limits = {}
    )
    {
        return add(std::move(name), member, std::move(summary), false, std::move(limits));
    }

    /// Adds an option of type `T` that the program reads itself. A description must give it if
    /// there is no default. @return *this.
    template <class T>
    stage_options& unbound(
        std::string name,
        std::string summary,
        nlohmann::json default_value = nullptr,
        option_limits limits = {}
    )
    {
        return add(
            {.name = std::move(name),
             .type = detail::type_of<T>(),
             .summary = std::move(summary),
             .required = default_value.is_null(),
             .default_value = std::move(default_value),
             .limits = std::move(limits)},
            [](const nlohmann::json& given, Options&) {
                T value{};
                return detail::read_value(given, value);
            },
            [](const Options&) { return nlohmann::json(); }
        );
    }

    /// The options, in the order added.
    [[nodiscard]] const std::vector<option_info>& infos() const noexcept
    {
        return infos_;
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
        check(options, problems);
        return options;
    }

    /// Reads the options of a description, without their limits, into those that there are.
    void read(
        const nlohmann::json& given,
        Options& options,
        std::vector<problem>& problems
    ) const
    {
        detail::check_names(given, infos_, problems);
        for (std::size_t i = 0; i < infos_.size(); ++i) {
            const auto found = given.find(infos_[i].name);
            if (found != given.end() && !readers_[i](*found, options))
                problems.push_back(detail::option_problem(infos_[i], *found));
        }
    }

    /// Adds the values outside the limits to the problems, but for the options that have one.
    void check(const Options& options, std::vector<problem>& problems) const
    {
        for (std::size_t i = 0; i < infos_.size(); ++i)
            detail::check_limits(writers_[i](options), infos_[i], problems);
    }

private:
    using reader = std::function<bool(const nlohmann::json&, Options&)>;
    using writer = std::function<nlohmann::json(const Options&)>;

    template <class T>
    stage_options& add(
        std::string name,
        T Options::* member,
        std::string summary,
        bool required,
        option_limits limits
    )
    {
        const writer write = [member](const Options& options) {
            return detail::to_json_value(options.*member);
        };
        return add(
            {.name = std::move(name),
             .type = detail::type_of<T>(),
             .summary = std::move(summary),
             .required = required,
             .default_value = required ? nlohmann::json() : write(Options()),
             .limits = std::move(limits)},
            [member](const nlohmann::json& given, Options& options) {
                return detail::read_value(given, options.*member);
            },
            write
        );
    }

    stage_options& add(option_info info, reader read, writer write)
    {
        infos_.push_back(std::move(info));
        readers_.push_back(std::move(read));
        writers_.push_back(std::move(write));
        return *this;
    }

    std::vector<option_info> infos_;
    std::vector<reader> readers_;  // of the same indexes
    std::vector<writer> writers_;  // of the same indexes
};

}  // namespace sluice::pipeline
