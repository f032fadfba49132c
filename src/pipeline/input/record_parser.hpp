// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/input/line_splitter.hpp"
#include "pipeline/refused_element.hpp"
#include "text/byte_size.hpp"
#include <sluice/pipeline/element.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// Makes elements of the content of files, which comes in pieces. Each worker has one of its
// own; it reads one file after the other.
class record_parser
{
public:
    record_parser() = default;
    record_parser(const record_parser&) = delete;
    record_parser& operator=(const record_parser&) = delete;
    virtual ~record_parser() = default;

    // The next file begins; its name is for messages.
    virtual void begin(const std::string& name) = 0;

    // Appends the elements that are complete with this piece.
    virtual void parse(std::string_view piece, std::vector<element>& out) = 0;

    // The file has ended; appends what ends with it.
    virtual void end(std::vector<element>& out) = 0;

    // Leaves the record out whose end has not come yet, with all that is still to come of it: it is
    // an error.
    virtual void drop_pending(const std::string& reason) = 0;

    // The same if it is too long by now; what has no end must not take all memory.
    void check_pending()
    {
        if (is_too_long(pending()))
            drop_pending(too_long());
    }

    // From now on a record of more bytes is wrong.
    void limit_records(std::uint64_t bytes) noexcept { longest_record_ = bytes; }

    // From now on a record that is wrong is no error, but left out and kept.
    void keep_refused() noexcept { keeps_refused_ = true; }

    // Those since the last call.
    [[nodiscard]] std::vector<refused_element> take_refused()
    {
        return std::exchange(refused_, {});
    }

protected:
    [[nodiscard]] bool is_too_long(std::size_t bytes) const noexcept
    {
        return bytes > longest_record_;
    }

    // What is wrong with such a record.
    [[nodiscard]] std::string too_long() const
    {
        return fmt::format(
            "it goes on for more than {}, which \"longest_record\" of the source can "
            "raise",
            text::byte_size_text(longest_record_)
        );
    }

    // Throws std::runtime_error, or keeps what there is of the record.
    void refuse(element record, const std::string& reason)
    {
        if (!keeps_refused_)
            throw std::runtime_error(reason);
        refused_.push_back({std::move(record), reason});
    }

private:
    // The bytes of the record whose end has not come yet.
    [[nodiscard]] virtual std::size_t pending() const noexcept = 0;

    std::uint64_t longest_record_ = std::numeric_limits<std::uint64_t>::max();
    bool keeps_refused_ = false;
    std::vector<refused_element> refused_;
};

// For files with a record on each line.
class line_parser : public record_parser
{
public:
    void begin(const std::string& name) final
    {
        name_ = name;
        line_ = 0;
        lines_ = {};
    }

    void parse(std::string_view piece, std::vector<element>& out) final
    {
        lines_.split(piece, [&](std::string line) {
            count_and_add(std::move(line), out);
        });
    }

    void end(std::vector<element>& out) final
    {
        lines_.finish([&](std::string line) { count_and_add(std::move(line), out); });
    }

    void drop_pending(const std::string& reason) final
    {
        ++line_;
        refuse_beginning(lines_.drop(), reason);
    }

protected:
    // The reason gets file and line.
    void refuse_line(std::string&& line, const std::string& reason)
    {
        refuse(
            element(std::move(line)),
            fmt::format("{}, line {}: {}", name_, line_, reason)
        );
    }

private:
    static constexpr std::size_t most_shown = 1000;  // bytes of a line that is too long

    virtual void add(std::string&& line, std::vector<element>& out) = 0;

    [[nodiscard]] std::size_t pending() const noexcept final { return lines_.pending(); }

    void count_and_add(std::string&& line, std::vector<element>& out)
    {
        ++line_;
        if (is_too_long(line.size()))
            refuse_beginning(std::move(line), too_long());
        else
            add(std::move(line), out);
    }

    void refuse_beginning(std::string&& line, const std::string& reason)
    {
        line.resize(std::min(line.size(), most_shown));
        refuse_line(std::move(line), reason);
    }

    line_splitter lines_;
    std::string name_;      // of the file
    std::size_t line_ = 0;  // the number of the last one
};

}  // namespace sluice::pipeline
