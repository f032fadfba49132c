// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What a result of the search is worth: first what explains, then the reference, then all else. A
// result within a page is named after its section, also if a word of `<!-- search: -->` found it.
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: {}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,

  areas: [
    [/^(guide|tutorial)\/|^(recipes|troubleshooting|installation|comparison)$/, 9],
    [/^reference\//, 6],
    [/^(pipelines\/|errors$|performance$|glossary$|tensorflow$)/, 4],
    [/^samples\//, 1],
  ],

  titles: null, // of pages and of sections, by their addresses
  readTitles() {
    const { docnames, titles, alltitles } = Search._index;
    Scorer.titles = new Map(docnames.map((page, i) => [page, titles[i]]));
    for (const [title, places] of Object.entries(alltitles))
      for (const [page, id] of places) Scorer.titles.set(`${docnames[page]}#${id}`, title);
  },

  score(result) {
    const [page, , anchor, , score] = result;
    if (!Scorer.titles) Scorer.readTitles();
    const ofPage = Scorer.titles.get(page);
    const ofSection = Scorer.titles.get(page + anchor);
    if (ofSection === ofPage) result[2] = "";
    const path = page.startsWith("reference/") ? ["Reference", ofPage] : [ofPage];
    if (ofSection && ofSection !== ofPage) path.push(ofSection);
    result[1] = path.join(" > ");
    return score + (Scorer.areas.find(([pattern]) => pattern.test(page)) ?? [, 0])[1];
  },
};

// A page that is opened as a file must not read the others, of which the summaries would be.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
