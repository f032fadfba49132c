// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct batch_options
{
    std::int64_t size = 1;
    std::optional<std::chrono::nanoseconds> linger;
};

class batch final : public stage
{
public:
    explicit batch(const batch_options& options)
        : size_(static_cast<std::size_t>(options.size)), linger_(options.linger)
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        std::vector<element> out;
        while (true) {
            std::vector<element> taken = co_await next(context);
            if (taken.empty())
                co_return;
            auto array = json_value::array();
            for (element& each : taken)
                array.push_back(std::move(each).to_json());
            out.emplace_back(std::move(array));
            co_await context.write(out);
        }
    }

    [[nodiscard]] bool can_acknowledge() const noexcept override { return true; }

private:
    asio::awaitable<std::vector<element>> next(stage_context& context) const
    {
        return linger_ ? context.read_up_to(size_, *linger_) : context.read_up_to(size_);
    }

    const std::size_t size_;
    const std::optional<std::chrono::nanoseconds> linger_;
};

constexpr const char* batch_details =
    R"(Waits until there are "size" elements, and gives an array of them; the last one may have
fewer. Texts are strings in it. Arrays that come from a padding queue have been padded to one length.
The stage unbatch gives the elements of an array, and "command" with "each" takes them as lines.

    { "stage": "batch", "from": "examples", "to": "batches", "options": { "size": 32 } }

Where the input comes slowly, let a batch linger. It is then given out when it is full, or when
that time has passed since its first element came.

    { "stage": "batch", "from": "lines", "to": "batches",
      "options": { "size": 100, "linger": "50ms" } })";

}  // namespace

void add_batch(stage_registry& stages)
{
    stages.add<batch>(
        {.name = "batch",
         .summary = "makes an array of several elements",
         .takes = element_kind::any,
         .gives = element_kind::value,
         .details = batch_details},
        stage_options<batch_options>()
            .required(
                "size",
                &batch_options::size,
                "how many elements make a batch",
                {.minimum = 1, .maximum = 1e9}
            )
            .optional(
                "linger",
                &batch_options::linger,
                "how long a batch waits for more after its first element; "
                "without it until it is full"
            )
    );
}

}  // namespace sluice::pipeline
