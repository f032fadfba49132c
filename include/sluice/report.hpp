// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/bottleneck.hpp>
#include <sluice/metrics/figures.hpp>
#include <sluice/metrics/queue_source.hpp>
#include <sluice/metrics/snapshot.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/monitor/monitor_options.hpp>
#include <sluice/monitor/trace_recorder.hpp>
#include <sluice/page/live_page.hpp>
#include <sluice/page/live_page_options.hpp>
#include <sluice/report/flow_graph.hpp>
#include <sluice/report/prometheus.hpp>
#include <sluice/report/snapshot_json.hpp>
#include <sluice/report/summary_writer.hpp>
#include <sluice/report/summary_writer_options.hpp>
#include <sluice/report/trace.hpp>
#include <sluice/report/trace_options.hpp>
