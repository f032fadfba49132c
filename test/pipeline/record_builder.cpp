// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/record_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::test {

using namespace pipeline;
namespace data = pipeline::detail;

struct records_fixture
{
    static std::shared_ptr<const data::field_names> named(std::vector<std::string> names)
    {
        return std::make_shared<data::field_names>(std::move(names));
    }

    // A line that is a part of a buffer with so many bytes.
    element line_of(std::size_t bytes)
    {
        buffer = std::make_shared<std::string>(bytes, 'x');
        data::record_builder builder;
        builder.keep(buffer);
        builder.add({std::string_view(*buffer).substr(0, 3), field_form::text});
        return builder.finish();
    }

    data::text_buffer buffer;
};

BOOST_FIXTURE_TEST_SUITE(record_builder, records_fixture)

BOOST_AUTO_TEST_CASE(records_with_names_are_objects)
{
    data::record_builder builder(named({"id", "a\"b"}));
    builder.add_copy("7", field_form::json);
    builder.add_copy("text", field_form::text);
    const element record = builder.finish();
    BOOST_TEST((record.kind() == element_kind::value));
    BOOST_TEST((record.to_json() == json_value{{"id", 7}, {"a\"b", "text"}}));
    std::string json;
    data::append_json(record, json, invalid_utf8::refuse);
    BOOST_TEST(json == R"({"id":7,"a\"b":"text"})");
    BOOST_TEST(data::field_of(record, "id").as_number().value().whole() == 7);
    BOOST_TEST(!data::field_of(record, "none"));
}

// A queue adds it when the element comes and takes it away when it goes.
BOOST_AUTO_TEST_CASE(weight_of_a_record_is_that_of_its_fields_wherever_it_moves)
{
    const std::size_t of_places = sizeof(element) + 2 * sizeof(field);
    data::record_builder builder(named({"id", "name"}));
    for (const std::size_t size : {3U, 100U}) {
        builder.add_copy("7", field_form::json);
        builder.add_copy(std::string(size, 'x'), field_form::text);
        element made = builder.finish();
        const element copied = made;
        element moved = std::move(made);
        BOOST_TEST(copied.weight() == of_places + 1 + size);
        BOOST_TEST(moved.weight() == of_places + 1 + size);
        BOOST_TEST(made.weight() == sizeof(element));
        const element computed = std::exchange(moved, element());
        BOOST_TEST(computed.weight() == of_places + 1 + size);
        BOOST_TEST(moved.weight() == sizeof(element));
    }
}

BOOST_AUTO_TEST_CASE(record_that_is_changed_is_weighed_anew)
{
    data::record_builder builder;
    builder.add_copy("short", field_form::text);
    element changed = builder.finish();
    changed.text().append(1000, 'x');
    BOOST_TEST(changed.weight() == sizeof(element) + 1005);
}

BOOST_AUTO_TEST_CASE(element_outlives_its_builder_and_buffer)
{
    std::optional<data::record_builder> builder(std::in_place);
    builder->add_copy(std::string(100, 'y'), field_form::text);
    const element copied = builder->finish();
    const element part = line_of(1000);
    builder.reset();
    buffer.reset();
    BOOST_TEST(copied.text() == std::string(100, 'y'));
    BOOST_TEST(part.text() == "xxx");
}

// Whatever comes between them, and also what others share.
BOOST_AUTO_TEST_CASE(elements_that_are_released_together_leave_nothing_behind)
{
    std::vector<element> released;
    std::vector<std::weak_ptr<std::string>> freed;
    for (int i = 0; i < 3; ++i) {
        released.push_back(line_of(10));
        freed.push_back(buffer);
        released.push_back(released.back());
        released.emplace_back();
        released.push_back(released.front());
        released.emplace_back("text");
    }
    buffer.reset();
    const element shared = released.front();
    data::release_all(released);
    for (const element& each : released)
        BOOST_TEST((each == element()));
    BOOST_TEST(shared.text() == "xxx");
    BOOST_TEST(!freed[0].expired());
    BOOST_TEST(freed[1].expired());
    BOOST_TEST(freed[2].expired());
}

BOOST_AUTO_TEST_CASE(part_keeps_the_block_of_the_whole)
{
    data::record_builder builder;
    element part;
    {
        const element whole = line_of(1000);
        builder.add_part(whole, {whole.text().substr(1), field_form::text});
        part = builder.finish();
    }
    buffer.reset();
    BOOST_TEST(part.text() == "xx");
}

