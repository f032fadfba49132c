// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The page: takes snapshots from /events and shows them.

import { byId, html, setAttribute, setChildren, setHidden, setText } from "./dom.js";
import { differences, EventLog } from "./events.js";
import { count, percent, plural, rate, seconds, wholePercentages } from "./format.js";
import { describeShares, Graph } from "./graph.js";
import { fillOf, History, isCounted, isOver, isReady, isUnbounded, elementsOf, levelOf, longestWait, parts, readingOf, sizeText, stateOf, targetsOf, TaskGroups, taskText, withKeys } from "./model.js";
import { makeFill, makeShares, makeSparkline, showFill, showShares, showSparkline, Table } from "./tables.js";
import { offerActions, showActions } from "./actions.js";

const mostWaits = 200;  // rows; the longest waits are those that matter

const history = new History();
const groups = new TaskGroups();
const graph = new Graph(() => draw());
const log = new EventLog();
let latest = null;        // the last snapshot, with keys
let shown = null;         // the one that the page shows
let frozen = false;
let connected = false;
let isDrawing = false;
let lastSparkline = -1;   // when they were drawn, in seconds of the program
let queueFilter = "";

const queueTable = new Table(byId("queue-table"), {
    caption: "All queues. A header sorts by its column.",
    prefix: "queue",
    empty: "No queue matches, or none is watched.",
    columns: [
        { title: "Queue", value: queue => queue.label, text: queue => queue.label },
        { title: "Order", value: queue => queue.type ?? "", text: queue => queue.type ?? "own" },
        { title: "Fill", descends: true, value: queue => fillOf(queue) ?? queue.size, make: makeFill,
          show: (cell, queue) => showFill(cell, fillOf(queue), levelOf(fillOf(queue)), sizeText(queue), stateOf(queue)) },
        { title: "Last minute", value: queue => queue.size, make: makeSparkline, show: showSizes },
        { title: "In per second", number: true, value: queue => queue.in, text: queue => rate(queue.in) },
        { title: "Out per second", number: true, value: queue => queue.out, text: queue => rate(queue.out) },
        { title: "Waiting producers", number: true, value: queue => queue.waiting_producers, text: queue => count(queue.waiting_producers) },
        { title: "Waiting consumers", number: true, value: queue => queue.waiting_consumers, text: queue => count(queue.waiting_consumers) },
        { title: "Longest wait", number: true, value: longestWait, text: queue => longestWait(queue) > 0 ? seconds(longestWait(queue)) : "–" },
        { title: "Enqueued", number: true, value: queue => queue.enqueued, text: queue => count(queue.enqueued) },
        { title: "Dequeued", number: true, value: queue => queue.dequeued, text: queue => count(queue.dequeued) },
        { title: "High water", number: true, value: queue => queue.high_water, text: queue => count(queue.high_water) },
    ],
});

const remoteTable = new Table(byId("remote-table"), {
    caption: "Queues on a server, with the figures of all processes. A header sorts by its column.",
    empty: "No queue is on a server.",
    columns: [
        { title: "Queue", value: queue => queue.label, text: queue => queue.label },
        { title: "Size", number: true, value: queue => queue.size, text: queue => count(queue.size) },
        { title: "Pending", number: true, value: queue => queue.remote.pending, text: queue => count(queue.remote.pending) },
        { title: "Oldest", number: true, value: queue => queue.remote.oldest_age_seconds, text: queue => queue.remote.oldest_age_seconds === null ? "–" : seconds(queue.remote.oldest_age_seconds) },
        { title: "Redelivered", number: true, value: queue => queue.remote.redelivered, text: queue => count(queue.remote.redelivered) },
        { title: "Dead", number: true, value: queue => queue.remote.dead, text: queue => count(queue.remote.dead) },
        { title: "Dead letters", number: true, value: queue => queue.remote.dead_letters, text: queue => count(queue.remote.dead_letters) },
        { title: "Read", value: queue => queue.remote.read_seconds_ago ?? Infinity, text: readingOf },
    ],
});

