# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Functions that the inventories in test/ and samples/ are made of. Every test has one of
# the labels unit, behaviour, pipeline, cli, stress, compile, sample, package, model,
# hygiene.

# sluice_executable(<target> <source>... [LINKS <target>...]): a program of this project. Its
# sources may use the same names, so there are no unity builds of them.
function(sluice_executable target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS")
    add_executable(${target} ${arg_UNPARSED_ARGUMENTS} ${sluice_program_sources})
    target_link_libraries(${target} PRIVATE ${arg_LINKS})
    sluice_set_warnings(${target})
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
endfunction()

# sluice_add_test(<name> LABEL <label> COMMAND <command>... [TIMEOUT <seconds>])
function(sluice_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT" "COMMAND")
    add_test(NAME ${name} COMMAND ${arg_COMMAND} COMMAND_EXPAND_LISTS)
    set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL})
    if(arg_TIMEOUT)
        set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    endif()
endfunction()

# sluice_test_program(<kind> [PRECOMPILE <header>... | REUSE_FROM <target>]): the Boost.Test
# program sluice_<kind>_tests; by default with the precompiled headers of the support library.
function(sluice_test_program kind)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "REUSE_FROM" "PRECOMPILE")
    set(target sluice_${kind}_tests)
    sluice_executable(${target} support/test_main.cpp LINKS sluice_test_support)
    if(arg_PRECOMPILE)
        target_precompile_headers(${target} PRIVATE ${arg_PRECOMPILE})
    elseif(arg_REUSE_FROM)
        target_precompile_headers(${target} REUSE_FROM ${arg_REUSE_FROM})
    else()
        target_precompile_headers(${target} REUSE_FROM sluice_test_support)
    endif()
endfunction()

# Adds <folder>/<path>.cpp to the program of its kind, and a test that runs the suite of
# the same name, which that file defines. With SLUICE_SEPARATE_TESTS each file is a program:
# the mutation check builds only those that it needs.
function(sluice_boost_test kind folder path)
    if(SLUICE_SANITIZE MATCHES "thread")
        # One thread has no races: this sanitizer gets the tests that have several.
        file(STRINGS ${folder}/${path}.cpp threads REGEX "thread|pool|stage_fixture")
        if(NOT threads)
            return()
        endif()
    endif()
    if(NOT SLUICE_SANITIZE MATCHES "address" AND NOT SLUICE_COVERAGE AND NOT SLUICE_SEPARATE_TESTS)
        # Destruction and failures in all places show little without the address sanitizer.
        file(STRINGS ${folder}/${path}.cpp for_asan REGEX "^// Runs under ASan")
        if(for_asan)
            return()
        endif()
    endif()
    cmake_path(GET path STEM suite)
    string(REPLACE "/" "." name "${kind}.${path}")
    set(program ${kind})
    # What defines a macro of the library shares no program with what does not.
    file(STRINGS ${folder}/${path}.cpp other_library REGEX "^#define SLUICE_")
    if(SLUICE_SEPARATE_TESTS OR other_library)
        string(REPLACE "/" "_" program "${kind}_${path}")
        sluice_test_program(${program})
    endif()
    target_sources(sluice_${program}_tests PRIVATE ${folder}/${path}.cpp)
    sluice_add_test(${name}
        LABEL ${kind}
        COMMAND
            ${sluice_test_launcher}
            $<TARGET_FILE:sluice_${program}_tests>
            --run_test=${suite}
            --color_output=no
    )
endfunction()

# sluice_unit_test(queue/fifo_queue): test/unit/queue/fifo_queue.cpp, suite fifo_queue.
function(sluice_unit_test path)
    sluice_boost_test(unit unit ${path})
endfunction()

# sluice_behaviour_test(backpressure): test/behaviour/backpressure.cpp.
function(sluice_behaviour_test path)
    sluice_boost_test(behaviour behaviour ${path})
endfunction()

# sluice_stress_test(select_races): test/stress/select_races.cpp; runs alone.
function(sluice_stress_test path)
    sluice_boost_test(stress stress ${path})
    set_property(SOURCE stress/${path}.cpp
        APPEND PROPERTY COMPILE_DEFINITIONS SLUICE_SLOWDOWN=${sluice_slowdown}
    )
    set_tests_properties(stress.${path} PROPERTIES RUN_SERIAL TRUE)