BOOST_AUTO_TEST_CASE(records_fill_as_many_blocks_as_they_need)
{
    data::record_builder builder;
    std::vector<element> made;
    for (int i = 0; i < 10'000; ++i) {
        builder.add_copy(std::to_string(i), field_form::text);
        made.push_back(builder.finish());
    }
    for (std::size_t i = 0; i < made.size(); ++i)
        BOOST_REQUIRE(made[i].text() == std::to_string(i));
}

BOOST_AUTO_TEST_CASE(element_that_is_changed_leaves_others_as_they_are)
{
    const element shared = line_of(10);
    element changed = shared;
    changed.text() += "!";
    BOOST_TEST(changed.text() == "xxx!");
    BOOST_TEST(shared.text() == "xxx");
    element again = changed;
    again.text() += "?";
    BOOST_TEST(changed.text() == "xxx!");
}

BOOST_AUTO_TEST_CASE(few_records_of_a_large_buffer_do_not_keep_it)
{
    std::vector<element> few{line_of(100'000)};
    const std::weak_ptr<std::string> large = buffer;
    buffer.reset();
    data::leave_large_buffers(few);
    BOOST_TEST(large.expired());
    BOOST_TEST(few.front().text() == "xxx");

    element one = line_of(100'000);
    const std::weak_ptr<std::string> other = buffer;
    buffer.reset();
    one = data::on_its_own(std::move(one));
    BOOST_TEST(other.expired());
    BOOST_TEST(one.text() == "xxx");
}

BOOST_AUTO_TEST_CASE(blocks_of_large_copies_keep_few_of_them)
{
    constexpr std::size_t large = 1'000'000;
    data::record_builder builder;
    std::vector<element> made;
    for (int i = 0; i < 100; ++i) {
        builder.add_copy(std::string(large, 'x'), field_form::text);
        made.push_back(builder.finish());
    }
    for (const element& each : made)
        BOOST_TEST(data::block_of(each)->kept_bytes() <= 3 * large);
}

BOOST_AUTO_TEST_CASE(parts_of_parts_share_blocks_however_much_these_keep)
{
    std::vector<element> made;
    {
        data::record_builder builder;
        for (int i = 0; i < 1000; ++i) {  // of several large buffers
            if (i % 300 == 0)
                buffer = std::make_shared<std::string>(1'000'000, 'x');
            builder.keep(buffer);
            builder.add({std::string_view(*buffer).substr(0, 9), field_form::text});
            made.push_back(builder.finish());
        }
    }
    for (int level = 0; level < 4; ++level) {
        data::record_builder builder;
        for (element& each : made) {
            const std::string_view part = std::as_const(each).text().substr(1);
            builder.add_part(each, {part, field_form::text});
            each = builder.finish();
        }
        std::size_t blocks = 1;
        for (std::size_t i = 1; i < made.size(); ++i)
            blocks += made[i].shared_content() != made[i - 1].shared_content() ? 1U : 0U;
        BOOST_TEST(blocks <= 4U * 4U);
    }
    BOOST_TEST(std::as_const(made.back()).text() == "xxxxx");
}

BOOST_AUTO_TEST_CASE(record_on_its_own_takes_its_bytes_and_keeps_its_place)
{
    data::record_builder builder(named({"a", "b"}));
    buffer = std::make_shared<std::string>(100'000, 'x');
    builder.from(std::make_shared<const std::string>("orders.csv"));
    builder.keep(buffer);
    for (int i = 0; i < 2; ++i)
        builder.add({std::string_view(*buffer).substr(0, 50), field_form::text});
    const element alone = data::on_its_own(builder.finish(7));
    const data::record_block& block = *data::block_of(alone);
    BOOST_TEST(block.kept_bytes() < 200U);
    BOOST_TEST(*block.file() == "orders.csv");
    BOOST_TEST(block.line_of(alone.record()) == 7U);
    BOOST_TEST(data::field_of(alone, "b").bytes() == std::string(50, 'x'));
}

BOOST_AUTO_TEST_CASE(line_and_file_of_a_record_are_known)
{
    data::record_builder builder;
    builder.from(std::make_shared<const std::string>("access.log"));
    builder.add_copy("a", field_form::text);
    const element whole = builder.finish(12);
    data::record_builder other;
    BOOST_TEST(other.follow(whole) == 12U);
    other.add_part(whole, {whole.text(), field_form::text});
    const element part = other.finish(12);
    BOOST_TEST(*data::block_of(part)->file() == "access.log");
    BOOST_TEST(data::block_of(part)->line_of(part.record()) == 12U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
