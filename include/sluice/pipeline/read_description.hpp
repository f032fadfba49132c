// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/checked_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

/// One value of a description that is replaced, or added, before it is read.
struct description_override
{
    /// Where, as a JSON pointer: "/runners/0/workers".
    std::string pointer;
    /// What: a JSON text, or else a string as it is.
    std::string value;
};

/// Reads and checks a description, and makes its stages.
/**
 * All mistakes are found in one run: of the JSON text, of names, types and values, of the
 * options of the stages, and, if the rest is right, of the structure (see check_structure()).
 * Nothing is opened or started.
 *
 * @param text       the JSON document.
 * @param stages     the stages that it may name.
 * @param overrides   applied in their order.
 * @param parameters  what `${NAME}` in a string stands for, also in one of the overrides;
 *                    `$${NAME}` stands for the text `${NAME}`. If it is empty, both stay as
 *                    they are.
 * @param addresses   judges the "url" of each queue on a server, which the library of the
 *                    servers understands. If it is empty, only the beginning is looked at.
 * @throws description_error  with all mistakes, in the order of their lines; of more than
 *                            a thousand the first ones.
 * @par Complexity   linear in the length of the text.
 */
[[nodiscard]] checked_description read_description(
    std::string_view text,
    const stage_registry& stages,
    const std::vector<description_override>& overrides = {},
    const parameter_lookup& parameters = {},
    const address_check& addresses = {}
);

/// The JSON Schema (draft 2020-12) of all descriptions that read_description() can accept
/// with these stages. Structure, such as a queue that no runner fills, is beyond a schema.
[[nodiscard]] nlohmann::ordered_json description_schema(const stage_registry& stages);

}  // namespace sluice::pipeline
