// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/input/file_options.hpp"
#include "pipeline/input/input_list.hpp"
#include "pipeline/input/record_parser.hpp"
#include <sluice/pipeline/stage.hpp>

#include <memory>
#include <optional>

namespace sluice::pipeline {

// How the records that are read at a time travel.
enum class record_flow : unsigned char
{
    one_by_one,
    as_batch
};

// What the sources of files have in common: all but what a record is. Each file is read by
// one of the workers, on its own thread.
class file_source : public stage
{
public:
    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;
    [[nodiscard]] std::optional<double> progress() const final;

protected:
    explicit file_source(
        file_options options,
        record_flow flow = record_flow::one_by_one
    );

private:
    [[nodiscard]] virtual std::unique_ptr<record_parser> make_parser() const = 0;

    input_list inputs_;  // shared by the workers
    const record_flow flow_;
};

}  // namespace sluice::pipeline
