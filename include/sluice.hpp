// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/close_mode.hpp>
#include <sluice/coordination/coordinator.hpp>
#include <sluice/coordination/coordinator_options.hpp>
#include <sluice/coordination/task_info.hpp>
#include <sluice/error.hpp>
#include <sluice/error_code.hpp>
#include <sluice/input/basic_batcher.hpp>
#include <sluice/input/basic_producer.hpp>
#include <sluice/input/batcher.hpp>
#include <sluice/input/batcher_options.hpp>
#include <sluice/input/padded_batcher.hpp>
#include <sluice/input/producer.hpp>
#include <sluice/input/producer_options.hpp>
#include <sluice/input/shuffle_batcher.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/operation.hpp>
#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/broadcast.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/element_weight.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/padding.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/padding_store.hpp>
#include <sluice/queue/permit.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/queue_options.hpp>
#include <sluice/queue/queue_stats.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/shuffle_queue.hpp>
#include <sluice/queue/shuffle_store.hpp>
#include <sluice/runner/looper.hpp>
#include <sluice/runner/queue_runner.hpp>
#include <sluice/runner/queue_runner_collection.hpp>
#include <sluice/runner/queue_runner_options.hpp>
#include <sluice/task/retry.hpp>
#include <sluice/task/run_blocking.hpp>
#include <sluice/task/within.hpp>
#include <sluice/version.hpp>
