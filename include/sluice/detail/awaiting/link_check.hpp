// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

// Before Asio is used: see docs/troubleshooting.md.
#if defined(__clang__) && __clang_major__ < 17 && \
    !defined(BOOST_ASIO_DISABLE_THREAD_KEYWORD_EXTENSION)
#error \
    "Clang before 17 needs -DBOOST_ASIO_DISABLE_THREAD_KEYWORD_EXTENSION for all sources of a program, or its coroutines corrupt memory. The targets of sluice define it if sluice is built with -DSLUICE_FOR_CLANG_16=ON."
#endif

#include <sluice/detail/awaiting/asio_internals.hpp>
#include <sluice/version.hpp>

#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/scheduler_operation.hpp>
#include <boost/asio/detail/thread_info_base.hpp>
#include <boost/asio/version.hpp>

#include <cstddef>

// Asio and most of sluice are headers, and the compiled part of sluice has code of both. A
// program that sees other versions of these headers, or defines macros that change them, has
// other types under the same names, and would crash at its first operation. So each source
// refers to variables whose names say what it has been compiled with. The library defines those
// of its own build and no others, and the linker prints the names of those it does not find.
namespace sluice::detail {

// What this source has been compiled with.
struct build
{
#ifdef SLUICE_PORTABLE_AWAIT
    static constexpr bool portable_await = true;
#else
    static constexpr bool portable_await = false;
#endif

#if defined(BOOST_ASIO_ENABLE_HANDLER_TRACKING) || \
    defined(BOOST_ASIO_CUSTOM_HANDLER_TRACKING)
    static constexpr bool handler_tracking = true;
#else
    static constexpr bool handler_tracking = false;
#endif

#ifdef BOOST_ASIO_HAS_THREAD_KEYWORD_EXTENSION
    static constexpr bool thread_keyword = true;
#else
    static constexpr bool thread_keyword = false;
#endif

#ifdef BOOST_ASIO_HAS_THREADS
    static constexpr bool threads = true;
#else
    static constexpr bool threads = false;
#endif

    struct epoll;
    struct io_uring;
    struct another;
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
    using reactor = io_uring;
#elif defined(BOOST_ASIO_HAS_EPOLL)
    using reactor = epoll;
#else
    using reactor = another;
#endif

    static constexpr std::size_t scheduler = sizeof(boost::asio::detail::scheduler);
    static constexpr std::size_t operation = sizeof(
        boost::asio::detail::scheduler_operation
    );
    static constexpr std::size_t thread_info = sizeof(
        boost::asio::detail::thread_info_base
    );
};

// What a program and its library can differ in.
template <int Major, int Minor, int Patch>
struct sluice_version;
template <bool Defined>
struct sluice_portable_await;
template <int Version>
struct boost_asio_version;
template <bool Enabled>
struct boost_asio_handler_tracking;
template <bool Enabled>
struct boost_asio_thread_keyword;
template <bool Enabled>
struct boost_asio_threads;
template <class Reactor>
struct boost_asio_reactor;
// Changes with macros that are not known here.
template <std::size_t Scheduler, std::size_t Operation, std::size_t ThreadInfo>
struct boost_asio_sizes;

template <class Setting>
struct program_and_library_differ_in
{
    static const char setting;
};

template <class... Settings>
struct source_settings
{
    const char* addresses[sizeof...(Settings)] = {
        &program_and_library_differ_in<Settings>::setting...
    };
};

#if __has_cpp_attribute(gnu::retain)
#define SLUICE_KEEP [[gnu::used, gnu::retain]]  // also if the linker collects garbage
#else
#define SLUICE_KEEP [[gnu::used]]
#endif

// One for each source, not for the program: of several the linker would look at one.
SLUICE_KEEP static constexpr source_settings<
    sluice_version<SLUICE_VERSION_MAJOR, SLUICE_VERSION_MINOR, SLUICE_VERSION_PATCH>,
    sluice_portable_await<build::portable_await>,
    boost_asio_version<BOOST_ASIO_VERSION>,
    boost_asio_handler_tracking<build::handler_tracking>,
    boost_asio_thread_keyword<build::thread_keyword>,
    boost_asio_threads<build::threads>,
    boost_asio_reactor<build::reactor>,
    boost_asio_sizes<build::scheduler, build::operation, build::thread_info>>
    settings_of_this_source;

#undef SLUICE_KEEP

}  // namespace sluice::detail
