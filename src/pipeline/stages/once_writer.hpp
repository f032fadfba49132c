// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/committed_file.hpp"
#include "pipeline/key_set.hpp"
#include <sluice/pipeline/element.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// Elements of a queue on a server that are to be taken into account once, with their keys.
struct keyed_elements
{
    std::vector<element> elements;
    std::vector<element_key> keys;
};

// A file into which each element of a queue is written once, however often it is delivered.
/*
 * The record of the file has the keys of the elements that each commit wrote. An element is to be
 * acknowledged when write() has returned. If the process dies before the server knows it, the
 * element is delivered again, and found in the record.
 *
 * Thread safety: none.
 */
class once_writer
{
public:
    explicit once_writer(const std::string& path) : path_(path), file_(path) {}

    // Opens the file, for the elements of the queue of that name and no other. What is in it
    // already must begin with the head, or the elements would stand under that of others.
    void open(std::string_view queue, std::string_view head);

    // Leaves those that are not in the file yet.
    void drop_written(keyed_elements& batch) const;

    // Writes what the elements with these keys are in the file, which are not there yet. When it
    // returns the disk has it.
    void write(std::string_view encoded, std::vector<element_key> keys);

    [[nodiscard]] bool is_empty() const noexcept { return file_.is_empty(); }

private:
    const std::string path_;
    io::committed_file file_;
    key_set written_;
};

}  // namespace sluice::pipeline
