// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/dealer.hpp"
#include "pipeline/stages/from_json.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct list_options
{
    nlohmann::json items;
    std::int64_t epochs = 1;
    bool shuffle = false;
    std::optional<std::int64_t> seed;
};

std::vector<element> to_elements(const nlohmann::json& items)
{
    if (!items.is_array())
        throw option_error("items", items.dump(), "an array");
    std::vector<element> elements;
    for (const nlohmann::json& item : items)
        elements.push_back(from_json(item));
    return elements;
}

class list final : public stage
{
public:
    explicit list(const list_options& options)
        : items_(to_elements(options.items)),
          order_({items_.size(), options.epochs, options.shuffle, options.seed})
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        std::vector<element> out;
        std::vector<std::uint64_t> indices;
        while (!context.should_stop() && order_.deal(stage_context::batch_size, indices)
        ) {
            for (const std::uint64_t index : indices)
                out.push_back(items_[index]);
            co_await context.write(out);
        }
    }

    [[nodiscard]] std::optional<double> progress() const override
    {
        return order_.progress();
    }

private:
    const std::vector<element> items_;
    dealer order_;  // indices of the items; shared by the workers
};

constexpr const char* details =
    R"(Strings become texts, anything else becomes a value. With several workers each item is
given by one of them.

    { "stage": "list", "to": "names", "options": { "items": ["one", "two"] } })";

}  // namespace

void add_list(stage_registry& stages)
{
    using options = list_options;
    stages.add<list>(
        {.name = "list",
         .summary = "gives what is written in the description",
         .takes = element_kind::none,
         .gives = element_kind::any,
         .details = details},
        stage_options<options>()
            .required("items", &options::items, "an array of what is given")
            .optional("epochs", &options::epochs, "how often", {.minimum = 1})
            .optional(
                "shuffle",
                &options::shuffle,
                "whether each epoch has another order"
            )
            .optional(
                "seed",
                &options::seed,
                "what the orders depend on; without it they differ from run to run"
            )
    );
}

}  // namespace sluice::pipeline
