// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/pipeline_description.hpp>

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

namespace sluice::test {

BOOST_AUTO_TEST_SUITE(pipeline_description)

BOOST_AUTO_TEST_CASE(defaults_are_those_of_the_documentation)
{
    const sluice::pipeline::pipeline_description pipeline;
    BOOST_TEST(pipeline.name == "pipeline");
    BOOST_TEST(pipeline.threads == 0u);
    BOOST_TEST((pipeline.stop_grace_period == std::chrono::seconds(10)));

    const sluice::pipeline::queue_description queue;
    BOOST_TEST((queue.type == sluice::pipeline::queue_type::fifo));
    BOOST_TEST(queue.capacity == 256u);
    BOOST_TEST(queue.min_after_dequeue == 0u);
    BOOST_TEST(!queue.seed);

    const sluice::pipeline::runner_description runner;
    BOOST_TEST(runner.workers == 1u);
    BOOST_TEST(runner.options == nlohmann::json::object());
}

BOOST_AUTO_TEST_CASE(types_of_queues_have_the_names_of_descriptions)
{
    using sluice::pipeline::queue_type;
    BOOST_TEST(to_string(queue_type::fifo) == std::string("fifo"));
    BOOST_TEST(to_string(queue_type::shuffle) == std::string("shuffle"));
    BOOST_TEST(to_string(queue_type::priority) == std::string("priority"));
    BOOST_TEST(to_string(queue_type::padding) == std::string("padding"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
