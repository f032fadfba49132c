// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace sluice::pipeline {

/// Where the stages of a pipeline print their results.
/**
 * @par Thread safety  write() is called from any thread, also from several at a time.
 */
class output
{
public:
    output() = default;
    output(const output&) = delete;
    output& operator=(const output&) = delete;
    virtual ~output() = default;

    /// Writes all of `data`, before or after what other threads write, never in between.
    /**
     * May block; stages call it through stage_context::blocking().
     * @throws std::system_error that names the output, if it cannot take the data.
     */
    virtual void write(std::string_view data) = 0;
};

/// An open file descriptor, such as standard output. Does not close it.
class descriptor_output final : public output
{
public:
    /// Takes the descriptor and its name in messages, such as "standard output".
    descriptor_output(int descriptor, std::string name);
    void write(std::string_view data) override;

private:
    int descriptor_;
    std::string name_;
    std::mutex mutex_;  // keeps what is written by one call together
};

/// Keeps everything in memory, for tests and for programs that embed a pipeline.
class memory_output final : public output
{
public:
    void write(std::string_view data) override;
    /// What was written so far.
    [[nodiscard]] std::string text() const;

private:
    mutable std::mutex mutex_;
    std::string text_;  // guarded by mutex_
};

}  // namespace sluice::pipeline
