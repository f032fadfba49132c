// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>
#include <sluice/report/flow_graph.hpp>
#include <sluice/report/summary_writer_options.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace sluice {

/// Writes numbers, histograms, texts and a graph to a file that TensorBoard shows.
/**
 * Curves say more of a running program than lines of a log. A summary_writer makes an event file,
 * which TensorBoard reads while it grows. Its members encode a summary in memory and return: a
 * thread of the writer does what may block, so a coroutine may call them on the event loop.
 *
 * @par Example
 * @code
 * sluice::summary_writer log{"log/run_1"};
 * log.scalar("loss", loss, step);
 * log.scalar("queue/examples/size", static_cast<double>(examples.size()), step);
 * log.histogram("seconds per batch", seconds, step);
 * log.text("options", "batches of **32**");
 * @endcode
 *
 * @par Steps            the x-axis of TensorBoard: any number, usually one that grows. Several tags
 *                       may use different ones. The time of the call is stored, too.
 * @par Tags             a `/` groups tags. Use one tag for one kind of summary. Bytes that are not
 *                       UTF-8 are replaced.
 * @par Full buffer      memory is bounded by summary_writer_options::buffer_limit. A summary that
 *                       does not fit is dropped, and dropped() counts it; no call waits for room.
 * @par Full disk        the file is cut back to its last whole summary, so it stays readable (S36).
 *                       What was not written is kept, within the limit, and tried again. error()
 *                       and summary_writer_options::on_error tell of the failure, flush() throws
 *                       it. If the file cannot be cut back either, nothing more is written to it.
 * @par Thread safety    any thread may call any member at any time.
 * @par Object lifetime  the destructor writes what is left, and waits for that. A child process
 *                       must not use a writer that was made before the fork().
 */
class summary_writer
{
public:
    /// Makes the directory if it is missing, and a new file in it.
    /**
     * The file is named `events.out.tfevents.<time>.<host>.<process>.<number>`; none is ever
     * overwritten. TensorBoard takes a directory for one run, and its path for the name of the run.
     * So give each run a directory of its own. One that goes on from a checkpoint gets that of the
     * run, and summary_writer_options::resume_step. This blocks as long as the file system does.
     *
     * @param directory  where the file is made.
     * @param options    see summary_writer_options.
     * @throws system_error   the directory or the file cannot be made; the message names it.
     * @par Exception safety  strong.
     */
    explicit summary_writer(
        const std::filesystem::path& directory,
        summary_writer_options options = {}
    );

    /// Writes what is left; the last chance of on_error to tell that it failed.
    ~summary_writer();

    summary_writer(const summary_writer&) = delete;
    summary_writer& operator=(const summary_writer&) = delete;

    /// The file that is written.
    [[nodiscard]] const std::filesystem::path& path() const noexcept;

    /// How many summaries were dropped because the buffer was full.
    [[nodiscard]] std::uint64_t dropped() const;

    /// The failure of the last attempt to write; none if it succeeded.
    [[nodiscard]] error_code error() const;

    /// Adds one number to the curve of a tag.
    /**
     * @param tag    the name of the curve.
     * @param value  stored as a `float`, with 7 digits; also NaN or infinite.
     * @param step   where on the x-axis.
     * @par Complexity  linear in the tag; one allocation, and a short lock.
     */
    void scalar(std::string_view tag, double value, std::int64_t step);

    /// Adds the distribution of some numbers.
    /**
     * They are counted in 30 buckets of equal width between the least and the greatest of them.
     * @param tag      the name of the histogram.
     * @param samples  the numbers, which are not kept. Those that are not finite are left out.
     * @param step     where on the time axis.
     * @par Complexity  linear in the samples; a few allocations, and a short lock.
     */
    void histogram(
        std::string_view tag,
        std::span<const double> samples,
        std::int64_t step
    );

    /// Adds a text, which TensorBoard shows as Markdown.
    void text(std::string_view tag, std::string_view markdown, std::int64_t step = 0);

    /// Adds the graph of the program.
    /**
     * Characters that TensorBoard does not take in a name are shown as `_`. A run has one graph: of
     * several TensorBoard shows the last, with a warning.
     * @throws system_error   errc::invalid_argument  two nodes have the same name, or an edge leads
     *                        to a node that does not exist; the message names it.
     */
    void graph(const flow_graph& graph);

    /// Asks for what was added so far to be written soon; never waits.
    void request_flush();

    /// Waits until what was added so far has been given to the operating system.
    /**
     * Blocks the thread. On an event loop use request_flush(), or
     * `co_await sluice::run_blocking(threads, [&] { log.flush(); })`.
     * @throws system_error  the failure of that attempt to write. The next one follows after the
     *                       flush_interval.
     */
    void flush();

private:
    class background;

    std::unique_ptr<background> background_;  // has the buffer, the file and the thread
};

}  // namespace sluice
