// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/element.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace sluice::pipeline;

BOOST_AUTO_TEST_SUITE(element)

using sluice::pipeline::element;

BOOST_AUTO_TEST_CASE(each_constructor_makes_its_kind)
{
    BOOST_TEST((element().kind() == element_kind::text));
    BOOST_TEST((element("word").kind() == element_kind::text));
    BOOST_TEST((element(std::string_view("word")).kind() == element_kind::text));
    BOOST_TEST((element(json_value(7)).kind() == element_kind::value));
}

BOOST_AUTO_TEST_CASE(json_string_is_a_value_and_no_text)
{
    element quoted(json_value("word"));
    BOOST_TEST(!quoted.is_text());
    BOOST_TEST(quoted.value() == "word");
    BOOST_CHECK_THROW((void)quoted.text(), std::bad_variant_access);
    BOOST_CHECK_THROW((void)element("word").value(), std::bad_variant_access);
}

BOOST_AUTO_TEST_CASE(to_text_keeps_texts_and_writes_values_as_compact_json)
{
    BOOST_TEST(element("as it \xFF is").to_text() == "as it \xFF is");
    BOOST_TEST(element(json_value("quoted")).to_text() == "quoted");
    BOOST_TEST(
        element(json_value{{"a", 1}, {"b", {2, 3}}}).to_text() == R"({"a":1,"b":[2,3]})"
    );
}

BOOST_AUTO_TEST_CASE(to_text_of_a_value_has_no_bytes_that_json_cannot_hold)
{
    const json_value both{"\xFF", 2};
    BOOST_CHECK_THROW((void)element(both).to_text(), std::runtime_error);
    BOOST_TEST(element(both).to_text(invalid_utf8::replace) == "[\"\xEF\xBF\xBD\",2]");
}

BOOST_AUTO_TEST_CASE(to_json_makes_strings_of_texts)
{
    BOOST_TEST(element("x").to_json() == json_value("x"));
    BOOST_TEST(element(json_value{{"x"}, true}).to_json() == json_value({{"x"}, true}));
}

// The memory limit of a queue

BOOST_AUTO_TEST_CASE(weight_has_all_that_is_in_an_element)
{
    using weight = sluice::element_weight<element>;
    const std::string text(1000, 'x');
    BOOST_TEST(weight::of(element(text)) == sizeof(element) + 1000);
    for (const json_value& value :
         {json_value(text),
          json_value{{"key", text}},
          json_value{{text, 1}},
          json_value::array({1, json_value::array({text})}),
          json_value::binary(std::vector<std::uint8_t>(1000))})
        BOOST_TEST(weight::of(element(value)) > 1000U, value.dump().substr(0, 10));
    BOOST_TEST(weight::of(element(json_value(7))) < 100U);
}

BOOST_AUTO_TEST_CASE(moves_do_not_throw_so_that_queues_need_no_boxes)
{
    BOOST_TEST(std::is_nothrow_move_constructible_v<element>);
    BOOST_TEST(std::is_nothrow_move_assignable_v<element>);
}

BOOST_AUTO_TEST_CASE(kinds_have_names_of_their_own)
{
    BOOST_TEST(to_string(element_kind::none) == std::string("nothing"));
    BOOST_TEST(to_string(element_kind::text) == std::string("text"));
    BOOST_TEST(to_string(element_kind::value) == std::string("value"));
    BOOST_TEST(to_string(element_kind::any) == std::string("any"));
    BOOST_TEST(to_string(element_kind::same) == std::string("same"));
}

BOOST_AUTO_TEST_SUITE_END()