const runnerTable = new Table(byId("runner-table"), {
    caption: "All runners. A header sorts by its column.",
    prefix: "runner",
    empty: "No runner is watched.",
    columns: [
        { title: "Runner", value: runner => runner.label, text: runner => runner.label },
        { title: "Stage", style: "name", value: runner => runner.stage ?? "", text: runner => runner.stage ?? "–" },
        { title: "From", style: "name", value: runner => runner.from ?? "", text: runner => runner.from ?? "–" },
        { title: "To", style: "name", value: runner => targetsOf(runner).join(), text: runner => targetsOf(runner).join(", ") || "–" },
        { title: "Workers", number: true, value: runner => runner.running, text: runner => `${count(runner.running)} of ${count(runner.workers)}${runner.paused ? ", paused" : ""}` },
        { title: "Time of the workers", descends: true, value: runner => runner.shares?.[0] ?? -1,
          make: cell => makeShares(cell, parts.map(part => part.key)),
          show: (cell, runner) => showShares(cell, runner.whole, runner.whole ? describeShares(runner.whole) : "nothing known yet") },
        { title: "Elements per second", number: true, value: runner => runner.rate, text: runner => rate(runner.rate) },
        { title: "Elements", number: true, value: elementsOf, text: runner => isCounted(runner) ? count(elementsOf(runner)) : "–" },
        { title: "Left out", number: true, value: runner => runner.skipped ?? 0, text: runner => count(runner.skipped ?? 0) },
        { title: "First errors", style: "prose", value: runner => (runner.first_errors ?? []).join(), text: runner => (runner.first_errors ?? []).join("; ") || "–" },
    ],
});

const waitTable = new Table(byId("wait-table"), {
    caption: "Tasks that wait, for an operation or a thread, or were asked to stop and still run. A header sorts by its column.",
    empty: "No task waits.",
    columns: [
        { title: "Task", value: task => task.label, text: task => task.label },
        { title: "Waits on", style: "prose", value: task => task.waiting_on ?? "", text: task => task.waiting_on ?? task.doing },
        { title: "For", number: true, value: task => task.since_seconds, text: task => seconds(task.since_seconds) },
    ],
});
waitTable.sortBy("For", true);

function showSizes(cell, queue) {
    if (!queue.draws && cell.line.hasAttribute("points")) return;
    const sizes = history.sizes(queue.key);
    const values = sizes.map(([, size]) => size);
    const top = isUnbounded(queue) || queue.capacity === 0 ? Math.max(...values) : queue.capacity;
    showSparkline(cell, sizes, top, `Size over the last minute: from ${count(Math.min(...values))} to ${count(Math.max(...values))}, now ${count(queue.size)}`);
}

function receive(snapshot) {
    const before = latest;
    latest = { ...snapshot, queues: withKeys(snapshot.queues), runners: withKeys(snapshot.runners), tasks: withKeys(snapshot.tasks ?? []) };
    const isAnother = before && latest.elapsed_seconds < before.elapsed_seconds;
    if (isAnother) history.clear();  // it has been started again
    history.add(latest.elapsed_seconds, latest);
    groups.add(latest);
    const found = differences(isAnother ? null : before, latest);
    for (const each of found) log.add(latest.elapsed_seconds, each);
    announce(found.filter(each => each.kind === "state" || each.kind === "error").map(each => each.text));
    showActions(latest);  // what can be done, also while the display is frozen
    if (!frozen) draw();
}

// Once per frame at most; a page in the background draws nothing.
function draw() {
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(() => {
        isDrawing = false;
        if (!latest) return;
        performance.mark("draw");
        if (!frozen) shown = withRates(latest);
        show(shown);
        performance.measure("draw", "draw");
    });
}

// Computed with the snapshot, so that a page that is frozen keeps what belongs to it.
function withRates(snapshot) {
    const draws = Math.abs(snapshot.elapsed_seconds - lastSparkline) >= 0.9;
    if (draws) lastSparkline = snapshot.elapsed_seconds;
    return {
        ...snapshot,
        queues: snapshot.queues.map(queue => ({
            ...queue, draws,
            in: history.rate("queues", queue.key, "enqueued"),
            out: history.rate("queues", queue.key, "dequeued"),
        })),
        runners: snapshot.runners.map(runner => {
            const shares = history.shares(runner.key);
            const field = runner.from === null ? "items_out" : "items_in";
            return {
                ...runner, shares, whole: shares && wholePercentages(shares),
                rate: isCounted(runner) ? history.rate("runners", runner.key, field) : null,
            };
        }),
    };
}

function show(snapshot) {
    const hasFailed = snapshot.first_error && snapshot.state !== "failed";  // and goes on to its end
    document.title = `${snapshot.name}: ${snapshot.first_error ? "error" : snapshot.state}`;
    setText(byId("name"), snapshot.name || "sluice");
    const state = byId("state");
    setText(state, hasFailed ? `${snapshot.state}, failed` : snapshot.state);
    setAttribute(state, "data-state", snapshot.first_error ? "failed" : snapshot.state);
    showFigures(snapshot);
    showErrors(snapshot);
    showStragglers(snapshot.tasks.filter(task => task.straggler));
    const bottleneck = byId("bottleneck");
    setHidden(bottleneck, !snapshot.bottleneck);
    setText(bottleneck.lastElementChild, snapshot.bottleneck);
    graph.update(snapshot, groups.atQueues, history);
    showTables(snapshot);
    showConnection();
}

