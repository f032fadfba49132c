// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/commands.hpp"

#include <string>

namespace sluice::cli {

namespace {

const std::string missing = "this program was built without queues on a server; build it "
                            "where hiredis is found, with SLUICE_WITH_REDIS=ON";

}  // namespace

exit_status queues_command(const queues_arguments& /*arguments*/)
{
    throw command_error("sluice: " + missing);
}

// A description that has such queues is refused before.
pipeline::remote_queue_factory remote_queues()
{
    return nullptr;
}

pipeline::address_check remote_addresses()
{
    return [](const std::string& /*url*/) {
        return pipeline::problem{
            .found = "a server",
            .expected = "a queue of this process",
            .hint = missing
        };
    };
}

}  // namespace sluice::cli
