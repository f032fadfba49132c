// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/handler_executors.hpp>

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace asio = boost::asio;
namespace detail = sluice::detail;
using sluice::test::io_fixture;
using sluice::test::record;

namespace handler_executors {

using queue = sluice::fifo_queue<int>;

// All that Asio demands of the executor of a handler.
class minimal_executor
{
public:
    explicit minimal_executor(asio::io_context& runs) : runs_(&runs) {}

    template <class Function>
    void execute(Function&& function) const
    {
        asio::post(*runs_, std::forward<Function>(function));
    }

    friend bool operator==(const minimal_executor&, const minimal_executor&) = default;

private:
    asio::io_context* runs_;
};

struct inline_executor
{
    template <class Function>
    void execute(Function&& function) const
    {
        std::forward<Function>(function)();
    }

    friend bool operator==(inline_executor, inline_executor) noexcept { return true; }
};

// A handler with an immediate executor; move_constructing is called before it is moved.
template <class Immediate>
struct immediate_handler
{
    using immediate_executor_type = Immediate;

    immediate_handler(Immediate calls, std::optional<int>& result)
        : executor(std::move(calls)), taken(&result)
    {
    }

    immediate_handler(immediate_handler&& other)
        : executor(other.executor),
          taken(other.taken),
          move_constructing(other.move_constructing)
    {
        if (move_constructing)
            move_constructing();
    }

    [[nodiscard]] Immediate get_immediate_executor() const noexcept { return executor; }

    void operator()(sluice::error_code /*error*/) { *taken = 0; }

    void operator()(sluice::error_code /*error*/, std::optional<int> element)
    {
        *taken = element.value_or(-1);
    }

    using either = std::variant<int, int>;

    void operator()(
        sluice::error_code /*error*/,
        std::size_t branch,
        std::optional<either> /*element*/
    )
    {
        *taken = static_cast<int>(branch);
    }

    Immediate executor;
    std::optional<int>* taken;
    std::function<void()> move_constructing;
};

struct fixture : io_fixture
{
    asio::io_context other;
    queue q{ctx, {.capacity = 4}};
    std::optional<int> taken;
};

using io_executor = asio::io_context::executor_type;
using plain = void (*)();
using bound = asio::executor_binder<plain, io_executor>;
using bound_to_minimal = asio::executor_binder<plain, minimal_executor>;
using immediate = immediate_handler<inline_executor>;

template <class Handler>
inline constexpr bool is_relayed =
    detail::handler_executors<Handler, io_executor>::is_relayed;

}  // namespace handler_executors

BOOST_FIXTURE_TEST_SUITE(handler_executors, fixture)

// Which handlers have an executor of their own.
static_assert(!detail::has_own_executor<plain>);
static_assert(!detail::has_own_executor<immediate>);
static_assert(detail::has_own_executor<bound>);
static_assert(detail::has_own_executor<bound_to_minimal>);
static_assert(!detail::has_immediate_executor<plain>);
static_assert(!detail::has_immediate_executor<bound>);
static_assert(detail::has_immediate_executor<immediate>);

BOOST_AUTO_TEST_CASE(only_what_can_be_posted_to_is_called_directly)
{
    static_assert(!is_relayed<plain>);
    static_assert(!is_relayed<bound>);
    static_assert(!is_relayed<asio::executor_binder<plain, asio::any_io_executor>>);
    static_assert(!is_relayed<asio::executor_binder<plain, asio::strand<io_executor>>>);
    static_assert(!is_relayed<asio::executor_binder<plain, asio::system_executor>>);
    static_assert(is_relayed<bound_to_minimal>);
    static_assert(is_relayed<asio::executor_binder<plain, inline_executor>>);
    BOOST_TEST(true);  // it compiles
}

// Executors that can only execute ---------------------------------------------------------

BOOST_AUTO_TEST_CASE(handler_runs_on_an_executor_that_can_only_execute)
{
    const auto waiting = q.async_dequeue(record.on(minimal_executor(other)));
    BOOST_TEST(q.try_enqueue(1));
    run();
    waiting.check_pending();
    other.run();
    waiting.check_success().check_value(1);
}

