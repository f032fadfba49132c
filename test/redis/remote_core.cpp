// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The state machine without a server: what it sends, and when, for answers and events in an order
// that a server gives seldom.

#include <sluice/redis/detail/remote_core.hpp>

#include "support/printing.hpp"
#include "support/redis/remote_parts.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/detail/remote_calls.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace detail = sluice::redis::detail;
using detail::lane;

namespace remote_core {

class core_under_test final : public detail::remote_core
{
public:
    using remote_core::remote_core;
};

// Keeps what is sent; the case answers.
class fake_sink final : public detail::command_sink
{
public:
    void send(detail::remote_core& /*core*/, lane from, detail::command text) noexcept
        override
    {
        std::string bytes;
        text.append_to(bytes);
        sent.emplace_back(from, std::move(bytes));
    }

    void flush() noexcept override {}
    void post_pump(detail::remote_core& /*core*/) override { is_posted = true; }
    void defer_pump(detail::remote_core& /*core*/) override { is_deferred = true; }
    void run_pump(detail::remote_core& core) override { post_pump(core); }

    std::vector<std::pair<lane, std::string>> sent;
    bool is_posted = false;
    bool is_deferred = false;
};

using consumer = sluice::test::plain_consumer;
using producer = sluice::test::plain_producer;
using query = sluice::test::plain_query;
using settler = sluice::test::plain_settler;
using sluice::test::lease_of;

struct connected_core
{
    connected_core()
    {
        core->connected();
        answer_opened();
        take_sent();
    }

    // The queue is another one if its base is.
    void answer_opened(const std::string& base = "1", int size = 0)
    {
        answer(
            lane::opening,
            "*9\r\n$4\r\nfifo\r\n:4\r\n:5\r\n:0\r\n:0\r\n:0\r\n$1\r\n" + base +
                "\r\n:0\r\n:" + std::to_string(size) + "\r\n"
        );
    }

    void answer(lane to, std::string_view text) { answer(*core, to, text); }

    static void answer(detail::remote_core& core, lane to, std::string_view text)
    {
        const sluice::test::written_reply read(text);
        const detail::reply wrapped = read.get();
        core.on_reply(to, &wrapped);
    }

    template <class Waiter>
    void start(Waiter& operation)
    {
        begin(operation);
        pump();
    }

    template <class Waiter>
    static void begin(Waiter& operation)
    {
        BOOST_TEST(!operation.start(
            sluice::detail::delivery::always_posted,
            sluice::detail::wait_mode::waits
        ));
    }

    void pump()
    {
        if (std::exchange(sink->is_posted, false))
            core->pump();
    }

    // The functions that have been called since the last time, one letter each.
    std::string take_sent()
    {
        std::string letters;
        for (const auto& [from, text] : std::exchange(sink->sent, {}))
            letters += "oseda"[static_cast<int>(from)];
        return letters;
    }

    // Starts one that is acknowledged in passing, and then the other operation.
    template <class Waiter>
    void start_behind(settler& first, Waiter& other)
    {
        begin(first);
        begin(other);
        pump();
    }

    // Whether the first command calls this function.
    [[nodiscard]] bool called(const std::string& function) const
    {
        return sink->sent.front().second.find("\r\nsluice_1_" + function + "\r\n") !=
               std::string::npos;
    }

    // A core that enqueues under a name, in place of the other one. Gives who opens the queue.
    std::string begin_named()
    {
        core.reset(new core_under_test(
            {.name = "q", .capacity = 4, .max_deliveries = 5, .producer = "import"},
            "sluice:{q}",
            sink
        ));
        core->connected();
        return who_opens();
    }

    // The process in the command that was sent last.
    [[nodiscard]] std::string who_opens() const
    {
        const std::string& open = sink->sent.back().second;
        const auto begin = open.find("\r\np:") + 2;
        return open.substr(begin, open.find('\r', begin) - begin);
    }

    void answer_opened_by(const std::string& process, int last = 0)
    {
        answer(
            lane::opening,
            "*11\r\n$4\r\nfifo\r\n:4\r\n:5\r\n:0\r\n$" + std::to_string(process.size()) +
                "\r\n" + process + "\r\n:" + std::to_string(last) +
                "\r\n:0\r\n:0\r\n$1\r\n1\r\n:0\r\n:0\r\n"
        );
    }

    // Whether the command that was sent last ends so, before the delays.
    [[nodiscard]] bool ends_with(const std::string& words) const
    {
        return sink->sent.back().second.ends_with(words + "$1\r\n0\r\n$1\r\n0\r\n");
    }

    static constexpr const char* too_few = "*2\r\n:1\r\n:0\r\n";
    static constexpr const char* full = "*2\r\n:0\r\n:1\r\n";
    static constexpr const char* no_memory = "-OOM command not allowed\r\n";
    static constexpr const char* one_element =
        "*3\r\n:0\r\n:0\r\n*3\r\n$2\r\nid\r\n:1\r\n$14\r\n17000000000007\r\n";

    std::shared_ptr<fake_sink> sink = std::make_shared<fake_sink>();
    boost::intrusive_ptr<core_under_test> core{new core_under_test(
        {.name = "q", .capacity = 4, .max_deliveries = 5},
        "sluice:{q}",
        sink
    )};
};

}  // namespace remote_core

BOOST_FIXTURE_TEST_SUITE(remote_core, connected_core)

