// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// The function that resumes somebody, whatever its type: a few words, kept in place, called
// at most once. Destroyed uncalled it does what its function does then.
class wake
{
    static constexpr std::size_t size = 4 * sizeof(void*);

public:
    template <class Function>
    static constexpr bool holds = sizeof(Function) <= size &&
                                  alignof(Function) <= alignof(void*) &&
                                  std::is_nothrow_move_constructible_v<Function>;

    wake() = default;

    wake(wake&& other) noexcept : act_(std::exchange(other.act_, nullptr))
    {
        if (act_ != nullptr)
            act_(action::move, &other.function_, &function_);
    }

    wake& operator=(wake&&) = delete;

    ~wake()
    {
        if (act_ != nullptr)
            act_(action::destroy, &function_, nullptr);
    }

    // Of an empty one.
    template <class Function>
        requires holds<Function>
    void assign(Function&& function) noexcept
    {
        ::new (static_cast<void*>(&function_)) Function(std::move(function));
        act_ = &act_on<Function>;
    }

    [[nodiscard]] explicit operator bool() const noexcept { return act_ != nullptr; }

    void operator()() { std::exchange(act_, nullptr)(action::call, &function_, nullptr); }

private:
    enum class action : unsigned char
    {
        call,
        move,
        destroy
    };

    // Each action ends the life of the function in `memory`.
    template <class Function>
    static void act_on(action what, void* memory, void* to)
    {
        struct last_use
        {
            Function& function;
            ~last_use() { function.~Function(); }
        } const stored{*std::launder(static_cast<Function*>(memory))};
        if (what == action::call)
            stored.function();
        else if (what == action::move)
            ::new (to) Function(std::move(stored.function));
    }

    void (*act_)(action what, void* memory, void* to) = nullptr;
    alignas(void*) std::array<std::byte, size> function_;
};

}  // namespace sluice::detail
