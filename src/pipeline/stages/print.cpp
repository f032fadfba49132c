// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/stages.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct print_options
{
    std::string format = "text";
};

class print final : public stage
{
public:
    explicit print(const print_options& options)
        : format_(options.format == "json" ? line_format::json : line_format::text)
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                co_return;
            const std::string lines = to_lines(std::move(taken), format_);
            co_await context.blocking([&] { context.out().write(lines); });
        }
    }

private:
    const line_format format_;
};

constexpr const char* print_details =
    R"(As text, a text is printed as it is, a JSON string without quotes, and anything else as
JSON; as json, everything is printed as JSON, one line each.

    { "stage": "print", "from": "records", "options": { "format": "json" } })";

}  // namespace

void add_print(stage_registry& stages)
{
    stages.add<print>(
        {.name = "print",
         .summary = "prints each element as a line",
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = print_details},
        stage_options<print_options>().optional(
            "format",
            &print_options::format,
            "how elements look",
            {.choices = {"text", "json"}}
        )
    );
}

}  // namespace sluice::pipeline
