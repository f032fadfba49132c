// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/input/input_file.hpp"
#include "pipeline/input/input_list.hpp"
#include "pipeline/input/record_parser.hpp"
#include "pipeline/input/wake_up.hpp"
#include <sluice/pipeline/element.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace sluice::pipeline {

// Reads the files of one worker of a source. All members may block.
class file_reader
{
public:
    enum class state
    {
        more,  // there is more to read
        dry,   // there is more to come, after wait()
        end    // all has been read
    };

    // The list must outlive the reader.
    file_reader(input_list& inputs, std::unique_ptr<record_parser> parser);

    // Appends the elements of a piece of input: of a part of a large file, or of many small
    // ones, because each call costs two changes of threads.
    [[nodiscard]] state read(std::vector<element>& out);

    // After state::dry, waits for more input or for the signal.
    void wait(const wake_up& signal) const noexcept;

private:
    [[nodiscard]] bool open_next();
    [[nodiscard]] std::size_t read_file(std::vector<element>& out);

    input_list& inputs_;
    const std::unique_ptr<record_parser> parser_;
    std::optional<input_file> file_;  // the current one
    std::vector<char> buffer_;
};

}  // namespace sluice::pipeline
