// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/fake_stage_context.hpp"
#include "support/co_test.hpp"
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

/// Why: all tests of built-in stages make one of JSON options and run it.
struct stage_fixture : io_fixture
{
    using element = pipeline::element;
    using json = pipeline::json_value;

    stage_fixture() { pipeline::add_builtin_stages(stages); }

    /// Makes a stage; fails the test if the options are wrong.
    std::unique_ptr<pipeline::stage> make(const std::string& name, const json& options)
    {
        std::vector<pipeline::problem> problems;
        auto made = stages.find(name)->make(options, problems);
        for (const auto& each : problems)
            BOOST_ERROR(to_string(each));
        BOOST_REQUIRE(made);
        return made;
    }

    /// The pointer of the only problem of these options.
    std::string problem_of(const std::string& name, const json& options)
    {
        return full_problem_of(name, options).pointer;
    }

    /// The only problem of these options.
    pipeline::problem full_problem_of(const std::string& name, const json& options)
    {
        std::vector<pipeline::problem> problems;
        const auto made = stages.find(name)->make(options, problems);
        BOOST_TEST(!made);
        BOOST_REQUIRE(problems.size() == 1u);
        return problems.front();
    }

    /// Runs one worker of a stage, and finishes it.
    static asio::awaitable<void> run_stage(
        pipeline::stage& tested,
        pipeline::stage_context& context
    )
    {
        co_await tested.work(context);
        co_await tested.finish(context);
        tested.publish();
    }

    /// What a stage makes of some elements.
    std::vector<element> result_of(
        const std::string& name,
        const json& options,
        std::vector<element> input = {}
    )
    {
        const auto tested = make(name, options);
        fake_stage_context context(ctx, std::move(input));
        run_until_done(run_stage(*tested, context));
        return std::move(context.output);
    }

    /// What a stage leaves out, if that is asked for, as "element: reason".
    std::vector<std::string> skipped_by(
        const std::string& name,
        const json& options,
        std::vector<element> input = {}
    )
    {
        const auto tested = make(name, options);
        BOOST_TEST(tested->can_skip());
        fake_stage_context context(ctx, std::move(input));
        context.action = pipeline::error_action::divert;
        run_until_done(run_stage(*tested, context));
        std::vector<std::string> lines = to_texts(std::move(context.skipped));
        for (std::size_t i = 0; i < lines.size(); ++i)
            lines[i] += ": " + context.reasons[i];
        return lines;
    }

    /// Cancels a stage during each of its calls of blocking(), after which it may make no other.
    /// Returns how many calls there were.
    std::size_t ends_by_cancellation(
        const std::string& name,
        const json& options,
        const std::vector<element>& input,
        bool with_output
    )
    {
        for (std::size_t last = 1;; ++last) {
            const auto tested = make(name, options);
            fake_stage_context context(ctx, input);
            context.with_output = with_output;
            spawned<void>* running = nullptr;
            std::size_t calls = 0;
            context.before_blocking = [&] {
                if (++calls == last)
                    asio::post(ctx, [&running] { running->cancel(); });
            };
            auto run = spawn(run_stage(*tested, context));
            running = &run;
            run_until([&run] { return run.done(); });
            if (!run.error())
                return last - 1;
            BOOST_TEST(calls == last);
        }
    }

    /// What a stage makes of its input if that is asked for, as texts.
    std::vector<std::string> kept_by(const std::string& name, const json& options)
    {
        const auto tested = make(name, options);
        fake_stage_context context(ctx);
        context.action = pipeline::error_action::skip;
        run_until_done(run_stage(*tested, context));
        return to_texts(std::move(context.output));
    }

    /// What a stage makes of texts.
    std::vector<std::string> lines_of(
        const std::string& name,
        const json& options,
        const std::vector<std::string>& input = {}
    )
    {
        return to_texts(result_of(name, options, to_elements(input)));
    }

    /// What a stage throws.
    std::string error_of(
        const std::string& name,
        const json& options,
        std::vector<element> input = {}
    )
    {
        try {
            (void)result_of(name, options, std::move(input));
        } catch (const std::exception& error) {
            return error.what();
        }
        return "no error";
    }

    static std::vector<element> to_elements(const std::vector<std::string>& texts)
    {
        return {texts.begin(), texts.end()};
    }

    static std::vector<std::string> to_texts(std::vector<element> elements)
    {
        std::vector<std::string> texts;
        for (element& each : elements)
            texts.push_back(std::move(each).to_text());
        return texts;
    }

    pipeline::stage_registry stages;
};

/// Whether a text holds another, for messages.
[[nodiscard]] inline bool holds(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

using texts = std::vector<std::string>;

}  // namespace sluice::test
