// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Writing into the document only what has changed: an update that changes nothing costs no layout,
// and a selection or a focus survives it.

const svgNamespace = "http://www.w3.org/2000/svg";

export const byId = id => document.getElementById(id);

export function html(tag, className = "", ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
}

export function svg(tag, attributes = {}, ...children) {
    const element = document.createElementNS(svgNamespace, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

export function setText(element, text) {
    if (element.shownText === text) return;
    element.shownText = text;
    element.textContent = text;
}

export function setAttribute(element, name, value) {
    const shown = element.shownAttributes ??= new Map();
    if (shown.get(name) === value) return;
    shown.set(name, value);
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
}

export function setHidden(element, hidden) {
    if (element.hidden !== hidden) element.hidden = hidden;
}

// Property by property: the policy of the page allows no style attributes.
export function setStyle(element, name, value) {
    const shown = element.shownStyle ??= new Map();
    if (shown.get(name) === value) return;
    shown.set(name, value);
    element.style.setProperty(name, value);
}

// Makes the children of a parent those that are given, in their order, and moves no more than needed.
export function setChildren(parent, children) {
    let next = parent.firstChild;
    for (const child of children) {
        if (child === next) next = next.nextSibling;
        else parent.insertBefore(child, next);
    }
    while (next) {
        const after = next.nextSibling;
        next.remove();
        next = after;
    }
}
