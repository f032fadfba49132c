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

/// What the value of an option is, in JSON and in the program.
enum class option_type : unsigned char
{
    text,      ///< a string; std::string
    texts,     ///< an array of strings, or one string; std::vector<std::string>
    integer,   ///< a whole number; std::int64_t
    number,    ///< a number; double
    flag,      ///< true or false; bool
    duration,  ///< a string such as "250ms"; std::chrono::nanoseconds
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

// Each reads one value, or returns what would have been right.
[[nodiscard]] std::optional<std::string> read_value(const nlohmann::json&, std::string&);
[[nodiscard]] std::optional<std::string>
read_value(const nlohmann::json&, std::vector<std::string>&);
[[nodiscard]] std::optional<std::string> read_value(const nlohmann::json&, std::int64_t&);
[[nodiscard]] std::optional<std::string> read_value(const nlohmann::json&, double&);
[[nodiscard]] std::optional<std::string> read_value(const nlohmann::json&, bool&);
[[nodiscard]] std::optional<std::string>
read_value(const nlohmann::json&, std::chrono::nanoseconds&);
[[nodiscard]] std::optional<std::string>
read_value(const nlohmann::json&, nlohmann::json&);

template <class T>
[[nodiscard]] std::optional<std::string> read_value(
    const nlohmann::json& given,
    std::optional<T>& value
)
{
    auto expected = read_value(given, value.emplace());
    if (expected)
        value.reset();
    return expected;
}

// The type of an option, and its value as JSON, for the help.
[[nodiscard]] inline option_type type_of(const std::string&)
{
    return option_type::text;
}
[[nodiscard]] inline option_type type_of(const std::vector<std::string>&)
{
    return option_type::texts;
}
[[nodiscard]] inline option_type type_of(std::int64_t)
{
    return option_type::integer;
}
[[nodiscard]] inline option_type type_of(double)
{
    return option_type::number;
}
[[nodiscard]] inline option_type type_of(bool)
{
    return option_type::flag;
}
[[nodiscard]] inline option_type type_of(std::chrono::nanoseconds)
{
    return option_type::duration;
}
[[nodiscard]] inline option_type type_of(const nlohmann::json&)
{
    return option_type::json;
}
template <class T>
[[nodiscard]] option_type type_of(const std::optional<T>&)
{
    return type_of(T());
}

[[nodiscard]] nlohmann::json to_json_value(std::chrono::nanoseconds value);
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

// What is wrong with the members of `given` as far as the infos tell: unknown and missing
// names, limits. Pointers are relative to the options.
void check_names(
    const nlohmann::json& given,
    const std::vector<option_info>& known,
    std::vector<problem>& problems
);
[[nodiscard]] std::optional<std::string> check_limits(
    const nlohmann::json& given,
    const option_info& info
);
[[nodiscard]] problem option_problem(
    const option_info& info,
    const nlohmann::json& found,
    std::string expected
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
 * stage_options<shout_options> options;
 * options.optional("suffix", &shout_options::suffix, "what to append")
 *     .optional("times", &shout_options::times, "how often", {.minimum = 1});
 * @endcode
 *
 * The types of members are those named at option_type, and std::optional of these for an
 * option without a default.
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

    /// The options, in the order added.
    [[nodiscard]] const std::vector<option_info>& infos() const noexcept
    {
        return infos_;
    }

    /// Reads the options of a description.
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
        detail::check_names(given, infos_, problems);
        for (std::size_t i = 0; i < infos_.size(); ++i) {
            const auto found = given.find(infos_[i].name);
            if (found == given.end())
                continue;
            auto expected = readers_[i](*found, options);
            if (!expected)
                expected = detail::check_limits(*found, infos_[i]);
            if (expected)
                problems.push_back(
                    detail::option_problem(infos_[i], *found, std::move(*expected))
                );
        }
        return options;
    }

private:
    using reader =
        std::function<std::optional<std::string>(const nlohmann::json&, Options&)>;

    template <class T>
    stage_options& add(
        std::string name,
        T Options::* member,
        std::string summary,
        bool required,
        option_limits limits
    )
    {
        const Options defaults;
        infos_.push_back(
            {.name = std::move(name),
             .type = detail::type_of(defaults.*member),
             .summary = std::move(summary),
             .required = required,
             .default_value = required ? nlohmann::json()
                                       : detail::to_json_value(defaults.*member),
             .limits = std::move(limits)}
        );
        readers_.push_back([member](const nlohmann::json& given, Options& options) {
            return detail::read_value(given, options.*member);
        });
        return *this;
    }

    std::vector<option_info> infos_;
    std::vector<reader> readers_;
};

}  // namespace sluice::pipeline
