// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/awaiting/handler_op.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/recycling_allocator.hpp>
#include <boost/asio/this_coro.hpp>

#include <coroutine>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

// How a coroutine of type asio::awaitable awaits an operation if nothing may be known of
// Asio's inside (see asio_internals.hpp): like any operation of Asio, with a completion
// handler that Asio makes. All promises are kept but P7: an operation that is ready is posted,
// too, and takes memory of the recycling allocator.
namespace sluice::detail {

// What an operation gave or threw. It lies in the frame of the coroutine that awaits.
template <class Value>
class awaited_result
{
    using stored =
        std::conditional_t<std::is_void_v<Value>, std::monostate, std::optional<Value>>;

public:
    template <class Give>
    void set(Give&& give) noexcept
    {
        try {
            if constexpr (std::is_void_v<Value>)
                give();
            else
                value_.emplace(give());
        } catch (...) {
            fail(std::current_exception());
        }
    }

    void fail(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }

    Value take()
    {
        if (failure_)
            std::rethrow_exception(std::exchange(failure_, nullptr));
        if constexpr (!std::is_void_v<Value>)
            return Value(std::move(*value_));
    }

private:
    stored value_;
    std::exception_ptr failure_;
};

// The waiter of such an operation. It brings the result to the coroutine itself: as an argument
// of Asio's handler it could be neither the bare value nor an exception that names the queue.
template <class Waiter, result_form Form>
class portable_waiter : public Waiter
{
public:
    using result_type = decltype(result_of<Form>(std::declval<Waiter&>()));

    struct arguments
    {
        typename Waiter::arguments operation;
        awaited_result<result_type>* result;
        bool is_cancelled;  // the coroutine, before it awaited this
    };

    explicit portable_waiter(arguments&& args)
        : Waiter(std::move(args.operation)),
          result_(*args.result),
          is_cancelled_(args.is_cancelled)
    {
    }

    // A coroutine that goes on after its cancellation gets no further elements (S17), and
    // that cancellation is not emitted again.
    [[nodiscard]] bool start(delivery how, wait_mode mode) noexcept override
    {
        if (is_cancelled_)
            Waiter::cancel(boost::asio::error::operation_aborted);
        return Waiter::start(how, mode);
    }

    std::tuple<> outcome() noexcept
    {
        result_.set([this] { return result_of<Form, Waiter>(*this); });
        return {};
    }

protected:
    ~portable_waiter() = default;

private:
    awaited_result<result_type>& result_;
    bool is_cancelled_;
};

// What Asio awaits in place of the operation: it completes without arguments.
template <class Operation>
class portable_operation
{
    using waiter = portable_waiter<waiter_of<Operation>, Operation::form>;

public:
    explicit portable_operation(Operation&& operation) noexcept : operation_(operation) {}

    void note_cancelled() noexcept { is_cancelled_ = true; }

    typename waiter::result_type take_result() { return result_.take(); }

    // Asio calls this when the coroutine is suspended; `handler` resumes it.
    template <class Handler>
    void operator()(Handler&& handler)
    {
        auto recycling = boost::asio::bind_allocator(
            boost::asio::recycling_allocator<void>(),
            std::forward<Handler>(handler)
        );
        if (!start(recycling))
            std::move(recycling)();
    }

private:
    // False if it cannot: then the handler is as it was, and the result is why.
    template <class Handler>
    bool start(Handler& handler)
    {
        try {
            handler_op<
                waiter,
                Handler,
                typename Operation::executor_type,
                limit_of<Operation>>::
                initiate(
                    {operation_.take_arguments(), &result_, is_cancelled_},
                    std::move(handler),
                    operation_.get_executor(),
                    operation_.limit()
                );
            return true;  // *this may be gone
        } catch (...) {
            result_.fail(std::current_exception());
            return false;
        }
    }

    Operation& operation_;
    awaited_result<typename waiter::result_type> result_;
    bool is_cancelled_ = false;
};

// The awaiter: that of Asio, but for the result.
template <class Operation, class AsioAwaiter>
class portable_awaiter
{
public:
    // `context` is what else Asio gives its awaiter.
    template <class... Context>
    explicit portable_awaiter(Operation&& operation, Context&&... context)
        : operation_(std::move(operation)),
          awaiter_(std::move(operation_), std::forward<Context>(context)...)
    {
    }

    portable_awaiter(const portable_awaiter&) = delete;
    portable_awaiter& operator=(const portable_awaiter&) = delete;

    bool await_ready() { return awaiter_.await_ready(); }

    template <class Promise>
    auto await_suspend(std::coroutine_handle<Promise> coroutine)
    {
        if (is_cancelled(coroutine.promise()))
            operation_.note_cancelled();
        return awaiter_.await_suspend(coroutine);
    }

    auto await_resume()
    {
        awaiter_.await_resume();
        return operation_.take_result();
    }

private:
    // As the coroutine itself would ask.
    template <class Promise>
    static bool is_cancelled(Promise& promise)
    {
        auto state = promise.await_transform(boost::asio::this_coro::cancellation_state);
        return state.await_ready() &&
               state.await_resume().cancelled() != boost::asio::cancellation_type::none;
    }

    portable_operation<Operation> operation_;
    AsioAwaiter awaiter_;
};

}  // namespace sluice::detail
