// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/basic_batcher.hpp>
#include <sluice/queue/padding_queue.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace sluice {

/// Reads rows and gives them in batches whose rows are padded to equal length.
/**
 * As TensorFlow's `batch` and `batch_join` with `dynamic_pad`. The length of a batch is that
 * of its longest row.
 *
 * @par Example
 * @code
 * sluice::padded_batcher<std::vector<float>> batches{pool, read_row, {.batch_size = 32}};
 * batches.start(coord);
 * while (auto batch = co_await batches.next())
 *     use(*batch, batch->lengths());  // the lengths before padding
 * @endcode
 *
 * @par Ordering         first in, first out.
 * @par Closing          as basic_batcher.
 * @par Object lifetime  as basic_batcher.
 * @par Thread safety    as basic_batcher.
 *
 * @tparam T         the rows: a resizable range, or what has a `pad_rows` of its own.
 * @tparam Executor  where completions run that have no executor of their own.
 */
template <class T, class Executor = boost::asio::any_io_executor>
using padded_batcher = basic_batcher<padding_queue<T, Executor>, batcher_options>;

}  // namespace sluice
