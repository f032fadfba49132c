// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace sluice::detail {

// What std::mt19937_64 gives, in blocks: a number costs a look into an array, and <random>, which
// takes a sixth of the time that Asio's headers take, is compiled in the library alone.
class random_numbers
{
public:
    // Without a seed each sequence is another one.
    explicit random_numbers(std::optional<std::uint64_t> seed);
    random_numbers(random_numbers&&) = default;
    random_numbers& operator=(random_numbers&&) = default;

    [[nodiscard]] std::uint64_t next() noexcept
    {
        if (next_ == end_)
            refill();
        return *next_++;
    }

private:
    struct engine;

    void refill() noexcept;

    std::shared_ptr<engine>
        engine_;  // of one sequence; shared only because it is incomplete
    const std::uint64_t* next_ = nullptr;  // in the block of the engine
    const std::uint64_t* end_ = nullptr;
};

}  // namespace sluice::detail
