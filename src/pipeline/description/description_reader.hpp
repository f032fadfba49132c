// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/description/description_fields.hpp"
#include "pipeline/description/document.hpp"
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sluice::pipeline::detail {

// Nobody reads more, and each takes memory.
constexpr std::size_t most_problems = 1000;

// Makes a description of a document, and notes all mistakes of its parts.
class description_reader
{
public:
    // Adds to the problems.
    description_reader(const stage_registry& stages, std::vector<problem>& problems);

    // Called once. The description is meaningless if there were problems.
    [[nodiscard]] pipeline_description read(const document_node& root);

private:
    // A value of the document, and where it is.
    struct part
    {
        const document_node& node;
        std::string pointer;
    };

    void read_coordinator(const part& given);
    void read_queues(const part& given);
    [[nodiscard]] queue_description read_queue(const part& given);
    [[nodiscard]] const queue_kind* kind_of_queue(const part& given);
    [[nodiscard]] queue_fields read_queue_fields(
        const part& given,
        const queue_kind& kind
    );
    void check_queue_fields(const part& given, const queue_fields& fields);

    void read_runners(const part& given);
    [[nodiscard]] runner_description read_runner(const part& given);
    void read_stage(const part& given, runner_description& runner);
    void check_reference(
        const part& given,
        const std::string& key,
        const std::string& queue
    );
    void check_runner_names(const part& given);

    template <class Fields>
    [[nodiscard]] Fields read_fields(
        const part& given,
        const stage_options<Fields>& known
    );
    template <class Read>
    void read_member(const part& given, const std::string& name, Read read);
    [[nodiscard]] bool expect_object(const part& given);
    void add(const part& given, std::vector<problem> mistakes);

    const stage_registry& stages_;
    const stage_options<runner_fields> runner_fields_;
    const std::vector<queue_kind> queue_kinds_;
    std::vector<problem>& problems_;
    pipeline_description description_;
    std::vector<std::string> queue_names_;
};

}  // namespace sluice::pipeline::detail
