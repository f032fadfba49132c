// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct batch_options
{
    std::int64_t size = 1;
};

class batch final : public stage
{
public:
    explicit batch(const batch_options& options)
        : size_(static_cast<std::size_t>(options.size))
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        std::vector<element> out;
        while (true) {
            element::list taken = co_await context.read_up_to(size_);
            if (taken.empty())
                co_return;
            out.emplace_back(std::move(taken));
            co_await context.write(out);
        }
    }

private:
    const std::size_t size_;
};

constexpr const char* batch_details =
    R"(Waits until there are "size" elements; the last batch may have fewer. Batches of arrays
that come from a padding queue have been padded to one length.

    { "stage": "batch", "from": "examples", "to": "batches", "options": { "size": 32 } })";

}  // namespace

void add_batch(stage_registry& stages)
{
    stages.add<batch>(
        {.name = "batch",
         .summary = "makes one element of several",
         .takes = element_kind::any,
         .gives = element_kind::batch,
         .details = batch_details},
        stage_options<batch_options>().required(
            "size",
            &batch_options::size,
            "how many elements make a batch",
            {.minimum = 1, .maximum = 1e9}
        )
    );
}

}  // namespace sluice::pipeline
