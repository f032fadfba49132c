// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/summary_event.hpp"

#include "report/graph_message.hpp"
#include "report/histogram_message.hpp"
#include "report/valid_text.hpp"
#include "report/wire.hpp"

namespace sluice::report {

namespace {

// Numbers of fields, by the names of the messages.
namespace event {
constexpr unsigned wall_time = 1;
constexpr unsigned step = 2;
constexpr unsigned file_version = 3;
constexpr unsigned graph_def = 4;
constexpr unsigned summary = 5;
constexpr unsigned session_log = 7;
constexpr unsigned source_metadata = 10;
}  // namespace event

namespace session_log {
constexpr unsigned status = 1;
constexpr int status_start = 1;
}  // namespace session_log

namespace summary {
constexpr unsigned value = 1;
}

namespace source_metadata {
constexpr unsigned writer = 1;
}

namespace value {
constexpr unsigned tag = 1;
constexpr unsigned simple_value = 2;
constexpr unsigned histo = 5;
constexpr unsigned tensor = 8;
constexpr unsigned metadata = 9;
}  // namespace value

namespace summary_metadata {
constexpr unsigned plugin_data = 1;
constexpr unsigned data_class = 4;
constexpr int data_class_tensor = 2;
}  // namespace summary_metadata

namespace plugin_data {
constexpr unsigned plugin_name = 1;
}

namespace tensor {
constexpr unsigned dtype = 1;
constexpr unsigned shape = 2;
constexpr unsigned string_val = 8;
constexpr int dtype_string = 7;
}  // namespace tensor

std::string begin_event(event_time when)
{
    std::string message;
    wire::append_double(message, event::wall_time, when.seconds);
    wire::append_int(message, event::step, when.step);
    return message;
}

std::string begin_value(std::string_view tag)
{
    std::string message;
    wire::append_bytes(message, value::tag, valid_text(tag));
    return message;
}

std::string summary_event(event_time when, std::string_view value)
{
    std::string summary;
    wire::append_bytes(summary, summary::value, value);
    std::string message = begin_event(when);
    wire::append_bytes(message, event::summary, summary);
    return message;
}

// A single string; its shape has no dimensions.
std::string string_tensor(std::string_view text)
{
    std::string message;
    wire::append_int(message, tensor::dtype, tensor::dtype_string);
    wire::append_bytes(message, tensor::shape, {});
    wire::append_bytes(message, tensor::string_val, text);
    return message;
}

std::string metadata_of_text()
{
    std::string plugin;
    wire::append_bytes(plugin, plugin_data::plugin_name, "text");
    std::string message;
    wire::append_bytes(message, summary_metadata::plugin_data, plugin);
    wire::append_int(
        message,
        summary_metadata::data_class,
        summary_metadata::data_class_tensor
    );
    return message;
}

}  // namespace

std::string version_event(double seconds)
{
    std::string source;
    wire::append_bytes(source, source_metadata::writer, "sluice");
    std::string message;
    wire::append_double(message, event::wall_time, seconds);
    wire::append_bytes(message, event::file_version, "brain.Event:2");
    wire::append_bytes(message, event::source_metadata, source);
    return message;
}

std::string restart_event(event_time when)
{
    std::string session;
    wire::append_int(session, session_log::status, session_log::status_start);
    std::string message = begin_event(when);
    wire::append_bytes(message, event::session_log, session);
    return message;
}

std::string scalar_event(event_time when, std::string_view tag, double value)
{
    std::string message = begin_value(tag);
    wire::append_float(message, value::simple_value, static_cast<float>(value));
    return summary_event(when, message);
}

std::string histogram_event(
    event_time when,
    std::string_view tag,
    std::span<const double> samples
)
{
    std::string message = begin_value(tag);
    wire::append_bytes(message, value::histo, histogram_message(samples));
    return summary_event(when, message);
}

std::string text_event(event_time when, std::string_view tag, std::string_view markdown)
{
    std::string message = begin_value(tag);
    wire::append_bytes(message, value::tensor, string_tensor(valid_text(markdown)));
    // Needed once for each tag, but the summary that had it may have been dropped.
    wire::append_bytes(message, value::metadata, metadata_of_text());
    return summary_event(when, message);
}

std::string graph_event(event_time when, const flow_graph& graph)
{
    std::string message = begin_event(when);
    wire::append_bytes(message, event::graph_def, graph_message(graph));
    return message;
}

}  // namespace sluice::report
