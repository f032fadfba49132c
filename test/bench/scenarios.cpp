// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"

#include <iterator>
#include <utility>
#include <vector>

namespace sluice::bench {

std::vector<scenario> all_scenarios()
{
    std::vector<scenario> all;
    for (const auto group :
         {passing_on_one_thread,
          batches,
          selecting,
          deadlines,
          stores,
          runners,
          supervision,
          monitoring,
          pipeline_on_one_thread,
          waiters,
          passing_among_threads,
          passing_on_two_threads,
          pipeline_on_two_threads,
          producers}) {
        std::vector<scenario> some = group();
        all.insert(
            all.end(),
            std::make_move_iterator(some.begin()),
            std::make_move_iterator(some.end())
        );
    }
    return all;
}

}  // namespace sluice::bench