function showTables(snapshot) {
    queueTable.filter(queue => `${queue.label} ${queue.type} ${stateOf(queue)}`.toLowerCase().includes(queueFilter));
    queueTable.update(snapshot.queues);
    const remote = snapshot.queues.filter(queue => queue.remote);
    setHidden(byId("remote"), remote.length === 0);
    remoteTable.update(remote);
    runnerTable.update(snapshot.runners);
    const waits = snapshot.tasks.filter(task => task.waiting_on || isReady(task) || task.straggler)
        .sort((a, b) => b.since_seconds - a.since_seconds);
    setText(byId("waits-count"), waits.length > mostWaits ? `the ${mostWaits} longest of ${count(waits.length)}` : plural(waits.length, "task"));
    waitTable.update(waits.slice(0, mostWaits));
}

function showFigures(snapshot) {
    const sum = (list, field) => list.reduce((total, item) => total + (item[field] ?? 0), 0);
    const full = snapshot.queues.filter(queue => stateOf(queue) === "full").length;
    const figures = [
        ["Elapsed", seconds(snapshot.elapsed_seconds)],
        ["Dequeued, all queues", count(sum(snapshot.queues, "dequeued"))],
        ["Dequeued per second, all queues", rate(snapshot.queues.some(queue => queue.out !== null) ? sum(snapshot.queues, "out") : null)],
        ["Elements in queues", count(sum(snapshot.queues, "size"))],
        ["Full queues", `${count(full)} of ${count(snapshot.queues.length)}`],
        ["Tasks alive", count(Math.max(snapshot.tasks.length, sum(snapshot.runners, "running")))],
    ];
    if (snapshot.progress !== undefined) figures.push(["Input read", percent(snapshot.progress)]);
    if (snapshot.seconds_left !== undefined) figures.push(["About left", seconds(snapshot.seconds_left)]);
    const list = byId("figures");
    const known = new Map([...list.children].map(each => [each.title, each]));
    setChildren(list, figures.map(([title, value]) => {
        const figure = known.get(title) ?? html("div", "", html("dt", "", title), html("dd"));
        figure.title = title;
        setText(figure.lastChild, value);
        return figure;
    }));
}

function showErrors(snapshot) {
    setHidden(byId("failure"), !snapshot.first_error);
    setText(byId("error"), snapshot.first_error ?? "");
    const others = (snapshot.coordinators ?? []).flatMap(scope => scope.errors).filter(error => error !== snapshot.first_error);
    const more = byId("more-errors");
    setHidden(more, others.length === 0);
    setText(more.firstElementChild, `${plural(others.length, "other error")}`);
    showLines(more.lastElementChild, others);
}

function showStragglers(tasks) {
    setHidden(byId("stragglers"), tasks.length === 0);
    showLines(byId("stragglers").querySelector("ul"), tasks.map(taskText));
}

function showLines(list, lines) {
    while (list.childElementCount > lines.length) list.lastChild.remove();
    while (list.childElementCount < lines.length) list.append(html("li"));
    lines.forEach((line, i) => setText(list.children[i], line));
}

// For screen readers: that the state changes, and nothing that changes all the time.
function announce(texts) {
    if (texts.length) byId("announcer").textContent = texts.join(". ");
}

function showConnection() {
    const hasEnded = isOver(latest?.state);
    const text = connected ? (frozen ? "display frozen" : hasEnded ? "ended" : "live")
        : !latest ? "connecting"
        : hasEnded ? "ended; this is the final state" : "connection lost, retrying";
    setText(byId("connection"), text);
    setAttribute(byId("connection"), "data-connection", text.split(/[ ,;]/)[0]);
    setAttribute(document.body, "data-stale", !connected && latest && !hasEnded ? "true" : null);
}

function connect() {
    const events = new EventSource("events");
    events.addEventListener("state", event => {
        if (!connected) {
            connected = true;
            if (latest) log.add(latest.elapsed_seconds, { kind: "connection", text: "connected again" });
        }
        receive(JSON.parse(event.data));
    });
    events.addEventListener("error", () => {
        if (connected) log.add(latest.elapsed_seconds, { kind: "connection", text: "connection lost" });
        connected = false;
        showConnection();
        // The browser tries again by itself, unless the server has refused.
        if (events.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
    });
}

byId("freeze").addEventListener("click", event => {
    frozen = !frozen;
    event.currentTarget.setAttribute("aria-pressed", String(frozen));
    if (latest) draw();
    showConnection();
});
byId("queue-filter").addEventListener("input", event => {
    queueFilter = event.target.value.toLowerCase();
    if (shown) showTables(shown);
});
for (const table of [queueTable, remoteTable, runnerTable, waitTable]) table.onSort = () => { if (shown) showTables(shown); };

showConnection();
connect();
offerActions().then(() => { if (latest) showActions(latest); });
