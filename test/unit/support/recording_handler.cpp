// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/recording_handler.hpp"

#include "support/check.hpp"
#include "support/io_fixture.hpp"

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>

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

// what can be associated

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

BOOST_AUTO_TEST_CASE(slot_that_the_operation_ignores_is_not_in_use)
{
    auto op = async_post(test::record.cancellable(), 1);

    BOOST_TEST(!op.slot_in_use());
    op.cancel();
    run();

    op.check_success();
}

BOOST_AUTO_TEST_SUITE_END()
