# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Sphinx: what build.py has put together becomes HTML."""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

HEADER = Path(__file__).resolve().parents[2] / "include/sluice/version.hpp"

project = "sluice"
author = "The sluice authors"
copyright = "2026 The sluice authors"  # pylint: disable=redefined-builtin
version = release = ".".join(re.findall(r"^#define SLUICE_VERSION_\w+ (\d+)", HEADER.read_text("utf-8"), re.M))
extensions = ["myst_parser", "sphinx_copybutton"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 5
nitpicky = True
highlight_language = "text"

html_theme = "furo"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#1d56b0", "color-brand-content": "#1d56b0", "color-code-background": "#f5f6f8",
    },
    # All that the theme changes for the dark: Debian's Furo does so only after a click.
    "dark_css_variables": {
        "color-problematic": "#ff8a80",
        "color-foreground-primary": "#e3e6ea", "color-foreground-secondary": "#b4bac2",
        "color-foreground-muted": "#9fa6b0", "color-foreground-border": "#6b7280",
        "color-background-primary": "#131519", "color-background-secondary": "#1a1d22",
        "color-background-hover": "#23272e", "color-background-hover--transparent": "#23272e00",
        "color-background-border": "#30353d", "color-background-item": "#444a54",
        "color-brand-primary": "#7fb2f5", "color-brand-content": "#7fb2f5", "color-code-background": "#1a1d22",
        "color-highlighted-background": "#0b3a6b", "color-highlight-on-target": "#3a3a12",
        "color-admonition-background": "#1a1d22",
    },
}
pygments_style = "xcode"
pygments_dark_style = "github-dark"
html_title = f"sluice {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/favicon.svg"
html_search_scorer = str(Path(__file__).with_name("search_order.js"))
copybutton_selector = ":not(.declaration) > div.highlight pre"
html_copy_source = False
html_show_sphinx = False
html_use_index = False


class NameLinks(SphinxPostTransform):
    """Where code is a public name, or a text has the number of a rule, it links to that: the first
    time in a section."""

    default_priority = 50
    formats = ("html",)
    RULE = re.compile(r"\b[A-Z]\d{1,2}\b")

    def run(self, **kwargs):
        data = json.loads((Path(self.app.srcdir).parent / "names.json").read_text("utf-8"))
        names, here = data["names"], self.env.docname + ".md"
        local = {name: (here, place) for name, place in data["local"].get(here, {}).items()}
        done = set()
        for node in list(self.document.findall(nodes.literal)):
            text = re.sub(r"<.*>|\(\)$", "", node.astext()).removeprefix("sluice::")
            if reference := self.reference(node, local.get(text) or names.get(text), done):
                node.replace_self(reference)
                reference += node
        for node in list(self.document.findall(nodes.Text)):
            parts, end = [], 0
            for match in self.RULE.finditer(node):
                if reference := self.reference(node, names.get(match[0]), done):
                    reference += nodes.inline("", match[0])
                    parts += [nodes.Text(node[end:match.start()]), reference]
                    end = match.end()
            if parts:
                node.parent.replace(node, [*parts, nodes.Text(node[end:])])

    def reference(self, node, target, done):
        """A reference from where the node is, unless there is one already."""
        section = node.parent
        while not isinstance(section, (nodes.section, nodes.document)):
            if isinstance(section, (nodes.reference, nodes.title, nodes.literal, nodes.FixedTextElement)):
                return None
            section = section.parent
        if not target or (id(section), *target) in done:
            return None
        done.add((id(section), *target))
        page, anchor = target
        if anchor:
            found = self.env.get_domain("std").anonlabels.get(f"{page}#{anchor}")
            if not found:
                logging.getLogger(__name__).warning("no place %s#%s", page, anchor, location=node)
                return None
            anchor = found[1]
        if page == self.env.docname + ".md" and (anchor in section["ids"] or not anchor):
            return None
        return make_refnode(self.app.builder, self.env.docname, page.removesuffix(".md"), anchor, [])


def place_search_words(_app, document):
    """A word that a section is found by leads to its heading, and not to a place of its own."""
    for node in document.findall(addnodes.index):
        section = node.parent
        while not isinstance(section, nodes.section):
            section = section.parent
        node["entries"] = [(kind, word, section["ids"][0], *rest) for kind, word, _, *rest in node["entries"]]


def make_complete(app, exception):
    """Debian's Furo imports a module and a style sheet, which a browser does not load from a file."""
    if exception is None:
        scripts, styles = (Path(app.outdir, "_static", name) for name in ("scripts", "styles"))
        spy, furo = ((scripts / name).read_text("utf-8") for name in ("gumshoe-patched.js", "furo.js"))
        furo = re.sub(r"^import .*|^ *console\.log.*", "", furo, flags=re.MULTILINE)
        (scripts / "furo.js").write_text(spy + furo, "utf-8")
        furo = (styles / "furo.css").read_text("utf-8")
        (styles / "furo.css").write_text(re.sub(
            r"^@import url\((/javascript/.*?)\);",
            lambda match: Path("/usr/share" + match[1]).read_text("utf-8"), furo), "utf-8")


def setup(app):
    app.connect("doctree-read", place_search_words)
    app.connect("build-finished", make_complete)
    app.add_post_transform(NameLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
