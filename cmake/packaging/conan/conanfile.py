# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""A recipe for Conan 2. It packages the sources that it lies in:

    conan create cmake/packaging/conan --build=missing

There is no package of libjq to depend on; with_pipeline takes that of the system. With portable_await
"auto" CMake finds out whether it knows the inside of the Boost.Asio that you have, as without Conan.
"""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir, save

ROOT = Path(__file__).resolve().parents[3]  # of the sources, where the recipe lies in them
DEFINITIONS = "definitions.txt"  # in the package: for sources that use the library


class SluiceRecipe(ConanFile):
    name = "sluice"
    description = "Bounded asynchronous queues, queue runners and a coordinator on Boost.Asio"
    license = "BSL-1.0"
    topics = ("asio", "coroutines", "queue", "back-pressure")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "with_pipeline": [True, False],
        "portable_await": ["auto", True, False],
    }
    default_options = {
        "shared": False,
        "fPIC": True,
        "with_pipeline": False,
        "portable_await": "auto",
    }
    implements = ["auto_shared_fpic"]

    def set_version(self):
        header = load(self, str(ROOT / "include/sluice/version.hpp"))
        self.version = ".".join(re.findall(r"#define SLUICE_VERSION_\w+ (\d+)", header))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "*.md", "cmake/*", "docs/*", "include/*",
                        "samples/*", "src/*"):
            copy(self, pattern, str(ROOT), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("boost/[>=1.81 <2]", transitive_headers=True)
        if self.options.with_pipeline:
            self.requires("fmt/[>=9]")
            self.requires("nlohmann_json/[>=3.11 <4]", transitive_headers=True)
            self.requires("zlib/[>=1.2.11 <2]")

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SLUICE_WITH_PIPELINE"] = bool(self.options.with_pipeline)
        toolchain.cache_variables["SLUICE_WITH_REDIS"] = False
        portable = self.options.portable_await
        toolchain.cache_variables["SLUICE_PORTABLE_AWAIT"] = (
            "AUTO" if portable == "auto" else bool(portable))
        for part in ("TESTS", "SAMPLES", "BENCHMARKS", "COMMAND"):
            toolchain.cache_variables[f"SLUICE_BUILD_{part}"] = False
        toolchain.cache_variables["CMAKE_DEBUG_POSTFIX"] = ""
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, str(Path(self.package_folder, "licenses")))
        # Sources that differ from the library in what CMake has chosen do not link with it.
        flags = load(self, str(Path(self.package_folder, "lib/pkgconfig/sluice.pc")))
        save(self, str(Path(self.package_folder, DEFINITIONS)),
             "\n".join(re.findall(r"-D(SLUICE_PORTABLE_AWAIT=\d)", flags)))
        # Conan writes files of its own for CMake and pkg-config.
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, str(Path(self.package_folder, folder)))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "sluice")
        core = self.cpp_info.components["core"]
        core.libs = ["sluice_core"]
        core.requires = ["boost::headers"]
        core.system_libs = ["pthread"]
        core.defines = load(self, str(Path(self.package_folder, DEFINITIONS))).split()
        core.set_property("cmake_target_name", "sluice::core")
        core.set_property("pkg_config_name", "sluice-core")
        report = self.cpp_info.components["report"]
        report.libs = ["sluice_report"]
        report.requires = ["core"]
        report.set_property("cmake_target_name", "sluice::report")
        report.set_property("pkg_config_name", "sluice-report")
        umbrella = self.cpp_info.components["sluice"]
        umbrella.requires = ["core", "report"]
        umbrella.set_property("cmake_target_name", "sluice::sluice")
        umbrella.set_property("pkg_config_name", "sluice")
        if self.options.with_pipeline:
            pipeline = self.cpp_info.components["pipeline"]
            pipeline.libs = ["sluice_pipeline"]
            pipeline.requires = ["core", "fmt::fmt", "nlohmann_json::nlohmann_json", "zlib::zlib"]
            pipeline.system_libs = ["jq"]
            pipeline.set_property("cmake_target_name", "sluice::pipeline")
            pipeline.set_property("pkg_config_name", "sluice-pipeline")
