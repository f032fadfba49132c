// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect short: name the type of the position: .start_at = sluice::input_position{

#include <sluice/input/input_position.hpp>
#include <sluice/input/input_producer.hpp>

#include <boost/asio/io_context.hpp>

#include <vector>

void read(boost::asio::io_context& context, const std::vector<int>& list)
{
#ifdef SLUICE_CONTROL
    const sluice::input_producer<int> producer{
        context,
        list,
        {.start_at = sluice::input_position{.epoch = 1, .seed = 7}}
    };
#else
    const sluice::input_producer<int> producer{
        context,
        list,
        {.start_at = {.epoch = 1, .seed = 7}}
    };
#endif
}
