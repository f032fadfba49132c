// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/spill/run_set.hpp"

#include <algorithm>

namespace sluice::pipeline::spill {

bool run_set::reduce_step()
{
    if (!reduction_) {
        if (runs_.size() <= most_at_once_)
            return false;
        reduction_.emplace(reduction{
            merged(most_at_once_),
            run_writer(std::make_shared<io::unnamed_file>())
        });
    }
    if (write_step(reduction_->from, reduction_->to))
        return true;
    const run reduced = reduction_->to.finish();
    reduction_.reset();
    runs_.erase(
        runs_.begin(),
        runs_.begin() + static_cast<std::ptrdiff_t>(most_at_once_)
    );
    runs_.push_back(reduced);
    return true;
}

merge<run_reader> run_set::merged() const
{
    return merged(runs_.size());
}

merge<run_reader> run_set::merged(std::size_t count) const
{
    std::vector<run_reader> readers;
    readers.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        readers.emplace_back(runs_[i]);
    return merge<run_reader>(std::move(readers));
}

}  // namespace sluice::pipeline::spill
