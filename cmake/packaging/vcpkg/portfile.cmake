# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# An overlay port. It builds the sources that it lies in, whose changes vcpkg does not notice:
#   vcpkg install sluice --overlay-ports=<sources>/cmake/packaging/vcpkg --binarysource=clear
# In a registry, vcpkg_from_github() or the like takes the place of the next line.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features
    FEATURES
        pipeline SLUICE_WITH_PIPELINE
        tool SLUICE_BUILD_COMMAND
)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${features}
        -DSLUICE_BUILD_TESTS=OFF
        -DSLUICE_BUILD_SAMPLES=OFF
        -DSLUICE_BUILD_BENCHMARKS=OFF
        -DSLUICE_WITH_REDIS=OFF
        # vcpkg keeps libraries for debugging in a folder of their own
        -DCMAKE_DEBUG_POSTFIX=
    MAYBE_UNUSED_VARIABLES
        CMAKE_DEBUG_POSTFIX
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sluice)
vcpkg_fixup_pkgconfig()
if("tool" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES sluice AUTO_CLEAN)
endif()

file(REMOVE_RECURSE
    "${CURRENT_PACKAGES_DIR}/debug/include"
    "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc"
    "${CURRENT_PACKAGES_DIR}/share/licenses"
)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
