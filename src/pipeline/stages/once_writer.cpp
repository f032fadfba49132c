// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/once_writer.hpp"

#include "pipeline/words.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

void once_writer::open(std::string_view queue, std::string_view head)
{
    file_.open(
        fmt::format("queue '{}'", text::printable(queue)),
        [this](std::string_view note) {
            for (const key_run& run : runs_from(note))
                written_.add(run);
        }
    );
    if (!file_.is_empty() && !file_.begins_with(head))
        throw std::runtime_error(fmt::format(
            "{} does not begin with {}, so it has other columns; name those that it has, "
            "or remove it and its record and begin anew",
            text::printable(path_),
            detail::in_quotes(head.substr(0, head.find('\n')))
        ));
}

void once_writer::drop_written(keyed_elements& batch) const
{
    if (batch.keys.size() != batch.elements.size())
        throw std::logic_error("each element of a queue on a server has a key");
    std::size_t kept = 0;
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
        if (written_.contains(batch.keys[i]))
            continue;
        batch.keys[kept] = batch.keys[i];
        if (kept != i)
            batch.elements[kept] = std::move(batch.elements[i]);
        ++kept;
    }
    batch.keys.resize(kept);
    batch.elements.resize(kept);
}

void once_writer::write(std::string_view encoded, std::vector<element_key> keys)
{
    const std::vector<key_run> runs = runs_of(std::move(keys));
    file_.commit(encoded, to_text(runs));
    for (const key_run& run : runs)
        written_.add(run);
}

}  // namespace sluice::pipeline
