// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <nlohmann/json.hpp>

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

/// What flows through a stage.
struct stage_flow
{
    element_kind takes = element_kind::any;   ///< element_kind::none for a source
    element_kind gives = element_kind::same;  ///< element_kind::none for a sink
};

/// What a kind of stage is: its name, what flows through it, its options, how to make one.
struct stage_type
{
    /// The name in descriptions.
    std::string name = {};

    /// What it does, in one sentence without a full stop.
    std::string summary = {};

    /// What it takes from its input; element_kind::none for a source.
    element_kind takes = element_kind::any;

    /// What it puts into its output; element_kind::none for a sink.
    element_kind gives = element_kind::same;

    /// Its options.
    std::vector<option_info> options = {};

    /// Makes a stage of a JSON object, or adds to the problems and gives none. Pointers of
    /// the problems begin at the options. Nothing is opened or started.
    std::function<
        std::unique_ptr<stage>(const nlohmann::json& options, std::vector<problem>&)>
        make = {};

    /// What flows with these options, if they narrow `takes` and `gives`; may be empty. Wrong
    /// options narrow nothing.
    std::function<stage_flow(const nlohmann::json& options)> flow = {};

    /// More about it: an example, rules; for `sluice stages NAME`.
    std::string details = {};

    /// A sink that may have an output all the same.
    bool output_is_optional = false;

    /// A stage that may also be a source.
    bool input_is_optional = false;
};

/// The stages that descriptions may name.
/**
 * An object, not a global: a program fills one with those that it wants to offer.
 * @code
 * sluice::pipeline::stage_registry stages;
 * sluice::pipeline::add_builtin_stages(stages);
 * stages.add<shout>(
 *     {.name = "shout", .summary = "appends an exclamation mark", .takes = kind::text,
 *      .gives = kind::text},
 *     sluice::pipeline::stage_options<shout_options>().optional(
 *         "suffix", &shout_options::suffix, "what to append")
 * );
 * @endcode
 *
 * @par Thread safety  as a container.
 */
class stage_registry
{
public:
    /// Adds a stage.
    /**
     * @param type     all but `options`, `make` and `flow`, which are filled in.
     * @param options  what its constructor takes.
     * @tparam Stage   constructible from `Options`. If these decide what flows through it, it has a
     *                 static member `flow(const Options&)`, which returns a stage_flow.
     * @throws system_error  errc::invalid_argument if the name is empty or taken.
     */
    template <std::derived_from<stage> Stage, class Options>
    void add(stage_type type, stage_options<Options> options)
    {
        type.options = options.infos();
        if constexpr (requires(const Options& values) { Stage::flow(values); })
            type.flow = [options, flow = stage_flow{type.takes, type.gives}](
                            const nlohmann::json& given
                        ) {
                std::vector<problem> problems;
                const Options values = options.read(given, problems);
                return problems.empty() ? Stage::flow(values) : flow;
            };
        type.make = [options = std::move(options
                     )](const nlohmann::json& given,
                        std::vector<problem>& problems) -> std::unique_ptr<stage> {
            const std::size_t before = problems.size();
            Options values = options.read(given, problems);
            if (problems.size() > before)
                return nullptr;
            try {
                return std::make_unique<Stage>(std::move(values));
            } catch (const option_error& wrong) {
                problems.push_back(detail::problem_of(wrong));
                return nullptr;
            }
        };
        add(std::move(type));
    }

    /// Adds a stage whose options are read by its own `make`.
    void add(stage_type type);

    /// The stage of that name, or null.
    [[nodiscard]] const stage_type* find(std::string_view name) const;

    /// All stages, by name.
    [[nodiscard]] const std::map<std::string, stage_type, std::less<>>& all(
    ) const noexcept
    {
        return types_;
    }

    /// All names, sorted.
    [[nodiscard]] std::vector<std::string> names() const;

private:
    std::map<std::string, stage_type, std::less<>> types_;
};

}  // namespace sluice::pipeline
