// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

#include <string>
#include <string_view>

namespace sluice::report {

/// The content type of what to_prometheus() gives, for a server.
inline constexpr std::string_view prometheus_content_type =
    "text/plain; version=0.0.4; charset=utf-8";

/// A snapshot in the text format of Prometheus, version 0.0.4.
/**
 * | metric | type | labels |
 * |---|---|---|
 * | `sluice_queue_size`, `sluice_queue_capacity` | gauge | `queue` |
 * | `sluice_queue_enqueued_total`, `sluice_queue_dequeued_total` | counter | `queue` |
 * | `sluice_queue_waiting` | gauge | `queue`, `side`: enqueue or dequeue |
 * | `sluice_queue_wait_seconds` | histogram | `queue`, `side` |
 * | `sluice_queue_pending`, `sluice_queue_oldest_age_seconds`, `sluice_queue_dead_letters`, `sluice_queue_read_age_seconds` | gauge | `queue`, of those on a server |
 * | `sluice_queue_redelivered_total`, `sluice_queue_dead_total` | counter | `queue`, of those on a server |
 * | `sluice_runner_items_total` | counter | `runner` |
 * | `sluice_runner_seconds_total` | counter | `runner`, `state` |
 * | `sluice_tasks`, `sluice_stop_requested` | gauge | none of their own |
 *
 * A state is busy, blocked_on_enqueue, blocked_on_dequeue or idle. Each series has the label
 * `pipeline`, the name of the snapshot. A capacity without a limit is `+Inf`. What is not known is
 * left out: the elements of runners are counted in pipelines only, and a queue on a server has
 * figures once that has answered; those that it counts as dequeued have been acknowledged. The
 * second queue or runner of a name has `#2` behind it, because no two series may have the same
 * labels. Bytes that are not UTF-8 are replaced.
 *
 * @par Complexity  O(queues + runners).
 */
[[nodiscard]] std::string to_prometheus(const metrics::snapshot& all);

}  // namespace sluice::report