// (E2) The server has looked before the element came, and its answer is read behind the event.
BOOST_AUTO_TEST_CASE(event_while_a_command_is_on_its_way_makes_it_ask_again)
{
    consumer taking(sluice::detail::demand::some, 1, core.get());
    start(taking);
    BOOST_TEST(take_sent() == "d");
    core->on_event('i');
    BOOST_TEST(take_sent() == "");  // (E1)
    answer(lane::dequeuing, too_few);
    BOOST_TEST(take_sent() == "d");
    answer(lane::dequeuing, one_element);
    BOOST_TEST(taking.has_ended);
    BOOST_TEST(std::exchange(taking.elements, {}).at(0).bytes == "7");

    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start(putting);
    core->on_event('r');
    BOOST_TEST(take_sent() == "e");
    answer(lane::enqueuing, full);
    BOOST_TEST(take_sent() == "e");
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(putting.has_ended);
}

// (E2)
BOOST_AUTO_TEST_CASE(operation_that_was_refused_asks_again_after_its_event_only)
{
    consumer taking(sluice::detail::demand::some, 1, core.get());
    start(taking);
    answer(lane::dequeuing, too_few);
    BOOST_TEST(take_sent() == "d");
    consumer behind(sluice::detail::demand::some, 1, core.get());
    start(behind);
    core->on_event('r');
    BOOST_TEST(take_sent() == "");
    core->on_event('i');
    BOOST_TEST(take_sent() == "d");
    answer(lane::dequeuing, too_few);
    BOOST_TEST(take_sent() == "");
    core->on_event(detail::remote_core::poll);
    BOOST_TEST(take_sent() == "d");
    core->shut_down();
    BOOST_TEST(taking.error() == boost::asio::error::operation_aborted);
    BOOST_TEST(behind.has_ended);
}

// (E2) What was refused was another one, which did not wait.
BOOST_AUTO_TEST_CASE(operation_at_the_head_asks_though_the_one_before_was_refused)
{
    producer large(core.get(), std::vector<detail::record>{{"1", 0}, {"2", 0}, {"3", 0}});
    large.tries = true;
    start(large);
    answer(lane::enqueuing, full);
    BOOST_TEST(large.error() == sluice::errc::queue_full);
    BOOST_TEST(take_sent() == "e");
    producer small(core.get(), std::vector<detail::record>{{"4", 0}});
    start(small);
    BOOST_TEST(take_sent() == "e");
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(small.has_ended);

    consumer attempt(sluice::detail::demand::some, 1, core.get());
    attempt.tries = true;
    start(attempt);
    answer(lane::dequeuing, too_few);
    BOOST_TEST(attempt.error() == sluice::errc::queue_empty);
    consumer taking(sluice::detail::demand::some, 1, core.get());
    BOOST_TEST(take_sent() == "d");
    start(taking);
    BOOST_TEST(take_sent() == "d");
    answer(lane::dequeuing, one_element);
    BOOST_TEST(std::exchange(taking.elements, {}).size() == 1u);
}

// (E1), (E2)
BOOST_AUTO_TEST_CASE(
    attempts_behind_one_that_waits_are_busy_and_behind_an_attempt_ask_again
)
{
    consumer first(sluice::detail::demand::some, 1, core.get());
    start(first);
    BOOST_TEST(take_sent() == "d");
    std::vector<std::unique_ptr<consumer>> attempts;
    for (int i = 0; i < 3; ++i) {
        attempts.push_back(
            std::make_unique<consumer>(sluice::detail::demand::some, 1, core.get())
        );
        attempts.back()->tries = true;
        start(*attempts.back());
    }
    core->on_event('i');
    answer(lane::dequeuing, one_element);
    BOOST_TEST(std::exchange(first.elements, {}).size() == 1u);
    BOOST_TEST(take_sent() == "d");  // for the three of them
    answer(lane::dequeuing, too_few);
    BOOST_TEST(attempts[0]->error() == sluice::errc::queue_empty);
    BOOST_TEST(!attempts[1]->has_ended);
    BOOST_TEST(take_sent() == "d");
    consumer waiting(sluice::detail::demand::some, 1, core.get());
    start(waiting);
    attempts[0] = std::make_unique<consumer>(sluice::detail::demand::some, 1, core.get());
    attempts[0]->tries = true;
    start(*attempts[0]);
    answer(lane::dequeuing, one_element);
    BOOST_TEST(std::exchange(attempts[1]->elements, {}).size() == 1u);
    BOOST_TEST(take_sent() == "d");
    answer(lane::dequeuing, too_few);
    BOOST_TEST(attempts[2]->error() == sluice::errc::queue_empty);
    BOOST_TEST(take_sent() == "d");
    answer(lane::dequeuing, too_few);
    BOOST_TEST(!waiting.has_ended);
    BOOST_TEST(attempts[0]->error() == sluice::errc::queue_busy);
    BOOST_TEST(take_sent() == "");
    consumer late(sluice::detail::demand::some, 1, core.get());
    late.tries = true;
    BOOST_TEST(!late.start(
        sluice::detail::delivery::always_posted,
        sluice::detail::wait_mode::waits
    ));
    BOOST_TEST(late.error() == sluice::errc::queue_busy);
    core->shut_down();
}

