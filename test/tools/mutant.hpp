// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

// What mutation.py writes into the sources calls this; it is included in front of all of them.

namespace sluice::mutation {

// The mutant that is at work in this process; 0 for none.
inline const int chosen = [] {
    const char* const text = std::getenv("SLUICE_MUTANT");
    return text == nullptr ? 0 : std::atoi(text);
}();

// Writes into a file, at the end of the process, which mutants would have made a difference.
class reach
{
public:
    reach() : file_(std::getenv("SLUICE_MUTANTS_REACHED")) {}
    reach(const reach&) = delete;
    reach& operator=(const reach&) = delete;

    ~reach()
    {
        if (file_ == nullptr)
            return;
        if (std::FILE* const out = std::fopen(file_, "w")) {
            for (int n = 0; n < limit; ++n)
                if (seen_[n].load(std::memory_order_relaxed))
                    std::fprintf(out, "%d\n", n);
            std::fclose(out);
        }
    }

    void note(int n) noexcept
    {
        if (file_ != nullptr)
            seen_[n].store(true, std::memory_order_relaxed);
    }

private:
    static constexpr int limit = 10'000;
    const char* file_;
    std::atomic<bool> seen_[limit] = {};
};

inline reach reached;

constexpr bool mutant(int n) noexcept
{
    if (std::is_constant_evaluated())
        return false;
    reached.note(n);
    return n == chosen;
}

// `a < less(7) < b` is a <= b in mutant 7, and a < b elsewhere. That needs no knowledge of
// where the operands begin and end, because these operators group from the left.
#define SLUICE_MUTATED(name, op, other)                                                  \
    struct name                                                                          \
    {                                                                                    \
        int number;                                                                      \
        constexpr explicit name(int n) noexcept : number(n) {}                           \
    };                                                                                   \
    template <class Left>                                                                \
    struct left_of_##name                                                                \
    {                                                                                    \
        const Left& left;                                                                \
        int number;                                                                      \
    };                                                                                   \
    template <class Left>                                                                \
    constexpr left_of_##name<Left> operator op(const Left & left, name mutated) noexcept \
    {                                                                                    \
        return {left, mutated.number};                                                   \
    }                                                                                    \
    template <class Left, class Right>                                                   \
    constexpr bool operator op(left_of_##name<Left> half, const Right& right)            \
    {                                                                                    \
        if constexpr (requires { bool(half.left other right); })                         \
            if (mutant(half.number))                                                     \
                return bool(half.left other right);                                      \
        return bool(half.left op right);                                                 \
    }

SLUICE_MUTATED(less, <, <=)
SLUICE_MUTATED(less_equal, <=, <)
SLUICE_MUTATED(greater, >, >=)
SLUICE_MUTATED(greater_equal, >=, >)
SLUICE_MUTATED(equal, ==, !=)
SLUICE_MUTATED(not_equal, !=, ==)
#undef SLUICE_MUTATED

}  // namespace sluice::mutation
