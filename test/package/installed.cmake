# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Programs that use an installed sluice, by find_package() and by pkg-config.

add_subdirectory(components)

find_package(sluice 0.1 CONFIG REQUIRED
    COMPONENTS core sluice
    OPTIONAL_COMPONENTS pipeline
)
get_target_property(postfix sluice::core LOCATION_DEBUG)
if(CONFIG STREQUAL "Debug" AND NOT postfix MATCHES "libsluice_cored\\.a$")
    message(FATAL_ERROR "the library for debugging is ${postfix}")
endif()
add_plugin()

# A program for which no flag is written down but those that pkg-config knows.
set(PKG_CONFIG_ARGN --static)
find_package(PkgConfig REQUIRED)
pkg_check_modules(core_by_pkg_config REQUIRED IMPORTED_TARGET sluice)
add_consumer(sluice PkgConfig::core_by_pkg_config)
target_compile_features(sluice_consumer PRIVATE cxx_std_20)

# The lines of the page about the installation.
add_executable(my_service $<TARGET_OBJECTS:sluice_consumer>)
#[find
find_package(sluice 0.1 CONFIG REQUIRED)
target_link_libraries(my_service PRIVATE sluice::sluice)
#]
# The linker leaves out what it does not use; the library has it.
#[gc_sections
target_link_options(my_service PRIVATE -Wl,--gc-sections)
#]
function(expect_without program names)
    add_custom_command(TARGET ${program} POST_BUILD
        COMMAND sh -c
            "${CMAKE_NM} -C '$<TARGET_FILE:sluice::core>' 2>&1 | grep -qE 'sluice::(${names})'"
        COMMAND sh -c
            "! ${CMAKE_NM} -C '$<TARGET_FILE:${program}>' | grep -E 'sluice::(${names})'"
        VERBATIM
    )
endfunction()
expect_without(my_service "queue_runner::start|coordinator::coordinator")
# A program with a queue alone has nothing of what stands beside it, which is in another object.
add_executable(plain_queue plain_queue.cpp)
target_link_libraries(plain_queue PRIVATE sluice::sluice)
expect_without(plain_queue
    "(detail::)?(coordinator|queue_runner|runner_core|semaphore|event|reading_core|run_scope|limited_work|deadline_service)[a-z_]*::"
)

if(TARGET sluice::pipeline)
    pkg_check_modules(pipeline_by_pkg_config REQUIRED IMPORTED_TARGET sluice-pipeline)
    add_library(pipeline_object OBJECT pipeline.cpp)
    target_link_libraries(pipeline_object PRIVATE sluice::pipeline)
    foreach(target IN ITEMS sluice::pipeline PkgConfig::pipeline_by_pkg_config)
        string(MAKE_C_IDENTIFIER "consumer_of_${target}" name)
        add_executable(${name} $<TARGET_OBJECTS:pipeline_object>)
        set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
        target_link_libraries(${name} PRIVATE ${target})
        add_custom_command(TARGET ${name} POST_BUILD
            COMMAND ${name}
        )
    endforeach()
endif()
