// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Tables that are sorted by a click on a header, and whose rows are kept from one snapshot to the next.

import { html, setAttribute, setChildren, setHidden, setStyle, setText, svg } from "./dom.js";

// A column: { title, value(entry) to sort by, text(entry) }; number: true for those on the right;
// make(cell) and show(cell, entry) instead of text for what is no text; descends: the largest first;
// style: "name" for what is cut off if it is long, "prose" for what has several lines then.
export class Table {
    #columns;
    #rows = new Map();
    #body = html("tbody");
    #sortedBy = null;  // a column; null is the order of the program
    #descends = false;
    #prefix;
    #empty;
    #keeps = () => true;

    constructor(table, { caption, columns, prefix = "", empty }) {
        this.#columns = columns;
        this.#prefix = prefix;
        const head = html("tr", "", ...columns.map(column => this.#header(column)));
        this.#empty = html("tr", "", html("td", "empty", empty));
        this.#empty.firstChild.colSpan = columns.length;
        this.#body.append(this.#empty);
        table.append(html("caption", "unseen", caption), html("thead", "", head), this.#body);
    }

    filter(keeps) { this.#keeps = keeps; }

    sortBy(title, descends = false) {
        [this.#sortedBy, this.#descends] = [this.#columns.find(column => column.title === title), descends];
        this.#showOrder();
    }

    update(entries) {
        const shown = entries.filter(this.#keeps);
        if (this.#sortedBy) {
            const { value } = this.#sortedBy, sign = this.#descends ? -1 : 1;
            shown.sort((a, b) => sign * compare(value(a), value(b)));
        }
        const rows = shown.map(entry => this.#row(entry));
        const known = new Set(entries.map(entry => entry.key));
        for (const key of this.#rows.keys()) if (!known.has(key)) this.#rows.delete(key);
        setChildren(this.#body, rows.length ? rows : [this.#empty]);
    }

    #header(column) {
        const button = html("button", "", column.title);
        button.type = "button";
        button.addEventListener("click", () => {
            // numbers first from the top; a third click gives the order of the program back
            const descends = Boolean(column.number || column.descends);
            if (this.#sortedBy !== column) [this.#sortedBy, this.#descends] = [column, descends];
            else if (this.#descends === descends) this.#descends = !descends;
            else this.#sortedBy = null;
            this.#showOrder();
            this.onSort?.();
        });
        column.header = html("th", column.number ? "number" : "", button);
        column.header.scope = "col";
        column.header.setAttribute("aria-sort", "none");
        return column.header;
    }

    #showOrder() {
        for (const column of this.#columns) {
            const order = column !== this.#sortedBy ? "none" : this.#descends ? "descending" : "ascending";
            setAttribute(column.header, "aria-sort", order);
        }
    }

    #row(entry) {
        if (!this.#rows.has(entry.key)) {
            const cells = this.#columns.map((column, i) => {
                const cell = html(i === 0 ? "th" : "td", column.number ? "number" : column.style ?? "");
                if (i === 0) [cell.scope, cell.className] = ["row", "name"];
                if (column.make) column.make(cell);
                return cell;
            });
            const row = html("tr", "", ...cells);
            if (this.#prefix) [row.id, row.tabIndex] = [`${this.#prefix}-${encodeURIComponent(entry.key)}`, -1];
            this.#rows.set(entry.key, row);
        }
        const row = this.#rows.get(entry.key);
        this.#columns.forEach((column, i) => {
            const cell = row.cells[i];
            if (column.show) {
                column.show(cell, entry);
                return;
            }
            const text = column.text(entry);
            setText(cell, text);
            if (cell.className === "name") setAttribute(cell, "title", text);
        });
        return row;
    }
}

function compare(a, b) {
    if (typeof a === "string") return a.localeCompare(b, "en", { numeric: true });
    return (a ?? -1) - (b ?? -1);
}

// How full a queue is, as a bar with words.
export function makeFill(cell) {
    cell.bar = html("i");
    cell.figure = html("span", "figure");
    cell.word = html("span", "word");
    cell.append(html("div", "fill", cell.bar), cell.figure, cell.word);
}

export function showFill(cell, fill, level, size, word) {
    setAttribute(cell, "data-level", level);
    setAttribute(cell.firstChild, "data-unknown", fill === null || null);
    setStyle(cell.bar, "width", `${((fill ?? 0) * 100).toFixed(1)}%`);
    setText(cell.figure, size);
    setText(cell.word, word);
}

// The parts of a whole as one bar; the words are for a reader who does not see it, and in a tooltip.
export function makeShares(cell, names) {
    cell.parts = names.map(name => html("i", name));
    cell.bar = html("div", "shares", ...cell.parts);
    cell.words = html("span", "words");
    cell.append(cell.bar, cell.words);
}

export function showShares(cell, whole, words) {
    setHidden(cell.bar, !whole);
    cell.parts.forEach((part, i) => setStyle(part, "width", `${whole ? whole[i] : 0}%`));
    setText(cell.words, words);
}

const sparkline = { width: 96, height: 22, seconds: 60 };

export function makeSparkline(cell) {
    cell.line = svg("polyline");
    cell.picture = svg("svg", { class: "sparkline", width: sparkline.width, height: sparkline.height, role: "img" }, cell.line);
    cell.append(cell.picture);
}

// Points are [age in seconds, value]; `top` is the value at the upper edge.
export function showSparkline(cell, points, top, label) {
    const x = age => (sparkline.width - 2) * (1 - age / sparkline.seconds) + 1;
    const y = value => sparkline.height - 2 - (sparkline.height - 4) * Math.min(1, value / Math.max(1, top));
    setAttribute(cell.line, "points", points.map(([age, value]) => `${x(age).toFixed(1)},${y(value).toFixed(1)}`).join(" "));
    setAttribute(cell.picture, "aria-label", label);
}
