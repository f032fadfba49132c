// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Numbers, with their units, as the page shows them. Spaces inside are non-breaking.

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const scales = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

// Three significant digits: 0.25, 1.21, 12.1, 121.
function digits(value) {
    if (value === 0) return "0";
    if (value < 0.01) return "<0.01";
    return value < 1 ? value.toFixed(2) : value.toPrecision(value < 999.5 ? 3 : 4).replace(/\.0+$/, "");
}

export function count(value) {
    return value < 1e7 ? grouped.format(value) : scaled(value);
}

export function scaled(value) {
    for (const [scale, unit] of scales)
        if (value >= scale * 0.9995) return `${digits(value / scale)}\u00a0${unit}`;
    return digits(value);
}

export function rate(perSecond) {
    if (perSecond === null) return "–";
    return perSecond === 0 ? "0/s" : `${scaled(perSecond)}/s`;
}

export function seconds(value) {
    if (value < 0.0005) return "0\u00a0s";
    if (value < 0.9995) return `${Math.round(value * 1000)}\u00a0ms`;
    if (value < 59.95) return `${value.toFixed(1)}\u00a0s`;
    const whole = Math.round(value);
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    return hours ? `${hours}\u00a0h ${minutes}\u00a0min` : `${minutes}\u00a0min ${rest}\u00a0s`;
}

export function percent(share) {
    return `${Math.round(share * 100)}\u00a0%`;
}

// Whole percentages that add up to 100: what rounding leaves over goes to the largest remainders.
export function wholePercentages(shares) {
    const exact = shares.map(share => share * 100);
    const whole = exact.map(Math.floor);
    let left = 100 - whole.reduce((sum, each) => sum + each, 0);
    const order = exact.map((each, i) => i).sort((a, b) => (exact[b] - whole[b]) - (exact[a] - whole[a]));
    for (const i of order) {
        if (left-- <= 0) break;
        ++whole[i];
    }
    return whole;
}

export function plural(number, word) {
    return `${count(number)}\u00a0${word}${number === 1 ? "" : "s"}`;
}

export function shortened(text, length) {
    return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
