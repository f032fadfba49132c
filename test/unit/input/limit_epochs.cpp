// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/limit_epochs.hpp>

#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

BOOST_AUTO_TEST_SUITE(limit_epochs)

bool is_end(const sluice::system_error& error)
{
    return error.code() == sluice::errc::end_of_queue;
}

bool is_invalid(const sluice::system_error& error)
{
    return error.code() == sluice::errc::invalid_argument;
}

BOOST_AUTO_TEST_CASE(gives_a_value_so_often)
{
    auto words = sluice::limit_epochs(std::string("word"), 2);
    BOOST_TEST(words() == "word");
    BOOST_TEST(words() == "word");
    BOOST_CHECK_EXCEPTION(words(), sluice::system_error, is_end);
    BOOST_CHECK_EXCEPTION(words(), sluice::system_error, is_end);
}

BOOST_AUTO_TEST_CASE(calls_so_often)
{
    auto count = sluice::limit_epochs([i = 0]() mutable { return ++i; }, 3U);
    BOOST_TEST(count() + count() + count() == 6);
    BOOST_CHECK_EXCEPTION(count(), sluice::system_error, is_end);
}

BOOST_AUTO_TEST_CASE(what_it_calls_may_be_move_only)
{
    auto boxes = sluice::limit_epochs(
        [box = std::make_unique<int>(7)]() mutable { return std::move(box); },
        1
    );
    BOOST_TEST(*boxes() == 7);
    BOOST_CHECK_EXCEPTION(boxes(), sluice::system_error, is_end);
}

BOOST_AUTO_TEST_CASE(copies_share_the_count_among_threads)
{
    const auto words = sluice::limit_epochs(1, 1000);
    std::atomic<int> given = 0;
    sluice::test::run_threads(4, [&, words](std::size_t) {
        auto own = words;
        try {
            for (;;)
                given += own();
        } catch (const sluice::system_error&) {
        }
    });
    BOOST_TEST(given == 1000);
}

BOOST_AUTO_TEST_CASE(refuses_no_epoch)
{
    BOOST_CHECK_EXCEPTION(
        static_cast<void>(sluice::limit_epochs(1, 0)),
        sluice::system_error,
        is_invalid
    );
    BOOST_CHECK_EXCEPTION(
        static_cast<void>(sluice::limit_epochs(1, -1)),
        sluice::system_error,
        is_invalid
    );
}

BOOST_AUTO_TEST_SUITE_END()
