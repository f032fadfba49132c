// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <vector>

namespace sluice {

/// Something that is worth knowing of a node, such as `{"capacity", "64"}`.
struct flow_attribute
{
    std::string name;   ///< what it is
    std::string value;  ///< as text
};

/// A queue, a queue runner or another part of a program through which elements flow.
struct flow_node
{
    std::string name;  ///< unique in its graph; each `/` in it nests the node in a group
    std::string kind;  ///< what the node is, such as "fifo_queue" or "queue_runner"
    std::vector<flow_attribute> attributes = {};  ///< shown with the node
};

/// Elements flow from one node to another.
struct flow_edge
{
    std::string from;  ///< the name of a node
    std::string to;    ///< the name of a node
};

/// The queues and runners of a program, and the ways of the elements between them.
/**
 * A plain value: it says how the parts were connected when it was made, and refers to none of
 * them.
 */
struct flow_graph
{
    std::vector<flow_node> nodes = {};  ///< in any order
    std::vector<flow_edge> edges = {};  ///< in any order; both ends are among the nodes
};

}  // namespace sluice
