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

// What the sources of files have in common: all but what a record is. Each file is read by
// one of the workers, on its own thread.
class file_source : public stage
{
public:
    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;
    [[nodiscard]] std::optional<double> progress() const final;

protected:
    explicit file_source(file_options options);

private:
    [[nodiscard]] virtual std::unique_ptr<record_parser> make_parser() const = 0;

    input_list inputs_;  // shared by the workers
};

}  // namespace sluice::pipeline