endfunction()

# sluice_pipeline_test(read_description): test/pipeline/read_description.cpp.
function(sluice_pipeline_test path)
    if(SLUICE_WITH_PIPELINE)
        sluice_boost_test(pipeline pipeline ${path})
    endif()
endfunction()

# sluice_cli_test(display): test/cli/display.cpp.
function(sluice_cli_test path)
    if(TARGET sluice_cli)
        sluice_boost_test(cli cli ${path})
    endif()
endfunction()

# sluice_compile_test(concepts): test/compile/concepts.cpp has to compile. Nothing of it runs,
# so no code is generated, which would take most of the time.
function(sluice_compile_test path)
    if(SLUICE_SANITIZE)
        return()
    endif()
    set(includes "$<TARGET_PROPERTY:sluice_test_support,INCLUDE_DIRECTORIES>")
    sluice_add_test(compile.${path}
        LABEL compile
        COMMAND
            "${CMAKE_CXX_COMPILER}"
            -std=c++20
            -Wall
            -Wextra
            -Werror
            -fsyntax-only
            "-I$<JOIN:${includes},;-I>"
            "${CMAKE_CURRENT_SOURCE_DIR}/compile/${path}.cpp"
    )
endfunction()

# sluice_must_fail_test(ignored_operation): test/compile/must_fail/ignored_operation.cpp
# must be refused with a message that matches the expression after `// expect:` in it, and
# must compile with -DSLUICE_CONTROL, which leaves the mistake out.
function(sluice_must_fail_test path)
    set(source "${CMAKE_CURRENT_SOURCE_DIR}/compile/must_fail/${path}.cpp")
    set(own "$<TARGET_PROPERTY:sluice_core,INTERFACE_INCLUDE_DIRECTORIES>")
    set(boost "$<TARGET_PROPERTY:Boost::headers,INTERFACE_INCLUDE_DIRECTORIES>")
    sluice_add_test(must_fail.${path}
        LABEL compile
        COMMAND
            "${CMAKE_COMMAND}"
            "-DSOURCE=${source}"
            "-DCOMPILER=${CMAKE_CXX_COMPILER}"
            "-DINCLUDES=$<JOIN:${own};${boost},|>"
            -P "${PROJECT_SOURCE_DIR}/cmake/scripts/expect_compile_error.cmake"
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

function(sluice_add_sample_test name stem)
    sluice_add_test(${name}
        LABEL sample
        COMMAND
            "${CMAKE_COMMAND}"
            "-DPROGRAM=$<TARGET_FILE:sample_${stem}>"
            ${ARGN}
            -P "${PROJECT_SOURCE_DIR}/cmake/scripts/run_sample.cmake"
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

# sluice_soak(<source>): a part of the program sluice_soak; the test is a short run of it.
# `./dev soak` starts it as the tests do.
function(sluice_soak source)
    if(NOT TARGET sluice_soak)
        sluice_executable(sluice_soak LINKS sluice_test_support)
        sluice_add_test(stress.soak
            LABEL stress
            COMMAND
                ${sluice_test_launcher}
                $<TARGET_FILE:sluice_soak>
                --operations ${SLUICE_SOAK_OPERATIONS}
                --seed 1
        )
        set_tests_properties(stress.soak PROPERTIES RUN_SERIAL TRUE)
        list(JOIN sluice_test_launcher " " launcher)
        file(WRITE "${PROJECT_BINARY_DIR}/test_launcher.txt" "${launcher}\n")
    endif()
    target_sources(sluice_soak PRIVATE ${source})
endfunction()

# sluice_model(<source>): a part of the program sluice_model, which takes queues and models of
# them through the same steps; the test is a short run of it. It has one thread, and so nothing
# to show the thread sanitizer. `./dev soak` runs it for long.
function(sluice_model source)
    if(SLUICE_SANITIZE MATCHES "thread")
        return()
    endif()
    if(NOT TARGET sluice_model)
        sluice_executable(sluice_model LINKS sluice_test_support)
        # unlike those of the tests these sources know of each other
        set_target_properties(sluice_model PROPERTIES
            UNITY_BUILD "${CMAKE_UNITY_BUILD}"
            UNITY_BUILD_BATCH_SIZE 0
        )
        # a second more to compile, and a tenth of the time to run
        target_compile_options(sluice_model PRIVATE "$<$<CONFIG:Debug>:-O1>")
        set(worlds 3)
        if(SLUICE_SANITIZE)
            set(worlds 1)  # the others cost seconds, and touch no other memory
        endif()
        sluice_add_test(stress.model
            LABEL stress
            COMMAND
                ${sluice_test_launcher}
                $<TARGET_FILE:sluice_model>
                --steps ${SLUICE_MODEL_STEPS}
                --seed 1
                --worlds ${worlds}
        )
    endif()
    target_sources(sluice_model PRIVATE ${source})
endfunction()

# sluice_schedules(<source>): a part of the program sluice_schedules, which runs coroutines in
# orders that it chooses, on one thread. The test is a short run of it; `./dev soak` runs it for
# long. It takes ten seconds to compile, so of the tests only those that see the most have it.
function(sluice_schedules source)
    if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT SLUICE_SANITIZE MATCHES "address")
        return()
    endif()
    if(NOT TARGET sluice_schedules)
        sluice_executable(sluice_schedules LINKS sluice_test_support)
        target_precompile_headers(sluice_schedules REUSE_FROM sluice_test_support)
        sluice_add_test(stress.schedules
            LABEL stress
            COMMAND
                ${sluice_test_launcher}
                $<TARGET_FILE:sluice_schedules>
                --runs ${SLUICE_SCHEDULE_RUNS}
                --seed 1
        )
    endif()
    target_sources(sluice_schedules PRIVATE ${source})
endfunction()

# sluice_bench(<source>): a part of the program sluice_bench. Its parts have no names in common.
function(sluice_bench source)
    if(NOT TARGET sluice_bench)
        sluice_executable(sluice_bench LINKS sluice::sluice)
        target_include_directories(sluice_bench PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
        if(CMAKE_BUILD_TYPE STREQUAL "Debug")
            # Where it only has to compile it does so in one go, in a third of the time. What
            # is measured is compiled as users do it.
            set_target_properties(sluice_bench
                PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0
            )
        endif()
    endif()
    target_sources(sluice_bench PRIVATE ${source})
endfunction()

# sluice_package_test(find_package_test): builds and runs the project in test/package/.
function(sluice_package_test name)
    sluice_add_test(package.${name}
        LABEL package
        TIMEOUT 600
        COMMAND
            "${CMAKE_COMMAND}"
            "-DPROJECT=${CMAKE_CURRENT_SOURCE_DIR}/package/${name}"
            "-DSLUICE_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
            "-DSLUICE_BINARY_DIR=${PROJECT_BINARY_DIR}"
            "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/package/${name}"
            "-DGENERATOR=${CMAKE_GENERATOR}"
            "-DCOMPILER=${CMAKE_CXX_COMPILER}"
            -P "${PROJECT_SOURCE_DIR}/cmake/scripts/run_consumer.cmake"
    )
endfunction()

# sluice_model_test(hand_off): test/model_check/hand_off.py, which needs spin.
function(sluice_model_test name)
    sluice_add_test(model.${name}
        LABEL model
        TIMEOUT 300
        COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/model_check/${name}.py"
    )
    set_tests_properties(model.${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# sluice_hygiene_test(check_layers): runs the check on the sources, and its self-test.
function(sluice_hygiene_test name)
    set(script "${PROJECT_SOURCE_DIR}/cmake/checks/${name}.py")
    sluice_add_test(hygiene.${name}
        LABEL hygiene
        COMMAND Python3::Interpreter -B "${script}" --root "${PROJECT_SOURCE_DIR}"
    )
    sluice_add_test(hygiene.${name}.self_test
        LABEL hygiene
        COMMAND Python3::Interpreter -B "${script}" --self-test
    )
endfunction()

# sluice_program_test(exit_status): test/cli/exit_status.py runs the program and looks at
# what it prints and how it ends.
function(sluice_program_test name)
    if(TARGET sluice_command)
        list(JOIN sluice_test_launcher " " launcher)
        sluice_add_test(program.${name}
            LABEL cli
            TIMEOUT 600
            COMMAND
                "${CMAKE_COMMAND}" -E env "SLUICE=${launcher} $<TARGET_FILE:sluice_command>"
                ${Python3_EXECUTABLE} -B "${CMAKE_CURRENT_SOURCE_DIR}/cli/${name}.py"
        )
    endif()
endfunction()
