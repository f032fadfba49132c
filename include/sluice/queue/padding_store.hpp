// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/padding.hpp>

namespace sluice {

/// The store of padding_queue: a fifo_store whose batches are padded.
template <class T>
class padding_store : public fifo_store<T>
{
    static_assert(
        paddable<T>,
        "the rows of a padding_queue are resizable ranges, or have a pad_rows() of their "
        "own"
    );

public:
    using fifo_store<T>::fifo_store;
    /// What a batch dequeue gives.
    using batch_type = padded_batch<T>;
};

}  // namespace sluice
