// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/task_info.hpp>
#include <sluice/metrics/snapshot.hpp>
#include <sluice/pipeline/checked_description.hpp>
#include <sluice/pipeline/output.hpp>
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/remote_queue.hpp>
#include <sluice/pipeline/stage_registry.hpp>
#include <sluice/report/trace.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

/// A pipeline made of a description: its queues, runners and coordinator.
/**
 * @par Example
 * @code
 * auto checked = sluice::pipeline::read_description(text, stages);
 * sluice::io_context_pool pool{checked.description().threads};
 * sluice::pipeline::descriptor_output out{STDOUT_FILENO, "standard output"};
 * sluice::pipeline::running_pipeline words{pool.get_executor(), std::move(checked), out};
 * pool.run(words.run());
 * @endcode
 *
 * @par Object lifetime  must live until run() has ended, and die before the context of the
 *                       executor; the registry may go before, the output may not.
 *                       The destructor waits for what workers that did not end in time do in
 *                       stage_context::blocking().
 * @par Thread safety    pause(), resume(), request_drain(), request_stop(), runner_of() and
 *                       snapshot() from any thread.
 */
class running_pipeline
{
public:
    /// Is told of the workers that still run a quarter of the grace period after a stop, on the
    /// executor.
    using overdue_function = std::function<void(const std::vector<task_info>& workers)>;

    /// Makes the queues; nothing is opened or started.
    /**
     * @param executor    where the workers run.
     * @param checked     what read_description() gives.
     * @param out         where stages print.
     * @param on_overdue  called at most once; not if the pipeline is destroyed.
     * @param make_remote  makes the queues that are on a server.
     * @throws system_error errc::invalid_argument if there are such queues, and nothing that
     *         makes them.
     */
    running_pipeline(
        boost::asio::any_io_executor executor,
        checked_description checked,
        output& out,
        overdue_function on_overdue = nullptr,
        const remote_queue_factory& make_remote = nullptr
    );

    /// Checks a description that the program has filled in, and does the same with it.
    /**
     * @throws description_error  as checked_description().
     */
    running_pipeline(
        boost::asio::any_io_executor executor,
        pipeline_description description,
        const stage_registry& stages,
        output& out,
        overdue_function on_overdue = nullptr,
        const remote_queue_factory& make_remote = nullptr
    );

    running_pipeline(const running_pipeline&) = delete;
    running_pipeline& operator=(const running_pipeline&) = delete;
    ~running_pipeline();

    /// Starts all runners and waits for their end.
    /**
     * Ends without an exception when all input has been processed, also after
     * request_drain(), and after request_stop(). A cancellation is a request_stop(), after
     * which it still waits for the workers.
     *
     * @throws the first error of a runner. A sink that waits for the reader of a named pipe
     *         fails at a drain, and not at a stop; see ended_wait().
     * @throws system_error errc::tasks_still_running if workers have not ended when the
     *         grace period was over; it names them and what they wait for.
     * @par Preconditions  called once.
     */
    [[nodiscard]] boost::asio::awaitable<void> run();

    /// Records what each worker does, on a track of its own.
    /**
     * @param into  must live as long as the pipeline. Queues and marks are up to the caller; see
     *              report::trace::add_figures().
     * @par Preconditions  called before run(), once.
     */
    void record(report::trace& into);

    /// Adds what the workers do at this moment to the trace of record(), for one that is written
    /// while some of them still run. Called once.
    void record_unfinished() const;

    /// Lets a runner take no more elements, or a source put no more, until resume().
    /**
     * Its workers finish what they have taken. So a pause begins a moment after this call. It can
     * be called before run(), too. A drain and a stop end every pause, and allow no more.
     * Idempotent, never waits.
     *
     * @param runner  its name in the description.
     * @throws system_error errc::invalid_argument if there is no runner of this name.
     */
    void pause(std::string_view runner);

    /// Lets a runner that is paused go on. Idempotent, never waits.
    /**
     * @param runner  its name in the description.
     * @throws system_error errc::invalid_argument if there is no runner of this name.
     */
    void resume(std::string_view runner);

    /// Asks the sources to end; what is in the queues is processed. Idempotent, never waits.
    void request_drain();

    /// Stops everything at once; what is in the queues is not processed. Idempotent, never
    /// waits.
    void request_stop();

    /// Lets every stage remove what must not stay behind, because the process is about to end
    /// although workers still run. They go on until it does.
    void abandon() noexcept;

    /// The name of the runner that threw an exception, for the message about what run() throws;
    /// empty if it was none of them.
    [[nodiscard]] std::string runner_of(const std::exception_ptr& exception) const;

    /// The wait of a sink for the reader of a named pipe that a stop has ended; null if there was
    /// none. It is a std::exception, whose what() names the pipe and a remedy. Of several waits it
    /// is the first that ended, and runner_of() has the name of the runner.
    [[nodiscard]] std::exception_ptr ended_wait() const;

    /// The state of everything, in the order of the description.
    [[nodiscard]] metrics::snapshot snapshot() const;

private:
    struct state;
    const std::shared_ptr<state> state_;
};

}  // namespace sluice::pipeline
