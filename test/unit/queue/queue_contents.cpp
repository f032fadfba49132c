// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/queue_contents.hpp>

#include "support/printing.hpp"
#include <sluice/queue/detail/try_forms.hpp>
#include <sluice/queue/fifo_store.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <span>
#include <vector>

namespace detail = sluice::detail;
using detail::attempt;

namespace queue_contents {

struct contents_fixture
{
    using contents_type = detail::queue_contents<int, sluice::fifo_store<int>>;
    using producer = detail::flushed<contents_type::producer>;
    using consumer = detail::flushed<contents_type::consumer>;

    contents_type contents{
        sluice::fifo_store<int>(sluice::queue_options{.capacity = sluice::unbounded}),
        3
    };
};

}  // namespace queue_contents

BOOST_FIXTURE_TEST_SUITE(queue_contents, contents_fixture)

BOOST_AUTO_TEST_CASE(element_is_counted_in_and_out)
{
    const int copied = 2;
    BOOST_CHECK(contents.push(1) == attempt::done);
    BOOST_CHECK(contents.push(copied) == attempt::done);
    BOOST_TEST(contents.size() == 2U);
    BOOST_TEST(contents.room() == 1U);
    std::optional<int> first;
    BOOST_CHECK(contents.pop(first) == attempt::done);
    BOOST_TEST(first.value() == 1);
    BOOST_TEST(contents.enqueued() == 2U);
    BOOST_TEST(contents.dequeued() == 1U);
    BOOST_TEST(contents.high_water() == 2U);
}

BOOST_AUTO_TEST_CASE(rows_are_accepted_as_far_as_there_is_room)
{
    std::vector<int> values{1, 2, 3, 4};
    producer p{std::span<int>(values)};
    contents.accept_rows(p, 0);
    BOOST_TEST(p.accepted() == 3U);
    BOOST_TEST(p.left() == 1U);
    BOOST_TEST(contents.room() == 0U);
}

BOOST_AUTO_TEST_CASE(element_is_passed_without_the_store)
{
    int value = 7;
    producer p{std::span<int>(&value, 1)};
    consumer c(detail::demand::one, 1);
    contents.pass(p, c);
    BOOST_TEST(c.item().value() == 7);
    BOOST_TEST(p.left() == 0U);
    BOOST_TEST(contents.enqueued() == 1U);
    BOOST_TEST(contents.high_water() == 0U);
}

BOOST_AUTO_TEST_CASE(returned_elements_are_at_the_front_again)
{
    for (const int value : {1, 2, 3})
        BOOST_CHECK(contents.push(value) == attempt::done);
    consumer c(detail::demand::exactly, 2);
    contents.take(c, 2);
    contents.note_delivered(c);
    BOOST_TEST(contents.dequeued() == 2U);
    contents.take_back(c);
    BOOST_TEST(contents.returned() == 2U);
    consumer all(detail::demand::exactly, 3);
    contents.take(all, 3);
    BOOST_TEST(sluice::test::to_text(all.batch()) == "[1, 2, 3]");
}

BOOST_AUTO_TEST_SUITE_END()
