# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# sluice_component(<name>
#     [OPTION <variable>]
#     [FOLDERS <folder>...] [LEAVE_OUT <source in src/>...]
#     [HEADERS <path under include/>...]
#     [EMBED <source>.in <file>...]
#     PRECOMPILE <header>...
#     DEPENDS <target>...)
#
# Defines the library sluice_<name> with the alias sluice::<name>. It has all files of
# include/sluice/<folder>/ and src/<folder>/ and of the folders in them; the folder `base`
# stands for the files directly in include/sluice/ and src/. A component without sources is a
# header-only (INTERFACE) target. Headers are installed. With OPTION the component is left out if
# that variable is false. With EMBED the source is compiled with @text@ in it, a literal of the last
# of the files, or with @table@, a line `{"<name>", <literal>},` for each.
#
# A library is static, or shared with BUILD_SHARED_LIBS. A shared one exports what exports.map says,
# and nothing of the standard library. The thread-local storage model is not chosen: the fastest one
# for plug-ins could make dlopen() fail, and programs have it anyway. Of a static one the linker takes
# what a program uses, if told --gc-sections.
#
# Built by itself, a library for debugging has a name of its own, libsluice_cored.a, unless
# CMAKE_DEBUG_POSTFIX says otherwise. A project around it decides for itself.
function(sluice_component name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "OPTION" "FOLDERS;LEAVE_OUT;HEADERS;EMBED;PRECOMPILE;DEPENDS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "sluice_component(${name}): unknown ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(arg_OPTION AND NOT ${arg_OPTION})
        return()
    endif()
    list(TRANSFORM arg_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/include/" OUTPUT_VARIABLE headers)
    set(sources "")
    foreach(folder IN LISTS arg_FOLDERS)
        set(glob GLOB_RECURSE)
        set(prefix "${folder}/")
        if(folder STREQUAL "base")
            set(glob GLOB)
            set(prefix "")
        endif()
        file(${glob} found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/sluice/${prefix}*.hpp")
        list(FILTER found EXCLUDE REGEX "/sluice/report\\.hpp$")  # of the component of that name
        list(APPEND headers ${found})
        file(${glob} found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${prefix}*.cpp")
        list(APPEND sources ${found})
    endforeach()
    list(TRANSFORM arg_LEAVE_OUT PREPEND "${PROJECT_SOURCE_DIR}/src/")
    list(REMOVE_ITEM sources ${arg_LEAVE_OUT})

    if(arg_EMBED)
        list(POP_FRONT arg_EMBED source)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${arg_EMBED})
        set(table "")
        foreach(file IN LISTS arg_EMBED)
            cmake_path(GET file FILENAME file_name)
            file(READ "${file}" content)
            string(CONCAT text "R\"embedded(" "${content}" ")embedded\"")
            string(APPEND table "    {\"${file_name}\", ${text}},\n")
        endforeach()
        cmake_path(GET source STEM LAST_ONLY output)
        set(output "${PROJECT_BINARY_DIR}/embedded/${output}")
        configure_file("${source}" "${output}" @ONLY)
        list(APPEND sources "${output}")
    endif()

    set(target sluice_${name})
    set(scope PUBLIC)
    if(sources)
        add_library(${target} ${sources})
        sluice_set_code(${target})
        if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_DEBUG_POSTFIX)
            set_target_properties(${target} PROPERTIES DEBUG_POSTFIX d)
        endif()
        set_target_properties(${target} PROPERTIES
            VERSION ${PROJECT_VERSION}
            SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        )
        # src/ holds headers that are shared by several sources only
        target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
        sluice_set_warnings(${target})
        target_precompile_headers(${target} PRIVATE ${arg_PRECOMPILE})
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
    endif()
    add_library(sluice::${name} ALIAS ${target})

    set(private_headers "${headers}")
    list(FILTER private_headers INCLUDE REGEX "/detail/")
    list(FILTER headers EXCLUDE REGEX "/detail/")
    target_sources(${target}
        ${scope}
        FILE_SET HEADERS
        BASE_DIRS "${PROJECT_SOURCE_DIR}/include"
        FILES ${headers}
        FILE_SET private_headers
        TYPE HEADERS
        BASE_DIRS "${PROJECT_SOURCE_DIR}/include"
        FILES ${private_headers}
    )
    target_compile_features(${target} ${scope} cxx_std_20)
    target_link_libraries(${target} ${scope} ${arg_DEPENDS})
    set_target_properties(${target} PROPERTIES
        EXPORT_NAME ${name}
    )
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND SLUICE_SANITIZE MATCHES "thread")
        # Asio uses fences, which the thread sanitizer of GCC does not follow and GCC
        # therefore warns about. The mutexes and atomics around them it does follow.
        target_compile_options(${target} ${scope} $<BUILD_INTERFACE:-Wno-tsan>)
    endif()

    set_property(GLOBAL APPEND PROPERTY sluice_components ${name})
endfunction()

# sluice_set_code(<target>): how the code of a library is made. A plug-in or a module for Python may
# link it only if it is position-independent; CMAKE_POSITION_INDEPENDENT_CODE decides if it is set.
# Each function of a static library is in a section of its own, because linkers leave out whole
# sections only, and few objects hold all of a library.
function(sluice_set_code target)
    if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    # or functions that a program might replace are neither inlined nor called directly
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    endif()
    get_target_property(type ${target} TYPE)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
        return()
    endif()
    if(type STREQUAL "STATIC_LIBRARY")
        target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
    elseif(NOT APPLE)
        set(exports "${PROJECT_SOURCE_DIR}/cmake/exports.map")
        target_link_options(${target} PRIVATE "LINKER:--version-script=${exports}")
        set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${exports}")
    endif()
endfunction()

# sluice_command(<name>
#     FOLDERS <folder under src/>... [LEAVE_OUT <source in src/>...]
#     [DEFINITIONS <macro>...] DEPENDS <target>...)
#
# Defines the program <name>, target <name>_command. All but the main.cpp of its first folder is
# the static library <name>_cli, so that tests reach it.
function(sluice_command name)
    if(NOT SLUICE_BUILD_COMMAND)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;LEAVE_OUT;DEFINITIONS;DEPENDS")
    list(GET arg_FOLDERS 0 folder)
    set(main "${PROJECT_SOURCE_DIR}/src/${folder}/main.cpp")
    set(sources "")
    foreach(folder IN LISTS arg_FOLDERS)
        file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp")
        list(APPEND sources ${found})
    endforeach()
    list(TRANSFORM arg_LEAVE_OUT PREPEND "${PROJECT_SOURCE_DIR}/src/")
    list(REMOVE_ITEM sources "${main}" ${arg_LEAVE_OUT})

    add_library(${name}_cli STATIC ${sources})
    target_include_directories(${name}_cli PUBLIC "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${name}_cli PUBLIC ${arg_DEPENDS})
    target_compile_definitions(${name}_cli PRIVATE ${arg_DEFINITIONS})
    add_library(${name}_main OBJECT ${main})
    target_link_libraries(${name}_main PRIVATE ${name}_cli)
    add_executable(${name}_command ${sluice_program_sources})
    target_link_libraries(${name}_command PRIVATE ${name}_main ${name}_cli)
    set_target_properties(${name}_command PROPERTIES OUTPUT_NAME ${name})
    foreach(target ${name}_cli ${name}_main)
        sluice_set_warnings(${target})
        sluice_set_code(${target})  # as the headers that are precompiled
        target_precompile_headers(${target} REUSE_FROM sluice_pipeline)
    endforeach()
endfunction()
