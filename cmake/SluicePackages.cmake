# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# The packages that `cpack` makes: libsluice-dev and sluice, for Debian, or an archive of each. They
# are of static libraries, whose ABI may change with each version; so there are none of shared ones.
if(BUILD_SHARED_LIBS)
    return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sluice)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "bounded asynchronous queues, and pipelines of them")
set(CPACK_PACKAGE_VENDOR "The sluice authors")
set(CPACK_PACKAGE_CONTACT "The sluice authors <sluice@example.com>" CACHE STRING "Maintainer of the packages")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL development)
if(TARGET sluice_command)
    list(APPEND CPACK_COMPONENTS_ALL command)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

# The libraries do not link with a program that is compiled with another version of Boost.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsluice-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libboost${Boost_VERSION_MAJOR}.${Boost_VERSION_MINOR}-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "Queues that suspend producers while they are full, and a coordinator that
stops a group of tasks, for C++20 coroutines on Boost.Asio: headers, static
libraries, samples and pages.")
if(SLUICE_WITH_PIPELINE)
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS
        "libfmt-dev, libisal-dev, libjq-dev, libpcre2-dev, libsqlite3-dev, nlohmann-json3-dev, zlib1g-dev")
endif()
if(SLUICE_WITH_REDIS)
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libhiredis-dev, libssl-dev, nlohmann-json3-dev")
endif()

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME sluice)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION
    "The command sluice checks, draws and runs pipelines of queues and stages
that are described in JSON. It shows their progress, and names the bottleneck.")

# what Debian wants in each package besides
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/scripts/debian_files.cmake")

include(CPack)
