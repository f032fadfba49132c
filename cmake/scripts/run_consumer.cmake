# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Installs the built tree into a folder of its own, then configures, builds and runs a
# project that uses sluice from there (find_package) or from its sources.
function(run)
    execute_process(
        COMMAND ${ARGN}
        RESULT_VARIABLE status
        OUTPUT_VARIABLE output
        ERROR_VARIABLE output
    )
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "failed (${status}): ${command}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${SLUICE_BINARY_DIR}" --prefix "${WORK_DIR}/prefix")
run("${CMAKE_COMMAND}"
    -S "${PROJECT}"
    -B "${WORK_DIR}/build"
    -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix"
    "-DSLUICE_SOURCE_DIR=${SLUICE_SOURCE_DIR}"
)
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --target consumer)
run("${WORK_DIR}/build/consumer")
if(NOT output MATCHES "took 42")
    message(FATAL_ERROR "unexpected output: ${output}")
endif()
