# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks that includes point down, as cmake/layers.json says; draws them on demand.

(L1) a folder includes only the folders of its row, all of them of a lower level; its
     headers include only the third-party headers of its row
(L2) X/detail/ is private to folder X; samples include nothing of any detail/
(L3) inside a folder, detail/ includes no header that itself needs detail/ (a public class)
(L4) no cycle between files; every included sluice header exists; nothing includes
     sluice.hpp, sluice/report.hpp or sluice/tensorflow.hpp; a header includes no file of src/
(L5) base names are unique under include/sluice
(L6) a header has few sluice includes, and the graph is not deep
(L7) src/<folder>/ follows the row of <folder>
(L8) the state machines and stores include nothing of Asio, not even indirectly, but for
     its vocabulary (error codes)
"""

import posixpath
from pathlib import PurePosixPath

from common import Problem, expect_rules, includes, run, temporary_tree

UMBRELLAS = ("include/sluice.hpp", "include/sluice/report.hpp", "include/sluice/tensorflow.hpp")


class Graph:
    """Which file includes which; `outside` are the third-party and standard headers."""

    def __init__(self, tree):
        self.files = tree.files("include/**/*.hpp", "src/**/*.hpp", "src/**/*.cpp")
        self.samples = tree.files("samples/**/*.hpp", "samples/**/*.cpp")
        self.edges = {}    # path -> [(line, included path)]
        self.outside = {}  # path -> [(line, header)]
        self.missing = []  # (path, line, header)
        self.folders = tree.config["folders"]
        for path in self.files + self.samples:
            self.edges[path], self.outside[path] = [], []
            for line, delimiter, name in includes(tree.read(path)):
                target = resolve(tree, path, delimiter, name)
                if target:
                    self.edges[path].append((line, target))
                elif delimiter == '"' or name.startswith("sluice"):
                    self.missing.append((path, line, name))
                else:
                    self.outside[path].append((line, name))

    def folder_of(self, path):
        """include/sluice/queue/detail/x.hpp and src/queue/x.cpp belong to queue. A room, or a
        file above all folders, that has a row of its own counts as a folder."""
        parts = PurePosixPath(path).parts
        inner = parts[2:-1] if parts[0] == "include" else parts[1:-1]
        if not inner:
            return parts[-1] if parts[-1] in self.folders else "base"
        room = "/".join(inner[:2])
        return room if room in self.folders else inner[0]

    def included(self, path):
        return [target for _, target in self.edges[path]]

    def reachable(self, path):
        """What a file includes, directly or not, itself among it."""
        seen, open_paths = set(), [path]
        while open_paths:
            current = open_paths.pop()
            if current not in seen:
                seen.add(current)
                open_paths += self.included(current)
        return seen


def resolve(tree, path, delimiter, name):
    places = ["include"]
    if delimiter == '"':
        places = [posixpath.dirname(path), "src", "include"]
    for place in places:
        candidate = posixpath.normpath(posixpath.join(place, name))
        if tree.exists(candidate):
            return candidate
    return None


def in_detail(path):
    """Whether the file is private to its folder; all of sluice/detail/ is a folder itself."""
    return path.startswith("include/") and "detail" in PurePosixPath(path).parts[3:]


def check(tree):
    graph = Graph(tree)
    yield from check_table(tree.config["folders"])
    yield from check_rows(tree, graph)
    yield from check_privacy(graph)
    yield from check_strata(graph)
    yield from check_graph(graph)
    yield from check_names(graph)
    yield from check_limits(tree, graph)
    yield from check_asio_free(tree, graph)


def check_table(folders):
    for name, row in folders.items():
        for other in row["may_include"]:
            if folders[other]["level"] >= row["level"]:
                text = f"{name} may include {other}, which is not below it"
                yield Problem("L1", "cmake/layers.json", 1, text)


def check_rows(tree, graph):
    folders = tree.config["folders"]
    for path in graph.files:
        if path in UMBRELLAS:
            continue
        rule = "L1" if path.startswith("include/") else "L7"
        folder = graph.folder_of(path)
        if folder not in folders:
            yield Problem(rule, path, 1, f"folder {folder} is not in cmake/layers.json")
            continue
        allowed = {folder, *folders[folder]["may_include"]}
        for line, target in graph.edges[path]:
            if graph.folder_of(target) not in allowed:
                text = f"{folder} must not include {graph.folder_of(target)} ({target})"
                yield Problem(rule, path, line, text)
        for line, name in graph.outside[path]:
            is_standard = "/" not in name
            permitted = name.startswith(tuple(folders[folder]["third_party"]))
            if rule == "L1" and not is_standard and not permitted:
                yield Problem(rule, path, line, f"headers of {folder} must not need {name}")


def check_privacy(graph):
    for path in graph.files + graph.samples:
        is_sample = path.startswith("samples/")
        for line, target in graph.edges[path]:
            foreign = in_detail(target) and (is_sample or graph.folder_of(target) != graph.folder_of(path))
            if foreign or (is_sample and target.startswith("include/sluice/detail/")):
                yield Problem("L2", path, line, f"{target} is private to its folder")


def check_strata(graph):
    for path in filter(in_detail, graph.files):
        for line, target in graph.edges[path]:
            same = graph.folder_of(target) == graph.folder_of(path)
            if same and not in_detail(target):
                needs = [p for p in graph.reachable(target) if in_detail(p)]
                if any(graph.folder_of(p) == graph.folder_of(path) for p in needs):
                    yield Problem("L3", path, line, f"mechanism includes the public class {target}")


def check_graph(graph):
    for path, line, name in graph.missing:
        yield Problem("L4", path, line, f"no such header: {name}")
    for path in graph.files:
        for line, target in graph.edges[path]:
            if target in UMBRELLAS:
                yield Problem("L4", path, line, f"include what is needed, not {target}")
            if path.startswith("include/") and target.startswith("src/"):
                yield Problem("L4", path, line, f"a header must not include {target}")
            if path in graph.reachable(target):
                yield Problem("L4", path, line, f"cycle: {target} includes this file again")


def check_names(graph):
    first = {}
    for path in graph.files:
        if path.startswith("include/") and path not in UMBRELLAS:
            other = first.setdefault(PurePosixPath(path).name, path)
            if other != path:
                yield Problem("L5", path, 1, f"has the base name of {other}")


def check_limits(tree, graph):
    limits = tree.config["limits"]
    depths = {}

    def depth(path, above=()):
        if path in above:
            return 0  # a cycle, reported elsewhere
        if path not in depths:
            below = [depth(target, (*above, path)) for target in graph.included(path)]
            depths[path] = 1 + max(below, default=0)
        return depths[path]

    for path in graph.files:
        if not path.startswith("include/") or path in UMBRELLAS:
            continue
        count = len(graph.edges[path])
        if count > limits["includes_per_header"]:
            yield Problem("L6", path, 1, f"includes {count} sluice headers")
        if depth(path) > limits["depth"]:
            yield Problem("L6", path, 1, f"has {depth(path)} levels of includes below it")


def check_asio_free(tree, graph):
    vocabulary = tree.config["asio_vocabulary"]
    for path in tree.files(*tree.config["asio_free"]):
        for reached in sorted(graph.reachable(path)):
            for line, name in graph.outside[reached]:
                if name.startswith("boost/asio") and name not in vocabulary:
                    text = f"needs Asio: {reached} includes {name}"
                    yield Problem("L8", path, line if reached == path else 1, text)


def folder_edges(graph):
    """folder -> the folders it really includes"""
    edges = {}
    for path in graph.files:
        if path not in UMBRELLAS:
            targets = edges.setdefault(graph.folder_of(path), set())
            targets |= {graph.folder_of(t) for t in graph.included(path)} - {graph.folder_of(path)}
    return edges


def draw_ascii(tree):
    folders = tree.config["folders"]
    edges = folder_edges(Graph(tree))
    for name in sorted(edges, key=lambda n: (-folders[n]["level"], n)):
        below = sorted(edges[name], key=lambda n: (folders[n]["level"], n))
        print(f"level {folders[name]['level']}   {name:<13}", *(["->", *below] if below else []))


def draw_dot(tree):
    print("digraph sluice {")
    for name, targets in sorted(folder_edges(Graph(tree)).items()):
        for target in sorted(targets):
            print(f'    "{name}" -> "{target}";')
    print("}")


def self_test():
    row = {"level": 1, "may_include": ["base"], "third_party": ["boost/asio"]}
    config = {
        "folders": {
            "base": {"level": 0, "may_include": [], "third_party": []},
            "left": row,
            "right": row,
        },
        "asio_free": ["include/sluice/**/*_core.hpp"],
        "asio_vocabulary": ["boost/asio/error.hpp"],
        "limits": {"includes_per_header": 2, "depth": 3},
    }

    def expect(files, *rules):
        tree = temporary_tree({f"include/sluice/{p}": t for p, t in files.items()}, config)
        expect_rules(check, tree, *rules)

    base = {"a.hpp": "#include <vector>\n"}
    expect({**base, "left/b.hpp": "#include <sluice/a.hpp>\n#include <boost/asio.hpp>\n"})
    expect({**base, "c.hpp": "#include <boost/asio.hpp>\n"}, "L1")
    expect({"left/b.hpp": "#include <sluice/right/c.hpp>\n", "right/c.hpp": ""}, "L1")
    expect({"a.hpp": "#include <sluice/left/b.hpp>\n", "left/b.hpp": ""}, "L1")
    expect({"middle/b.hpp": ""}, "L1")
    expect({"a.hpp": "#include <sluice/left/detail/b.hpp>\n", "left/detail/b.hpp": ""},
           "L1", "L2")
    expect({"../../samples/s.cpp": "#include <sluice/left/detail/b.hpp>\n",
            "left/detail/b.hpp": ""}, "L2")
    expect({"left/detail/b.hpp": "#include <sluice/left/c.hpp>\n", "left/c.hpp": ""})
    expect({"left/detail/b.hpp": "#include <sluice/left/c.hpp>\n",
            "left/c.hpp": "#include <sluice/left/detail/d.hpp>\n",
            "left/detail/d.hpp": ""}, "L3")
    expect({"a.hpp": "#include <sluice/b.hpp>\n", "b.hpp": "#include <sluice/a.hpp>\n"}, "L4")
    expect({"a.hpp": "#include <sluice/gone.hpp>\n"}, "L4")
    expect({"a.hpp": "#include <sluice.hpp>\n", "../sluice.hpp": ""}, "L4")
    expect({**base, "left/a.hpp": ""}, "L5")
    chain = {f"x{i}.hpp": f"#include <sluice/x{i + 1}.hpp>\n" for i in range(3)}
    expect({**chain, "x3.hpp": ""}, "L6")
    many = "".join(f"#include <sluice/x{i}.hpp>\n" for i in range(3))
    expect({**{f"x{i}.hpp": "" for i in range(3)}, "y.hpp": many}, "L6")
    expect({"left/b.hpp": "", "../../src/right/c.cpp": "#include <sluice/left/b.hpp>\n"}, "L7")
    expect({"left/b_core.hpp": "#include <boost/asio/error.hpp>\n"})
    expect({"left/b_core.hpp": "#include <sluice/left/c.hpp>\n",
            "left/c.hpp": "#include <boost/asio/post.hpp>\n"}, "L8")


if __name__ == "__main__":
    run(check, self_test, extra={"--ascii": draw_ascii, "--dot": draw_dot})
