// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

struct description_override;

/// Gives the value of the parameter of that name, or nothing if it has none.
using parameter_lookup =
    std::function<std::optional<std::string>(const std::string& name)>;

/// Says what is wrong with the address of a server: all but line and pointer of the problem;
/// nothing if the address is right.
using address_check = std::function<std::optional<problem>(const std::string& url)>;

/// A description that can be run, with the stages that it names.
/**
 * Whether a description is right shows only when its stages are made of their options. So this
 * makes them, once, and a running_pipeline takes them over. Nothing is opened or started.
 *
 * @par Example
 * @code
 * auto checked = sluice::pipeline::read_description(text, stages);
 * checked.run_only({"read", "parse"});  // other processes run the rest
 * @endcode
 *
 * @par Thread safety  as a container.
 */
class checked_description
{
public:
    /// Checks a description that a program has filled in.
    /**
     * Names and references, limits, options of the stages, and, if these are right, the
     * structure (see check_structure()).
     *
     * @throws description_error  with all mistakes; their lines are 0, their pointers those
     *                            that the document would have.
     */
    checked_description(pipeline_description description, const stage_registry& stages);

    /// The values; a runner without a name has that of its stage.
    [[nodiscard]] const pipeline_description& description() const noexcept
    {
        return description_;
    }

    /// Leaves only a part of the runners to this process; others run the rest.
    /**
     * The description stays as it is. A queue of this process needs all of its runners.
     *
     * @param runners  their names; empty: all of them.
     * @throws description_error  if no runner has one of the names, or a queue of this process is
     *                            between runners of which only some are named.
     */
    void run_only(std::vector<std::string> runners);

    /// Whether a runner is left to this process.
    [[nodiscard]] bool runs(const std::string& runner) const;

    /// What the pipeline does with the file of a path, for a program that is about to replace it.
    /**
     * @return words for a message, such as `the runner "count" writes it`; empty if no runner
     *         reads or replaces that file.
     */
    [[nodiscard]] std::string use_of_file(const std::string& path) const;

    /// The runners of this process that read standard input, which has one reader only.
    [[nodiscard]] std::vector<std::string> readers_of_standard_input() const;

private:
    friend class running_pipeline;  // takes the stages
    friend checked_description read_description(
        std::string_view text,
        const stage_registry& stages,
        const std::vector<description_override>& overrides,
        const parameter_lookup& parameters,
        const address_check& addresses
    );

    checked_description() = default;

    // Whether one of the runners of this process uses the queue.
    [[nodiscard]] bool runs_queue(const std::string& queue) const;

    pipeline_description description_;
    std::vector<std::unique_ptr<stage>> stages_;  // of the runners, in their order
    std::vector<std::string> only_;               // empty: all
};

}  // namespace sluice::pipeline
