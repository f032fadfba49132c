# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# For the preset alone, which compiles each source by itself and makes no code. What sources use of
# others is precompiled, which halves the time; what they use of sluice they have to include.

set(sluice_header_of_others "${CMAKE_BINARY_DIR}/others.hpp")
file(WRITE "${sluice_header_of_others}" [[
#include <algorithm>
#include <boost/asio.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>
]])
# -fPIC for all, because GCC takes precompiled headers only with the same options. And so many
# kilobytes before it collects garbage, in which it would spend a tenth of its time.
set(sluice_options_alone
    -std=c++20 -Wpedantic -O0 -g0 -fPIC --param=ggc-min-heapsize=500000 -DFMT_SHARED
)
execute_process(
    COMMAND
        "${CMAKE_CXX_COMPILER}" ${sluice_options_alone} -x c++-header "${sluice_header_of_others}"
        -o "${sluice_header_of_others}.gch"
    COMMAND_ERROR_IS_FATAL ANY
)
add_compile_options(
    ${sluice_options_alone}
    -include "${sluice_header_of_others}"
    -Winvalid-pch
    -Wno-error=invalid-pch  # of sources that are optimized
)

set(CMAKE_CXX_COMPILE_OBJECT
    "<CMAKE_CXX_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -fsyntax-only <SOURCE> && touch <OBJECT>"
)
set(CMAKE_CXX_LINK_EXECUTABLE "touch <TARGET>")
