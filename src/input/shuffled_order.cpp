// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/detail/shuffled_order.hpp>

#include <numeric>
#include <random>
#include <utility>

namespace sluice::detail {

// The C++ standard fixes std::seed_seq and std::mt19937_64 to the bit, but neither std::shuffle
// nor its distributions. The remainder prefers no number by more than size / 2^64.
std::vector<std::size_t> shuffled_order(
    std::size_t size,
    std::uint64_t seed,
    std::uint64_t epoch
)
{
    const auto low = [](std::uint64_t number) {
        return static_cast<std::uint32_t>(number);
    };
    std::seed_seq start{low(seed), low(seed >> 32U), low(epoch), low(epoch >> 32U)};
    std::mt19937_64 random(start);

    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t left = size; left > 1; --left)
        std::swap(order[left - 1], order[static_cast<std::size_t>(random() % left)]);
    return order;
}

}  // namespace sluice::detail
