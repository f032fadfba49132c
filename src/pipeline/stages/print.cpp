// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/idle_option.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct print_options : line_options
{
    std::string format = "text";
};

class print final : public stage
{
public:
    explicit print(const print_options& options)
        : rules_(options.format == "json" ? json_rules(options) : text_rules(options))
    {
        if (options.format == "json")
            expect_default(
                "newlines",
                options.newlines,
                print_options().newlines,
                R"("format" is "text")"
            );
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                co_return;
            const std::string lines = lines_of(std::move(taken));
            co_await context.blocking([&] { context.out().write(lines); });
        }
    }

    [[nodiscard]] bool can_acknowledge() const noexcept override { return true; }

private:
    [[nodiscard]] std::string lines_of(std::vector<element>&& elements) const
    {
        try {
            return to_lines(std::move(elements), rules_);
        } catch (const refused_line& refused) {
            throw std::runtime_error(
                fmt::format("cannot write an element: {}", refused.what())
            );
        }
    }

    const line_rules rules_;
};

constexpr const char* print_details =
    R"(As text, a text is printed as it is, a JSON string without quotes, and anything else as
JSON. As json, everything is printed as JSON, one line each. A text with a newline is an error
unless the options say what to do with it. So are bytes inside JSON that are not UTF-8.

    { "stage": "print", "from": "records", "options": { "format": "json" } })";

}  // namespace

void add_print(stage_registry& stages)
{
    stage_options<print_options> options;
    options.optional(
        "format",
        &print_options::format,
        "how elements look",
        {.choices = {"text", "json"}}
    );
    stages.add<print>(
        {.name = "print",
         .summary = "prints each element as a line",
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = print_details},
        add_line_options(options)
    );
}

}  // namespace sluice::pipeline
