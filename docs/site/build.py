# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Builds the site in build/docs: build.py <root>

The pages of docs/, the README and others, samples, and the reference become one tree of Markdown,
of which Sphinx makes HTML. The pages stay as a forge shows them. Here

- a link to a header leads to its page of the reference, one to another file to a page with its text
- below a part of a program there is a link to all of it
- `<!-- search: timeout, deadline -->` gives a section words with which the search finds it
- a page of the reference has an example, and links to the sections that explain its names
"""

import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from reference import COMPONENTS, Reference, component_of, in_order, page_of, slug

PAGES = ("*.md", "docs/**/*.md", "samples/**/*.md", "test/**/*.md")
# The order of learning: a pattern stands for what is not named, in the order of its names.
CONTENTS = {
    "Start": ["installation", "comparison"],
    "Tutorial": ["tutorial/*"],
    "Guide": ["guide/" + page for page in (
        "queues", "cancellation", "shutdown", "a_service", "executors", "queue_runners", "input", "batches", "redis",
        "monitor", "live_page", "reports", "*")],
    "Recipes": ["recipes", "samples/index", "troubleshooting", "tensorflow"],
    "Pipelines": ["pipelines/" + page for page in ("tutorial", "cli", "file", "stages", "data", "extending", "*")],
    "Reference": ["reference/index", "behaviour", "errors", "performance", "glossary"],
    "Internals": ["contributing", "internals/architecture", "internals/operations", "internals/scheduling",
                  "internals/asio", "internals/rationale", "internals/testing", "internals/*", "changelog"],
}
TOP_PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
LONGEST = 90  # lines of a program that is shown where a page of the reference links to it

# A name of the library in a program, and an example in the comment of a class.
USED = re.compile(r"\b(?:sluice|pipeline|redis|metrics|report)::(\w+)")
HAS_EXAMPLE = re.compile(r"^```cpp$(?!\n#include)", re.MULTILINE)
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?\[(?:[^][]|\[[^]]*\])*\])\((?![a-z]+:)([^)\s#]*)(#[^)\s]*)?\)")
COPIED = re.compile(r"^<!-- sample: ([^ #]+\.[ch]pp)#\w+ -->\n.*?^<!-- /sample -->\n", re.MULTILINE | re.DOTALL)
SEARCHED = re.compile(r"^<!-- search: (.*?) -->$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".json": "json", ".py": "python"}
# The page of a component, which comes first where others explain a name, too.
GUIDES = {"": "docs/guide/executors.md", "queue": "docs/guide/queues.md", "task": "docs/guide/cancellation.md",
          "coordination": "docs/guide/shutdown.md", "runner": "docs/guide/queue_runners.md",
          "input": "docs/guide/input.md", "metrics": "docs/guide/monitor.md", "monitor": "docs/guide/monitor.md",
          "page": "docs/guide/live_page.md", "report": "docs/guide/reports.md", "redis": "docs/guide/redis.md",
          "pipeline": "docs/pipelines/extending.md"}
EXPLAINING = ("docs/guide/", "docs/recipes.md", "docs/errors.md", "docs/tutorial/", "docs/pipelines/",
              "docs/tensorflow.md")


class Site:
    def __init__(self, root):
        self.root, self.out = root, root / "build/docs"
        self.source = self.out / "source"
        self.written = {}  # site path -> Markdown
        self.files = set()  # files of the repository that are shown as pages

    def build(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        subprocess.run(["doxygen", "docs/site/Doxyfile"], check=True, cwd=self.root)
        self.reference = Reference(self.root, self.out / "xml")
        self.pages = {path: (self.root / path).read_text("utf-8") for path in self.paths()}
        for path, text in self.pages.items():
            self.written[self.site_path(path)] = self.converted(text, path)
        self.files |= {path.relative_to(self.root).as_posix() for path in self.root.glob("samples/**/*")
                       if path.suffix in LANGUAGES}
        self.add_reference()
        self.add_files()
        self.written["index.md"] += self.contents()
        (self.out / "names.json").write_text(json.dumps({
            "names": {**self.reference.places, **self.rules()}, "local": self.reference.local_names()}), "utf-8")
        for path, text in self.written.items():
            (self.source / path).parent.mkdir(parents=True, exist_ok=True)
            (self.source / path).write_text(text, "utf-8")
        for folder in ("diagrams", "images"):
            shutil.copytree(self.root / "docs" / folder, self.source / folder)
        subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2", "-b", "html",
                        "-c", self.root / "docs/site", "-d", self.out / "doctrees", self.source,
                        self.out / "html"], check=True, env={**os.environ, "PYTHONHASHSEED": "0"})
        self.order_search_index()

    def order_search_index(self):
        """The same twice: Sphinx writes it in the order in which its processes are ready."""
        path = self.out / "html/searchindex.js"
        function, _, index = path.read_text("utf-8").removesuffix(")").partition("(")
        index = json.loads(index)
        for places in (*index["alltitles"].values(), *index["indexentries"].values()):
            places.sort(key=str)
        path.write_text(f"{function}({json.dumps(index, sort_keys=True)})", "utf-8")

    def paths(self):
        found = {path.relative_to(self.root).as_posix() for each in PAGES for path in self.root.glob(each)}
        return sorted(path for path in found if not path.startswith(("build/", "docs/site/")))

    def site_path(self, path):
        """Where on the site a file of the repository is."""
        if path in TOP_PAGES:
            return TOP_PAGES[path]
        path = path.removeprefix("docs/")
        if path.startswith("include/"):
            header = path.removeprefix("include/")
            return page_of(header) if self.reference.headers.get(header) else "reference/index.md"
        if path.endswith("README.md"):
            return path.removesuffix("README.md") + "index.md"
        return path if path.endswith((".md", ".svg", ".png")) else path + ".md"

    # --- pages ------------------------------------------------------------------------

    def converted(self, text, path):
        def whole(match):
            sample = PurePosixPath(match[1])
            there = posixpath.relpath(match[1], posixpath.dirname(path) or ".")
            return match[0] + f"\n[The whole program: {sample.name}]({there})\n"

        text = SEARCHED.sub(lambda match: f"```{{index}} {' '.join(match[1].split())}\n```", text)
        text = COPIED.sub(whole, text)
        done, end = "", 0
        for fence in FENCE.finditer(text):
            done += self.linked(text[end:fence.start()], path) + fence[0]
            end = fence.end()
        return done + self.linked(text[end:], path)

    def linked(self, text, path):
        def link(match):
            if not match[2]:
                return match[0]
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2]))
            if not (self.root / target).is_file():
                sys.exit(f"{path}: no such file: {match[2]}")
            there = self.site_path(target)
            if target not in self.pages and there.endswith(".md") and not there.startswith("reference/"):
                self.files.add(target)
            here = posixpath.dirname(self.site_path(path)) or "."
            return f"{match[1]}({posixpath.relpath(there, here)}{match[3] or ''})"

        return LINK.sub(link, text)

    def contents(self):
        text = ""
        for caption, pages in CONTENTS.items():
            names = dict.fromkeys(name for page in pages for name in sorted(self.written)
                                  if fnmatchcase(name, page + ".md"))  # each once
            text += toctree(names, caption)
        return text

    # --- samples and other files ------------------------------------------------------

    def add_files(self):
        for path in self.files:
            self.written[self.site_path(path)] = self.page_of_file(path)
        listed = {name for pages in CONTENTS.values() for name in pages}
        rest = [name.removesuffix(".md") for name in self.written
                if name not in (*TOP_PAGES.values(), "samples/index.md")]
        samples = sorted(name for name in rest if name.startswith("samples/"))
        others = sorted(name for name in rest
                        if name.startswith("test/") or "/" not in name and name not in listed)
        for page, names in (("samples/index.md", samples), ("contributing.md", others)):
            self.written[page] += toctree([f"/{name}" for name in names])

    def code(self, path):
        """A file without its licence and the marks of its parts."""
        text = (self.root / path).read_text("utf-8")
        text = re.sub(r"\A(?:// SPDX.*\n// Copyright.*\n)+\n*", "", text)
        return re.sub(r"^ *//(?:\[\w+|\])\n", "", text, flags=re.MULTILINE).rstrip()

    def page_of_file(self, path):
        text = self.code(path)
        language = LANGUAGES.get(PurePosixPath(path).suffix, "text")
        page = f"# {PurePosixPath(path).name}\n\n"
        if path.startswith("samples/"):
            page += f"[Samples]({'../' * (path.count('/') - 1)}index.md) › `{path.removeprefix('samples/')}`\n\n"
        if uses := [name for name in sorted(set(USED.findall(text))) if self.reference.place(name)]:
            page += "Uses " + ", ".join(f"`{name}`" for name in uses) + ".\n\n"
        page += f"````{language}\n{text}\n````\n"
        expected = (self.root / path).with_suffix(".expected")
        if path.endswith(".cpp") and expected.is_file():
            page += f"\n## Output\n\n````text\n{expected.read_text('utf-8').rstrip()}\n````\n"
        return page

    # --- reference --------------------------------------------------------------------

    def add_reference(self):
        explained, programs = self.explanations(), self.programs()
        components, problems = [], []
        for page, header, text in self.reference.pages():
            main = in_order(header, self.reference.headers[header])[0]
            guide = GUIDES[component_of(header)]
            names = self.reference.names_of(main)
            sections = next((explained[name] for name in names if name in explained), [])
            sections.sort(key=lambda each: (each.path != guide, "tensorflow" in each.path, each.order))
            example = self.program(page, names, programs)
            if not example and not HAS_EXAMPLE.search(text):
                example = next((each.example(self.link_to(page, each)) for each in sections if each.code), "")
                if not example and main.kind == "class":
                    problems.append(f"{header}: {main.name} has no example")
            self.written[page] = text.replace("<!-- example -->", example).replace(
                "<!-- guide -->", self.see_also(page, sections[:3], guide)).replace(
                "<!-- up -->", self.way_up(page, component_of(header)))
        if problems:
            sys.exit("\n".join(problems))
        for name, title, text, headers in self.reference.overview():
            page = page_of_component(name)
            folder = posixpath.dirname(page)
            rows = [f"| [`{stem}`]({posixpath.relpath(page_of(header), folder)}) | {brief} |"
                    for header, stem, brief in headers]
            self.written[page] = "\n".join([
                f"# {title}", "", text, "", "| header | |", "|---|---|", *rows,
                toctree(["/" + page_of(header) for header, _, _ in headers])])
            components.append((page, title, text))
        rows = [f"| [{title}]({posixpath.relpath(page, 'reference')}) | {text} |"
                for page, title, text in components]
        self.written["reference/index.md"] = "\n".join([
            "# Reference", "",
            "Every public name, from the comments of the headers. `#include <sluice.hpp>` offers all of the core.", "", "| component | |", "|---|---|", *rows,
            toctree(["/" + page for page, _, _ in components])])

    def way_up(self, page, component):
        pages = {"Reference": "reference/index.md", COMPONENTS[component][0]: page_of_component(component)}
        return " › ".join(f"[{title}]({posixpath.relpath(there, posixpath.dirname(page))})"
                          for title, there in pages.items())

    def see_also(self, page, sections, guide):
        sections = sections or [Section((), guide, "", "", "")]
        return "Explained in " + ", ".join(self.link_to(page, section) for section in sections) + "."

    def link_to(self, page, section):
        title = HEADING.search(self.pages[section.path])[2]
        title += f" › {section.title}" if section.place else ""
        there = posixpath.relpath(self.site_path(section.path), posixpath.dirname(page))
        return f"[{title}]({there}{section.place})"

    def program(self, page, names, programs):
        """The shortest program that uses the first of the names that any uses."""
        for name in names:
            for path, used in programs:
                if name in used:
                    there = posixpath.relpath(path + ".md", posixpath.dirname(page))
                    link = f"[{PurePosixPath(path).name}]({there})"
                    text = self.code(path)
                    if text.count("\n") > LONGEST:
                        return f"## A whole program\n\n{link} uses it."
                    return f"## A whole program\n\n{link}\n\n```cpp\n{text}\n```"
        return ""

    def programs(self):
        """(path, names of the library), the shortest first."""
        texts = {path.relative_to(self.root).as_posix(): path.read_text("utf-8")
                 for path in self.root.glob("samples/**/*.cpp")}
        return [(path, set(USED.findall(text)))
                for path, text in sorted(texts.items(), key=lambda each: (each[1].count("\n"), each[0]))]

    def rules(self):
        """number of a rule for users -> its place"""
        return {title.split()[0]: ("behaviour.md", slug(title))
                for title in re.findall(r"^### ([A-Z]\d+ .*)$", self.pages["docs/behaviour.md"], re.MULTILINE)}

    def explanations(self):
        """name -> the sections that speak of it"""
        found = {}
        for path, text in self.pages.items():
            if not path.startswith(EXPLAINING):
                continue
            parts = HEADING.split(FENCE.sub(lambda fence: fence[0].replace("\n#", "\n "), text))
            for level, title, body in zip(parts[1::3], parts[2::3], parts[3::3]):
                title = title.replace("`", "")
                if title == "The whole program":
                    continue
                place = "" if level == "#" else "#" + slug(title)
                code = next((fence[0] for fence in FENCE.finditer(body) if fence[0].startswith("```cpp")), "")
                names = re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", title + FENCE.sub("", body)) * 2
                                                    + FENCE.findall(body)))
                for name in set(names):
                    weight = names.count(name) + 20 * (slug(name) in slug(title.replace(" ", "_")))
                    sections = found.setdefault(name, [])
                    sections.append(Section((-weight, len(sections)), path, title, place, code))
        return found


def page_of_component(name):
    return f"reference/{name}/index.md" if name else "reference/core.md"


class Section(NamedTuple):
    order: tuple  # what speaks of the name most comes first
    path: str
    title: str
    place: str
    code: str  # the first block

    def example(self, link):
        return f"## An example\n\n{link}\n\n{self.code}"


def toctree(names, caption=""):
    options = f":hidden:\n:caption: {caption}" if caption else ":hidden:"
    return "\n".join(["", "```{toctree}", options, "", *(name.removesuffix(".md") for name in names), "```", ""])


if __name__ == "__main__":
    if not find_spec("sphinx"):
        sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test/support"))
        import system_python
        system_python.start_again()
    Site(Path(sys.argv[1]).resolve()).build()
