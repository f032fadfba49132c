// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct no_options
{
};

class discard final : public stage
{
public:
    explicit discard(no_options /*options*/) {}

    asio::awaitable<void> work(stage_context& context) override
    {
        std::vector<element> taken;
        do
            taken = co_await context.read();
        while (!taken.empty());
    }

    [[nodiscard]] bool can_acknowledge() const noexcept override { return true; }
};

constexpr const char* discard_details = R"(For measuring what comes before it.

    { "stage": "discard", "from": "words" })";

}  // namespace

void add_discard(stage_registry& stages)
{
    stages.add<discard>(
        {.name = "discard",
         .summary = "takes everything and does nothing with it",
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = discard_details},
        stage_options<no_options>()
    );
}

}  // namespace sluice::pipeline