// (E3)
BOOST_AUTO_TEST_CASE(element_for_an_operation_that_has_gone_is_returned_as_unseen)
{
    consumer taking(sluice::detail::demand::some, 1, core.get());
    start(taking);
    taking.cancel(boost::asio::error::operation_aborted);
    BOOST_TEST(taking.has_ended);
    BOOST_TEST(take_sent() == "d");
    answer(lane::dequeuing, one_element);
    BOOST_REQUIRE(sink->sent.size() == 1u);
    BOOST_TEST(sink->sent[0].second.ends_with("$1\r\nu\r\n$2\r\nid\r\n$1\r\n1\r\n"));
    BOOST_TEST(take_sent() == "s");
}

// (E4) It may be with another consumer by now, as the same delivery.
BOOST_AUTO_TEST_CASE(element_returned_unseen_is_not_returned_again_after_a_loss)
{
    consumer taking(sluice::detail::demand::some, 1, core.get());
    start(taking);
    taking.cancel(boost::asio::error::operation_aborted);
    answer(lane::dequeuing, one_element);
    settler done(detail::settling::acknowledge, core.get(), lease_of("a"));
    BOOST_TEST(take_sent() == "ds");
    begin(done);
    core->on_reply(lane::settling, nullptr);
    core->lost();
    core->connected();
    answer_opened();
    BOOST_TEST(sink->sent.back().second.find("1700000000000a\r\n") != std::string::npos);
    BOOST_TEST(sink->sent.back().second.find("\r\nU\r\n") == std::string::npos);
    BOOST_TEST(take_sent() == "os");
    answer(lane::settling, "*1\r\n:1\r\n");
    BOOST_TEST(done.has_ended);
}

// (E4) The server has not done it, so it cannot be done when the queue is made anew.
BOOST_AUTO_TEST_CASE(acknowledgement_is_not_repeated_in_a_queue_that_is_made_anew)
{
    settler done(detail::settling::acknowledge, core.get(), lease_of("a"));
    begin(done);
    core->pump();
    BOOST_TEST(take_sent() == "s");
    answer(lane::settling, "-NOQUEUE there is no queue sluice:{q}\r\n");
    BOOST_TEST((done.error() == sluice::redis::errc::lease_expired));
    BOOST_TEST(take_sent() == "o");
}

BOOST_AUTO_TEST_CASE(acknowledgement_before_a_loss_may_be_done_before_the_queue_is_deleted
)
{
    settler done(detail::settling::acknowledge, core.get(), lease_of("a"));
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start_behind(done, putting);
    core->lost();
    core->on_reply(lane::enqueuing, nullptr);
    core->connected();
    answer_opened();
    BOOST_TEST(take_sent() == "eoe");
    answer(lane::enqueuing, "-NOQUEUE there is no queue sluice:{q}\r\n");
    BOOST_TEST(done.has_ended);
    BOOST_TEST(!done.failed());
    BOOST_TEST(take_sent() == "o");
    answer_opened();
    BOOST_TEST(called("enqueue"));
    BOOST_TEST(take_sent() == "e");
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(!putting.failed());
}

BOOST_AUTO_TEST_CASE(delivery_that_outlives_its_queue_opens_nothing_but_to_be_settled)
{
    auto taken = core;
    core->shut_down();
    core->lost();
    core->connected();
    BOOST_TEST(take_sent() == "");
    BOOST_TEST(!core->is_finished());
    taken->settle(detail::settling::requeue, lease_of("a"));
    taken.reset();
    BOOST_TEST(!core->is_finished());
    pump();
    BOOST_TEST(take_sent() == "s");
    answer(lane::settling, "-NOQUEUE there is no queue sluice:{q}\r\n");
    BOOST_TEST(take_sent() == "");
    BOOST_TEST(core->is_finished());
}

BOOST_AUTO_TEST_CASE(queue_that_goes_before_it_is_closed_opens_it_to_close_it)
{
    core->lost();
    core->close({sluice::close_mode::drain});
    core->shut_down();
    core->connected();
    BOOST_TEST(take_sent() == "o");
    answer_opened();
    BOOST_TEST(take_sent() == "a");
    BOOST_TEST(!core->is_finished());
    answer(lane::asking, ":1\r\n");
    BOOST_TEST(core->is_finished());
}

BOOST_AUTO_TEST_CASE(queue_that_is_not_opened_to_close_it_goes)
{
    core->lost();
    core->close({sluice::close_mode::drain});
    core->connected();
    answer(lane::opening, "-NOPERM this user has no permissions\r\n");
    BOOST_TEST(take_sent() == "o");
    core->shut_down();
    core->on_event(detail::remote_core::poll);
    BOOST_TEST(take_sent() == "o");
    answer(lane::opening, "-NOPERM this user has no permissions\r\n");
    BOOST_TEST(core->is_finished());
}

// The server has not done what it refuses so.
BOOST_AUTO_TEST_CASE(settlement_that_a_server_refused_is_not_taken_for_done)
{
    settler done(detail::settling::acknowledge, core.get(), lease_of("a"));
    begin(done);
    core->settle(detail::settling::forget, lease_of("b"));
    core->pump();
    BOOST_TEST(take_sent() == "s");
    answer(lane::settling, "-READONLY this is a replica\r\n");
    BOOST_TEST(take_sent() == "");
    core->lost();
    core->connected();
    answer_opened();
    BOOST_TEST(sink->sent.back().second.find("\r\nU\r\n") != std::string::npos);
    BOOST_TEST(take_sent() == "os");
    answer(lane::settling, "*2\r\n:0\r\n:1\r\n");
    BOOST_TEST((done.error() == sluice::redis::errc::lease_expired));
}

