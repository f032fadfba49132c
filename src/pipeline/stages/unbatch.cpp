// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

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
        if (in.kind() == element_kind::batch) {
            out.insert(
                out.end(),
                std::make_move_iterator(in.elements().begin()),
                std::make_move_iterator(in.elements().end())
            );
        } else if (in.kind() == element_kind::value && in.value().is_array()) {
            for (json_value& item : in.value())
                out.push_back(from_json(std::move(item)));
        } else {
            throw std::runtime_error(
                fmt::format("it takes batches and JSON arrays, but got {}", shown(in))
            );
        }
    }
};

constexpr const char* unbatch_details =
    R"(Takes JSON arrays as well; strings in them become texts.

    { "stage": "unbatch", "from": "batches", "to": "examples" })";

}  // namespace

void add_unbatch(stage_registry& stages)
{
    stages.add<unbatch>(
        {.name = "unbatch",
         .summary = "gives the elements of a batch one by one",
         .takes = element_kind::any,
         .gives = element_kind::any,
         .details = unbatch_details},
        stage_options<unbatch_options>()
    );
}

}  // namespace sluice::pipeline
