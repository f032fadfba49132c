// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/dealer.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct list_options : order_options
{
    nlohmann::json items;
};

std::vector<element> to_elements(const nlohmann::json& items)
{
    if (!items.is_array())
        throw option_error("items", detail::in_json(items), "an array");
    std::vector<element> elements;
    for (const nlohmann::json& item : items)
        elements.push_back(from_json(item));
    return elements;
}

class list final : public stage
{
public:
    explicit list(const list_options& options)
        : items_(to_elements(options.items)), order_(items_.size(), options)
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
    dealer order_;  // indices of the list; shared by the workers
};

constexpr const char* list_details =
    R"(Strings become texts, anything else becomes a value. The members of an object come in the
order of the bytes of their names. With several workers each one is given by one of them. All are
kept in memory, several times while they are checked: put more than some thousand into a file, which
the stage read takes.

    { "stage": "list", "to": "names", "options": { "items": ["one", "two"] } })";

}  // namespace

void add_list(stage_registry& stages)
{
    stage_options<list_options> options;
    options.required("items", &list_options::items, "an array of what is given");
    stages.add<list>(
        {.name = "list",
         .summary = "gives what is written in the description",
         .takes = element_kind::none,
         .gives = element_kind::any,
         .details = list_details},
        add_order_options(options)
    );
}

}  // namespace sluice::pipeline