BOOST_AUTO_TEST_CASE(enqueue_that_a_server_refuses_because_it_cannot_save_waits)
{
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start(putting);
    BOOST_TEST(take_sent() == "e");
    answer(lane::enqueuing, "-MISCONF errors when writing to disk\r\n");
    BOOST_TEST(!putting.has_ended);
    core->lost();
    core->connected();
    answer_opened();
    BOOST_TEST(take_sent() == "oe");
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(putting.has_ended);
    BOOST_TEST(!putting.failed());
}

BOOST_AUTO_TEST_CASE(return_that_is_repeated_after_a_loss_succeeds)
{
    settler back(detail::settling::requeue, core.get(), lease_of("a"));
    start(back);
    core->on_reply(lane::settling, nullptr);
    core->lost();
    core->connected();
    answer_opened();
    BOOST_TEST(take_sent() == "sos");
    answer(lane::settling, "*1\r\n:0\r\n");
    BOOST_TEST(back.has_ended);
    BOOST_TEST(!back.failed());
}

BOOST_AUTO_TEST_CASE(
    acknowledgement_that_is_repeated_after_a_loss_is_done_if_its_element_is_gone
)
{
    for (const auto& [told, is_done] : {std::pair(0, true), std::pair(2, false)}) {
        settler done(detail::settling::acknowledge, core.get(), lease_of("a"));
        begin(done);
        core->pump();
        BOOST_TEST(take_sent() == "s");
        core->on_reply(lane::settling, nullptr);
        core->lost();
        core->connected();
        answer_opened();
        BOOST_TEST(take_sent() == "os");
        answer(lane::settling, "*1\r\n:" + std::to_string(told) + "\r\n");
        BOOST_TEST(done.has_ended);
        BOOST_TEST(done.failed() != is_done);
    }
}

BOOST_AUTO_TEST_CASE(attempt_on_a_queue_that_was_deleted_is_made_on_the_new_one)
{
    producer once(core.get(), std::vector<detail::record>{{"7", 0}});
    BOOST_TEST(!once.start(
        sluice::detail::delivery::always_posted,
        sluice::detail::wait_mode::gives_up
    ));
    pump();
    BOOST_TEST(take_sent() == "e");
    answer(lane::enqueuing, "-NOQUEUE there is no queue sluice:{q}\r\n");
    BOOST_TEST(!once.has_ended);
    answer_opened();
    BOOST_TEST(take_sent() == "oe");
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(!once.failed());
}

// It was read behind the end of the connection object.
BOOST_AUTO_TEST_CASE(answer_does_not_revive_a_connection_that_has_ended)
{
    core->lost();
    core->connected();
    BOOST_TEST(take_sent() == "o");
    core->out_of_reach(sluice::redis::errc::connection_closed, nullptr);
    answer_opened();
    consumer taking(sluice::detail::demand::some, 1, core.get());
    begin(taking);
    BOOST_TEST((taking.error() == sluice::redis::errc::connection_closed));
}

// As if there was no memory for what came.
BOOST_AUTO_TEST_CASE(consumer_for_which_no_element_could_be_kept_fails)
{
    consumer taking(sluice::detail::demand::some, 1, core.get());
    start(taking);
    answer(lane::dequeuing, "*3\r\n:0\r\n:0\r\n*0\r\n");
    BOOST_TEST(taking.has_ended);
    BOOST_TEST(
        (taking.error() ==
         boost::system::errc::make_error_code(boost::system::errc::not_enough_memory))
    );
}

// (E4)
BOOST_AUTO_TEST_CASE(enqueue_whose_answer_was_lost_is_sent_again_with_its_number)
{
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start(putting);
    BOOST_REQUIRE(sink->sent.size() == 1u);
    const std::string first = sink->sent[0].second;
    BOOST_TEST(take_sent() == "e");
    core->lost();
    core->on_reply(lane::enqueuing, nullptr);
    BOOST_TEST(!putting.has_ended);
    core->connected();
    answer_opened();
    BOOST_REQUIRE(sink->sent.size() == 2u);
    BOOST_TEST(sink->sent[1].second == first);
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(putting.has_ended);
    BOOST_TEST(!putting.failed());
}

// (E8) Without this it would not know that others have taken all.
BOOST_AUTO_TEST_CASE(poll_asks_how_many_elements_there_are_while_it_knows_of_some)
{
    constexpr auto none_left =
        "*11\r\n:0\r\n:0\r\n:4\r\n:0\r\n:-1\r\n:1\r\n:1\r\n:0\r\n:0\r\n:0"
        "\r\n:0\r\n";
    core->on_event(detail::remote_core::poll);
    BOOST_TEST(take_sent() == "");
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start(putting);
    answer(lane::enqueuing, "*3\r\n:1\r\n:0\r\n:1\r\n");
    take_sent();
    core->on_event(detail::remote_core::poll);
    BOOST_TEST(take_sent() == "a");
    answer(lane::asking, none_left);
    core->on_event(detail::remote_core::poll);
    BOOST_TEST(take_sent() == "");

    core->lost();
    core->connected();
    answer_opened("2");
    BOOST_TEST(core->losses().elements == 0U);
    BOOST_TEST(core->losses().what.find("created again") != std::string::npos);
}

