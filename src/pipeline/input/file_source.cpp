// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/file_source.hpp"

#include "pipeline/input/file_reader.hpp"

#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

// For what cannot be read without waiting, such as a terminal. Ends at a stop, too.
asio::awaitable<void> wait_for_input(const file_reader& reader, stage_context& context)
{
    wake_up signal;
    const std::stop_callback wake(context.stop_token(), [&signal]() noexcept {
        signal.signal();
    });
    co_await context.blocking([&] { reader.wait(signal); });
}

// The batch instead of its elements.
void make_batch(std::vector<element>& elements)
{
    element batch(std::exchange(elements, {}));
    elements.push_back(std::move(batch));
}

}  // namespace

file_source::file_source(file_options options, record_flow flow)
    : inputs_(std::move(options)), flow_(flow)
{
}

asio::awaitable<void> file_source::work(stage_context& context)
{
    file_reader reader(inputs_, make_parser());
    std::vector<element> records;
    while (!context.should_stop()) {
        const auto state = co_await context.blocking([&] { return reader.read(records); }
        );
        if (!records.empty()) {
            if (flow_ == record_flow::as_batch)
                make_batch(records);
            co_await context.write(records);
        }
        if (state == file_reader::state::end)
            co_return;
        if (state == file_reader::state::dry)
            co_await wait_for_input(reader, context);
    }
}

std::optional<double> file_source::progress() const
{
    return inputs_.progress();
}

}  // namespace sluice::pipeline
