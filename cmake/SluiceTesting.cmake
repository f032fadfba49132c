# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Functions for test/CMakeLists.txt and samples/CMakeLists.txt. Every test has one of the
# labels unit, behaviour, redis, pipeline, pipeline_redis, cli, report, browser, stress, fuzz, compile,
# gcc, sample, package, model, hygiene.

# sluice_executable(<target> <source>... [LINKS <target>...]): a program of this project. Its
# sources may use the same names, so there are no unity builds of them.
function(sluice_executable target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS")
    add_executable(${target} ${arg_UNPARSED_ARGUMENTS} ${sluice_program_sources})
    target_link_libraries(${target} PRIVATE ${arg_LINKS})
    sluice_set_warnings(${target})
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
endfunction()

# sluice_add_test(<name> LABEL <label> COMMAND <command>... [PROPERTIES <name> <value>...])
function(sluice_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "COMMAND;PROPERTIES")
    add_test(NAME ${name} COMMAND ${arg_COMMAND} COMMAND_EXPAND_LISTS)
    set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL} ${arg_PROPERTIES})
endfunction()

# sluice_test_program(<target> <source>... LINKS <target>... [PRECOMPILE <header>...]): a
# Boost.Test program; by default with the precompiled headers of the support library.
function(sluice_test_program target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;PRECOMPILE")
    sluice_executable(${target}
        ${arg_UNPARSED_ARGUMENTS}
        support/test_main.cpp
        LINKS sluice_test_support ${arg_LINKS}
    )
    if(arg_PRECOMPILE)
        target_precompile_headers(${target} PRIVATE ${arg_PRECOMPILE})
    else()
        target_precompile_headers(${target} REUSE_FROM sluice_test_support)
    endif()
endfunction()

# sluice_tests(<kind>
#     [THREADS <name>...]      these start threads: the thread sanitizer runs them, and only them
#     [ASAN_ONLY <name>...]    of these the address sanitizer sees most, and they take long to compile
#     [OWN_PROGRAM <name>...]  these define macros of the library, and so share no program
#     [LINKS <target>...]
#     [PRECOMPILE <header>...]
#     [PROPERTIES <property> <value>...])
#
# Each test/<kind>/<name>.cpp, where <name> may have folders, is the test <kind>.<name>: the
# Boost.Test suite of the same name. Together they are the program sluice_<kind>_tests, and are
# compiled many at a time, which takes half as long; so what a file has for its tests is in the
# namespace of its suite. A suite that starts a thread without being named in THREADS fails.
#
# With SLUICE_ALL_TESTS none are left out; the mutation check sets it.
function(sluice_tests kind)
    cmake_parse_arguments(PARSE_ARGV 1 arg ""
        "" "THREADS;ASAN_ONLY;OWN_PROGRAM;LINKS;PRECOMPILE;PROPERTIES")
    set(folder "${CMAKE_CURRENT_SOURCE_DIR}/${kind}")
    file(GLOB_RECURSE names RELATIVE "${folder}" CONFIGURE_DEPENDS "${folder}/*.cpp")
    list(TRANSFORM names REPLACE "\\.cpp$" "")
    foreach(name IN LISTS arg_THREADS arg_ASAN_ONLY arg_OWN_PROGRAM)
        if(NOT name IN_LIST names)
            message(FATAL_ERROR "sluice_tests(${kind}): there is no ${folder}/${name}.cpp")
        endif()
    endforeach()
    if(SLUICE_SANITIZE MATCHES "thread")
        set(names ${arg_THREADS})
    elseif(NOT SLUICE_SANITIZE MATCHES "address" AND NOT SLUICE_COVERAGE AND NOT SLUICE_ALL_TESTS)
        list(REMOVE_ITEM names ${arg_ASAN_ONLY})
    endif()

    foreach(name IN LISTS names)
        set(program sluice_${kind}_tests)
        if(name IN_LIST arg_OWN_PROGRAM)
            string(REPLACE "/" "_" program "sluice_${kind}_${name}_tests")
            set_source_files_properties(${kind}/${name}.cpp PROPERTIES
                SKIP_PRECOMPILE_HEADERS ON  # they have the library without these macros
                SKIP_UNITY_BUILD_INCLUSION ON
            )
        endif()
        if(NOT TARGET ${program})
            sluice_test_program(${program} LINKS ${arg_LINKS} PRECOMPILE ${arg_PRECOMPILE})
        endif()
        target_sources(${program} PRIVATE ${kind}/${name}.cpp)
        set_target_properties(${program} PROPERTIES UNITY_BUILD "${CMAKE_UNITY_BUILD}")
        set(threads any)
        if(NOT name IN_LIST arg_THREADS)
            set(threads none)
        endif()
        cmake_path(GET name STEM suite)
        string(REPLACE "/" "." test "${kind}.${name}")
        sluice_add_test(${test}
            LABEL ${kind}
            COMMAND
                ${sluice_test_launcher}
                $<TARGET_FILE:${program}>
                --run_test=${suite}
                --color_output=no
            PROPERTIES ENVIRONMENT SLUICE_TEST_THREADS=${threads} ${arg_PROPERTIES}
        )
    endforeach()
endfunction()

# sluice_soak_program(<name> [ARGS <arg>...]): the program sluice_<name> of the sources in
# test/<name>/. It tries things at random for as long as it is told to: `./dev soak` runs it
# for long, the test stress.<name> for seconds.
function(sluice_soak_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ARGS")
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
    sluice_executable(sluice_${name} ${sources} LINKS sluice_test_support)
    target_precompile_headers(sluice_${name} REUSE_FROM sluice_test_support)
    # unlike those of the tests these sources know of each other
    set_target_properties(sluice_${name} PROPERTIES UNITY_BUILD "${CMAKE_UNITY_BUILD}")
    sluice_add_test(stress.${name}
        LABEL stress
        COMMAND ${sluice_test_launcher} $<TARGET_FILE:sluice_${name}> ${arg_ARGS} --seed 1
    )
endfunction()

# sluice_fuzz_target(<name>): the program fuzz_<name> of fuzz/<name>.cpp and libFuzzer. The test
# fuzz.<name> takes it through its corpus, and through new inputs for SLUICE_FUZZ_SECONDS.
function(sluice_fuzz_target name)
    sluice_executable(fuzz_${name} fuzz/${name}.cpp fuzz/fuzzing.cpp LINKS sluice::pipeline)
    target_include_directories(fuzz_${name}
        PRIVATE
            "${CMAKE_CURRENT_SOURCE_DIR}"
            "${PROJECT_SOURCE_DIR}/src"
    )
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    math(EXPR timeout "${SLUICE_FUZZ_SECONDS} + 300")
    sluice_add_test(fuzz.${name}
        LABEL fuzz
        COMMAND
            Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz.py"
            $<TARGET_FILE:fuzz_${name}>
            --work "${CMAKE_CURRENT_BINARY_DIR}/fuzz"
            --seconds ${SLUICE_FUZZ_SECONDS}
        PROPERTIES TIMEOUT ${timeout} COST ${SLUICE_FUZZ_SECONDS}  # the longest begin first
    )
endfunction()

# sluice_sample(<folder>/<stem> [EXPECT <regex>] [SOURCES <file>...] [LINKS <target>...]
#     [MANUAL])
#
# The program sample_<stem> from <folder>/<stem>.cpp and a test that runs it. What it
# prints is compared with <folder>/<stem>.expected, or with the regular expression. A
# MANUAL sample is built only: it waits for a person.
function(sluice_sample path)
    cmake_parse_arguments(PARSE_ARGV 1 arg "MANUAL" "EXPECT" "SOURCES;LINKS")
    cmake_path(GET path STEM stem)
    sluice_executable(sample_${stem}
        ${path}.cpp
        ${arg_SOURCES}
        LINKS sluice_sample_main ${arg_LINKS}
    )
    target_precompile_headers(sample_${stem} REUSE_FROM sluice_sample_main)
    add_dependencies(sluice_samples sample_${stem})
    set(expected "${CMAKE_CURRENT_SOURCE_DIR}/${path}.expected")
    if(arg_MANUAL)
        return()
    elseif(arg_EXPECT)
        sluice_add_sample_test(sample.${stem} ${stem} "-DREGEX=${arg_EXPECT}")
    elseif(EXISTS "${expected}")
        sluice_add_sample_test(sample.${stem} ${stem} "-DFILE=${expected}")
    else()
        message(FATAL_ERROR "sluice_sample(${path}): neither EXPECT nor ${expected}")
    endif()
endfunction()

# sluice_sample_run(<stem> <name> ARGS <arg>... EXPECT <regex> [EXIT <code>]): one more test
# of a sample, with arguments. The expression is searched in output and error output.
function(sluice_sample_run stem name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "EXPECT;EXIT" "ARGS")
    list(JOIN arg_ARGS "|" args)
    sluice_add_sample_test(sample.${stem}.${name} ${stem}
        "-DREGEX=${arg_EXPECT}"
        "-DARGS=${args}"
        "-DEXIT=${arg_EXIT}"
    )
endfunction()

# sluice_sample_program(<name> [SOURCES <file>...] [LINKS <target>...]): the program
# sample_<name> from 3_programs/<name>/<name>.cpp, which test/programs/<name>.py tries.
function(sluice_sample_program name)
    sluice_sample(3_programs/${name}/${name} ${ARGN} MANUAL)
endfunction()

function(sluice_add_sample_test name stem)
    sluice_add_test(${name}
        LABEL sample
        COMMAND
            "${CMAKE_COMMAND}"
            "-DPROGRAM=$<TARGET_FILE:sample_${stem}>"
            ${ARGN}
            -P "${PROJECT_SOURCE_DIR}/cmake/scripts/run_sample.cmake"
        # where a __FILE__ that is relative, as ccache may make it, is found
        PROPERTIES WORKING_DIRECTORY "${PROJECT_BINARY_DIR}"
    )
endfunction()

# sluice_pipeline_sample(<stem> [ARGS <arg>...] [INPUT <file>] EXPECT <regex> [EXIT <code>]):
# a test that runs pipelines/<stem>.json from the root of the sources.
function(sluice_pipeline_sample stem)
    if(NOT TARGET sluice_command)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "INPUT;EXPECT;EXIT" "ARGS")
    list(JOIN arg_ARGS "|" args)
    sluice_add_test(sample.${stem}.pipeline
        LABEL sample
        COMMAND
            "${CMAKE_COMMAND}"
            "-DPROGRAM=$<TARGET_FILE:sluice_command>"
            "-DARGS=run|samples/pipelines/${stem}.json|${args}"
            "-DINPUT=${arg_INPUT}"
            "-DREGEX=${arg_EXPECT}"
            "-DEXIT=${arg_EXIT}"
            -P "${PROJECT_SOURCE_DIR}/cmake/scripts/run_sample.cmake"
    )
    set_tests_properties(sample.${stem}.pipeline PROPERTIES
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    )
endfunction()
