// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Where the nodes of the graph stand: in layers, each behind all that lead to it. No document.

export const nodeWidth = 164;
export const nodeHeight = 78;
const gap = { across: 20, along: 84, least: 56, downwards: 46 };
const margin = 6;

// Which layer each node is in: the length of the longest way to it. An edge that closes a cycle
// does not count.
function layersOf(nodes, edges) {
    const before = new Map(nodes.map(node => [node, []]));
    for (const [from, to] of edges) before.get(to).push(from);
    const layers = new Map(), path = new Set();
    const visit = node => {
        if (layers.has(node)) return layers.get(node);
        path.add(node);
        const layer = Math.max(0, ...before.get(node).filter(each => !path.has(each)).map(each => visit(each) + 1));
        path.delete(node);
        layers.set(node, layer);
        return layer;
    };
    nodes.forEach(visit);
    return layers;
}

// Nodes of a layer in the order of the middle of their neighbours before, so that few edges cross.
function ordered(layers, edges) {
    const columns = [];
    for (const [node, layer] of layers) (columns[layer] ??= []).push(node);
    const place = new Map();
    const note = column => column.forEach((node, i) => place.set(node, i - column.length / 2));
    note(columns[0] ?? []);
    for (const column of columns.slice(1)) {
        const middle = new Map(column.map((node, i) => {
            const places = edges.filter(([from, to]) => to === node && place.has(from)).map(([from]) => place.get(from));
            return [node, places.length ? places.reduce((sum, each) => sum + each, 0) / places.length : i - column.length / 2];
        }));
        column.sort((a, b) => middle.get(a) - middle.get(b));
        note(column);
    }
    return columns;
}

// Gives each node x and y, in a picture of the given width at most where nodes have no edges, and
// otherwise as wide as needed. Downwards, layers stand below each other.
export function layOut(nodes, edges, width, downwards) {
    const connected = new Set(edges.flat());
    const columns = ordered(layersOf(nodes.filter(node => connected.has(node)), edges), edges);
    const room = (width - 2 * margin - columns.length * nodeWidth) / Math.max(1, columns.length - 1);
    const along = downwards ? nodeHeight + gap.downwards : nodeWidth + Math.max(gap.least, Math.min(gap.along, room));
    const across = (downwards ? nodeWidth : nodeHeight) + gap.across;
    const longest = Math.max(0, ...columns.map(column => column.length));
    const places = new Map();
    columns.forEach((column, layer) => column.forEach((node, i) => {
        const a = margin + layer * along, b = margin + (i + (longest - column.length) / 2) * across;
        places.set(node, downwards ? { x: b, y: a } : { x: a, y: b });
    }));
    const ends = () => [...places.values()];
    const below = ends().length ? Math.max(...ends().map(place => place.y)) + nodeHeight + 2 * gap.across : margin;
    const perRow = Math.max(1, Math.floor((width - 2 * margin + gap.across) / (nodeWidth + gap.across)));
    nodes.filter(node => !connected.has(node)).forEach((node, i) => places.set(node, {
        x: margin + (i % perRow) * (nodeWidth + gap.across),
        y: below + Math.floor(i / perRow) * (nodeHeight + gap.across),
    }));
    const far = (axis, size) => Math.max(0, ...ends().map(place => place[axis])) + size + margin;
    return { places, width: far("x", nodeWidth), height: far("y", nodeHeight) };
}

// The line of an edge, and where its label stands.
export function connect(from, to, downwards) {
    if (downwards) {
        const [x1, y1, x2, y2] = [from.x + nodeWidth / 2, from.y + nodeHeight, to.x + nodeWidth / 2, to.y];
        const bend = Math.max(18, Math.abs(y2 - y1) / 2);
        return { path: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`, x: (x1 + x2) / 2 + 8, y: (y1 + y2) / 2 + 4, anchor: "start" };
    }
    const [x1, y1, x2, y2] = [from.x + nodeWidth, from.y + nodeHeight / 2, to.x, to.y + nodeHeight / 2];
    const bend = Math.max(30, Math.abs(x2 - x1) / 2);
    return { path: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 6, anchor: "middle" };
}
