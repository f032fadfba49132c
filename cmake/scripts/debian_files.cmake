# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Run by CPack: what a package of Debian has besides what is installed, and what is compressed in it.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()

file(READ "${CPACK_RESOURCE_FILE_LICENSE}" licence)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, if that is set
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER "${component}" name)
    set(package "${CPACK_DEBIAN_${name}_PACKAGE_NAME}")
    set(share "${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share")
    file(WRITE "${share}/doc/${package}/copyright"
        "Copyright (c) 2026 The sluice authors\n\n${licence}")
    file(WRITE "${share}/doc/${package}/changelog"
        "${package} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * The changes are in /usr/share/doc/sluice/CHANGELOG.md of libsluice-dev.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
    file(GLOB pages "${share}/man/man1/*")
    execute_process(
        COMMAND gzip -9n "${share}/doc/${package}/changelog" ${pages}
        COMMAND_ERROR_IS_FATAL ANY
    )
endforeach()
