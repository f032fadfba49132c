// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue_end.hpp>

namespace sluice {
namespace {

const char* in_words(closer by) noexcept
{
    switch (by) {
    case closer::none:
        return "open";
    case closer::caller:
        return "closed by close()";
    case closer::producers:
        return "closed by the last of its producers";
    case closer::stop:
        return "closed by a stop";
    case closer::signal:
        return "closed by a signal";
    case closer::parent:
        return "closed by the stop of a parent";
    case closer::coordinator:
        return "closed by the destructor of a coordinator";
    case closer::destructor:
        return "destroyed";
    }
    return "";
}

}  // namespace

const char* to_string(closer by) noexcept
{
    switch (by) {
    case closer::none:
        return "";
    case closer::caller:
        return "close()";
    case closer::producers:
        return "producers";
    case closer::stop:
        return "stop";
    case closer::signal:
        return "signal";
    case closer::parent:
        return "parent";
    case closer::coordinator:
        return "coordinator";
    case closer::destructor:
        return "destructor";
    }
    return "";
}

std::string to_string(const queue_end& end)
{
    std::string text = in_words(end.by);
    if (end.cause)
        text += " after the error '" + reason_of(end) + "'";
    return text;
}

std::string reason_of(const queue_end& end)
{
    if (!end.cause)
        return end.cut_off ? "stopped without an error" : "";
    try {
        std::rethrow_exception(end.cause);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an exception that is not a std::exception";
    }
}

}  // namespace sluice
