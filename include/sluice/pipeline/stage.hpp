// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sluice::pipeline {

/// The files that a stage is going to use, as its options name them.
struct stage_files
{
    /// What it reads: files, folders with all they contain, and patterns.
    std::vector<std::string> read = {};

    /// Which files of folders it reads: a pattern that their names match.
    std::string match = "*";

    /// What it replaces; empty if nothing.
    std::string written = {};

    /// Whether it appends to that instead, while it runs. A stage that reads it would not end.
    bool appends = false;

    /// What it may write besides, or adds to together with others.
    std::vector<std::string> written_besides = {};

    /// Whether it reads standard input besides.
    bool reads_standard_input = false;
};

/// What a runner of a described pipeline does. Programs derive from it, or from transform.
/**
 * One object is made for each runner, with the options of its description; its workers run
 * work() at the same time. The constructor checks the options and throws option_error;
 * nothing is opened, started or written before work().
 *
 * @par Errors         what work(), finish() or publish() throws stops the pipeline, and is
 *                     what the run reports.
 * @par Thread safety  work() runs once for each worker, on any thread of the pool; what the
 *                     workers share needs a lock. finish() runs when they have ended.
 */
class stage
{
public:
    stage() = default;
    stage(const stage&) = delete;
    stage& operator=(const stage&) = delete;
    virtual ~stage() = default;

    /// Does the work of one worker, until its input ends: reads, writes, returns.
    /**
     * A source writes until it has no more, or until stage_context::should_stop(). It may
     * throw errc::queue_closed and operation_aborted on, which are what context operations
     * throw after a stop.
     */
    [[nodiscard]] virtual boost::asio::awaitable<void> work(stage_context& context) = 0;

    /// Completes the work: may write, and waits until the disk has it.
    /**
     * For a sink it is called when all workers of the pipeline have come to their end, for
     * other stages when their own have; not if the pipeline was stopped or has failed.
     */
    [[nodiscard]] virtual boost::asio::awaitable<void> finish(stage_context& context);

    /// Gives files their final names; does nothing else that may fail.
    /**
     * Called for a sink when finish() of all sinks has returned, on a thread that may block; not
     * if the pipeline was stopped or has failed.
     */
    virtual void publish() {}

    /// Removes what must not stay behind, such as children and unfinished files: the process
    /// ends although workers still run. Called from any thread, at any time.
    virtual void abandon() noexcept {}

    /// The files that it is going to use, so that a check finds two runners that disturb each
    /// other. Called before work(), when nothing is open.
    [[nodiscard]] virtual stage_files files() const { return {}; }

    /// Whether it can go on after an element, or a record, that it cannot process; only then
    /// may "on_error" of its runner ask for that. Such a stage heeds
    /// stage_context::on_error().
    [[nodiscard]] virtual bool can_skip() const noexcept { return false; }

    /// Whether what it writes between two reads is made of what the first of them gave, and of
    /// nothing else; only then may its runner be "ordered".
    [[nodiscard]] virtual bool can_keep_order() const noexcept { return false; }

    /// Whether all that it has read is dealt with when it reads again, or ends: what became of it
    /// is written, or has taken effect outside of the process. Only then can elements of a queue
    /// on a server be acknowledged when they are done.
    [[nodiscard]] virtual bool can_acknowledge() const noexcept
    {
        return can_keep_order();
    }

    /// How much of its input a source has read, from 0 to 1; empty if it cannot know. Called
    /// from any thread while work() runs.
    [[nodiscard]] virtual std::optional<double> progress() const { return std::nullopt; }

    /// Into how many parts the input of a source falls, such as files; each is read by one worker.
    /// Empty if it cannot know. Called from any thread while work() runs.
    [[nodiscard]] virtual std::optional<std::size_t> parts() const
    {
        return std::nullopt;
    }

    /// What it holds itself to, so that more workers do not help, such as `"per_second": 5`. Empty
    /// if there is nothing. Called from any thread.
    [[nodiscard]] virtual std::string own_limit() const { return {}; }

    /// The file that has the part of the result that is complete, after a drain; empty if the
    /// result is whole, or is no file. Called from any thread.
    [[nodiscard]] virtual std::string partial_result() const { return {}; }
};

/// A stage that makes of each element any number of elements, without waiting.
class transform : public stage
{
public:
    /// Reads, applies and writes until the input ends.
    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;

    /// An element for which apply() throws can be left out.
    [[nodiscard]] bool can_skip() const noexcept final { return true; }

    /// It makes its results of single elements.
    [[nodiscard]] bool can_keep_order() const noexcept final { return true; }

    /// Appends to `out` what `in` becomes. Called by all workers at the same time.
    virtual void apply(element&& in, std::vector<element>& out) const = 0;
};

}  // namespace sluice::pipeline
