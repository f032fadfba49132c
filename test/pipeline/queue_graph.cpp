// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/queue_graph.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sluice::pipeline;
using names = std::vector<std::string>;
using indexes = std::vector<std::size_t>;

// Queues, and runners from one to the other; "" is neither.
pipeline_description described(
    const names& queues,
    const std::vector<std::pair<std::string, std::string>>& runners
)
{
    pipeline_description description;
    for (const std::string& name : queues)
        description.queues.push_back({.name = name});
    for (const auto& [from, to] : runners)
        description.runners.push_back({.name = from + to, .from = from, .to = to});
    return description;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(queue_graph)

BOOST_AUTO_TEST_CASE(ends_are_the_runners_of_a_queue)
{
    const auto description = described({"a"}, {{"", "a"}, {"a", ""}, {"", "a"}});
    const detail::queue_graph graph(description);
    BOOST_TEST((graph.ends("a").fillers == indexes{0, 2}));
    BOOST_TEST((graph.ends("a").takers == indexes{1}));
    BOOST_TEST(graph.contains("a"));
    BOOST_TEST(!graph.contains(""));
}

BOOST_AUTO_TEST_CASE(order_follows_the_elements)
{
    const auto description =
        described({"a", "b", "c", "d"}, {{"b", "a"}, {"c", "a"}, {"d", "c"}, {"d", "b"}});
    const detail::queue_graph graph(description);
    BOOST_TEST((graph.order() == names{"d", "b", "c", "a"}));
    BOOST_TEST(graph.cycles().empty());
}

BOOST_AUTO_TEST_CASE(two_runners_between_the_same_queues_are_no_cycle)
{
    const auto description = described({"a", "b"}, {{"b", "a"}, {"b", "a"}, {"", "b"}});
    const detail::queue_graph graph(description);
    BOOST_TEST((graph.order() == names{"b", "a"}));
    BOOST_TEST(graph.cycles().empty());
}

BOOST_AUTO_TEST_CASE(cycle_is_told_in_the_direction_of_the_elements)
{
    const auto description =
        described({"a", "b", "c"}, {{"", "a"}, {"c", "a"}, {"a", "b"}, {"b", "c"}});
    const detail::queue_graph graph(description);
    BOOST_TEST_REQUIRE(graph.cycles().size() == 1u);
    BOOST_TEST((graph.cycles()[0] == indexes{1, 2, 3}));
    BOOST_TEST(graph.order().size() == 3u);
}

BOOST_AUTO_TEST_CASE(what_only_leads_out_of_a_cycle_is_not_in_it)
{
    const auto description =
        described({"a", "b", "c", "d"}, {{"a", "b"}, {"b", "a"}, {"b", "c"}, {"c", "d"}});
    const detail::queue_graph graph(description);
    BOOST_TEST_REQUIRE(graph.cycles().size() == 1u);
    BOOST_TEST((graph.cycles()[0] == indexes{0, 1}));
}

BOOST_AUTO_TEST_CASE(each_cycle_is_found)
{
    const auto description = described(
        {"a", "b", "c", "d", "e"},
        {{"a", "b"}, {"b", "a"}, {"d", "c"}, {"c", "d"}, {"e", "e"}}
    );
    const detail::queue_graph graph(description);
    BOOST_TEST_REQUIRE(graph.cycles().size() == 3u);
    BOOST_TEST((graph.cycles()[0] == indexes{0, 1}));
    BOOST_TEST((graph.cycles()[1] == indexes{2, 3}));
    BOOST_TEST((graph.cycles()[2] == indexes{4}));
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_not_described_is_left_out)
{
    const auto description = described({"a"}, {{"x", "a"}, {"a", "y"}});
    const detail::queue_graph graph(description);
    BOOST_TEST((graph.order() == names{"a"}));
}

BOOST_AUTO_TEST_SUITE_END()
