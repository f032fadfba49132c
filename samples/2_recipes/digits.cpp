// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "digits.hpp"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace digits {
namespace {

std::string inflate(const std::filesystem::path& file)
{
    const std::unique_ptr<gzFile_s, decltype(&gzclose)> input{
        gzopen(file.c_str(), "rb"),
        &gzclose
    };
    if (!input)
        throw std::runtime_error("cannot open " + file.string());

    std::string text;
    std::array<char, 16384> block;
    int count = 0;
    while ((count = gzread(input.get(), block.data(), block.size())) > 0)
        text.append(block.data(), static_cast<std::size_t>(count));
    if (count < 0)
        throw std::runtime_error(file.string() + " is not a sound gzip file");
    return text;
}

// Takes the number at the front of the text and the separator behind it.
unsigned take_number(std::string_view& text, unsigned largest)
{
    unsigned number = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number > largest) {
        throw std::runtime_error(
            "expected a number from 0 to " + std::to_string(largest)
        );
    }
    const auto length = static_cast<std::size_t>(end - text.data());
    text.remove_prefix(std::min(length + 1, text.size()));
    return number;
}

}  // namespace

example parse(std::string_view line)
{
    example result{};
    for (float& pixel : result.pixels)
        pixel = static_cast<float>(take_number(line, 16)) / 16;
    result.label = take_number(line, classes - 1);
    if (!line.empty())
        throw std::runtime_error("expected no more than 65 numbers");
    return result;
}

std::vector<example> read(const std::filesystem::path& file)
{
    std::istringstream content{inflate(file)};
    std::vector<example> examples;
    try {
        for (std::string line; std::getline(content, line);)
            examples.push_back(parse(line));
    } catch (const std::runtime_error& error) {
        const auto line = ", line " + std::to_string(examples.size() + 1) + ": ";
        throw std::runtime_error(file.string() + line + error.what());
    }
    return examples;
}

split_set hold_out_a_fifth(std::vector<example> examples)
{
    split_set split;
    for (std::size_t i = 0; i < examples.size(); ++i)
        (i % 5 == 4 ? split.test : split.training).push_back(examples[i]);
    return split;
}

}  // namespace digits
