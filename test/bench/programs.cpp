// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/programs.hpp"

#include "bench/scenarios.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

namespace sluice::bench {
namespace {

std::filesystem::path own_folder()
{
    return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::string arguments(const task& what, std::size_t items)
{
    const shape& form = what.form;
    std::string text = ' ' + what.work;
    for (const std::size_t number :
         {form.capacity, form.producers, form.consumers, form.threads, what.steps, items})
        text += ' ' + std::to_string(number);
    return text;
}

double output_of(const std::string& command)
{
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
        popen(command.c_str(), "r"),
        pclose
    );
    if (!pipe)
        throw std::runtime_error("cannot run " + command);
    double number = 0;
    const bool read = std::fscanf(pipe.get(), "%lf", &number) == 1;
    if (pclose(pipe.release()) != 0 || !read)
        throw std::runtime_error("failed: " + command);
    return number;
}

// The bars are about those that keep similar promises; the other two show what the machine
// does.
bool is_awaitable_or_bounded(const std::string& program)
{
    return program != "peer_moodycamel" && program != "peer_mutex";
}

const std::string& title_of(const std::string& program)
{
    static const std::map<std::string, std::string> titles{
        {"peer_fiber", "Boost.Fiber"},
        {"peer_go", "Go"},
        {"peer_moodycamel", "moodycamel (threads)"},
        {"peer_mutex", "std::mutex (threads)"},
        {"peer_tbb", "oneTBB queue (threads)"},
        {"peer_tbb_flow", "oneTBB flow graph"},
    };
    return titles.at(program);
}

}  // namespace

void add_program(
    scenario& to,
    const task& what,
    const std::string& program,
    const std::string& name
)
{
    const std::filesystem::path path = own_folder() / program;
    if (!std::filesystem::exists(path)) {
        to.missing.push_back(name);
        return;
    }
    to.contestants.push_back(
        {.name = name,
         .run = [command = '\'' + path.string() + '\'', what](std::size_t items
                ) { return output_of(command + arguments(what, items)); },
         .portion = std::lcm(what.form.producers, what.form.consumers)}
    );
}

void add_peers(
    scenario& to,
    const task& what,
    std::initializer_list<const char*> programs
)
{
    for (const char* const program : programs) {
        const std::string& name = title_of(program);
        add_program(to, what, program, name);
        if (is_awaitable_or_bounded(program))
            to.bars.push_back({"times as fast as " + name, ours, name, 1});
    }
}

}  // namespace sluice::bench
