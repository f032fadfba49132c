// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "program.hpp"

#include "check_command.hpp"
#include "command_error.hpp"
#include "command_line.hpp"
#include "graph_command.hpp"
#include "run_command.hpp"
#include "schema_command.hpp"
#include "stages_command.hpp"

#include <cerrno>
#include <exception>
#include <ostream>
#include <system_error>
#include <variant>

namespace sluice::cli {

namespace {

// One operator for each command.
class dispatcher
{
public:
    dispatcher(const pipeline::stage_registry& stages, std::ostream& out)
        : stages_(stages), out_(out)
    {
    }

    exit_status operator()(const run_arguments& arguments) const
    {
        return run_command(arguments, stages_);
    }
    exit_status operator()(const check_arguments& arguments) const
    {
        check_command(arguments, stages_, out_);
        return exit_status::done;
    }
    exit_status operator()(const graph_arguments& arguments) const
    {
        graph_command(arguments, stages_, out_);
        return exit_status::done;
    }
    exit_status operator()(const stages_arguments& arguments) const
    {
        stages_command(arguments, stages_, out_);
        return exit_status::done;
    }
    exit_status operator()(const schema_arguments&) const
    {
        schema_command(stages_, out_);
        return exit_status::done;
    }
    exit_status operator()(const printed_text& text) const
    {
        out_ << text.text;
        return exit_status::done;
    }

private:
    const pipeline::stage_registry& stages_;
    std::ostream& out_;
};

void flush(std::ostream& out)
{
    errno = 0;
    out.flush();
    if (!out)
        throw std::system_error(
            errno != 0 ? errno : EIO,
            std::generic_category(),
            "cannot write to standard output"
        );
}

}  // namespace

exit_status run_program(
    const std::vector<std::string>& arguments,
    const pipeline::stage_registry& stages,
    std::ostream& out,
    std::ostream& err
)
{
    try {
        const command asked = parse_command_line(arguments);
        const exit_status status = std::visit(dispatcher(stages, out), asked);
        flush(out);
        return status;
    } catch (const command_error& error) {
        err << error.what() << '\n';
        return error.status();
    } catch (const std::exception& error) {
        err << "sluice: " << error.what() << '\n';
        return exit_status::failed;
    }
}

}  // namespace sluice::cli