// Others may have taken it since the server spoke of it.
BOOST_AUTO_TEST_CASE(queue_with_another_base_may_have_lost_what_it_had)
{
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start(putting);
    answer(lane::enqueuing, "*3\r\n:1\r\n:0\r\n:4\r\n");
    core->lost();
    core->connected();
    answer_opened("2", 1);
    const auto losses = core->losses();
    BOOST_TEST(losses.elements == 0U);
    BOOST_TEST(losses.what.find("with up to 3 elements") != std::string::npos);
    consumer taking(sluice::detail::demand::some, 1, core.get());
    start(taking);
    BOOST_TEST(!taking.has_ended);

    core->lost();
    core->on_reply(lane::dequeuing, nullptr);
    core->on_event('d');
    core->connected();
    answer_opened("3");
    BOOST_TEST(core->losses().what == losses.what);  // it was on purpose
}

// (E6) The process that has it may have ended, and another one have come, since it was named.
BOOST_AUTO_TEST_CASE(name_is_taken_of_the_process_that_the_server_has_named)
{
    std::string self = begin_named();
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start(putting);
    BOOST_TEST(ends_with("$0\r\n\r\n"));
    BOOST_TEST(take_sent() == "o");
    for (const std::string other : {"p:1", "p:2"}) {
        answer_opened_by(other);
        BOOST_REQUIRE(sink->sent.size() == 1u);
        self = who_opens();
        BOOST_TEST(ends_with(self + "\r\n$3\r\n" + other + "\r\n"));
        BOOST_TEST(take_sent() == "o");
    }
    answer_opened_by(self);
    BOOST_TEST(take_sent() == "e");
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(putting.has_ended);
    BOOST_TEST(!putting.failed());
}

// (E6)
BOOST_AUTO_TEST_CASE(name_that_was_taken_while_there_was_no_connection_is_not_taken_back)
{
    answer_opened_by(begin_named());
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start(putting);
    core->lost();
    core->on_reply(lane::enqueuing, nullptr);
    query asking(detail::remote_query::question::position, core.get());
    start(asking);
    core->connected();
    take_sent();
    answer_opened_by("p:1");
    BOOST_TEST((putting.error() == sluice::redis::errc::producer_fenced));
    BOOST_TEST((asking.error() == sluice::redis::errc::producer_fenced));
    BOOST_TEST(take_sent() == "");

    consumer taking(sluice::detail::demand::some, 1, core.get());
    start(taking);
    BOOST_TEST(take_sent() == "d");
    answer(lane::dequeuing, one_element);
    BOOST_TEST(std::exchange(taking.elements, {}).size() == 1u);
    core->lost();
    core->connected();
    BOOST_REQUIRE(sink->sent.size() == 1u);
    BOOST_TEST(sink->sent[0].second.find("import") == std::string::npos);
}

// (E6) The name has nothing to do with how many elements there are.
BOOST_AUTO_TEST_CASE(question_for_the_size_outlives_a_fence)
{
    begin_named();
    query asking(detail::remote_query::question::size, core.get());
    start(asking);
    answer_opened_by(who_opens());
    core->lost();
    core->on_reply(lane::asking, nullptr);
    core->connected();
    take_sent();
    answer_opened_by("p:1");
    BOOST_TEST(!asking.has_ended);
    BOOST_TEST(take_sent() == "a");
    answer(lane::asking, ":3\r\n");
    BOOST_TEST(!asking.failed());
    BOOST_TEST(asking.number == 3U);
}

// (E6) It has the name still, and knows what the server has forgotten.
BOOST_AUTO_TEST_CASE(enqueue_that_the_server_has_lost_fences_its_producer)
{
    const std::string self = begin_named();
    answer_opened_by(self);
    producer first(core.get(), std::vector<detail::record>{{"1", 0}});
    producer second(core.get(), std::vector<detail::record>{{"2", 0}});
    start(first);
    start(second);
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    core->lost();
    core->on_reply(lane::enqueuing, nullptr);
    core->connected();
    BOOST_TEST(who_opens() != self);
    BOOST_TEST(ends_with(self + "\r\n"));
    answer_opened_by(who_opens(), 1);
    BOOST_TEST(!second.has_ended);
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(!second.failed());

    core->lost();
    core->connected();
    producer third(core.get(), std::vector<detail::record>{{"3", 0}});
    start(third);
    query closing(detail::remote_query::question::close, core.get());
    start(closing);
    const std::string again = who_opens();
    take_sent();
    answer_opened_by(again, 1);
    BOOST_TEST((third.error() == sluice::redis::errc::producer_fenced));
    // What was lost has still to come in.
    BOOST_TEST((closing.error() == sluice::redis::errc::producer_fenced));
    core->close({sluice::close_mode::drain});
    pump();
    BOOST_TEST(take_sent() == "");
}

// (E6) The answer to the opening before was lost, and so the server names that one.
BOOST_AUTO_TEST_CASE(producer_takes_its_name_over_from_its_own_opening)
{
    const std::string first = begin_named();
    core->lost();
    core->on_reply(lane::opening, nullptr);
    core->connected();
    BOOST_TEST(ends_with("$0\r\n\r\n"));
    answer_opened_by(first);
    BOOST_TEST(ends_with(first + "\r\n"));
    answer_opened_by(who_opens());
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    take_sent();
    start(putting);
    BOOST_TEST(take_sent() == "e");
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(!putting.failed());
}

