// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/queues_command.hpp"

namespace sluice::cli {

exit_status queues_command(const queues_arguments& /*arguments*/)
{
    throw command_error("sluice: this program was built without queues on a server; "
                        "build it where hiredis "
                        "is found, with SLUICE_WITH_REDIS=ON");
}

}  // namespace sluice::cli