BOOST_AUTO_TEST_CASE(inline_executor_is_called_from_that_of_the_queue)
{
    const auto waiting = q.async_dequeue(record.on(inline_executor()));
    BOOST_TEST(q.try_enqueue(1));
    waiting.check_pending();
    run();
    waiting.check_success().check_value(1);
}

BOOST_AUTO_TEST_CASE(context_of_the_queue_is_busy_until_the_handler_is_passed_on)
{
    const auto waiting = q.async_dequeue(record.on(minimal_executor(other)));
    BOOST_TEST(ctx.poll() == 0);
    BOOST_TEST(!ctx.stopped());
    BOOST_TEST(q.try_enqueue(1));
    ctx.run();  // returns
    waiting.check_pending();
    other.run();
    waiting.check_success().check_value(1);
}

// Newer Asio gives the handlers of such a group an executor that can only execute. Older Asio
// calls them on threads of the system, so this has to wait for all work to end.
BOOST_AUTO_TEST_CASE(operations_in_a_group_of_any_size)
{
    using operation = decltype(q.async_dequeue(asio::deferred));
    std::vector<operation> operations;
    for (int i = 0; i < 3; ++i)
        operations.push_back(q.async_dequeue(asio::deferred));
    int sum = 0;
    const auto add_all =
        [&](const auto& /*order*/, const auto& errors, const auto& elements) {
            for (const auto& error : errors)
                BOOST_TEST(!error);
            for (const auto& element : elements)
                sum += element.value();
        };
    asio::experimental::make_parallel_group(std::move(operations))
        .async_wait(
            asio::experimental::wait_for_all(),
            asio::bind_executor(ctx, add_all)
        );
    run();
    for (const int value : {1, 20, 300})
        BOOST_TEST(q.try_enqueue(value));
    ctx.run();
    BOOST_TEST(sum == 321);
}

// Immediate executors ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(
    operation_that_is_ready_calls_the_handler_through_the_immediate_executor
)
{
    BOOST_TEST(q.try_enqueue(1));
    q.async_dequeue(immediate(inline_executor(), taken));
    BOOST_TEST(taken.value() == 1);
    taken.reset();
    q.async_enqueue(2, immediate(inline_executor(), taken));
    BOOST_TEST(taken.has_value());
}

BOOST_AUTO_TEST_CASE(ready_operation_does_not_stop_an_idle_context)
{
    BOOST_TEST(q.try_enqueue(1));
    q.async_dequeue(immediate(inline_executor(), taken));
    BOOST_TEST(!ctx.stopped());
}

BOOST_AUTO_TEST_CASE(queue_may_end_before_a_ready_operation_is_delivered)
{
    std::optional<queue> gone(std::in_place, ctx, sluice::queue_options{.capacity = 1});
    BOOST_TEST(gone->try_enqueue(1));
    gone->async_dequeue(immediate_handler(minimal_executor(other), taken));
    gone.reset();
    other.run();
    BOOST_TEST(taken.value() == 1);
}

BOOST_AUTO_TEST_CASE(element_of_a_handler_that_cannot_be_moved_is_returned)
{
    BOOST_TEST(q.try_enqueue(1));
    immediate handler(inline_executor(), taken);
    handler.move_constructing = [this] {
        if (q.size() == 0)
            throw 0;
    };
    BOOST_CHECK_THROW(q.async_dequeue(std::move(handler)), int);
    BOOST_TEST(q.size() == 1);
}

BOOST_AUTO_TEST_CASE(ready_select_that_is_dropped_gives_its_element_back)
{
    queue second(ctx, {.capacity = 1});
    BOOST_TEST(q.try_enqueue(1));
    {
        asio::io_context dies;
        sluice::select(second.dequeue(), q.dequeue())(
            immediate_handler(minimal_executor(dies), taken)
        );
        BOOST_TEST(q.size() == 0);
    }
    BOOST_TEST(q.size() == 1);
    BOOST_TEST(!taken);
}

BOOST_AUTO_TEST_SUITE_END()
