# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# The lines of the page about the installation; third_party/ refers to the sources.
add_executable(my_service EXCLUDE_FROM_ALL sluice.cpp)
#[add
add_subdirectory(third_party/sluice)
target_link_libraries(my_service PRIVATE sluice::sluice)
#]

# As a guest, sluice adds its core, which needs Boost only: no tests, samples and install rules, and
# of the other components what is asked for. It does not rename libraries.
get_property(targets DIRECTORY "${SLUICE_SOURCE_DIR}" PROPERTY BUILDSYSTEM_TARGETS)
get_target_property(sources sluice_core SOURCES)
list(FILTER sources INCLUDE REGEX "/(cli|io|metrics|monitor|page|pipeline|redis|report|text)[^/]*/")
if(NOT "${targets}" STREQUAL "sluice_core;sluice_sluice" OR sources OR SLUICE_INSTALL)
    message(FATAL_ERROR "a subdirectory has more than the core: ${targets} ${sources}")
endif()
get_target_property(postfix sluice_core DEBUG_POSTFIX)
if(postfix)
    message(FATAL_ERROR "a guest names its library for debugging with '${postfix}'")
endif()
