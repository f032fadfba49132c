// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/allocator.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/thread_pool.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// What is posted to an executor for an object that waits for it: calls run_posted() of the
// object, or, if the executor drops it uncalled, drop_posted(). Each happens once, and the object
// may be gone afterwards.
//
// One class for all of them, so that what an executor makes of a function is compiled once, and
// not for each type of operation and handler.
class posted_call
{
public:
    template <class Target>
    explicit posted_call(Target* target) noexcept : target_(target), end_(&end_of<Target>)
    {
    }

    posted_call(posted_call&& other) noexcept
        : target_(std::exchange(other.target_, nullptr)), end_(other.end_)
    {
    }

    posted_call& operator=(posted_call&&) = delete;

    ~posted_call()
    {
        if (target_ != nullptr)
            end_(target_, false);
    }

    void operator()() { end_(std::exchange(target_, nullptr), true); }

private:
    template <class Target>
    static void end_of(void* target, bool is_called)
    {
        if (is_called)
            static_cast<Target*>(target)->run_posted();
        else
            static_cast<Target*>(target)->drop_posted();
    }

    void* target_;  // null once it was moved from or called
    void (*end_)(void* target, bool is_called);
};

// Memory for one posted function, in the operation that posts it, so that posting to an
// io_context neither allocates nor fails. Asio gives the memory of a function back before it
// calls or drops it; so the operation may die in the call.
class post_memory
{
public:
    static constexpr std::size_t size = 6 * sizeof(void*);

    [[nodiscard]] void* get() noexcept { return bytes_; }

private:
    alignas(void*) std::byte bytes_[size];
};

template <class T>
class post_allocator
{
public:
    using value_type = T;

    explicit post_allocator(post_memory& memory) noexcept : memory_(&memory) {}

    template <class U>
    post_allocator(const post_allocator<U>& other) noexcept : memory_(other.memory_)
    {
    }

    // One object at a time. One of another version of Asio that is too large comes from
    // elsewhere, as without this.
    [[nodiscard]] T* allocate(std::size_t count)
    {
        if constexpr (fits)
            return static_cast<T*>(memory_->get());
        else
            return std::allocator<T>().allocate(count);
    }

    void deallocate(T* object, std::size_t count) noexcept
    {
        if constexpr (!fits)
            std::allocator<T>().deallocate(object, count);
    }

    template <class U>
    bool operator==(const post_allocator<U>& other) const noexcept
    {
        return memory_ == other.memory_;
    }

private:
    template <class U>
    friend class post_allocator;

    static constexpr bool fits = [] {
        if constexpr (std::is_void_v<T>)
            return true;
        else
            return sizeof(T) <= post_memory::size && alignof(T) <= alignof(void*);
    }();

    post_memory* memory_;
};

// The executors that give the memory of a function back before they call it.
template <class Executor>
inline constexpr bool takes_given_memory = false;
template <class Allocator, auto Bits>
inline constexpr bool
    takes_given_memory<boost::asio::io_context::basic_executor_type<Allocator, Bits>> =
        true;
template <class Allocator, auto Bits>
inline constexpr bool
    takes_given_memory<boost::asio::thread_pool::basic_executor_type<Allocator, Bits>> =
        true;

using io_executor = boost::asio::io_context::executor_type;

// The executor of an io_context in `executor`, null if that is another one.
template <class Executor>
[[nodiscard]] const io_executor* io_executor_in(const Executor& executor) noexcept
{
    if constexpr (std::same_as<Executor, io_executor>)
        return &executor;
    else if constexpr (std::same_as<Executor, boost::asio::any_io_executor>)
        return executor.template target<io_executor>();
    else
        return nullptr;
}

// To the executor that is inside, in the memory if that takes it. What is inside otherwise cannot
// be given an allocator.
void post_to_any(
    const boost::asio::any_io_executor& executor,
    posted_call&& call,
    post_memory& memory
);

// Runs `call` on the executor, never inside this call (P6). The executor may be stored in what
// the call destroys, so it is copied before the call is let go.
//
// An io_context, a thread_pool and a supervised task take the memory that is given. Strands and
// other executors may keep it for longer, so they take theirs from the allocator.
template <class Executor, class Allocator = std::allocator<void>>
void post(
    const Executor& executor,
    posted_call&& call,
    post_memory& memory,
    const Allocator& allocator = {}
)
{
    namespace execution = boost::asio::execution;
    if constexpr (std::same_as<Executor, boost::asio::any_io_executor>) {
        post_to_any(executor, std::move(call), memory);
    } else {
        const auto to = boost::asio::require(executor, execution::blocking.never);
        if constexpr (takes_given_memory<Executor>)
            boost::asio::prefer(to, execution::allocator(post_allocator<void>(memory)))
                .execute(std::move(call));
        else
            boost::asio::prefer(to, execution::allocator(allocator))
                .execute(std::move(call));
    }
}

}  // namespace sluice::detail
