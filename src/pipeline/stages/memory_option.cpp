// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/memory_option.hpp"

#include "pipeline/words.hpp"
#include "text/byte_size.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace sluice::pipeline {

void fail_beyond_memory(std::uint64_t memory, std::size_t keys, const char* advice)
{
    throw std::runtime_error(fmt::format(
        "what it keeps of {} takes more than its \"memory\", {}; raise that, or {}",
        detail::counted(keys, "key"),
        text::byte_size_text(memory),
        advice
    ));
}

}  // namespace sluice::pipeline
