# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Install rules, in two components: `development` is what programs are built with, `command` is the
# command sluice with what its users read. No file is in both, so that each can be a package.
include(CMakePackageConfigHelpers)

set(sluice_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sluice")
get_property(sluice_components GLOBAL PROPERTY sluice_components)

# What is not built yet is named before anything is copied.

foreach(name IN LISTS sluice_components ITEMS command)
    if(NOT TARGET sluice_${name} OR name STREQUAL "sluice")
        continue()
    endif()
    set(component development)
    if(name STREQUAL "command")
        set(component command)
    endif()
    install(
        CODE "if(NOT EXISTS \"$<TARGET_FILE:sluice_${name}>\")
            message(FATAL_ERROR \"sluice is not built yet. First run:\\n  cmake --build ${CMAKE_BINARY_DIR}\")
        endif()"
        COMPONENT ${component}
    )
endforeach()

# Libraries and headers, and the package for find_package(sluice CONFIG). Each component has a file
# of its targets, so that one whose dependencies are missing can be left out.

foreach(component IN LISTS sluice_components)
    install(
        TARGETS sluice_${component}
        EXPORT sluice-${component}-targets
        ARCHIVE COMPONENT development
        LIBRARY COMPONENT development
        FILE_SET HEADERS COMPONENT development
        FILE_SET private_headers COMPONENT development
    )
    install(
        EXPORT sluice-${component}-targets
        NAMESPACE sluice::
        DESTINATION "${sluice_package_dir}"
        COMPONENT development
    )
endforeach()
foreach(component IN ITEMS pipeline redis)
    set(packages sluice_${component}_packages)
    list(TRANSFORM ${packages} REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE ${packages}_in_quotes)
    list(JOIN ${packages}_in_quotes " " ${packages}_in_quotes)
endforeach()
configure_package_config_file(
    cmake/sluice-config.cmake.in
    "${PROJECT_BINARY_DIR}/sluice-config.cmake"
    INSTALL_DESTINATION "${sluice_package_dir}"
    NO_SET_AND_CHECK_MACRO
    NO_CHECK_REQUIRED_COMPONENTS_MACRO
)
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/sluice-config-version.cmake"
    COMPATIBILITY SameMinorVersion
)
install(
    FILES
        "${PROJECT_BINARY_DIR}/sluice-config.cmake"
        "${PROJECT_BINARY_DIR}/sluice-config-version.cmake"
        cmake/Findhiredis.cmake
        cmake/Findisal.cmake
        cmake/Findjq.cmake
        cmake/Findpcre2.cmake
    DESTINATION "${sluice_package_dir}"
    COMPONENT development
)

# For pkg-config. Paths are relative to the file, so that an installed tree can be moved.

# sluice_install_pkg_config(<component> DESCRIPTION <text> [CFLAGS <flag>...] [REQUIRES <module>...]
#     [LIBS <flag>...] [NEEDS <module>...] [NEEDS_LIBS <flag>...])
#
# The file sluice-<component>.pc, or sluice.pc for the core. NEEDS and NEEDS_LIBS are what only the
# library itself links; if that is static a program has to, whether it asks pkg-config for --static
# or not.
function(sluice_install_pkg_config component)
    if(NOT TARGET sluice_${component})
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg ""
        "DESCRIPTION" "CFLAGS;REQUIRES;LIBS;NEEDS;NEEDS_LIBS")
    set(name sluice)
    if(NOT component STREQUAL "core")
        set(name sluice-${component})
    endif()
    list(PREPEND arg_LIBS -l$<TARGET_LINKER_FILE_BASE_NAME:sluice_${component}>)
    if(NOT BUILD_SHARED_LIBS)
        list(APPEND arg_REQUIRES ${arg_NEEDS})
        list(APPEND arg_LIBS ${arg_NEEDS_LIBS})
        set(arg_NEEDS "")
        set(arg_NEEDS_LIBS "")
    endif()
    foreach(field IN ITEMS CFLAGS REQUIRES LIBS NEEDS NEEDS_LIBS)
        list(JOIN arg_${field} " " ${field})
    endforeach()
    set(prefix "${CMAKE_INSTALL_PREFIX}")
    if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
        file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
        string(REGEX REPLACE "/$" "" prefix "\${pcfiledir}/${up}")
    endif()
    cmake_path(APPEND includedir "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
    cmake_path(APPEND libdir "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
    # the name of the library depends on the configuration; the last one that is installed counts
    set(file "${PROJECT_BINARY_DIR}/pkgconfig/$<CONFIG>/${name}.pc")
    file(GENERATE OUTPUT "${file}" CONTENT "prefix=${prefix}
includedir=${includedir}
libdir=${libdir}

Name: ${name}
Description: ${arg_DESCRIPTION}
Version: ${PROJECT_VERSION}
Requires: ${REQUIRES}
Requires.private: ${NEEDS}
Cflags: -I\${includedir} ${CFLAGS}
Libs: -L\${libdir} ${LIBS}
Libs.private: ${NEEDS_LIBS}
")
    install(
        FILES "${file}"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
        COMPONENT development
    )
endfunction()

get_target_property(definitions sluice_core INTERFACE_COMPILE_DEFINITIONS)
if(NOT definitions)
    set(definitions "")
endif()
list(TRANSFORM definitions PREPEND -D)
sluice_install_pkg_config(core
    DESCRIPTION "${PROJECT_DESCRIPTION}"
    CFLAGS ${definitions}
    LIBS -pthread
)
sluice_install_pkg_config(report
    DESCRIPTION "A monitor of the queues of sluice, its page, and reports"
    REQUIRES "sluice = ${PROJECT_VERSION}"
)
set(modules fmt)
if(SLUICE_WITH_PCRE2)
    list(APPEND modules libpcre2-8)
endif()
if(SLUICE_WITH_IGZIP)
    list(APPEND modules libisal)
endif()
if(SLUICE_WITH_SQLITE)
    list(APPEND modules sqlite3)
endif()
set(flags "")
if(SLUICE_WITH_JQ)
    set(flags -ljq)
endif()
sluice_install_pkg_config(pipeline
    DESCRIPTION "Pipelines of queues and stages that are described in JSON"
    REQUIRES "sluice-report = ${PROJECT_VERSION}" nlohmann_json
    NEEDS ${modules}
    NEEDS_LIBS ${flags}
)
sluice_install_pkg_config(redis
    DESCRIPTION "Queues on a Redis server, which processes share"
    REQUIRES "sluice-report = ${PROJECT_VERSION}" nlohmann_json
    NEEDS hiredis openssl
)

# What its users read: the pages, and samples that are compiled or run as they are. The folders are
# those of the sources, so that the links of the pages lead on.

function(sluice_install_pages component)
    foreach(path IN LISTS ARGN)
        cmake_path(GET path PARENT_PATH folder)
        install(
            FILES ${path}
            DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}"
            COMPONENT ${component}
        )
    endforeach()
endfunction()

file(GLOB_RECURSE development_pages RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
    docs/*.md docs/*.png docs/*.svg samples/*
)
file(GLOB_RECURSE command_pages RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
    docs/pipelines/*.md docs/diagrams/word_count.svg docs/pipeline.schema.json
    samples/pipelines/* samples/data/*
)
list(FILTER development_pages EXCLUDE REGEX "^docs/site/")
list(REMOVE_ITEM development_pages ${command_pages})
sluice_install_pages(development README.md CHANGELOG.md ${development_pages})
install(
    FILES LICENSE
    DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/sluice"
    COMPONENT development
)

# The command and its manual page.

if(NOT TARGET sluice_command)
    return()
endif()
install(
    TARGETS sluice_command
    DESTINATION "${CMAKE_INSTALL_BINDIR}"
    COMPONENT command
)
install(
    FILES docs/pipelines/sluice.1
    DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
    COMPONENT command
)
sluice_install_pages(command ${command_pages})
