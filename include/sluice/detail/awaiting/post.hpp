// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/allocator.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/require.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

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

// The executor of an io_context that counts as work of its context.
using busy_io_executor = std::decay_t<decltype(boost::asio::require(
    std::declval<const io_executor&>(),
    boost::asio::execution::outstanding_work.tracked
))>;

// Runs `function` on the executor, never inside this call (P6). The executor may be stored
// in what the function destroys, so it is copied before the function is let go.
//
// An io_context takes the memory that is given. Strands and other executors may keep it for
// longer, so they take theirs from the allocator.
template <class Executor, class Function, class Allocator = std::allocator<void>>
void post(
    const Executor& executor,
    Function&& function,
    post_memory& memory,
    const Allocator& allocator = {}
)
{
    const auto never_inline =
        boost::asio::require(executor, boost::asio::execution::blocking.never);
    const auto with = [&](const auto& from) {
        return boost::asio::prefer(never_inline, boost::asio::execution::allocator(from));
    };
    if constexpr (std::same_as<Executor, io_executor> ||
                  std::same_as<Executor, busy_io_executor>)
        with(post_allocator<void>(memory)).execute(std::forward<Function>(function));
    else
        with(allocator).execute(std::forward<Function>(function));
}

// An any_io_executor is most often that of an io_context; unwrapped it costs a third. What is
// below it otherwise cannot be given an allocator.
template <class Function, class Allocator = std::allocator<void>>
void post(
    const boost::asio::any_io_executor& executor,
    Function&& function,
    post_memory& memory,
    const Allocator& /*allocator*/ = {}
)
{
    if (const io_executor* const io = io_executor_in(executor))
        detail::post(*io, std::forward<Function>(function), memory);
    else if (const auto* busy = executor.target<busy_io_executor>())
        detail::post(*busy, std::forward<Function>(function), memory);
    else
        boost::asio::require(executor, boost::asio::execution::blocking.never)
            .execute(std::forward<Function>(function));
}

}  // namespace sluice::detail
