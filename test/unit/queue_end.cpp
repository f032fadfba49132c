// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue_end.hpp>

#include <boost/test/unit_test.hpp>

#include <exception>
#include <set>
#include <stdexcept>
#include <string>

using sluice::closer;

BOOST_AUTO_TEST_SUITE(queue_end)

BOOST_AUTO_TEST_CASE(text_says_who_closed_the_queue)
{
    std::set<std::string> texts;
    std::set<std::string> names;
    for (const closer by :
         {closer::none,
          closer::caller,
          closer::producers,
          closer::stop,
          closer::signal,
          closer::parent,
          closer::coordinator,
          closer::destructor}) {
        texts.insert(to_string(sluice::queue_end{.by = by}));
        names.insert(to_string(by));
    }
    BOOST_TEST(texts.size() == 8u);
    BOOST_TEST(names.size() == 8u);
    BOOST_TEST(to_string(sluice::queue_end{}) == "open");
    BOOST_TEST(
        to_string(sluice::queue_end{.by = closer::signal, .cut_off = true}) ==
        "closed by a signal"
    );
}

BOOST_AUTO_TEST_CASE(text_has_the_message_of_the_cause)
{
    const sluice::queue_end end{
        closer::stop,
        true,
        std::make_exception_ptr(std::runtime_error("disk full"))
    };
    BOOST_TEST(to_string(end) == "closed by a stop after the error 'disk full'");
    BOOST_TEST(sluice::reason_of(end) == "disk full");
    const sluice::queue_end strange{closer::caller, true, std::make_exception_ptr(1)};
    BOOST_TEST(sluice::reason_of(strange) == "an exception that is not a std::exception");
}

BOOST_AUTO_TEST_CASE(reason_of_an_end_that_cut_nothing_off_is_empty)
{
    BOOST_TEST(sluice::reason_of({closer::producers}) == "");
    BOOST_TEST(sluice::reason_of({closer::signal, true}) == "stopped without an error");
}

BOOST_AUTO_TEST_SUITE_END()
