// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <ostream>
#include <ranges>
#include <sstream>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::test {

// Why: BOOST_TEST refuses to compile for values it cannot print, and std types cannot be
// given an operator<< legally. `print` knows the types that the library returns; the
// specialisations at the end make BOOST_TEST use it.

/// Write any value readably: containers in brackets, an absent optional as `none`.
template <class T>
void print(std::ostream& out, const T& value);

/// The text that `print` writes.
template <class T>
[[nodiscard]] std::string to_text(const T& value)
{
    std::ostringstream out;
    print(out, value);
    return out.str();
}

/// `no exception`, or what() of the exception, with the code of a system_error.
[[nodiscard]] inline std::string to_text(const std::exception_ptr& error)
{
    if (!error)
        return "no exception";
    try {
        std::rethrow_exception(error);
    } catch (const boost::system::system_error& e) {
        return to_text(e.code());
    } catch (const std::exception& e) {
        return std::string{"exception \""} + e.what() + '"';
    } catch (...) {
        return "exception of an unknown type";
    }
}

namespace detail {

template <class T>
concept streamable = requires(std::ostream& out, const T& value) { out << value; };

template <class T>
concept enumeration = std::is_enum_v<T>;

template <class T, template <class...> class Template>
inline constexpr bool is_made_of = false;
template <class... T, template <class...> class Template>
inline constexpr bool is_made_of<Template<T...>, Template> = true;

template <class T>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;

template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; };

template <class Error>
void print_error(std::ostream& out, const Error& error)
{
    out << error.category().name() << ':' << error.value() << " \"" << error.message()
        << '"';
}

template <class Range>
void print_range(std::ostream& out, const Range& range)
{
    out << '[';
    const char* separator = "";
    for (const auto& item : range) {
        out << std::exchange(separator, ", ");
        print<std::remove_cvref_t<decltype(item)>>(out, item);
    }
    out << ']';
}

template <class Tuple>
void print_tuple(std::ostream& out, const Tuple& tuple)
{
    out << '(';
    const char* separator = "";
    std::apply(
        [&](const auto&... item) {
            ((out << std::exchange(separator, ", "), print(out, item)), ...);
        },
        tuple
    );
    out << ')';
}

template <class Enum>
void print_enum(std::ostream& out, Enum value)
{
    using boost::system::is_error_code_enum;
    using boost::system::is_error_condition_enum;
    if constexpr (is_error_code_enum<Enum>::value)
        print_error(out, boost::system::error_code{value});
    else if constexpr (is_error_condition_enum<Enum>::value)
        print_error(out, boost::system::error_condition{value});
    else if constexpr (std::is_error_code_enum_v<Enum>)
        print_error(out, std::error_code{value});
    else if constexpr (std::is_error_condition_enum_v<Enum>)
        print_error(out, std::error_condition{value});
    else
        out << "enumerator " << +static_cast<std::underlying_type_t<Enum>>(value);
}

}  // namespace detail

template <class T>
void print(std::ostream& out, const T& value)
{
    using namespace detail;
    if constexpr (std::is_same_v<T, boost::system::error_code> ||
                  std::is_same_v<T, boost::system::error_condition> ||
                  std::is_same_v<T, std::error_code> ||
                  std::is_same_v<T, std::error_condition>)
        print_error(out, value);
    else if constexpr (std::is_same_v<T, std::exception_ptr>)
        out << to_text(value);
    else if constexpr (std::is_same_v<T, std::nullopt_t>)
        out << "none";
    else if constexpr (std::is_same_v<T, std::monostate>)
        out << "void";
    else if constexpr (std::is_same_v<T, bool>)
        out << (value ? "true" : "false");
    else if constexpr (std::is_enum_v<T>)
        print_enum(out, value);
    else if constexpr (is_duration<T>)
        out << std::chrono::duration<double>{value}.count() << " s";
    else if constexpr (is_made_of<T, std::optional>)
        value ? print(out, *value) : void(out << "none");
    else if constexpr (is_made_of<T, std::variant>) {
        out << '#' << value.index() << ' ';
        std::visit([&](const auto& alternative) { print(out, alternative); }, value);
    } else if constexpr (streamable<T>)
        out << value;
    else if constexpr (std::ranges::input_range<const T>)
        print_range(out, value);
    else if constexpr (tuple_like<T>)
        print_tuple(out, value);
    else
        out << "(a value that cannot be printed)";
}

}  // namespace sluice::test

namespace sluice {

/// Found by Boost.Test through argument-dependent lookup for every enum of the library.
template <test::detail::enumeration Enum>
std::ostream& boost_test_print_type(std::ostream& out, const Enum& value)
{
    test::print(out, value);
    return out;
}

}  // namespace sluice

// Boost.Test's documented customisation point for types of other namespaces. Each of these
// types does not compile in BOOST_TEST without it, so no two translation units can disagree.
namespace boost::test_tools::tt_detail {

struct printed_by_sluice
{
    template <class T>
    void operator()(std::ostream& out, const T& value)
    {
        sluice::test::print(out, value);
    }
};

template <class T>
struct print_log_value<std::optional<T>> : printed_by_sluice
{
};
template <class T, class Allocator>
struct print_log_value<std::vector<T, Allocator>> : printed_by_sluice
{
};
template <class First, class Second>
struct print_log_value<std::pair<First, Second>> : printed_by_sluice
{
};
template <class... T>
struct print_log_value<std::tuple<T...>> : printed_by_sluice
{
};
template <class... T>
struct print_log_value<std::variant<T...>> : printed_by_sluice
{
};
template <class Rep, class Period>
struct print_log_value<std::chrono::duration<Rep, Period>> : printed_by_sluice
{
};
template <>
struct print_log_value<std::nullopt_t> : printed_by_sluice
{
};
template <>
struct print_log_value<std::monostate> : printed_by_sluice
{
};
template <>
struct print_log_value<std::exception_ptr> : printed_by_sluice
{
};

}  // namespace boost::test_tools::tt_detail
