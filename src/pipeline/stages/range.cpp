// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/dealer.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct range_options : order_options
{
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t step = 1;
};

// Differences may be too large for the signed type, but not for the unsigned one.
std::uint64_t distance(std::int64_t from, std::int64_t to)
{
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

std::uint64_t length(const range_options& options)
{
    if (options.step == 0)
        throw option_error("step", "0", "any other number");
    const bool up = options.step > 0;
    if (up ? options.from > options.to : options.from < options.to)
        return 0;
    const std::uint64_t way = up ? distance(options.from, options.to)
                                 : distance(options.to, options.from);
    const std::uint64_t steps = way / (up ? distance(0, options.step)
                                          : distance(options.step, 0));
    if (steps == std::numeric_limits<std::uint64_t>::max())
        throw option_error("to", std::to_string(options.to), "fewer than 2^64 numbers");
    return steps + 1;
}

class range final : public stage
{
public:
    explicit range(const range_options& options)
        : from_(options.from), step_(options.step), numbers_(length(options), options)
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        std::vector<element> numbers;
        std::vector<std::uint64_t> indices;
        while (!context.should_stop() && numbers_.deal(stage_context::batch_size, indices)
        ) {
            for (const std::uint64_t index : indices)
                numbers.emplace_back(json_value(number(index)));
            co_await context.write(numbers);
        }
    }

    [[nodiscard]] std::optional<double> progress() const override
    {
        return numbers_.progress();
    }

private:
    [[nodiscard]] std::int64_t number(std::uint64_t index) const
    {
        // unsigned, where what is too large for a moment wraps
        const auto way = index * static_cast<std::uint64_t>(step_);
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(from_) + way);
    }

    const std::int64_t from_;
    const std::int64_t step_;
    dealer numbers_;  // indices of the numbers; shared by the workers
};

constexpr const char* range_details =
    R"("to" is the last number if the steps meet it. A negative step counts downwards. With
several workers each number is given by one of them.

    { "stage": "range", "to": "numbers", "options": { "from": 1, "to": 100 } })";

}  // namespace

void add_range(stage_registry& stages)
{
    stage_options<range_options> options;
    options.optional("from", &range_options::from, "the first number")
        .required("to", &range_options::to, "the last number")
        .optional("step", &range_options::step, "from one number to the next");
    stages.add<range>(
        {.name = "range",
         .summary = "gives whole numbers",
         .takes = element_kind::none,
         .gives = element_kind::value,
         .details = range_details},
        add_order_options(options)
    );
}

}  // namespace sluice::pipeline
