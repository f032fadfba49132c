// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/link_check.hpp>

namespace sluice::detail {

template <class Setting>
const char program_and_library_differ_in<Setting>::setting = 0;

// Those of this build, and no others.
template struct program_and_library_differ_in<
    sluice_version<SLUICE_VERSION_MAJOR, SLUICE_VERSION_MINOR, SLUICE_VERSION_PATCH>>;
template struct program_and_library_differ_in<
    sluice_portable_await<build::portable_await>>;
template struct program_and_library_differ_in<boost_asio_version<BOOST_ASIO_VERSION>>;
template struct program_and_library_differ_in<
    boost_asio_handler_tracking<build::handler_tracking>>;
template struct program_and_library_differ_in<
    boost_asio_thread_keyword<build::thread_keyword>>;
template struct program_and_library_differ_in<boost_asio_threads<build::threads>>;
template struct program_and_library_differ_in<boost_asio_reactor<build::reactor>>;
template struct program_and_library_differ_in<
    boost_asio_sizes<build::scheduler, build::operation, build::thread_info>>;

}  // namespace sluice::detail

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
