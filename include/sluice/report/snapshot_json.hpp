// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

#include <string>

namespace sluice::report {

/// A snapshot as JSON, in one line without a newline, with what can be computed from it.
/**
 * The object has the members `name`, `state`, `elapsed_seconds`, `queues`, `runners`,
 * `coordinators`, `tasks`, `first_error` and `bottleneck`, which is the sentence of
 * metrics::describe_bottleneck(); `progress` and `seconds_left` where they are known. Times are in
 * seconds. A name that is not there, such as the `from` of a source, is null, and so is a capacity
 * without a limit. Bytes that are not UTF-8, in names and messages, are replaced.
 *
 * `enqueue_waits` and `dequeue_waits` of a queue are its metrics::wait_histogram. A queue on a
 * server has the member `remote` with its metrics::remote_figures, and with `stale`, which says
 * whether they are old: see metrics::is_stale().
 *
 * @par Complexity  O(queues + runners + tasks).
 */
[[nodiscard]] std::string to_json(const metrics::snapshot& all);

}  // namespace sluice::report
