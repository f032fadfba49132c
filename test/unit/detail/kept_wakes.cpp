// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/kept_wakes.hpp>

#include "support/allocation_counter.hpp"
#include "support/failing_allocator.hpp"
#include "support/run_threads.hpp"

#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace test = sluice::test;
using keeper = sluice::detail::kept_wakes;
using sluice::detail::wake_watch;

namespace {

struct kept_wakes_fixture
{
    // Two threads use the context, and this one keeps its wakes. The watch knows of it only
    // in the tests that are about it.
    kept_wakes_fixture() { kept->open(); }

    wake_watch& watch() { return asio::use_service<wake_watch>(*ctx); }

    // A wake that writes its letter.
    bool push(char letter)
    {
        auto function = [this, letter] { woken += letter; };
        return kept->push(function, memories.emplace_back());
    }

    void run()
    {
        ctx->restart();
        ctx->run();
    }

    std::deque<sluice::detail::post_memory> memories;  // one for each wake
    std::optional<asio::io_context> ctx{std::in_place};
    std::shared_ptr<keeper> kept = watch().obtain();
    std::shared_ptr<keeper> other = watch().obtain();
    std::string woken;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(kept_wakes, kept_wakes_fixture)

BOOST_AUTO_TEST_CASE(run_one_after_the_other_in_order)
{
    BOOST_TEST(push('a'));
    BOOST_TEST(push('b'));
    BOOST_TEST(push('c'));
    BOOST_TEST(woken.empty());
    ctx->run_one();
    BOOST_TEST(woken == "a");
    run();
    BOOST_TEST(woken == "abc");
    BOOST_TEST(push('d'));
    run();
    BOOST_TEST(woken == "abcd");
}

BOOST_AUTO_TEST_CASE(one_that_throws_does_not_hold_up_the_next)
{
    auto failing = [] { throw std::runtime_error("failed"); };
    BOOST_TEST(kept->push(failing, memories.emplace_back()));
    BOOST_TEST(push('b'));
    BOOST_CHECK_THROW(run(), std::runtime_error);
    run();
    BOOST_TEST(woken == "b");
}

BOOST_AUTO_TEST_CASE(need_no_further_memory)
{
    test::allocation_budget none{0};
    {
        memories.emplace_back();
        auto function = [this] { woken += 'a'; };
        const test::failing_new region(none);
        BOOST_TEST(kept->push(function, memories.back()));
    }
    run();
    BOOST_TEST(woken == "a");
}

BOOST_AUTO_TEST_CASE(die_with_their_context)
{
    const auto life = std::make_shared<int>(0);
    for (int i = 0; i < 2; ++i) {
        auto function = [held = life] { ++*held; };
        BOOST_TEST(kept->push(function, memories.emplace_back()));
    }
    BOOST_TEST(life.use_count() == 3);
    const asio::io_context* const address = &*ctx;
    BOOST_TEST(kept->belongs_to(*address));
    ctx.reset();
    BOOST_TEST(life.use_count() == 1);
    BOOST_TEST(*life == 0);
    BOOST_TEST(!kept->belongs_to(*address));
}

BOOST_AUTO_TEST_CASE(takes_nothing_while_it_is_closed)
{
    kept->close();
    BOOST_TEST(!kept->is_open());
    BOOST_TEST(!push('a'));
    kept->open();
    BOOST_TEST(push('b'));
    run();
    BOOST_TEST(woken == "b");
}

BOOST_AUTO_TEST_CASE(too_many_are_posted_in_order_and_the_next_ones_too)
{
    std::string expected;
    for (std::size_t i = 0; i < keeper::limit; ++i) {
        expected += static_cast<char>('a' + i);
        BOOST_TEST(push(expected.back()));
    }
    BOOST_TEST(!push('y'));
    BOOST_TEST(!push('z'));
    asio::post(*ctx, [this] { woken += "yz"; });  // as is done with what is not taken
    BOOST_TEST(woken.empty());                    // posted, not called
    run();
    BOOST_TEST(woken == expected + "yz");
}

BOOST_AUTO_TEST_CASE(kept_again_after_they_went_round_the_ring)
{
    std::string expected;
    for (int i = 0; i < 3 * static_cast<int>(keeper::limit); ++i) {
        expected += static_cast<char>('a' + i % 26);
        BOOST_TEST(push(expected.back()));
        if (i % 5 == 4)
            run();
    }
    run();
    BOOST_TEST(woken == expected);
}

// The reason for the watch: without it this test never ends.
BOOST_AUTO_TEST_CASE(handler_may_wait_for_what_it_woke)
{
    std::promise<int> answer;
    int answered = 0;
    asio::post(*ctx, [&] {
        auto function = [&answer] { answer.set_value(42); };
        sluice::detail::post_memory& memory = memories.emplace_back();
        do
            watch().open(*kept);
        while (!kept->push(function, memory));  // the watch may close it before
        answered = answer.get_future().get();
    });
    sluice::test::run_threads(2, [this] { ctx->run(); });
    BOOST_TEST(answered == 42);
    BOOST_TEST(!kept->is_open());
    BOOST_TEST(kept->take_stuck());
    BOOST_TEST(!kept->take_stuck());
}

BOOST_AUTO_TEST_CASE(watch_ends_when_nothing_is_kept)
{
    watch().open(*kept);
    run();  // returns
    BOOST_TEST(!kept->is_open());
    BOOST_TEST(!kept->take_stuck());
}

BOOST_AUTO_TEST_CASE(watch_goes_on_as_long_as_many_are_kept)
{
    for (int i = 0; i < 100; ++i) {
        BOOST_TEST(push('a'));
        run();
    }
    BOOST_TEST(kept->inspect(true));
    BOOST_TEST(kept->is_open());
    // none since
    BOOST_TEST(!kept->inspect(true));
    BOOST_TEST(!kept->is_open());
}

BOOST_AUTO_TEST_CASE(what_was_kept_is_posted_in_order_when_they_close)
{
    BOOST_TEST(push('a'));
    BOOST_TEST(push('b'));
    kept->close();
    asio::post(*ctx, [this] { woken += 'c'; });
    run();
    BOOST_TEST(woken == "abc");
}

// A handler that runs others from within does not come back, nor does the ticket: what was
// kept again would each time wait for the watch.
BOOST_AUTO_TEST_CASE(nothing_is_kept_while_the_ticket_does_not_come_back)
{
    bool opened = true;
    asio::post(*ctx, [&] {
        push('a');
        kept->close();
        while (woken.empty())
            ctx->run_one();
        kept->open();
        opened = kept->is_open();
    });
    run();
    BOOST_TEST(!opened);
    kept->open();
    BOOST_TEST(kept->is_open());
}

BOOST_AUTO_TEST_CASE(alone_a_thread_keeps_nothing)
{
    kept->close();
    other.reset();  // the other thread ends
    watch().open(*kept);
    BOOST_TEST(!kept->is_open());
    const auto next = watch().obtain();  // the next one begins
    watch().open(*kept);
    BOOST_TEST(kept->is_open());
}

BOOST_AUTO_TEST_SUITE_END()
