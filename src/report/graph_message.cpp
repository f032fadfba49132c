// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/graph_message.hpp"

#include "report/valid_text.hpp"
#include "report/wire.hpp"
#include <sluice/error.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace sluice::report {

namespace {

namespace graph_def {
constexpr unsigned node = 1;
}

namespace node_def {
constexpr unsigned name = 1;
constexpr unsigned op = 2;
constexpr unsigned input = 3;
constexpr unsigned attr = 5;
}  // namespace node_def

namespace map_entry {
constexpr unsigned key = 1;
constexpr unsigned value = 2;
}  // namespace map_entry

namespace attr_value {
constexpr unsigned s = 2;
}

[[noreturn]] void refuse(const std::string& problem)
{
    throw system_error(make_error_code(errc::invalid_argument), "the graph: " + problem);
}

// The names that are written, by those of the nodes. In an input `:` and `^` have a meaning.
class node_names
{
public:
    explicit node_names(const std::vector<flow_node>& nodes)
    {
        for (const flow_node& node : nodes)
            if (!names_.try_emplace(node.name, add(node.name)).second)
                refuse("two nodes are named \"" + node.name + "\"");
    }

    [[nodiscard]] const std::string& of(const std::string& node) const
    {
        const auto found = names_.find(node);
        if (found == names_.end())
            refuse("an edge names \"" + node + "\", which is no node");
        return found->second;
    }

private:
    // Different names stay different.
    std::string add(std::string_view node)
    {
        std::string name(node.empty() ? "_" : node);
        std::ranges::replace_if(name, is_refused, '_');
        while (!written_.insert(name).second)
            name += '_';
        return name;
    }

    static bool is_refused(char c)
    {
        constexpr std::string_view taken =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/";
        return taken.find(c) == std::string_view::npos;
    }

    std::map<std::string, std::string, std::less<>> names_;
    std::set<std::string, std::less<>> written_;
};

std::string attribute_message(const flow_attribute& attribute)
{
    std::string value;
    wire::append_bytes(value, attr_value::s, attribute.value);
    std::string message;
    wire::append_bytes(message, map_entry::key, valid_text(attribute.name));
    wire::append_bytes(message, map_entry::value, value);
    return message;
}

std::string node_message(
    const flow_node& node,
    const std::vector<flow_edge>& edges,
    const node_names& names
)
{
    std::string message;
    wire::append_bytes(message, node_def::name, names.of(node.name));
    wire::append_bytes(message, node_def::op, valid_text(node.kind));
    for (const flow_edge& edge : edges)
        if (edge.to == node.name)
            wire::append_bytes(message, node_def::input, names.of(edge.from));
    for (const flow_attribute& attribute : node.attributes)
        wire::append_bytes(message, node_def::attr, attribute_message(attribute));
    return message;
}

}  // namespace

std::string graph_message(const flow_graph& graph)
{
    const node_names names(graph.nodes);
    for (const flow_edge& edge : graph.edges) {
        static_cast<void>(names.of(edge.from));
        static_cast<void>(names.of(edge.to));
    }
    std::string message;
    for (const flow_node& node : graph.nodes)
        wire::append_bytes(
            message,
            graph_def::node,
            node_message(node, graph.edges, names)
        );
    return message;
}

}  // namespace sluice::report
