// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/summary_event.hpp"

#include "support/message_of.hpp"

#include <boost/algorithm/hex.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace summary_event {

namespace report = sluice::report;
namespace test = sluice::test;

std::string hex(const std::string& bytes)
{
    return boost::algorithm::hex_lower(bytes);
}

// So many doubles from that byte on.
std::vector<double> doubles(const std::string& message, std::size_t at, std::size_t count)
{
    std::vector<double> result;
    for (; count > 0; --count, at += 8) {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < 8; ++i)
            bits |= std::uint64_t{static_cast<unsigned char>(message.at(at + i))}
                    << 8 * i;
        result.push_back(std::bit_cast<double>(bits));
    }
    return result;
}

// Of histogram_event with the tag "h" at step 0.
struct read_histogram
{
    explicit read_histogram(const std::vector<double>& samples)
    {
        const std::string message = report::histogram_event({0, 0}, "h", samples);
        const auto begin = message.find("\x0a\x01h\x2a") + 6;  // two bytes are the length
        for (std::size_t i = 0; i < 5; ++i)
            moments.push_back(doubles(message, begin + 1 + 9 * i, 1).front());
        limits = doubles(message, begin + 45 + 3, 30);
        counts = doubles(message, begin + 45 + 3 + 240 + 3, 30);
    }

    std::vector<double> moments;  // min, max, number, sum, sum of squares
    std::vector<double> limits;
    std::vector<double> counts;
};

sluice::flow_graph lines()
{
    return {
        .nodes = {{"read", "queue_runner"}, {"lines", "fifo_queue", {{"capacity", "8"}}}},
        .edges = {{"read", "lines"}}
    };
}

BOOST_AUTO_TEST_SUITE(summary_event)

BOOST_AUTO_TEST_CASE(version_comes_without_a_summary)
{
    BOOST_TEST(
        hex(report::version_event(1.5)) ==
        "09000000000000f83f1a0d627261696e2e4576656e743a3252080a06736c75696365"
    );
}

BOOST_AUTO_TEST_CASE(scalar_is_a_simple_value)
{
    BOOST_TEST(
        hex(report::scalar_event({1.5, 7}, "loss", 0.25)) ==
        "09000000000000f83f10072a0d0a0b0a046c6f7373150000803e"
    );
}

BOOST_AUTO_TEST_CASE(text_is_a_tensor_for_the_plugin_text)
{
    BOOST_TEST(
        hex(report::text_event({1.5, -1}, "note", "*hi*")) ==
        "09000000000000f83f10ffffffffffffffffff012a200a1e0a046e6f7465"
        "420a0807120042042a68692a4a0a0a060a04746578742002"
    );
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf_8_are_replaced)
{
    const std::string message = report::scalar_event({0, 0}, "a\xff\xc3", 1);
    BOOST_TEST(
        message.find("\x0a\x07"
                     "a\xef\xbf\xbd\xef\xbf\xbd") != std::string::npos
    );
}

// Histograms

BOOST_AUTO_TEST_CASE(samples_are_counted_between_the_least_and_the_greatest)
{
    const read_histogram read({-1, 2, 2, 0.49});
    BOOST_TEST(read.moments.at(0) == -1);
    BOOST_TEST(read.moments.at(1) == 2);
    BOOST_TEST(read.moments.at(2) == 4);
    BOOST_TEST(read.moments.at(3) == 3.49);
    BOOST_TEST(read.moments.at(4) == 9 + 0.49 * 0.49);
    BOOST_TEST(read.limits.at(0) == -0.9, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(read.limits.at(29) == std::numeric_limits<double>::max());
    for (std::size_t i = 0; i < 30; ++i)
        BOOST_TEST(read.counts.at(i) == (i == 29 ? 2 : i == 0 || i == 14 ? 1 : 0));
}

BOOST_AUTO_TEST_CASE(equal_samples_are_in_one_bucket)
{
    const read_histogram read({0.3, 0.3});
    BOOST_TEST(read.moments.at(0) == 0.3);
    BOOST_TEST(read.moments.at(1) == 0.3);
    BOOST_TEST(read.counts.at(0) == 2);
}

BOOST_AUTO_TEST_CASE(samples_that_are_not_finite_are_left_out)
{
    using limits = std::numeric_limits<double>;
    const read_histogram read({limits::quiet_NaN(), limits::infinity(), 5});
    BOOST_TEST(read.moments.at(1) == 5);
    BOOST_TEST(read.moments.at(2) == 1);
    BOOST_TEST(read.counts.at(0) == 1);
    BOOST_TEST(read_histogram({}).moments.at(2) == 0);
}

BOOST_AUTO_TEST_CASE(range_may_be_that_of_all_numbers)
{
    using limits = std::numeric_limits<double>;
    const read_histogram read({limits::lowest(), limits::max(), 0});
    BOOST_TEST(read.counts.at(0) == 1);
    BOOST_TEST(read.counts.at(15) == 1);
    BOOST_TEST(read.counts.at(29) == 1);
}

// Graphs

BOOST_AUTO_TEST_CASE(edge_is_an_input_of_the_node_it_leads_to)
{
    BOOST_TEST(
        hex(report::graph_event({1.5, 0}, lines())) ==
        "09000000000000f83f100022420a140a0472656164120c71756575655f72756e6e6572"
        "0a2a0a056c696e6573120a6669666f5f71756575651a04726561642a0f0a0863617061636974"
        "791203120138"
    );
}

BOOST_AUTO_TEST_CASE(names_become_what_tensorboard_takes_and_stay_different)
{
    const std::string message = report::graph_event(
        {0, 0},
        {.nodes = {{"a b", "x"}, {"a:b", "x"}, {"", "x"}}, .edges = {{"a b", "a:b"}}}
    );
    BOOST_TEST(
        message.find("\x0a\x03"
                     "a_b\x12\x01x") != std::string::npos
    );
    BOOST_TEST(
        message.find("\x0a\x04"
                     "a_b_\x12\x01x\x1a\x03"
                     "a_b") != std::string::npos
    );
    BOOST_TEST(message.find("\x0a\x01_\x12\x01x") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(mistake_in_a_graph_is_named)
{
    sluice::flow_graph unknown = lines();
    unknown.edges.push_back({"lines", "split"});
    sluice::flow_graph twice = lines();
    twice.nodes.push_back({"read", "fifo_queue"});

    const auto message = [](const sluice::flow_graph& graph) {
        return test::message_of([&] { return report::graph_event({0, 0}, graph); });
    };
    BOOST_TEST(message(unknown).starts_with(
        "the graph: an edge names \"split\", which is no node"
    ));
    BOOST_TEST(message(twice).starts_with("the graph: two nodes are named \"read\""));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace summary_event
