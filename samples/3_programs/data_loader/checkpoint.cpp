// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "checkpoint.hpp"

#include <fstream>
#include <limits>
#include <stdexcept>

checkpoint load(const std::filesystem::path& file)
{
    checkpoint state;
    if (!std::filesystem::exists(file))
        return state;
    std::ifstream input{file};
    auto& [epoch, index, list_size, seed] = state.position;
    input >> state.step >> epoch >> index >> list_size >> seed;
    for (float& parameter : state.model.parameters())
        input >> parameter;
    if (!input)
        throw std::runtime_error(file.string() + " is not a sound checkpoint; remove it");
    return state;
}

// Position and model are one file, which is renamed when it is complete: so a crash leaves the old
// state or the new one, never the position of one and the model of the other. A power failure could
// leave an empty file; to survive that, call fsync() for the file and then for its folder.
void save(const checkpoint& state, const std::filesystem::path& file)
{
    std::filesystem::path unfinished = file;
    unfinished += ".unfinished";
    {
        std::ofstream output{unfinished};
        output.precision(std::numeric_limits<float>::max_digits10);
        const auto& [epoch, index, list_size, seed] = state.position;
        output << state.step << '\n'
               << epoch << ' ' << index << ' ' << list_size << ' ' << seed << '\n';
        for (const float parameter : state.model.parameters())
            output << parameter << '\n';
        output.close();
        if (!output)
            throw std::runtime_error("cannot write " + unfinished.string());
    }
    std::filesystem::rename(unfinished, file);
}
