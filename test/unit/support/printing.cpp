// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/printing.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>

namespace sluice {

// What an enum of the library looks like to BOOST_TEST.
enum class printing_sample
{
    one = 1,
    two
};

}  // namespace sluice

namespace test = sluice::test;

BOOST_AUTO_TEST_SUITE(printing)

BOOST_AUTO_TEST_CASE(values_are_written_readably)
{
    using namespace std::chrono_literals;
    using numbers = std::vector<int>;

    BOOST_TEST(test::to_text(7) == "7");
    BOOST_TEST(test::to_text(true) == "true");
    BOOST_TEST(test::to_text(std::optional<int>{}) == "none");
    BOOST_TEST(test::to_text(std::optional{3}) == "3");
    BOOST_TEST(test::to_text(numbers{}) == "[]");
    BOOST_TEST(test::to_text(numbers{1, 2}) == "[1, 2]");
    BOOST_TEST(test::to_text(std::vector{std::optional{numbers{1}}}) == "[[1]]");
    BOOST_TEST(test::to_text(std::vector<bool>{true, false}) == "[true, false]");
    BOOST_TEST(test::to_text(std::pair{1, std::string{"one"}}) == "(1, one)");
    BOOST_TEST(
        test::to_text(std::tuple{1, std::nullopt == std::optional<int>{}, 'x'}) ==
        "(1, true, x)"
    );
    BOOST_TEST(test::to_text(std::variant<std::monostate, int>{}) == "#0 void");
    BOOST_TEST(test::to_text(std::variant<std::monostate, int>{5}) == "#1 5");
    BOOST_TEST(test::to_text(50ms) == "0.05 s");
    BOOST_TEST(test::to_text(sluice::printing_sample::two) == "enumerator 2");
    BOOST_TEST(test::to_text(std::make_unique<std::vector<char>>()).size() > 0u);
}

BOOST_AUTO_TEST_CASE(value_without_any_output_operator_is_still_accepted)
{
    struct opaque
    {
    };

    BOOST_TEST(test::to_text(opaque{}) == "(a value that cannot be printed)");
}

BOOST_AUTO_TEST_CASE(errors_show_category_value_and_message)
{
    namespace asio = boost::asio;
    const boost::system::error_code aborted{asio::error::operation_aborted};

    const auto expected = "system:" + std::to_string(aborted.value()) + " \"" +
                          aborted.message() + '"';

    BOOST_TEST(test::to_text(aborted) == expected);
    BOOST_TEST(test::to_text(asio::error::operation_aborted) == expected);
    BOOST_TEST(
        test::to_text(std::make_exception_ptr(boost::system::system_error{aborted})) ==
        expected
    );
    BOOST_TEST(
        test::to_text(std::make_exception_ptr(std::runtime_error{"broken"})) ==
        "exception \"broken\""
    );
    BOOST_TEST(test::to_text(std::exception_ptr{}) == "no exception");
    BOOST_TEST(
        test::to_text(std::make_exception_ptr(1)) == "exception of an unknown type"
    );
}

// These have to compile; that they can fail is Boost.Test's business.
BOOST_AUTO_TEST_CASE(boost_test_accepts_the_types_of_the_library)
{
    using namespace std::chrono_literals;

    BOOST_TEST(std::optional{1} == std::optional{1});
    BOOST_TEST(std::optional{1} == 1);
    BOOST_TEST(std::optional<int>{} == std::nullopt);
    BOOST_TEST((std::vector{1, 2} == std::vector{1, 2}));
    BOOST_TEST(std::pair(1, 2) == std::pair(1, 2));
    BOOST_TEST(std::tuple(1) == std::tuple(1));
    BOOST_TEST(std::variant<int>{1} == std::variant<int>{1});
    BOOST_TEST(1ms == 1000us);
    BOOST_TEST(std::exception_ptr{} == std::exception_ptr{});
    BOOST_TEST(std::monostate{} == std::monostate{});
    BOOST_TEST(sluice::printing_sample::one == sluice::printing_sample::one);
    BOOST_TEST(boost::system::error_code{} == boost::system::error_code{});
}

BOOST_AUTO_TEST_SUITE_END()
