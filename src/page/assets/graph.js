// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The graph: queues as tanks, runners as boxes with a bar of what their workers do, tasks that are
// no runner's as dashed boxes.

import { byId, setAttribute, setHidden, setText, svg } from "./dom.js";
import { count, percent, plural, rate, shortened, wholePercentages } from "./format.js";
import { connect, layOut, nodeHeight, nodeWidth } from "./layout.js";
import { fillOf, levelOf, parts, sizeText, stateOf, targetsOf } from "./model.js";

const barWidth = nodeWidth - 24;
const padding = 16;      // of the box, on each side
const inside = nodeHeight - 3;  // how high a tank can be filled

// As much of the name as fits in letters of the usual width, and all of it where the pointer rests.
function nameOf(label, y) {
    return [svg("title", {}, label), svg("text", { class: "name", x: 12, y }, shortened(label, 17))];
}

class QueueNode {
    constructor(key, label) {
        this.level = svg("rect", { class: "level", x: 2, width: nodeWidth - 4 });
        this.size = svg("text", { class: "size", x: 12, y: 44 });
        this.state = svg("text", { class: "detail", x: 12, y: 64 });
        this.element = svg("a", { class: "node queue", href: `#queue-${encodeURIComponent(key)}` },
            svg("path", { class: "inside", d: `M1 1V${nodeHeight - 1}H${nodeWidth - 1}V1` }),
            this.level,
            svg("rect", { class: "hatch", x: 2, y: 1, width: nodeWidth - 4, height: nodeHeight - 2 }),
            svg("path", { class: "wall", d: `M1 0V${nodeHeight - 5}q0 4 4 4H${nodeWidth - 5}q4 0 4 -4V0` }),
            ...nameOf(label, 24), this.size, this.state);
    }

    update(queue) {
        const fill = fillOf(queue);
        const height = Math.round((fill ?? 0) * inside);
        setAttribute(this.level, "height", height);
        setAttribute(this.level, "y", nodeHeight - 2 - height);
        const waits = [[queue.waiting_producers, "enqueue"], [queue.waiting_consumers, "dequeue"]].filter(([number]) => number > 0);
        const state = stateOf(queue);
        setText(this.size, sizeText(queue));
        setText(this.state, waits.length ? `${state}, ${count(waits[0][0])} ${waits[0][0] === 1 ? "waits" : "wait"}` : state);
        setAttribute(this.element, "data-level", levelOf(fill));
        setAttribute(this.element, "data-closed", queue.closed || null);
        setAttribute(this.element, "data-full", state === "full" || null);
        const waiting = waits.map(([number, side]) => `, ${count(number)} waiting to ${side}`).join("");
        setAttribute(this.element, "aria-label", `Queue ${queue.label}: ${sizeText(queue)}, ${state}${waiting}`);
    }
}

class RunnerNode {
    constructor(key, label) {
        this.detail = svg("text", { class: "detail", x: 12, y: 41 });
        this.share = svg("text", { class: "detail", x: 12, y: 69 });
        this.bars = parts.map(({ key: part }) => svg("rect", { class: part, y: 49, height: 7 }));
        this.element = svg("a", { class: "node runner", href: `#runner-${encodeURIComponent(key)}` },
            svg("rect", { class: "box", x: 0.5, y: 0.5, width: nodeWidth - 1, height: nodeHeight - 1, rx: 6 }),
            ...nameOf(label, 23),
            svg("rect", { class: "track", x: 12, y: 49, width: barWidth, height: 7 }),
            ...this.bars, this.detail, this.share);
    }

    update(runner, shares) {
        const workers = runner.paused && runner.running > 0 ? "paused" : runner.running === runner.workers ? plural(runner.workers, "worker")
            : runner.running === 0 ? "not running" : `${count(runner.running)} of ${plural(runner.workers, "worker")}`;
        setText(this.detail, shortened(runner.stage && runner.stage !== runner.label ? `${runner.stage}, ${workers}` : workers, 25));
        const whole = shares && wholePercentages(shares);
        let x = 12;
        this.bars.forEach((bar, i) => {
            const width = whole ? barWidth * whole[i] / 100 : 0;
            setAttribute(bar, "x", x.toFixed(1));
            setAttribute(bar, "width", width.toFixed(1));
            x += width;
        });
        const most = whole ? whole.indexOf(Math.max(...whole)) : -1;
        const text = whole ? `${parts[most].label} ${percent(whole[most] / 100)}` : "nothing known yet";
        setText(this.share, text);
        setAttribute(this.element, "data-ended", runner.running === 0 || null);
        setAttribute(this.element, "aria-label", `Runner ${runner.label}: ${workers}, ${whole ? describeShares(whole) : text}`);
    }
}

export function describeShares(whole) {
    return parts.flatMap(({ label }, i) => whole[i] ? [`${label} ${whole[i]}\u00a0%`] : []).join(", ");
}

class TaskNode {
    constructor(key, label) {
        this.detail = svg("text", { class: "detail", x: 12, y: 44 });
        this.waits = svg("text", { class: "detail", x: 12, y: 64 });
        this.element = svg("g", { class: "node tasks", role: "img" },
            svg("rect", { class: "box", x: 0.5, y: 0.5, width: nodeWidth - 1, height: nodeHeight - 1, rx: 6 }),
            ...nameOf(label, 24), this.detail, this.waits);
    }

