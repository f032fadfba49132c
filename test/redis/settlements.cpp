// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/settlements.hpp>

#include "support/printing.hpp"
#include "support/redis/remote_parts.hpp"
#include <sluice/redis/redis_error.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace detail = sluice::redis::detail;
namespace redis = sluice::redis;
namespace test = sluice::test;
using detail::settling;
using namespace std::chrono_literals;

namespace settlements {

struct settlements_to_send
{
    // Those that were not started would return their elements.
    ~settlements_to_send()
    {
        done.elements.clear();
        back.elements.clear();
    }

    // The words of the next command, which is then on its way.
    std::string send(std::uint64_t connection = 1)
    {
        detail::command text;
        tested.write(text, 30ms, connection);
        tested.note_sent();
        return test::words_of(text);
    }

    std::size_t answer(std::string_view text)
    {
        return tested.on_answer(test::written_reply(text).get());
    }

    void add(test::plain_settler& owner)
    {
        waiting.push_back(owner);
        owner.unanswered = owner.elements.size();
        tested.add(owner.what, std::exchange(owner.elements, {}), &owner);
    }

    // Whether this is the only one that has ended; it has not from then on.
    bool take_ended(test::plain_settler& owner)
    {
        auto& ended = tested.ended();
        const bool is_it = !ended.empty() && &ended.front() == &owner;
        ended.clear();
        return is_it;
    }

    sluice::detail::waiter_list waiting;
    detail::settlements tested;
    test::plain_settler done{settling::acknowledge, nullptr, test::lease_of("a")};
    test::plain_settler back{settling::requeue, nullptr, test::lease_of("b")};
    test::plain_settler longer{settling::extend, nullptr, test::lease_of("c")};
};

}  // namespace settlements

BOOST_FIXTURE_TEST_SUITE(settlements, settlements_to_send)

BOOST_AUTO_TEST_CASE(elements_are_sent_in_their_order_and_known_once_they_are_answered)
{
    BOOST_TEST(tested.are_known());
    tested.add(settling::acknowledge, test::lease_of("a"));
    tested.add(settling::forget, test::lease_of("b"));
    BOOST_TEST(!tested.empty());
    BOOST_TEST(send() == "30 a a 1 u b 1 ");
    BOOST_TEST(tested.empty());
    BOOST_TEST(!tested.are_known());
    BOOST_TEST(answer("*2\r\n:1\r\n:1\r\n") == 1U);
    BOOST_TEST(tested.are_known());
}

// The server may have given the identifier to another element meanwhile.
BOOST_AUTO_TEST_CASE(element_of_an_earlier_connection_is_sent_with_its_time)
{
    tested.add(settling::requeue, test::lease_of("a"));
    BOOST_TEST(send(2) == "30 R 1700000000000a 1 ");
}

BOOST_AUTO_TEST_CASE(command_has_so_many_elements_and_the_next_one_the_rest)
{
    for (std::size_t i = 0; i < detail::most_elements + 1; ++i)
        tested.add(settling::acknowledge, test::lease_of("a"));
    BOOST_TEST(tested.count_to_send() == detail::most_elements);
    send();
    BOOST_TEST(tested.count_to_send() == 1U);
    BOOST_TEST(!tested.empty());
}

BOOST_AUTO_TEST_CASE(settler_ends_with_the_answer_to_its_last_element)
{
    test::plain_settler two(settling::acknowledge, nullptr, test::lease_of("a"));
    two.elements.push_back(test::lease_of("b").front());
    add(two);
    add(back);
    send();
    BOOST_TEST(answer("*3\r\n:0\r\n:1\r\n:0\r\n") == 1U);
    BOOST_TEST(tested.ended().size() == 2U);
    BOOST_TEST((two.error() == redis::errc::lease_expired));
    BOOST_TEST((back.error() == redis::errc::lease_expired));
    BOOST_TEST(waiting.empty());
    tested.ended().clear();
}

BOOST_AUTO_TEST_CASE(settler_that_has_gone_is_not_touched)
{
    add(done);
    add(back);
    send();
    tested.drop_owner(done);
    tested.add(settling::requeue, test::lease_of("c"), &longer);
    tested.drop_owner(longer);
    BOOST_TEST(answer("*2\r\n:0\r\n:1\r\n") == 0U);
    BOOST_TEST(take_ended(back));
    BOOST_TEST(!back.failed());
    BOOST_TEST(!done.failed());
    send();
    answer("*1\r\n:0\r\n");
    BOOST_TEST(tested.ended().empty());
}

BOOST_AUTO_TEST_CASE(error_is_the_answer_to_all_that_were_sent)
{
    add(done);
    send();
    tested.on_error({redis::errc::server_full});
    BOOST_TEST(take_ended(done));
    BOOST_TEST((done.error() == redis::errc::server_full));
    BOOST_TEST(tested.are_known());
}

// (E4)
BOOST_AUTO_TEST_CASE(repetition_of_what_may_be_done_succeeds_but_an_extension_does_not)
{
    add(done);
    add(back);
    add(longer);
    send();
    tested.add(settling::requeue, test::lease_of("d"));
    tested.take_back(true);
    BOOST_TEST(tested.ended().empty());
    BOOST_TEST(send() == "30 a a 1 r b 1 e c 1 r d 1 ");
    answer("*4\r\n:0\r\n:0\r\n:0\r\n:1\r\n");
    BOOST_TEST(!done.failed());
    BOOST_TEST(!back.failed());
    BOOST_TEST((longer.error() == redis::errc::lease_expired));
    tested.ended().clear();
}

// It is still there, for another acknowledgement.
BOOST_AUTO_TEST_CASE(repeated_acknowledgement_of_an_element_that_is_left_fails)
{
    add(done);
    send();
    tested.take_back(true);
    send();
    BOOST_TEST(answer("*1\r\n:2\r\n") == 0U);
    BOOST_TEST(take_ended(done));
    BOOST_TEST((done.error() == redis::errc::lease_expired));
}

// (E4)
BOOST_AUTO_TEST_CASE(return_of_an_unseen_element_is_repeated_only_if_it_was_not_done)
{
    tested.add(settling::forget, test::lease_of("a"));
    send();
    tested.take_back(false);
    BOOST_TEST(send() == "30 u a 1 ");
    tested.take_back(true);
    BOOST_TEST(tested.are_known());
}

BOOST_AUTO_TEST_CASE(what_the_server_has_not_done_is_not_taken_for_done_when_repeated)
{
    add(done);
    send();
    tested.take_back(false);
    send();
    answer("*1\r\n:0\r\n");
    BOOST_TEST(take_ended(done));
    BOOST_TEST((done.error() == redis::errc::lease_expired));
}

BOOST_AUTO_TEST_CASE(deleted_queue_ends_what_was_sent_as_lost_unless_it_may_be_done)
{
    add(done);
    send();
    tested.on_deleted();
    BOOST_TEST(take_ended(done));
    BOOST_TEST((done.error() == redis::errc::lease_expired));
    add(back);
    add(longer);
    send();
    tested.take_back(true);
    send();
    tested.on_deleted();
    BOOST_TEST(!back.failed());
    BOOST_TEST((longer.error() == redis::errc::lease_expired));
    tested.ended().clear();
}

BOOST_AUTO_TEST_SUITE_END()
