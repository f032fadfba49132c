// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/by_element.hpp"

#include "pipeline/data/record_builder.hpp"
#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::test {

namespace by_element {

struct by_element_fixture : stage_fixture
{
    // How often something is written for elements of this size.
    std::size_t writes_for(std::size_t elements, std::size_t bytes)
    {
        fake_stage_context context(
            ctx,
            std::vector<element>(elements, element(std::string(bytes, 'x')))
        );
        const pipeline::element_function pass = [](element&& in, std::vector<element>& out
                                                ) { out.push_back(std::move(in)); };
        run_until_done(pipeline::work_by_element(context, pass));
        BOOST_TEST(context.output.size() == elements);
        return context.writes;
    }

    // Appends a hundred elements of one large buffer.
    static std::weak_ptr<std::string> add_lines_to(std::vector<element>& elements)
    {
        const auto buffer = std::make_shared<std::string>(100'000, 'x');
        pipeline::detail::record_builder builder;
        for (int i = 0; i < 100; ++i) {
            builder.keep(buffer);
            builder.add(
                {std::string_view(*buffer).substr(0, 3), pipeline::field_form::text}
            );
            elements.push_back(builder.finish());
        }
        return buffer;
    }
};

}  // namespace by_element

BOOST_FIXTURE_TEST_SUITE(by_element, by_element_fixture)

BOOST_AUTO_TEST_CASE(small_results_are_written_together)
{
    BOOST_TEST(writes_for(200, 10) == 1U);
}

BOOST_AUTO_TEST_CASE(results_of_a_megabyte_are_written_at_once)
{
    BOOST_TEST(writes_for(8, 600'000) == 4U);
}

BOOST_AUTO_TEST_CASE(few_results_do_not_keep_the_buffer_of_many_elements)
{
    std::vector<element> lines;
    const std::weak_ptr<std::string> kept = add_lines_to(lines);
    fake_stage_context context(ctx, std::exchange(lines, {}));
    int count = 0;
    const pipeline::element_function pass_few = [&](element&& in,
                                                    std::vector<element>& out) {
        if (++count % 50 == 0)
            out.push_back(std::move(in));
    };
    run_until_done(pipeline::work_by_element(context, pass_few));
    BOOST_TEST(context.output.size() == 2U);
    BOOST_TEST(context.output.front().text() == "xxx");
    BOOST_TEST(kept.expired());
}

// However many a stage has passed on before.
BOOST_AUTO_TEST_CASE(few_results_of_the_last_elements_do_not_keep_their_buffer)
{
    std::vector<element> input(50'000);
    const std::weak_ptr<std::string> kept = add_lines_to(input);
    fake_stage_context context(ctx, std::exchange(input, {}));
    int count = 0;
    const pipeline::element_function pass_few_later = [&](element&& in,
                                                          std::vector<element>& out) {
        if (++count < 20'000 || count % 50 == 0)
            out.push_back(std::move(in));
    };
    run_until_done(pipeline::work_by_element(context, pass_few_later));
    BOOST_TEST(context.output.back().text() == "xxx");
    BOOST_TEST(kept.expired());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
