// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

#include <string>

namespace sluice::metrics {

/// What limits the flow, in one or two sentences; empty before there is anything to say.
/**
 * The runner whose workers are busiest, if the queue before it is what others wait for; the source,
 * if all others wait for it. Threads, if no runner is busy most of the time because the workers are
 * ready and none is free. Says how full the queues around it have been and what
 * to change. If nothing is known of the time of the runners, which is so if the tasks of a
 * program are not those of runners, the queues have to tell: a full one is emptied too slowly, an
 * empty one is filled too slowly.
 */
[[nodiscard]] std::string describe_bottleneck(const snapshot& all);

}  // namespace sluice::metrics
