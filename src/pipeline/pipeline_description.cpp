// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/pipeline_description.hpp>

namespace sluice::pipeline {

const char* to_string(queue_type type) noexcept
{
    switch (type) {
    case queue_type::fifo:
        return "fifo";
    case queue_type::shuffle:
        return "shuffle";
    case queue_type::priority:
        return "priority";
    case queue_type::padding:
        return "padding";
    case queue_type::redis:
        return "redis";
    }
    return "unknown";
}

const char* to_string(acknowledgement when) noexcept
{
    switch (when) {
    case acknowledgement::written:
        return "written";
    case acknowledgement::taken:
        return "taken";
    }
    return "unknown";
}

const char* to_string(overflow rule) noexcept
{
    switch (rule) {
    case overflow::wait:
        return "wait";
    case overflow::drop_oldest:
        return "drop_oldest";
    case overflow::drop_newest:
        return "drop_newest";
    }
    return "unknown";
}

}  // namespace sluice::pipeline
