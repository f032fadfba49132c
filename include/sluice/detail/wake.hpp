// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/post_memory.hpp>

#include <boost/asio/execution/allocator.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/require.hpp>

#include <array>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace sluice::detail {

using io_executor = boost::asio::io_context::executor_type;

template <class Executor, class Function, class Allocator>
void post_with(const Executor& executor, Function&& function, const Allocator& allocator)
{
    const auto never_inline =
        boost::asio::require(executor, boost::asio::execution::blocking.never);
    boost::asio::prefer(never_inline, boost::asio::execution::allocator(allocator))
        .execute(std::forward<Function>(function));
}

// The function that resumes somebody, whatever its type, and the memory for posting it: a few
// words, kept in place, called at most once. Destroyed uncalled it does what its function does
// then.
class wake
{
    static constexpr std::size_t size = 2 * sizeof(void*);

public:
    template <class Function>
    static constexpr bool holds = sizeof(Function) <= size &&
                                  alignof(Function) <= alignof(void*) &&
                                  std::is_nothrow_move_constructible_v<Function>;

    wake() = default;

    wake(wake&& other) noexcept
        : act_(std::exchange(other.act_, nullptr)), memory_(other.memory_)
    {
        if (act_ != nullptr)
            act_(action::move, other, &function_);
    }

    wake& operator=(wake&&) = delete;

    ~wake()
    {
        if (act_ != nullptr)
            act_(action::destroy, *this, nullptr);
    }

    // Of an empty one.
    template <class Function>
        requires holds<Function>
    void assign(Function&& function, post_memory& memory) noexcept
    {
        ::new (static_cast<void*>(&function_)) Function(std::forward<Function>(function));
        act_ = &act_on<Function>;
        memory_ = &memory;
    }

    [[nodiscard]] explicit operator bool() const noexcept { return act_ != nullptr; }

    void operator()() { std::exchange(act_, nullptr)(action::call, *this, nullptr); }

    // Instead of calling it here.
    void post(io_executor executor) noexcept
    {
        std::exchange(act_, nullptr)(action::post, *this, &executor);
    }

private:
    enum class action : unsigned char
    {
        call,
        move,
        post,
        destroy
    };

    // Each action ends the life of the function in `self`.
    template <class Function>
    static void act_on(action what, wake& self, void* where)
    {
        struct last_use
        {
            Function& function;
            ~last_use() { function.~Function(); }
        } const stored{*std::launder(reinterpret_cast<Function*>(&self.function_))};
        switch (what) {
        case action::call:
            stored.function();
            break;
        case action::move:
            ::new (where) Function(std::move(stored.function));
            break;
        case action::post:
            post_with(
                *static_cast<io_executor*>(where),
                std::move(stored.function),
                post_allocator<void>(*self.memory_)
            );
            break;
        case action::destroy:
            break;
        }
    }

    void (*act_)(action what, wake& self, void* where) = nullptr;
    post_memory* memory_ = nullptr;
    alignas(void*) std::array<std::byte, size> function_;
};

}  // namespace sluice::detail
