# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# cmake -DWAY=(installed|subdirectory|shared) -DPROJECT=... -DSLUICE_SOURCE_DIR=...
#     -DSLUICE_BINARY_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCOMPILER=... -DCONFIG=...
#     -P <this file>
# Configures and builds a project that uses sluice from a folder where the built tree is
# installed, or from its sources, and then has nothing of what pipelines need. `shared` fetches
# them, makes a shared library of the core and installs that. `subdirectory` is configured only: it
# would compile the same sources once more.
function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(configure source build)
    run("${CMAKE_COMMAND}"
        -S "${source}"
        -B "${build}"
        -G "${GENERATOR}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}"
        ${ARGN}
    )
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
set(prefix "${WORK_DIR}/prefix")
set(build "${WORK_DIR}/build")
set(options "-DSLUICE_SOURCE_DIR=${SLUICE_SOURCE_DIR}" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=32)
if(WAY STREQUAL "installed")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" --install "${SLUICE_BINARY_DIR}" --prefix "${WORK_DIR}/first"
        OUTPUT_QUIET
        COMMAND_ERROR_IS_FATAL ANY
    )
    file(RENAME "${WORK_DIR}/first" "${prefix}")  # as unpacked elsewhere
    set(options "-DCMAKE_PREFIX_PATH=${prefix}" "-DCONFIG=${CONFIG}")
else()
    if(WAY STREQUAL "shared")
        # while debugging its sources are compiled at once
        list(APPEND options
            -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=
            -DBUILD_SHARED_LIBS=ON -DSLUICE_INSTALL=ON -DSLUICE_PORTABLE_AWAIT=OFF
            "-DFETCHCONTENT_SOURCE_DIR_SLUICE=${SLUICE_SOURCE_DIR}")
    endif()
    foreach(package IN ITEMS CLI11 fmt isal jq nlohmann_json pcre2 SQLite3)
        list(APPEND options -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
    endforeach()
endif()
configure("${PROJECT}" "${build}" ${options})
if(WAY STREQUAL "subdirectory")
    return()
endif()
if(WAY STREQUAL "shared")
    # Nothing is built yet, and so nothing is copied either.
    execute_process(
        COMMAND "${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}"
        OUTPUT_QUIET
        ERROR_VARIABLE message
    )
    if(EXISTS "${prefix}" OR NOT message MATCHES "First run:[ \n]+cmake --build ${build}\n")
        message(FATAL_ERROR "the installation of what is not built says: ${message}")
    endif()
endif()
run("${CMAKE_COMMAND}" --build "${build}")

if(WAY STREQUAL "shared")
    run("${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}")
    configure("${PROJECT}/components" "${WORK_DIR}/components"
        "-DCMAKE_PREFIX_PATH=${prefix}" -DCORE_ONLY=ON)
    set(ENV{PKG_CONFIG_PATH} "${prefix}/lib/pkgconfig")
    execute_process(
        COMMAND pkg-config --cflags sluice
        OUTPUT_VARIABLE flags
        COMMAND_ERROR_IS_FATAL ANY
    )
    if(NOT flags MATCHES "-DSLUICE_PORTABLE_AWAIT=0")
        message(FATAL_ERROR "pkg-config does not say how the library awaits: ${flags}")
    endif()
endif()
