// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct unbatch_options
{
};

class unbatch final : public transform
{
public:
    explicit unbatch(unbatch_options /*options*/) {}

    void apply(element&& in, std::vector<element>& out) const override
    {
        auto items = items_of(in);
        if (!items)
            throw std::runtime_error(fmt::format("it takes arrays, but got {}", shown(in))
            );
        std::ranges::move(*items, std::back_inserter(out));
    }
};

constexpr const char* unbatch_details =
    R"(Strings in it become texts. What is no array is an error; see "on_error" of runners.

    { "stage": "unbatch", "from": "batches", "to": "examples" })";

}  // namespace

void add_unbatch(stage_registry& stages)
{
    stages.add<unbatch>(
        {.name = "unbatch",
         .summary = "gives the elements of an array one by one",
         .takes = element_kind::value,
         .gives = element_kind::any,
         .details = unbatch_details},
        stage_options<unbatch_options>()
    );
}

}  // namespace sluice::pipeline
