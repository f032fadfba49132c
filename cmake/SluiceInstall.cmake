# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Install rules: libraries, headers, and the package for find_package(sluice CONFIG).
include(CMakePackageConfigHelpers)

set(sluice_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sluice")
get_property(sluice_components GLOBAL PROPERTY sluice_components)

install(
    TARGETS ${sluice_components}
    EXPORT sluice-targets
    FILE_SET HEADERS
    FILE_SET private_headers
)
if(TARGET sluice_command)
    install(TARGETS sluice_command DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(
    EXPORT sluice-targets
    NAMESPACE sluice::
    DESTINATION "${sluice_package_dir}"
)
configure_package_config_file(
    cmake/sluice-config.cmake.in
    "${PROJECT_BINARY_DIR}/sluice-config.cmake"
    INSTALL_DESTINATION "${sluice_package_dir}"
)
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/sluice-config-version.cmake"
    COMPATIBILITY SameMinorVersion
)
install(
    FILES
        "${PROJECT_BINARY_DIR}/sluice-config.cmake"
        "${PROJECT_BINARY_DIR}/sluice-config-version.cmake"
        cmake/Findjq.cmake
    DESTINATION "${sluice_package_dir}"
)
install(
    FILES LICENSE
    DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/sluice"
)
