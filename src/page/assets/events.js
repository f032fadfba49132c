// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The log of what has happened while the page was open: the differences between snapshots.

import { byId, html } from "./dom.js";
import { count, seconds } from "./format.js";
import { stateOf } from "./model.js";

const mostEvents = 500;
const kinds = ["connection", "state", "queue", "runner", "error"];

export function differences(before, now) {
    const found = [];
    const note = (kind, text) => found.push({ kind, text });
    if (before?.state !== now.state) note("state", before ? `${before.state} → ${now.state}` : `${now.state} when the page was opened`);
    if (now.first_error && before?.first_error !== now.first_error) note("error", now.first_error);
    for (const scope of now.coordinators ?? []) {
        const old = before?.coordinators?.find(each => each.name === scope.name);
        if (scope.stop_requested && !old?.stop_requested) note("state", `stop requested: ${scope.name}`);
    }
    if (!before) return found;
    const byKey = list => new Map(list.map(item => [item.key, item]));
    const queues = byKey(before.queues);
    for (const queue of now.queues) {
        const old = queues.get(queue.key);
        queues.delete(queue.key);
        if (!old) note("queue", `${queue.label}: new`);
        else if (queue.closed && !old.closed) note("queue", `${queue.label}: closed${queue.closed_by ? ` by ${queue.closed_by}` : ""}${queue.closed_because ? ` (${queue.closed_because})` : ""} with ${count(queue.size)} left`);
        else if (queue.closed && queue.size === 0 && old.size > 0) note("queue", `${queue.label}: drained`);
        else if (stateOf(queue) === "full" && queue.waiting_producers > 0 && old.waiting_producers === 0)
            note("queue", `${queue.label}: full, ${count(queue.waiting_producers)} waiting to enqueue`);
    }
    for (const queue of queues.values()) note("queue", `${queue.label}: gone`);
    const runners = byKey(before.runners);
    for (const runner of now.runners) {
        const old = runners.get(runner.key);
        if (runner.running > 0 && !(old?.running > 0)) note("runner", `${runner.label}: started`);
        if (runner.running === 0 && old?.running > 0) note("runner", `${runner.label}: all workers have ended`);
        if (old && Boolean(runner.paused) !== Boolean(old.paused)) note("runner", `${runner.label}: ${runner.paused ? "paused" : "resumed"}`);
        if ((runner.skipped ?? 0) > (old?.skipped ?? 0)) note("error", `${runner.label}: left out ${count(runner.skipped - (old?.skipped ?? 0))}`);
    }
    return found;
}

export class EventLog {
    #list = byId("events");
    #choice = byId("event-kind");

    constructor() {
        this.#choice.append(...kinds.map(kind => html("option", "", kind)));
        this.#choice.addEventListener("change", () => { this.#list.dataset.kind = this.#choice.value; });
    }

    // The newest one is on top. A queue that flaps between full and not must not push all else out.
    add(elapsed, { kind, text }) {
        const newest = this.#list.firstChild;
        if (newest?.event === kind + text) {
            newest.times = (newest.times ?? 1) + 1;
            newest.lastChild.textContent = `${text} (${count(newest.times)} times)`;
            return;
        }
        const entry = html("li", `event ${kind}`, html("time", "", seconds(elapsed)), html("b", "", kind), html("span", "", text));
        entry.event = kind + text;
        this.#list.prepend(entry);
        while (this.#list.childElementCount > mostEvents) this.#list.lastChild.remove();
    }
}
