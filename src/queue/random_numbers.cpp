// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/random_numbers.hpp>

#include <array>
#include <random>

namespace sluice::detail {

struct random_numbers::engine
{
    static std::uint64_t any_seed()
    {
        std::random_device source;
        return (std::uint64_t{source()} << 32U) | source();
    }

    std::mt19937_64 random;
    std::array<std::uint64_t, std::mt19937_64::state_size> block;
};

random_numbers::random_numbers(std::optional<std::uint64_t> seed)
    : engine_(new engine{std::mt19937_64(seed ? *seed : engine::any_seed()), {}})
{
}

void random_numbers::refill() noexcept
{
    for (std::uint64_t& number : engine_->block)
        number = engine_->random();
    next_ = engine_->block.data();
    end_ = next_ + engine_->block.size();
}

}  // namespace sluice::detail
