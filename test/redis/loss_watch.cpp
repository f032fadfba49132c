// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/loss_watch.hpp>

#include "support/message_of.hpp"
#include "support/printing.hpp"
#include <sluice/redis/redis_error.hpp>

#include <boost/test/unit_test.hpp>

#include <exception>

namespace redis = sluice::redis;

namespace loss_watch {

// Of a queue that was opened when it had lost two elements.
struct watch_of_q
{
    watch_of_q() { BOOST_TEST(!tested.on_opened("1", 2, 0)); }

    redis::detail::loss_watch tested{"q"};
};

}  // namespace loss_watch

BOOST_FIXTURE_TEST_SUITE(loss_watch, watch_of_q)

BOOST_AUTO_TEST_CASE(elements_lost_before_the_first_opening_are_not_told)
{
    BOOST_TEST(!tested.on_status(3, 2));
    BOOST_TEST(tested.losses().elements == 0U);
    BOOST_TEST(!tested.news().code.failed());
}

BOOST_AUTO_TEST_CASE(each_loss_is_told_once_with_the_sum_of_all)
{
    BOOST_TEST(tested.on_status(3, 3));
    BOOST_TEST(tested.losses().what == "q: the server has lost 1 element");
    const auto told = tested.take_news();
    BOOST_TEST((told.code == redis::errc::elements_lost));
    BOOST_TEST(sluice::test::message_of([&] { std::rethrow_exception(told.exception); }
    ).starts_with("q: the server has lost 1 element"));
    BOOST_TEST(!tested.news().code.failed());
    BOOST_TEST(!tested.on_status(3, 3));
    BOOST_TEST(tested.on_opened("1", 5, 3));
    BOOST_TEST(tested.losses().elements == 3U);
    BOOST_TEST(tested.losses().what == "q: the server has lost 2 elements, 3 in all");
    BOOST_TEST(tested.news().code.failed());
}

BOOST_AUTO_TEST_CASE(queue_made_anew_gives_a_warning_with_what_is_missing)
{
    tested.on_size(5);
    tested.on_acknowledged(1);
    BOOST_TEST(!tested.on_opened("2", 7, 1));
    BOOST_TEST(
        tested.losses().what ==
        "q was deleted on the server, with up to 3 elements, and has been created again"
    );
    BOOST_TEST(tested.losses().elements == 0U);
    BOOST_TEST(!tested.news().code.failed());
    BOOST_TEST(!tested.on_status(1, 7));
    tested.on_acknowledged(9);  // others have enqueued meanwhile
    BOOST_TEST(!tested.on_opened("3", 0, 0));
    BOOST_TEST(
        tested.losses().what == "q was deleted on the server, and has been created again"
    );
}

BOOST_AUTO_TEST_CASE(deletion_on_purpose_excuses_the_next_new_queue_only)
{
    tested.on_deletion();
    BOOST_TEST(!tested.on_opened("1", 2, 4));  // the answer is older
    BOOST_TEST(!tested.on_opened("2", 0, 0));
    BOOST_TEST(tested.losses().what.empty());
    BOOST_TEST(!tested.on_opened("3", 0, 0));
    BOOST_TEST(!tested.losses().what.empty());
}

BOOST_AUTO_TEST_CASE(deletion_in_another_database_excuses_no_new_queue)
{
    tested.on_deletion();
    BOOST_TEST(!tested.must_look());
    tested.note_look();
    BOOST_TEST(!tested.on_status(3, 2, "1"));
    BOOST_TEST(!tested.on_opened("2", 0, 0));
    BOOST_TEST(!tested.losses().what.empty());
}

BOOST_AUTO_TEST_CASE(status_that_was_asked_for_before_the_deletion_says_nothing_about_it)
{
    tested.on_poll();
    tested.note_look();
    tested.on_deletion();
    BOOST_TEST(!tested.on_status(3, 2, "1"));
    tested.note_look();
    BOOST_TEST(!tested.on_status(0, 2, "2"));  // another process has made it anew
    BOOST_TEST(!tested.on_opened("2", 0, 0));
    BOOST_TEST(tested.losses().what.empty());
}

BOOST_AUTO_TEST_CASE(
    status_is_asked_for_after_a_loss_and_by_the_poll_while_there_are_elements
)
{
    tested.on_poll();
    BOOST_TEST(!tested.must_look());
    tested.on_size(1);
    tested.on_poll();
    BOOST_TEST(tested.must_look());
    tested.note_look();
    tested.on_size(0);
    tested.on_loss();
    BOOST_TEST(tested.must_look());
}

BOOST_AUTO_TEST_SUITE_END()
