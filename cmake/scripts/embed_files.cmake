# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# cmake -DFILES=<file>|<file>... -DOUTPUT=<source> -P embed_files.cmake: writes the definition of
# page_assets(), with the content of the files as raw strings.

string(REPLACE "|" ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
    cmake_path(GET file FILENAME name)
    file(READ "${file}" content)
    string(APPEND entries "    {\"${name}\", R\"embedded(${content})embedded\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"page/page_assets.hpp\"

namespace sluice::page {

namespace {

constexpr page_asset assets[] = {
${entries}};

}  // namespace

std::span<const page_asset> page_assets()
{
    return assets;
}

}  // namespace sluice::page
")