    update(group) {
        const text = group.tasks ? plural(group.tasks, "task") : "ended";
        const waits = [[group.put, "enqueue"], [group.take, "dequeue"]].filter(([number]) => number > 0)
            .map(([number, side]) => `${count(number)} to ${side}`).join(", ");
        setText(this.detail, text);
        setText(this.waits, waits || "none waits");
        setAttribute(this.element, "aria-label", `Tasks ${group.label}: ${text}, ${waits || "none waits"}`);
    }
}

export class Graph {
    #box = byId("graph");
    #nodes = new Map();  // by the kind and the key
    #edges = [];
    #shape = "";
    #width = 0;

    // Calls when the width has changed and an update would draw anew.
    constructor(onResize) {
        new ResizeObserver(() => {
            if (this.#box.clientWidth === this.#width) return;
            this.#shape = "";
            onResize();
        }).observe(this.#box);
    }

    update(snapshot, groups, history) {
        this.#arrange(snapshot, groups);
        const node = id => this.#nodes.get(id);
        for (const queue of snapshot.queues) node(`queue ${queue.key}`).update(queue);
        for (const runner of snapshot.runners) node(`runner ${runner.key}`).update(runner, history.shares(runner.key));
        for (const group of groups) node(`tasks ${group.key}`).update(group);
        for (const edge of this.#edges)
            if (edge.label) setText(edge.label, rate(history.rate("queues", edge.queue.key, edge.field)));
    }

    // Draws anew if there is something to draw that was not there, or another width to draw it in.
    #arrange(snapshot, groups) {
        const edges = edgesOf(snapshot, groups);
        const parts = [["queue", snapshot.queues, QueueNode], ["runner", snapshot.runners, RunnerNode], ["tasks", groups, TaskNode]];
        const ids = parts.flatMap(([kind, list]) => list.map(item => `${kind} ${item.key}`));
        const shape = JSON.stringify([ids, edges.map(edge => [edge.from, edge.to])]);
        if (shape === this.#shape) return;
        this.#shape = shape;
        setHidden(byId("graph-empty"), ids.length > 0);
        setHidden(this.#box, ids.length === 0);
        this.#nodes = new Map(parts.flatMap(([kind, list, Node]) =>
            list.map(item => [`${kind} ${item.key}`, new Node(item.key, item.label)])));
        this.#width = this.#box.clientWidth;
        const width = (this.#width || 800) - 2 * padding;
        const downwards = width < 640;
        const { places, ...size } = layOut(ids, edges.map(edge => [edge.from, edge.to]), width, downwards);
        const alone = edge => edges.every(other => other === edge || other.queue !== edge.queue || other.field !== edge.field);
        this.#edges = edges.map(edge =>
            drawn(edge, connect(places.get(edge.from), places.get(edge.to), downwards), alone(edge)));
        for (const [id, node] of this.#nodes)
            node.element.setAttribute("transform", `translate(${places.get(id).x} ${places.get(id).y})`);
        this.#draw(size, width);
    }

    #draw(size, width) {
        const scale = Math.max(0.72, Math.min(1, width / size.width));
        const picture = svg("svg", { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width * scale, height: size.height * scale },
            svg("defs", {}, svg("pattern", { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
                svg("line", { x1: 0, y1: 0, x2: 0, y2: 7 })),
            svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
                svg("path", { d: "M0 0L8 4L0 8z" }))),
            ...this.#edges.map(edge => edge.element), ...[...this.#nodes.values()].map(node => node.element));
        this.#box.replaceChildren(picture);
    }
}

// Between the parts that know each other by the names of queues.
function edgesOf(snapshot, groups) {
    const queues = new Map([...snapshot.queues].reverse().map(queue => [queue.name, queue]));
    const edges = [];
    const into = (from, name) => { if (queues.has(name)) edges.push({ from, to: `queue ${queues.get(name).key}`, queue: queues.get(name), field: "enqueued" }); };
    const outOf = (name, to) => { if (queues.has(name)) edges.push({ from: `queue ${queues.get(name).key}`, to, queue: queues.get(name), field: "dequeued" }); };
    for (const runner of snapshot.runners) {
        outOf(runner.from, `runner ${runner.key}`);
        for (const name of [...targetsOf(runner), runner.errors_to]) into(`runner ${runner.key}`, name);
    }
    for (const group of groups) {
        for (const name of group.from) outOf(name, `tasks ${group.key}`);
        for (const name of group.to) into(`tasks ${group.key}`, name);
    }
    return edges;
}

// The rate of a queue stands on an edge only if all of it goes there.
function drawn(edge, line, hasRate) {
    const element = svg("g", { class: "edge" }, svg("path", { d: line.path, "marker-end": "url(#arrow)" }));
    const label = hasRate ? svg("text", { x: line.x, y: line.y, "text-anchor": line.anchor }) : null;
    if (label) element.append(label);
    return { ...edge, element, label };
}
