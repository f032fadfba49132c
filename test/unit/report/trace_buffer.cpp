// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/trace_buffer.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <vector>

namespace report = sluice::report;

namespace trace_buffer {

void push(report::trace_buffer& buffer, std::uint64_t value)
{
    buffer.push({report::trace_event::instant, 0, 0, 0, value});
}

std::vector<std::uint64_t> values(const report::trace_buffer& buffer)
{
    std::vector<std::uint64_t> all;
    buffer.for_each([&all](const report::trace_event& event) {
        all.push_back(event.value);
    });
    return all;
}

}  // namespace trace_buffer

BOOST_AUTO_TEST_SUITE(trace_buffer)

BOOST_AUTO_TEST_CASE(the_last_events_are_kept_in_order_and_the_others_counted)
{
    report::trace_buffer buffer(3);
    for (std::uint64_t value = 1; value <= 3; ++value)
        push(buffer, value);
    BOOST_TEST(buffer.dropped() == 0U);
    push(buffer, 4);
    push(buffer, 5);
    const std::vector<std::uint64_t> last{3, 4, 5};
    BOOST_TEST(values(buffer) == last);
    BOOST_TEST(buffer.dropped() == 2U);
}

BOOST_AUTO_TEST_CASE(without_room_all_are_counted)
{
    report::trace_buffer buffer(0);
    push(buffer, 1);
    BOOST_TEST(values(buffer).empty());
    BOOST_TEST(buffer.dropped() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
