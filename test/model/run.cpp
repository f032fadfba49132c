// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "model/run.hpp"

#include "model/lock_step.hpp"
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/padding_store.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <vector>

namespace sluice::model {

namespace {

template <class T, class Store>
std::optional<mismatch> run_as(const queue_settings& settings, step_source& source)
{
    return lock_step<T, Store>(settings).run(source);
}

}  // namespace

std::optional<mismatch> run(const queue_settings& settings, step_source& source)
{
    using row = std::vector<int>;
    switch (settings.kind) {
    case queue_kind::fifo:
        return run_as<int, fifo_store<int>>(settings, source);
    case queue_kind::shuffle:
        return run_as<int, shuffle_store<int>>(settings, source);
    case queue_kind::priority:
        return run_as<int, priority_store<int, by_rank>>(settings, source);
    case queue_kind::padding:
        return run_as<row, padding_store<row>>(settings, source);
    }
    return std::nullopt;
}

}  // namespace sluice::model
