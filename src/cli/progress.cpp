// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "progress.hpp"

#include "display.hpp"
#include "snapshot_json.hpp"

#include <string>
#include <utility>

namespace sluice::cli {

namespace {

progress_mode resolved(progress_mode mode, int descriptor) noexcept
{
    if (mode != progress_mode::automatic)
        return mode;
    return is_terminal(descriptor) ? progress_mode::bar : progress_mode::none;
}

}  // namespace

progress::progress(progress_mode mode, int descriptor)
    : mode_(resolved(mode, descriptor)), descriptor_(descriptor), lines_(descriptor)
{
}

std::optional<std::chrono::milliseconds> progress::interval() const noexcept
{
    switch (mode_) {
    case progress_mode::bar:
        return std::chrono::milliseconds(200);
    case progress_mode::plain:
    case progress_mode::json:
        return std::chrono::milliseconds(1000);
    case progress_mode::automatic:
    case progress_mode::none:
        break;
    }
    return std::nullopt;
}

void progress::show(pipeline::pipeline_snapshot now)
{
    const auto* const before = before_ ? &*before_ : nullptr;
    switch (mode_) {
    case progress_mode::bar:
        lines_.draw(display_lines(now, before, size_of_terminal(descriptor_)));
        break;
    case progress_mode::plain:
        write_for_person(descriptor_, plain_line(now, before) + "\n");
        break;
    case progress_mode::json:
        write_for_person(descriptor_, to_line(to_json(now)));
        break;
    case progress_mode::automatic:
    case progress_mode::none:
        break;
    }
    before_ = std::move(now);
}

void progress::note(std::string_view line)
{
    lines_.erase();
    write_for_person(descriptor_, std::string(line) + "\n");
}

}  // namespace sluice::cli
