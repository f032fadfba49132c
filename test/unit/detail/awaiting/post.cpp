// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/post.hpp>

#include "support/allocation_counter.hpp"
#include "support/failing_allocator.hpp"
#include "support/io_fixture.hpp"
#include "support/tracking_executor.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::detail::post_memory;
using sluice::detail::posted_call;

namespace post {

// Calls a function when it is posted, and is gone then.
template <class Function>
class once
{
public:
    explicit once(Function function) : function_(std::move(function)) {}

    void run_posted()
    {
        const std::unique_ptr<once> self(this);
        function_();
    }

    void drop_posted() noexcept { delete this; }

private:
    Function function_;
};

template <class Executor, class Function, class... Allocator>
void post_once(
    const Executor& executor,
    Function function,
    post_memory& memory,
    const Allocator&... allocator
)
{
    posted_call call(new once<Function>(std::move(function)));
    sluice::detail::post(executor, std::move(call), memory, allocator...);
}

}  // namespace post

BOOST_FIXTURE_TEST_SUITE(post, test::io_fixture)

BOOST_AUTO_TEST_CASE(never_runs_inside_the_call)
{
    int calls = 0;
    int calls_inside = -1;
    post_memory memory;
    const asio::any_io_executor executors[] = {
        ctx.get_executor(),
        asio::make_strand(ctx),
        test::tracking_executor(ctx.get_executor())
    };
    // from a handler of the same executor, where a dispatch would run at once
    for (const auto& executor : executors) {
        calls = 0;
        asio::post(executor, [&] {
            ::post::post_once(executor, [&] { ++calls; }, memory);
            calls_inside = calls;
        });
        run();
        BOOST_TEST(calls_inside == 0);
        BOOST_TEST(calls == 1);
    }
}

BOOST_AUTO_TEST_CASE(runs_on_the_executor)
{
    const test::tracking_executor own(ctx.get_executor());
    int where = 0;
    post_memory memory;
    ::post::post_once(own, [&] { where = test::current_executor(); }, memory);
    ::post::post_once(
        asio::any_io_executor(own),
        [&, move_only = std::make_unique<int>(0)] {
            where += *move_only + test::current_executor();
        },
        memory
    );
    run();
    BOOST_TEST(where == 2 * own.id());
}

BOOST_AUTO_TEST_CASE(posting_to_an_io_context_needs_no_further_memory)
{
    struct counter
    {
        int calls = 0;
        void run_posted() noexcept { ++calls; }
        void drop_posted() noexcept {}
    };
    test::allocation_budget none{0};
    post_memory memory;
    counter counted;
    const auto post_to = [&](const auto& executor) {
        {
            const test::failing_new region(none);
            sluice::detail::post(executor, posted_call(&counted), memory);
        }
        run();
    };
    const auto plain = ctx.get_executor();
    post_to(plain);
    post_to(asio::any_io_executor(plain));
    post_to(asio::any_io_executor(
        asio::require(plain, asio::execution::outstanding_work.tracked)
    ));
    BOOST_TEST(counted.calls == 3);
    BOOST_TEST(none.allocations() == 0U);
}

BOOST_AUTO_TEST_CASE(uses_the_allocator_with_a_strand)
{
    test::allocation_budget budget;
    post_memory memory;
    const test::failing_allocator<void> allocator(budget);
    ::post::post_once(asio::make_strand(ctx.get_executor()), [] {}, memory, allocator);
    BOOST_TEST(budget.allocations() > 0U);
    run();
    BOOST_TEST(budget.live() == 0U);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_comes_from_elsewhere)
{
    struct large
    {
        std::byte bytes[post_memory::size + 1];
    };
    post_memory memory;
    sluice::detail::post_allocator<large> allocator(memory);
    large* const object = allocator.allocate(1);
    BOOST_TEST(static_cast<void*>(object) != memory.get());
    allocator.deallocate(object, 1);
}

BOOST_AUTO_TEST_CASE(executor_may_be_stored_in_what_the_function_destroys)
{
    auto stored = std::make_shared<asio::any_io_executor>(asio::make_strand(ctx));
    const std::weak_ptr<asio::any_io_executor> watched = stored;
    const asio::any_io_executor& executor = *stored;
    post_memory memory;
    ::post::post_once(
        executor,
        [kept = std::move(stored)]() mutable { kept.reset(); },
        memory
    );
    run();
    BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_SUITE_END()
