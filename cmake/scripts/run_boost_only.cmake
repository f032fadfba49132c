# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# cmake -DSOURCE_DIR=... -DWORK_DIR=... -DCOMPILER=... -DBOOST_DIR=... -DBOOST_INCLUDES=...
#     -P <this file>
# Configures sluice by the preset release where no package but Boost is found, and that in a folder
# of its own, as a package of Debian that has been unpacked there.
file(REMOVE_RECURSE "${WORK_DIR}")
cmake_path(GET BOOST_DIR PARENT_PATH cmake_folder)
file(GLOB files "${cmake_folder}/Boost*" "${cmake_folder}/boost_headers-*")
file(COPY ${files} DESTINATION "${WORK_DIR}/boost${cmake_folder}")
set(boost "${WORK_DIR}/boost${BOOST_INCLUDES}")
file(MAKE_DIRECTORY "${boost}")
file(CREATE_LINK "${BOOST_INCLUDES}/boost" "${boost}/boost" SYMBOLIC)

set(options "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${boost}/..")
foreach(package IN ITEMS CLI11 Eigen3 fmt hiredis isal jq nlohmann_json OpenSSL pcre2 SQLite3 ZLIB)
    list(APPEND options -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
set(configure "${CMAKE_COMMAND}" --preset release -S "${SOURCE_DIR}" ${options} -B)
execute_process(
    COMMAND ${configure} "${WORK_DIR}/found"
    OUTPUT_VARIABLE notes
    COMMAND_ERROR_IS_FATAL ANY
)
execute_process(
    COMMAND ${configure} "${WORK_DIR}/demanded" -DSLUICE_WITH_PIPELINE=ON
    ERROR_VARIABLE refusal
    OUTPUT_QUIET
)

function(expect text regex)
    if(NOT text MATCHES "${regex}")
        message(FATAL_ERROR "no '${regex}' in:\n${text}")
    endif()
endfunction()
file(STRINGS "${WORK_DIR}/found/build.ninja" rules REGEX "^build sample_1_first_queue:|-isystem")
expect("${rules}" "build sample_1_first_queue:")
expect("${rules}" "-isystem ${boost}")
expect("${notes}" "without pipelines .SLUICE_WITH_PIPELINE.; missing: fmt 9, nlohmann_json")
expect("${notes}" "without the command sluice .*; missing: .*CLI11")
expect("${notes}" "without queues on a Redis server .*; missing: hiredis, .*OpenSSL")
expect("${refusal}" "SLUICE_WITH_PIPELINE is ON; missing: fmt 9, nlohmann_json")
