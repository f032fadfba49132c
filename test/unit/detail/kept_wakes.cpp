// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/kept_wakes.hpp>

#include "support/run_threads.hpp"

#include <boost/asio/defer.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace asio = boost::asio;
using sluice::detail::kept_wakes;
using sluice::detail::wake_watch;

namespace {

struct kept_wakes_fixture
{
    // Two threads use the context, and this one keeps its wakes.
    kept_wakes_fixture() { watch().open(*kept); }

    wake_watch& watch() { return asio::use_service<wake_watch>(*ctx); }

    // A wake that writes its letter.
    bool push(char letter)
    {
        auto function = [this, letter] { woken += letter; };
        return kept->push(function);
    }

    std::optional<asio::io_context> ctx{std::in_place};
    std::shared_ptr<kept_wakes> kept = watch().obtain();
    std::shared_ptr<kept_wakes> other = watch().obtain();
    std::string woken;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(kept_wakes_, kept_wakes_fixture)

BOOST_AUTO_TEST_CASE(each_ticket_runs_the_oldest)
{
    BOOST_TEST(push('a'));
    BOOST_TEST(push('b'));
    kept_wakes::ticket first(*kept);
    kept_wakes::ticket second(*kept);
    second();
    BOOST_TEST(woken == "a");
    first();
    BOOST_TEST(woken == "ab");
}

BOOST_AUTO_TEST_CASE(ticket_without_a_wake_does_nothing)
{
    kept_wakes::ticket ticket(*kept);
    ticket();
    BOOST_TEST(woken.empty());
}

// As when a context is destroyed with everything that is posted to it.
BOOST_AUTO_TEST_CASE(ticket_destroyed_uncalled_takes_a_wake_with_it)
{
    const auto life = std::make_shared<int>();
    auto function = [this, held = life] { woken += 'a'; };
    BOOST_TEST(kept->push(function));
    BOOST_TEST(life.use_count() == 2);
    BOOST_TEST(push('b'));
    {
        kept_wakes::ticket moved_from(*kept);
        const kept_wakes::ticket dropped(std::move(moved_from));
    }
    kept_wakes::ticket last(*kept);
    last();
    BOOST_TEST(woken == "b");
    BOOST_TEST(life.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(takes_nothing_while_it_is_closed)
{
    kept->close();
    BOOST_TEST(!kept->is_open());
    BOOST_TEST(!push('a'));
    kept->open();
    BOOST_TEST(push('b'));
    kept_wakes::ticket ticket(*kept);
    ticket();
    BOOST_TEST(woken == "b");
}

BOOST_AUTO_TEST_CASE(too_many_are_posted_in_order_and_the_next_ones_too)
{
    std::string expected;
    for (std::size_t i = 0; i < kept_wakes::limit; ++i) {
        expected += static_cast<char>('a' + i);
        BOOST_TEST(push(expected.back()));
    }
    BOOST_TEST(!push('z'));
    BOOST_TEST(!push('z'));
    BOOST_TEST(woken.empty());  // posted, not called
    ctx->run();
    BOOST_TEST(woken == expected);
}

BOOST_AUTO_TEST_CASE(kept_again_after_they_went_round_the_ring)
{
    std::string expected;
    for (int i = 0; i < 3 * static_cast<int>(kept_wakes::limit); ++i) {
        expected += static_cast<char>('a' + i % 26);
        BOOST_TEST(push(expected.back()));
        kept_wakes::ticket ticket(*kept);
        ticket();
    }
    BOOST_TEST(woken == expected);
}

// The reason for the watch: without it this test never ends.
BOOST_AUTO_TEST_CASE(handler_may_wait_for_what_it_woke)
{
    std::promise<int> answer;
    bool was_kept = false;
    int answered = 0;
    asio::post(*ctx, [&] {
        auto function = [&answer] { answer.set_value(42); };
        was_kept = kept->push(function);
        asio::defer(*ctx, kept_wakes::ticket(*kept));
        answered = answer.get_future().get();
    });
    sluice::test::run_threads(2, [this] { ctx->run(); });
    BOOST_TEST(was_kept);
    BOOST_TEST(answered == 42);
    BOOST_TEST(!kept->is_open());
}

BOOST_AUTO_TEST_CASE(watch_ends_when_nothing_is_kept)
{
    ctx->run();  // returns
    BOOST_TEST(!kept->is_open());
}

BOOST_AUTO_TEST_CASE(watch_goes_on_as_long_as_many_are_kept)
{
    for (int i = 0; i < 100; ++i) {
        BOOST_TEST(push('a'));
        kept_wakes::ticket ticket(*kept);
        ticket();
    }
    BOOST_TEST(kept->inspect(true));
    BOOST_TEST(kept->is_open());
    // none since
    BOOST_TEST(!kept->inspect(true));
    BOOST_TEST(!kept->is_open());
}

BOOST_AUTO_TEST_CASE(watch_looks_after_what_was_kept_before_it_closed)
{
    kept_wakes::ticket ticket(*kept);
    BOOST_TEST(push('a'));
    ticket();
    BOOST_TEST(push('b'));
    BOOST_TEST(kept->inspect(true));  // closed, for it was one only
    BOOST_TEST(!kept->is_open());
    BOOST_TEST(!kept->inspect(true));  // 'b' was there before
    ctx->run();
    BOOST_TEST(woken == "ab");
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

BOOST_AUTO_TEST_CASE(outlive_their_context)
{
    BOOST_TEST(kept->belongs_to(*ctx));
    BOOST_TEST(push('a'));
    asio::post(*ctx, kept_wakes::ticket(*kept));
    const asio::io_context* const address = &*ctx;
    ctx.reset();
    BOOST_TEST(!kept->belongs_to(*address));
    BOOST_TEST(woken.empty());
}

BOOST_AUTO_TEST_SUITE_END()
