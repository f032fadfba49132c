// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/remote_queues.hpp"

#include "pipeline/words.hpp"

#include <fmt/format.h>

#include <memory>

namespace sluice::cli {

pipeline::remote_queue_factory remote_queues()
{
    return [](const boost::asio::any_io_executor& /*executor*/,
              const pipeline::remote_queue_request& request
           ) -> std::unique_ptr<pipeline::remote_queue> {
        throw command_error(fmt::format(
            "sluice: the queue {} is of type redis, and this command was built without "
            "SLUICE_WITH_REDIS",
            pipeline::detail::in_quotes(request.queue.name)
        ));
    };
}

pipeline::address_check remote_addresses()
{
    return nullptr;
}

exit_status queues_command(const queues_arguments& /*arguments*/)
{
    throw command_error("sluice: this program was built without queues on a server; "
                        "build it where hiredis is found, with SLUICE_WITH_REDIS=ON");
}

}  // namespace sluice::cli