// (E6)
BOOST_AUTO_TEST_CASE(enqueues_behind_one_that_is_fenced_fail_without_being_sent)
{
    answer_opened_by(begin_named());
    producer first(core.get(), std::vector<detail::record>{{"1", 0}});
    producer second(core.get(), std::vector<detail::record>{{"2", 0}});
    start(first);
    start(second);
    take_sent();
    answer(lane::enqueuing, "-FENCED another process enqueues as import\r\n");
    BOOST_TEST((first.error() == sluice::redis::errc::producer_fenced));
    BOOST_TEST((second.error() == sluice::redis::errc::producer_fenced));
    producer third(core.get(), std::vector<detail::record>{{"3", 0}});
    BOOST_TEST(!third.start(
        sluice::detail::delivery::always_posted,
        sluice::detail::wait_mode::waits
    ));
    BOOST_TEST((third.error() == sluice::redis::errc::producer_fenced));
    BOOST_TEST(take_sent() == "");
}

// (E7)
BOOST_AUTO_TEST_CASE(settlements_go_with_an_enqueue_or_else_a_dequeue)
{
    settler one(detail::settling::acknowledge, core.get(), lease_of("a"));
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    consumer taking(sluice::detail::demand::some, 1, core.get());
    begin(taking);
    start_behind(one, putting);
    BOOST_TEST(called("settle_and_enqueue"));
    BOOST_TEST(take_sent() == "ed");
    answer(lane::enqueuing, "*2\r\n*1\r\n:1\r\n*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(one.has_ended);
    BOOST_TEST(!one.failed());
    BOOST_TEST(putting.has_ended);
    answer(lane::dequeuing, one_element);
    taking.elements.clear();

    settler late(detail::settling::acknowledge, core.get(), lease_of("b"));
    consumer next(sluice::detail::demand::some, 1, core.get());
    start_behind(late, next);
    BOOST_TEST(called("settle_and_dequeue"));
    BOOST_TEST(take_sent() == "d");
    answer(lane::dequeuing, std::string("*2\r\n*1\r\n:0\r\n") + one_element);
    BOOST_TEST((late.error() == sluice::redis::errc::lease_expired));
    BOOST_TEST(std::exchange(next.elements, {}).size() == 1u);
    BOOST_TEST(take_sent() == "");

    consumer alone(sluice::detail::demand::some, 1, core.get());
    start(alone);
    BOOST_TEST(called("dequeue"));
    answer(lane::dequeuing, one_element);
    BOOST_TEST(std::exchange(alone.elements, {}).size() == 1u);
}

// (E7) An acknowledgement waits for what may take it along, a lease that is to go on does not.
BOOST_AUTO_TEST_CASE(acknowledgement_is_deferred_and_other_settlements_are_sent)
{
    settler acknowledged(detail::settling::acknowledge, core.get(), lease_of("a"));
    begin(acknowledged);
    BOOST_TEST(!sink->is_posted);
    BOOST_TEST(std::exchange(sink->is_deferred, false));
    core->pump();
    BOOST_TEST(take_sent() == "s");
    answer(lane::settling, "*1\r\n:1\r\n");

    settler extended(detail::settling::extend, core.get(), lease_of("b"));
    start(extended);
    BOOST_TEST(!sink->is_deferred);
    BOOST_TEST(take_sent() == "s");
    answer(lane::settling, "*1\r\n:1\r\n");
    BOOST_TEST(extended.has_ended);
}

// (E1) of both lanes.
BOOST_AUTO_TEST_CASE(nothing_is_sent_beside_settlements_and_what_they_went_with)
{
    settler one(detail::settling::acknowledge, core.get(), lease_of("a"));
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start_behind(one, putting);
    query flush(detail::remote_query::question::flush, core.get());
    start(flush);
    settler two(detail::settling::requeue, core.get(), lease_of("b"));
    producer behind(core.get(), std::vector<detail::record>{{"8", 0}});
    start(two);
    start(behind);
    BOOST_TEST(take_sent() == "e");
    BOOST_TEST(!flush.has_ended);
    answer(lane::enqueuing, "*2\r\n*1\r\n:1\r\n*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(called("settle_and_enqueue"));
    BOOST_TEST(take_sent() == "e");
    BOOST_TEST(!flush.has_ended);
    answer(lane::enqueuing, "*2\r\n*1\r\n:1\r\n*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(two.has_ended);
    BOOST_TEST(behind.has_ended);
    BOOST_TEST(flush.has_ended);
    BOOST_TEST(take_sent() == "");
}

// (E7)
BOOST_AUTO_TEST_CASE(settlements_are_done_when_what_they_went_with_is_refused)
{
    settler one(detail::settling::acknowledge, core.get(), lease_of("a"));
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start_behind(one, putting);
    take_sent();
    answer(lane::enqueuing, "*2\r\n*1\r\n:1\r\n-ERR wrong\r\n");
    BOOST_TEST(!one.failed());
    BOOST_TEST((putting.error() == sluice::redis::errc::server_error));

    settler two(detail::settling::acknowledge, core.get(), lease_of("b"));
    consumer taking(sluice::detail::demand::some, 1, core.get());
    start_behind(two, taking);
    take_sent();
    answer(lane::dequeuing, std::string("*2\r\n*1\r\n:1\r\n") + too_few);
    BOOST_TEST(two.has_ended);
    BOOST_TEST(!taking.has_ended);
    settler three(detail::settling::requeue, core.get(), lease_of("c"));
    start(three);
    BOOST_TEST(take_sent() == "s");  // (E2) the other one waits for an event
    answer(lane::settling, "*1\r\n:1\r\n");
    BOOST_TEST(three.has_ended);
    core->shut_down();
}

// (E7)
BOOST_AUTO_TEST_CASE(settlements_make_room_for_an_enqueue_that_the_server_has_refused)
{
    settler one(detail::settling::acknowledge, core.get(), lease_of("a"));
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    producer leaving(core.get(), std::vector<detail::record>{{"8", 0}});
    begin(leaving);
    start_behind(one, putting);
    BOOST_TEST(take_sent() == "e");
    leaving.cancel(boost::asio::error::operation_aborted);
    BOOST_TEST(!leaving.has_ended);  // its answer decides
    answer(lane::enqueuing, no_memory);
    BOOST_TEST(leaving.has_ended);
    BOOST_TEST(!putting.has_ended);
    BOOST_TEST(!one.has_ended);
    BOOST_TEST(take_sent() == "se");
    answer(lane::settling, "*1\r\n:0\r\n");
    // It was not done the first time.
    BOOST_TEST((one.error() == sluice::redis::errc::lease_expired));
    answer(lane::enqueuing, no_memory);
    BOOST_TEST((putting.error() == sluice::redis::errc::server_full));

    settler two(detail::settling::acknowledge, core.get(), lease_of("b"));
    producer again(core.get(), std::vector<detail::record>{{"9", 0}});
    start_behind(two, again);
    BOOST_TEST(take_sent() == "se");
    answer(lane::settling, "*1\r\n:1\r\n");
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(!again.failed());

    settler three(detail::settling::acknowledge, core.get(), lease_of("c"));
    producer last(core.get(), std::vector<detail::record>{{"10", 0}});
    start_behind(three, last);
    BOOST_TEST(take_sent() == "e");
    answer(lane::enqueuing, "*2\r\n*1\r\n:1\r\n*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(three.has_ended);
    BOOST_TEST(last.has_ended);
}

// (E4), (E7) Whether the server has done it is not known, whatever it says later.
BOOST_AUTO_TEST_CASE(settlement_and_enqueue_that_were_lost_together_are_sent_again)
{
    settler one(detail::settling::acknowledge, core.get(), lease_of("a"));
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start_behind(one, putting);
    std::string again = sink->sent.back().second;
    const std::string settled = "$1\r\na\r\n$1\r\na\r\n";
    again.replace(
        again.find(settled),
        settled.size(),
        "$1\r\nA\r\n$14\r\n1700000000000a\r\n"
    );
    BOOST_TEST(take_sent() == "e");
    core->lost();
    core->on_reply(lane::enqueuing, nullptr);
    core->connected();
    answer_opened();
    BOOST_REQUIRE(sink->sent.size() == 2u);
    BOOST_TEST(sink->sent[1].second == again);
    BOOST_TEST(take_sent() == "oe");
    answer(lane::enqueuing, no_memory);
    BOOST_TEST(take_sent() == "se");
    answer(lane::settling, "*1\r\n:0\r\n");
    BOOST_TEST(one.has_ended);
    BOOST_TEST(!one.failed());
    answer(lane::enqueuing, "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(!putting.failed());
}

// (E7)
BOOST_AUTO_TEST_CASE(only_so_many_settlements_go_in_one_command)
{
    std::vector<detail::leased_element> elements;
    for (int i = 0; i < 1001; ++i)
        elements.push_back(lease_of("id" + std::to_string(i)).front());
    settler all(detail::settling::acknowledge, core.get(), std::move(elements));
    producer putting(core.get(), std::vector<detail::record>{{"7", 0}});
    start_behind(all, putting);
    BOOST_TEST(sink->sent.back().second.find("\r\nid999\r\n") != std::string::npos);
    BOOST_TEST(sink->sent.back().second.find("\r\nid1000\r\n") == std::string::npos);
    BOOST_TEST(take_sent() == "e");
    std::string settled = "*1000\r\n";
    for (int i = 0; i < 1000; ++i)
        settled += ":1\r\n";
    answer(lane::enqueuing, "*2\r\n" + settled + "*2\r\n:1\r\n:0\r\n");
    BOOST_TEST(!all.has_ended);
    BOOST_TEST(sink->sent.back().second.find("\r\nid1000\r\n") != std::string::npos);
    BOOST_TEST(take_sent() == "s");
    answer(lane::settling, "*1\r\n:1\r\n");
    BOOST_TEST(all.has_ended);
}

// (E7) Nothing is left that they could go with.
BOOST_AUTO_TEST_CASE(settlements_go_alone_if_the_dequeue_was_decided_elsewhere)
{
    sluice::detail::claim race;
    consumer branch(sluice::detail::demand::some, 1, core.get());
    branch.claim_ = &race;
    settler one(detail::settling::acknowledge, core.get(), lease_of("a"));
    begin(one);
    begin(branch);
    BOOST_TEST(race.try_take());
    pump();
    BOOST_TEST(take_sent() == "s");
    answer(lane::settling, "*1\r\n:1\r\n");
    BOOST_TEST(one.has_ended);
}

// (B1, B3) Its owner may have gone on.
BOOST_AUTO_TEST_CASE(branch_that_was_decided_elsewhere_is_not_delivered)
{
    using question = detail::remote_query::question;
    const auto closes = [this] { answer(lane::dequeuing, "*2\r\n:2\r\n:0\r\n"); };
    const auto refuses = [this] { answer(lane::dequeuing, "-ERR no\r\n"); };
    const auto leaves = [this] { core->out_of_reach(sluice::errc::timed_out, nullptr); };
    const auto goes = [this] { core->shut_down(); };
    const std::vector<std::function<void()>> ends{closes, refuses, leaves, goes};
    for (const auto& end : ends) {
        core.reset(new core_under_test(
            {.name = "q", .capacity = 4, .max_deliveries = 5},
            "sluice:{q}",
            sink
        ));
        core->connected();
        answer_opened();
        sluice::detail::claim race;
        consumer first(sluice::detail::demand::some, 1, core.get());
        consumer second(sluice::detail::demand::some, 1, core.get());
        query asked(question::status, core.get());
        for (detail::remote_waiter* const each :
             std::initializer_list<detail::remote_waiter*>{&first, &second, &asked})
            each->claim_ = &race;
        start(first);
        start(second);
        start(asked);
        BOOST_TEST_REQUIRE(race.try_take());
        end();
        BOOST_TEST(!first.has_ended);
        BOOST_TEST(!second.has_ended);
        core->shut_down();
        BOOST_TEST(!asked.has_ended);
        BOOST_TEST(core->waiting().consumers == 0u);
        for (detail::remote_waiter* const each :
             std::initializer_list<detail::remote_waiter*>{&first, &second, &asked})
            BOOST_TEST(each->is_delivered());
    }
}

// (B1, B3)
BOOST_AUTO_TEST_CASE(question_that_was_decided_elsewhere_is_not_answered)
{
    using question = detail::remote_query::question;
    sluice::detail::claim race;
    query status(question::status, core.get());
    query close(question::close, core.get());
    for (query* const each : {&status, &close}) {
        each->claim_ = &race;
        start(*each);
    }
    BOOST_TEST(take_sent() == "a");
    BOOST_TEST_REQUIRE(race.try_take());
    answer(lane::asking, "*2\r\n:1\r\n:0\r\n");
    core->shut_down();
    for (query* const each : {&status, &close}) {
        BOOST_TEST(!each->has_ended);
        BOOST_TEST(each->is_delivered());
    }
}

// (S39) The command that is refused does not ask for it, and the next one is sent after news.
BOOST_AUTO_TEST_CASE(attempt_behind_a_command_that_is_refused_ends_with_its_answer)
{
    consumer waits(sluice::detail::demand::some, 1, core.get());
    start(waits);
    consumer attempt(sluice::detail::demand::some, 1, core.get());
    attempt.tries = true;
    start(attempt);
    consumer once(sluice::detail::demand::some, 1, core.get());
    BOOST_TEST(!once.start(
        sluice::detail::delivery::always_posted,
        sluice::detail::wait_mode::gives_up
    ));
    BOOST_TEST(take_sent() == "d");
    BOOST_TEST(!attempt.has_ended);
    answer(lane::dequeuing, too_few);
    BOOST_TEST(attempt.error() == sluice::errc::queue_busy);
    BOOST_TEST(once.error() == sluice::errc::timed_out);
    BOOST_TEST(!waits.has_ended);

    producer putting(core.get(), std::vector<detail::record>{{"1", 0}});
    start(putting);
    producer other(core.get(), std::vector<detail::record>{{"2", 0}});
    other.tries = true;
    start(other);
    answer(lane::enqueuing, full);
    BOOST_TEST(other.error() == sluice::errc::queue_busy);
    BOOST_TEST(!putting.has_ended);
    core->shut_down();
}

// One after the other would be kept, for as long as the server is away.
BOOST_AUTO_TEST_CASE(extension_without_a_connection_is_not_sent_later)
{
    core->out_of_reach(sluice::redis::errc::connection_failed, nullptr);
    settler extended(detail::settling::extend, core.get(), lease_of("a"));
    start(extended);
    BOOST_TEST((extended.error() == sluice::redis::errc::connection_failed));
    core->connected();
    answer_opened();
    BOOST_TEST(take_sent() == "o");
}

// Without memory for its start, say.
BOOST_AUTO_TEST_CASE(acknowledgement_that_was_never_started_outlives_its_queue)
{
    using call = detail::settle_call;
    detail::remote_state_ptr queue(new detail::remote_state(
        {.name = "q", .capacity = 4, .max_deliveries = 5},
        "sluice:{q}",
        sink,
        boost::asio::system_executor()
    ));
    queue->connected();
    answer(
        *queue,
        lane::opening,
        "*9\r\n$4\r\nfifo\r\n:4\r\n:5\r\n:0\r\n:0\r\n:0\r\n$1\r\n1\r\n:0\r\n:0\r\n"
    );
    call::arguments last(detail::settling::acknowledge, std::move(queue), lease_of("a"));
    {
        const sluice::test::plain_operation<call> never_started(std::move(last));
    }
    BOOST_TEST(sink->is_posted);  // it is returned
}

BOOST_AUTO_TEST_SUITE_END()
