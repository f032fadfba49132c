// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What the page says of a snapshot, without the document. The snapshot is that of /api/state.

import { count, seconds } from "./format.js";

const rateWindow = 3;       // seconds over which a rate is averaged
const shareWindow = 10;     // seconds over which the time of a runner is divided
const historyLength = 60;   // seconds that a sparkline shows

// The parts of the time of a runner, in the order of the bars.
export const parts = [
    { key: "busy", field: "busy_seconds", label: "busy" },
    { key: "ready", field: "ready_seconds", label: "no free thread" },
    { key: "put", field: "blocked_on_enqueue_seconds", label: "waits to enqueue" },
    { key: "take", field: "blocked_on_dequeue_seconds", label: "waits to dequeue" },
    { key: "idle", field: "idle_seconds", label: "idle" },
];

// Names need not be unique: the second "lines" is "lines #2".
export function withKeys(list) {
    const seen = new Map();
    return list.map(item => {
        const number = (seen.get(item.name) ?? 0) + 1;
        seen.set(item.name, number);
        return { key: `${item.name}\u0000${number}`, label: number === 1 ? item.name || "unnamed" : `${item.name} #${number}`, ...item };
    });
}

// The last states of a run: its page says what was, and nothing can be done to it any more.
export const isOver = state => ["done", "drained", "stopped", "failed"].includes(state);

// Could go on, if there were a thread for it.
export const isReady = task => task.doing === "ready, no free thread";

// The names of the queues behind a runner: none, one or several.
export const targetsOf = runner => [runner.to ?? []].flat();

export const isUnbounded = queue => queue.capacity === null;

// From 0 to 1; null if there is no capacity to compare with.
export function fillOf(queue) {
    return isUnbounded(queue) || queue.capacity === 0 ? null : Math.min(1, queue.size / queue.capacity);
}

// 0 up to 60 %, 1 up to 85 %, 2 above, the limits of NiFi.
export function levelOf(fill) {
    return fill === null || fill <= 0.6 ? 0 : fill <= 0.85 ? 1 : 2;
}

// How a queue is, in words: colour alone says nothing to many.
export function stateOf(queue) {
    if (queue.remote?.read_seconds_ago === null) return "not read yet";
    const fill = fillOf(queue);
    if (queue.closed) return queue.size > 0 ? "closed, draining" : "closed";
    if (queue.capacity === 0) return "rendezvous";
    if (queue.size === 0) return "empty";
    if (fill === null) return "no limit";
    return fill >= 1 ? "full" : ["normal", "filling", "nearly full"][levelOf(fill)];
}

export function sizeText(queue) {
    return `${count(queue.size)} / ${isUnbounded(queue) ? "∞" : count(queue.capacity)}`;
}

// When the server of a queue said how it is, and why it does not any more.
export function readingOf({ remote }) {
    const when = remote.read_seconds_ago === null ? "never" : `${seconds(remote.read_seconds_ago)} ago`;
    if (!remote.stale) return when;
    return `${when}, out of date${remote.problem ? `: ${remote.problem}` : ""}`;
}

export function longestWait(queue) {
    return Math.max(queue.longest_wait_to_enqueue_seconds ?? 0, queue.longest_wait_to_dequeue_seconds ?? 0);
}

// Counters over time, from which rates, shares and sparklines come.
export class History {
    #frames = [];

    // Of a snapshot whose queues and runners have keys.
    add(now, snapshot) {
        const last = this.#frames.at(-1);
        if (last && now <= last.now) return;
        const byKey = list => new Map(list.map(item => [item.key, item]));
        this.#frames.push({ now, queues: byKey(snapshot.queues), runners: byKey(snapshot.runners) });
        while (now - this.#frames[0].now > historyLength + 1) this.#frames.shift();
    }

    clear() { this.#frames = []; }

    // The earliest frame of the last so many seconds.
    #since(age) {
        const last = this.#frames.at(-1);
        return this.#frames.find(frame => frame.now >= last.now - age);
    }

    // Null while there is only one value.
    rate(kind, key, field) {
        const last = this.#frames.at(-1);
        const first = last && this.#since(rateWindow);
        const [before, after] = [first?.[kind].get(key), last?.[kind].get(key)];
        if (!before || !after || first === last) return null;
        return Math.max(0, after[field] - before[field]) / (last.now - first.now);
    }

    // How the workers of a runner spent their time lately; since the start if they spent none.
    // Null if nothing is known.
    shares(key) {
        const last = this.#frames.at(-1);
        const [before, after] = [this.#since(shareWindow)?.runners.get(key), last?.runners.get(key)];
        if (!after) return null;
        const recent = parts.map(({ field }) => Math.max(0, (after[field] ?? 0) - (before?.[field] ?? 0)));
        return normalized(recent) ?? normalized(parts.map(({ field }) => after[field] ?? 0));
    }

    // [age in seconds, size] of the last minute.
    sizes(key) {
        const last = this.#frames.at(-1);
        return this.#frames.flatMap(frame => {
            const queue = frame.queues.get(key);
            return queue ? [[last.now - frame.now, queue.size]] : [];
        });
    }
}

function normalized(amounts) {
    const sum = amounts.reduce((total, each) => total + each, 0);
    return sum > 1e-9 ? amounts.map(each => each / sum) : null;
}

// Elements of a runner, where they are counted.
export function elementsOf(runner) {
    return runner.from === null ? runner.items_out : runner.items_in;
}

export const isCounted = runner => runner.stage !== null || runner.items_in + runner.items_out > 0;

// Tasks of a program that are not the workers of a runner, by name, with what they have been seen to
// wait for: the other half of the graph.
export class TaskGroups {
    #groups = new Map();

    add(snapshot) {
        const runners = snapshot.runners.map(runner => runner.name).filter(name => name);
        const isWorker = name => runners.some(runner => name === runner || name.startsWith(`${runner}/`));
        for (const group of this.#groups.values()) Object.assign(group, { tasks: 0, put: 0, take: 0 });
        for (const task of snapshot.tasks) {
            if (isWorker(task.name)) continue;
            const group = this.#group(task.name);
            ++group.tasks;
            if (!task.queue) continue;
            const puts = task.doing === "waiting to enqueue";
            ++group[puts ? "put" : "take"];
            group[puts ? "to" : "from"].add(task.queue);
        }
    }

    // Those that belong into the graph.
    get atQueues() {
        return [...this.#groups.values()].filter(group => group.to.size + group.from.size > 0);
    }

    #group(name) {
        if (!this.#groups.has(name))
            this.#groups.set(name, { name, key: name, label: name || "unnamed", tasks: 0, put: 0, take: 0, to: new Set(), from: new Set() });
        return this.#groups.get(name);
    }
}

export function taskText(task) {
    const what = task.waiting_on ? `waits on ${task.waiting_on}` : task.doing;
    return `${task.name || "unnamed"}: ${what} for ${seconds(task.since_seconds)}`;
}
