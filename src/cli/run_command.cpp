// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_command.hpp"

#include "pipeline_run.hpp"
#include "remote_queues.hpp"
#include "run_results.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace sluice::cli {

namespace {

// Some builds know no queues on servers.
void expect_queues(const pipeline::pipeline_description& description)
{
    for (const pipeline::queue_description& each : description.queues)
        if (each.type == pipeline::queue_type::redis && remote_queues() == nullptr)
            throw command_error(fmt::format(
                "sluice: the queue \"{}\" is of type redis, and this command was built "
                "without SLUICE_WITH_REDIS",
                text::printable(each.name)
            ));
}

// That a thread cannot be started is otherwise said in the words of the system only.
std::string reason_of(const std::runtime_error& error)
{
    const auto* const of_system = dynamic_cast<const std::system_error*>(&error);
    if (of_system == nullptr ||
        of_system->code() != std::errc::resource_unavailable_try_again)
        return error.what();
    return fmt::format(
        "the system gives it no more threads ({}); --threads asks for fewer",
        error.what()
    );
}

}  // namespace

exit_status run_command(
    const run_arguments& arguments,
    pipeline::checked_description checked
)
{
    expect_queues(checked.description());
    run_results results(arguments, checked);
    std::optional<pipeline_run> run;
    try {
        run.emplace(arguments, std::move(checked), results);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(
            fmt::format("cannot start the pipeline: {}", reason_of(error))
        );
    }
    const run_outcome outcome = run->run();
    const exit_status status = results.write(run->snapshot(), outcome);
    run->linger();
    if (run->has_stragglers()) {  // the destructor would wait for them
        run->abandon();
        std::_Exit(static_cast<int>(status));
    }
    return status;
}

}  // namespace sluice::cli
