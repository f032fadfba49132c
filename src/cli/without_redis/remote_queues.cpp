// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/remote_queues.hpp"

#include <optional>

namespace sluice::cli {

pipeline::remote_queue_factory remote_queues()
{
    return nullptr;
}

pipeline::address_check remote_addresses()
{
    return [](const std::string& /*url*/) -> std::optional<pipeline::problem> {
        return pipeline::problem{
            .found = "the address of a server",
            .expected = "a queue of this process",
            .hint = "the command was built without SLUICE_WITH_REDIS"
        };
    };
}

exit_status queues_command(const queues_arguments& /*arguments*/)
{
    throw command_error("sluice: this program was built without queues on a server; "
                        "build it where hiredis is found, with SLUICE_WITH_REDIS=ON");
}

}  // namespace sluice::cli
