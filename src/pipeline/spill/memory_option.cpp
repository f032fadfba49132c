// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/spill/memory_option.hpp"

#include "pipeline/words.hpp"
#include "text/byte_size.hpp"

namespace sluice::pipeline::spill {

std::uint64_t half_of(const memory_options& options)
{
    constexpr std::uint64_t least = std::uint64_t{1} << 20U;
    if (options.memory.count < least)
        throw option_error(
            "memory",
            detail::in_quotes(text::byte_size_text(options.memory.count)),
            "at least 1 MiB"
        );
    return options.memory.count / 2;
}

}  // namespace sluice::pipeline::spill
