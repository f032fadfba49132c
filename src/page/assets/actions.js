// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Buttons for what the program lets the page do. They need the token that the program has printed
// behind the # of the address, which browsers neither send nor store in a Referer.

import { byId, html, setChildren } from "./dom.js";
import { isOver } from "./model.js";

const buttons = [];

export async function offerActions() {
    const token = new URLSearchParams(location.hash.slice(1)).get("token");
    if (!token) return;
    history.replaceState(null, "", location.pathname);  // not for shoulders and screenshots
    const response = await fetch("api/actions");
    if (!response.ok) return;
    for (const { name, label, runner, for_paused, until_end } of await response.json())
        buttons.push(Object.assign(button(name, label, token), { runner, forPaused: for_paused, untilEnd: until_end }));
}

// Those that the state and the runners of a snapshot allow.
export function showActions({ state, runners }) {
    const isPaused = new Map(runners.filter(each => each.running > 0).map(each => [each.name, Boolean(each.paused)]));
    const offered = buttons.filter(each => !(each.untilEnd && isOver(state)));
    setChildren(byId("actions"), offered.filter(each => each.runner === null));
    setChildren(byId("runner-actions"), offered.filter(each => isPaused.get(each.runner) === each.forPaused));
}

// The first click asks, the second one does it.
function button(name, label, token) {
    const element = html("button", "", label);
    element.type = "button";
    const reset = () => { element.textContent = label; element.classList.remove("sure"); };
    element.addEventListener("blur", reset);
    element.addEventListener("click", async () => {
        if (!element.classList.contains("sure")) {
            element.classList.add("sure");
            element.textContent = `${label}: sure?`;
            return;
        }
        reset();
        const response = await fetch(`api/actions/${encodeURIComponent(name)}`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
        byId("announcer").textContent = response.ok ? `${label}: done` : `${label}: refused, ${await response.text()}`;
        if (!response.ok) element.title = byId("announcer").textContent;
    });
    return element;
}
