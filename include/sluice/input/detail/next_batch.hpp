// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/basic_queue.hpp>

#include <cstddef>

namespace sluice::detail {

// next() of a batcher: dequeue_many or dequeue_up_to, to which the end of the queue is not a
// failure, and neither is a rest that is too small for a batch.
template <class Core>
class next_batch : public gives_next<batch_taker<Core>>
{
    using base = gives_next<batch_taker<Core>>;

public:
    struct arguments
    {
        Core* core;
        std::size_t size;
        bool allows_smaller;
    };

    explicit next_batch(arguments&& args)
        : base(
              args.allows_smaller ? demand::up_to : demand::exactly,
              args.size,
              args.core
          )
    {
    }

protected:
    ~next_batch() = default;
};

}  // namespace sluice::detail
