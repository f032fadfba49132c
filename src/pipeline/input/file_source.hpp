// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/input/input_list.hpp"
#include "pipeline/input/record_parser.hpp"
#include <sluice/pipeline/stage.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace sluice::pipeline {

// What the sources of files have in common: all but what a record is. Each file is read by
// one of the workers, on its own thread.
class file_source : public stage
{
public:
    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;

    [[nodiscard]] stage_files files() const final { return inputs_.files(); }

    [[nodiscard]] bool can_skip() const noexcept final { return true; }

    [[nodiscard]] std::optional<double> progress() const final
    {
        return inputs_.progress();
    }

    [[nodiscard]] std::optional<std::size_t> parts() const final
    {
        return inputs_.parts();
    }

protected:
    explicit file_source(file_options options) : inputs_(std::move(options)) {}

private:
    [[nodiscard]] virtual std::unique_ptr<record_parser> make_parser() const = 0;

    input_list inputs_;  // shared by the workers
};

// A source whose records a default-constructed Parser makes.
template <class Parser>
class source_of final : public file_source
{
public:
    explicit source_of(file_options options) : file_source(std::move(options)) {}

private:
    [[nodiscard]] std::unique_ptr<record_parser> make_parser() const override
    {
        return std::make_unique<Parser>();
    }
};

}  // namespace sluice::pipeline
