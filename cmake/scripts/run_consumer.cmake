# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# cmake -DWAY=(installed|subdirectory|shared) -DPROJECT=... -DSLUICE_SOURCE_DIR=...
#     -DSLUICE_BINARY_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCOMPILER=... -P <this file>
# Configures and builds a project that uses sluice from a folder where the built tree is
# installed, or from its sources; `shared` is from its sources, too, as shared libraries.
file(REMOVE_RECURSE "${WORK_DIR}")
set(options "-DSLUICE_SOURCE_DIR=${SLUICE_SOURCE_DIR}" -DCMAKE_UNITY_BUILD=ON)
if(WAY STREQUAL "installed")
    execute_process(
        COMMAND
            "${CMAKE_COMMAND}" --install "${SLUICE_BINARY_DIR}" --prefix "${WORK_DIR}/prefix"
        OUTPUT_QUIET
        COMMAND_ERROR_IS_FATAL ANY
    )
    set(options "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix")
elseif(WAY STREQUAL "shared")
    list(APPEND options -DBUILD_SHARED_LIBS=ON)
endif()
execute_process(
    COMMAND
        "${CMAKE_COMMAND}"
        -S "${PROJECT}"
        -B "${WORK_DIR}/build"
        -G "${GENERATOR}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}"
        ${options}
    COMMAND_ERROR_IS_FATAL ANY
)
execute_process(
    COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/build"
    COMMAND_ERROR_IS_FATAL ANY
)
