# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# cmake -DSOURCE=... [-DOTHER=...] -DHEADER=... -DDEFINITIONS="-D... ..." -DOPTION=... -DEXPECT=...
#     -DCOMPILER=... -DINCLUDES=a|b -DLIBRARY=... -DWORK_DIR=... -P <this file>
# The source, compiled with the definitions and then the option, must not become a program with the
# library, and the messages must match the expression; without an expression it must. The other
# source is a part of the program that is compiled with neither. The option `asio_version=<number>`
# stands for headers of that version of Asio.
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}/boost/asio")
string(REPLACE "|" ";" includes "${INCLUDES}")

if(OPTION MATCHES "^asio_version=([0-9]+)$")
    set(version "${CMAKE_MATCH_1}")
    foreach(folder IN LISTS includes)
        if(EXISTS "${folder}/boost/asio/version.hpp")
            file(READ "${folder}/boost/asio/version.hpp" header)
            break()
        endif()
    endforeach()
    string(REGEX REPLACE
        "define BOOST_ASIO_VERSION [0-9]+"
        "define BOOST_ASIO_VERSION ${version}"
        header "${header}"
    )
    file(WRITE "${WORK_DIR}/boost/asio/version.hpp" "${header}")
    set(OPTION "-I${WORK_DIR}")
endif()

list(REMOVE_ITEM includes /usr/include)  # the compiler knows it, in its right place
list(TRANSFORM includes PREPEND "-I")
separate_arguments(DEFINITIONS)

set(objects "")
if(OTHER)
    cmake_path(GET OTHER STEM name)
    set(objects "${WORK_DIR}/${name}.o")
    execute_process(
        COMMAND "${COMPILER}" -std=c++20 ${includes} -c "${OTHER}" -o "${objects}"
        COMMAND_ERROR_IS_FATAL ANY
    )
endif()
execute_process(
    COMMAND
        "${COMPILER}" -std=c++20 ${DEFINITIONS} ${OPTION}
        "-DSLUICE_HEADER=<${HEADER}>"
        ${includes}
        "${SOURCE}"
        ${objects}
        "${LIBRARY}"
        -o "${WORK_DIR}/program"
    RESULT_VARIABLE status
    ERROR_VARIABLE messages
)
if(NOT EXPECT)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "does not link:\n${messages}")
    endif()
elseif(status EQUAL 0)
    message(FATAL_ERROR "links, but must not: ${OPTION} ${OTHER}")
elseif(NOT messages MATCHES "${EXPECT}")
    message(FATAL_ERROR "refused, but not with `${EXPECT}`:\n${messages}")
endif()
