// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/recording_handler.hpp"

#include "support/check.hpp"
#include "support/io_fixture.hpp"

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>

namespace asio = boost::asio;
namespace test = sluice::test;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace recording_handler {

struct recording_fixture : test::io_fixture
{
    // An operation that does with its handler whatever the function says.
    template <class... Args, class Token, class Function>
    auto async_example(Token token, Function function)
    {
        return asio::async_initiate<Token, void(Args...)>(std::move(function), token);
    }

    // The well-behaved operation: posts the handler to its associated executor.
    template <class Token>
    auto async_post(Token token, int value)
    {
        return async_example<error_code, int>(token, [this, value](auto handler) {
            const auto executor =
                asio::get_associated_executor(handler, ctx.get_executor());
            asio::post(executor, [h = std::move(handler), value]() mutable {
                h(error_code{}, value);
            });
        });
    }

    test::tracking_executor first{ctx.get_executor()};
    test::tracking_executor second{ctx.get_executor()};
};

}  // namespace recording_handler

BOOST_FIXTURE_TEST_SUITE(recording_handler, recording_fixture)

// the handler

BOOST_AUTO_TEST_CASE(completion_is_recorded)
{
    auto op = async_post(test::record, 7);
    op.check_pending();

    run();

    op.check_success().check_value(7);
}

BOOST_AUTO_TEST_CASE(handler_without_associations_has_none)
{
    async_example<>(test::record, [this](auto handler) {
        using handler_type = decltype(handler);
        static_assert(!std::is_copy_constructible_v<handler_type>);

        const auto fallback = ctx.get_executor();
        BOOST_TEST((asio::get_associated_executor(handler, fallback) == fallback));
        BOOST_TEST(!asio::get_associated_cancellation_slot(handler).is_connected());
        using allocator =
            asio::associated_allocator_t<handler_type, std::allocator<char>>;
        static_assert(std::is_same_v<allocator, std::allocator<char>>);
    });
}

BOOST_AUTO_TEST_CASE(recording_survives_a_handler_destroyed_without_a_call)
{
    auto op = async_example<error_code>(test::record, [](auto) {});

    op.check_abandoned();
}

BOOST_AUTO_TEST_CASE(moved_from_handlers_abandon_nothing)
{
    auto op = async_example<error_code>(test::record, [](auto handler) {
        auto other = std::move(handler);
        other(error_code{});
    });

    BOOST_TEST(op.done());
    BOOST_TEST(!op.abandoned());
}

BOOST_AUTO_TEST_CASE(destroying_the_context_abandons)
{
    auto other = std::make_unique<asio::io_context>();
    auto op = async_example<>(test::record, [&](auto handler) {
        asio::post(*other, std::move(handler));
    });

    other.reset();

    op.check_abandoned();
}

BOOST_AUTO_TEST_CASE(call_inside_the_initiation_is_noticed)
{
    auto op = async_example<error_code>(test::record, [](auto handler) {
        handler(error_code{});
    });

    BOOST_TEST(op.inside_initiation());
}

BOOST_AUTO_TEST_CASE(second_call_is_counted)
{
    auto op = async_example<int>(test::record, [](auto handler) {
        handler(1);
        handler(2);
    });

    BOOST_TEST(op.calls() == 2);
    BOOST_TEST(op.value() == 1);
}

// what can be associated

BOOST_AUTO_TEST_CASE(executor_is_associated_and_verified)
{
    auto op = async_post(test::record.on(first), 1);

    run();

    op.check_success().check_executor(first);
    BOOST_TEST(op.executors() == std::vector{first.id()});
}

BOOST_AUTO_TEST_CASE(wrong_executor_is_a_failure)
{
    auto op = async_example<>(test::record.on(first), [this](auto handler) {
        asio::post(second, [h = std::move(handler)]() mutable { h(); });
    });
    run();

    test::captured_failures failures;
    op.check_done();

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("on executor " + std::to_string(second.id())));
}

BOOST_AUTO_TEST_CASE(binders_of_asio_compose)
{
    auto op = async_post(asio::bind_executor(second, test::record), 1);

    run();

    op.check_success().check_executor(second);
}

BOOST_AUTO_TEST_CASE(allocator_is_associated)
{
    const auto token = test::record.allocated_by(std::allocator<long>{}).on(first);

    auto op = async_example<>(token, [](auto handler) {
        using allocator = asio::associated_allocator_t<decltype(handler)>;
        static_assert(std::is_same_v<allocator, std::allocator<long>>);
        using executor = asio::associated_executor_t<decltype(handler)>;
        static_assert(std::is_same_v<executor, test::tracking_executor>);
    });

    op.check_abandoned();
}

BOOST_AUTO_TEST_CASE(cancel_reaches_the_operation)
{
    asio::steady_timer timer{ctx, 1h};
    auto op = timer.async_wait(test::record.on(first).cancellable());
    BOOST_TEST(op.slot_in_use());
    run();
    op.check_pending();

    op.cancel(asio::cancellation_type::total);
    run();

    op.check_error(asio::error::operation_aborted);
    op.cancel();
}

BOOST_AUTO_TEST_CASE(slot_that_the_operation_ignores_is_not_in_use)
{
    auto op = async_post(test::record.cancellable(), 1);

    BOOST_TEST(!op.slot_in_use());
    op.cancel();
    run();

    op.check_success();
}

BOOST_AUTO_TEST_CASE(function_runs_after_the_recording)
{
    std::optional<test::recording<error_code, int>> op;
    bool was_done = false;
    op = async_post(test::record.then([&] { was_done = op->done(); }), 1);

    run();

    BOOST_TEST(was_done);
}

BOOST_AUTO_TEST_SUITE_END()
