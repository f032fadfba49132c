// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/link_check.hpp>

#include <cstddef>

namespace sluice::detail::program_and_library_differ_in {

template <int Major, int Minor, int Patch>
const char sluice_version<Major, Minor, Patch>::of_the_program = 0;

template <bool Defined>
const char sluice_portable_await<Defined>::of_the_program = 0;

template <int Version>
const char boost_asio_version<Version>::of_the_program = 0;

template <bool Enabled>
const char boost_asio_handler_tracking<Enabled>::of_the_program = 0;

template <bool Enabled>
const char boost_asio_thread_keyword<Enabled>::of_the_program = 0;

template <bool Enabled>
const char boost_asio_threads<Enabled>::of_the_program = 0;

template <class Reactor>
const char boost_asio_reactor<Reactor>::of_the_program = 0;

template <std::size_t Scheduler, std::size_t Operation, std::size_t ThreadInfo>
const char boost_asio_sizes<Scheduler, Operation, ThreadInfo>::of_the_program = 0;

// Those of this build, and no others.
template struct sluice_version<
    SLUICE_VERSION_MAJOR,
    SLUICE_VERSION_MINOR,
    SLUICE_VERSION_PATCH>;
template struct sluice_portable_await<build::portable_await>;
template struct boost_asio_version<BOOST_ASIO_VERSION>;
template struct boost_asio_handler_tracking<build::handler_tracking>;
template struct boost_asio_thread_keyword<build::thread_keyword>;
template struct boost_asio_threads<build::threads>;
template struct boost_asio_reactor<build::reactor>;
template struct boost_asio_sizes<build::scheduler, build::operation, build::thread_info>;

}  // namespace sluice::detail::program_and_library_differ_in

// Sources that include Asio but nothing of sluice are not seen above. Without the macro they define
// this thread-local variable of Asio, and linkers refuse two definitions of which one is not
// thread-local. With it Asio has no such name.
#ifdef BOOST_ASIO_DISABLE_THREAD_KEYWORD_EXTENSION
extern "C" {
extern const char sluice_keeps_other_sources_out asm(
    "_ZN5boost4asio6detail15keyword_tss_ptrINS1_10call_stackINS1_14thread_contextENS1_"
    "16thread_info_baseEE7contextEE6value_E"
);
[[gnu::used]] const char sluice_keeps_other_sources_out = 0;
}
#endif
