# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks the reference that Doxygen has generated: check_reference_pages.py <root> <html>

name  every public name that the headers declare (namespaces, types, aliases, concepts,
      functions, variables, members, enumerators, macros) is found by the search
link  every link of a page, and every result of the search, leads to a file, and to a
      place in it that exists
mark  no page shows a mark of Markdown or of Doxygen instead of what it stands for
"""

import re
import sys
import textwrap
from html import unescape
from pathlib import Path
from urllib.parse import unquote

# What the scan of a header does not see: comments, what they hide from Doxygen, strings.
UNSEEN = re.compile(
    r"/// @cond\b.*?/// @endcond|/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'",
    re.DOTALL)
MACRO = re.compile(r"^#define (SLUICE_\w+)", re.MULTILINE)
DIRECTIVE = re.compile(r"^#(?:\\\n|[^\n])*", re.MULTILINE)
SCOPE = re.compile(r"(?:inline )?(namespace|enum class|enum|class|struct) ([\w:]+)(?=[^()=]*$)")
ACCESS = re.compile(r"(?:public|protected|private)$")
NAMED = re.compile(r"(?:using|concept) (\w+) =|(?:typedef|using) ")
# The last identifier before the parameters, the value or the end of a declaration.
DECLARED = re.compile(r"(~?\b[A-Za-z_]\w*)\s*(?:\[[^]]*\]\s*)?(?=[(={]|$)")

SEARCHABLE = re.compile(r"\['[^']+',\['([^']+)',(.*)\]\]")
RESULT = re.compile(r"\['\.\./([^']+)'")
LINK = re.compile(r"\b(?:href|src)=\"([^\"]*)\"")
CODE = re.compile(r"<(pre|code|script|style)\b.*?</\1>|<div class=\"fragment\">.*?</div><!-- fragment -->",
                  re.DOTALL)
MARK = re.compile(r".{0,30}(?:`|\\ilinebr|&lt;/?tt&gt;|\]\(|\{#|&ndash;&gt;).{0,30}")
ANCHOR = re.compile(r"\b(?:id|name)=\"([^\"]+)\"")


class Scope:
    """A pair of braces: a namespace, a class, an enumeration, or (no kind) something inside
    of which there are no public names."""

    def __init__(self, kind=None, path=(), access="public"):
        self.kind, self.path, self.access = kind, path, access

    def is_public(self):
        return self.kind is not None and self.access == "public"


def public_names(text):
    """(scope, name) of everything public that a formatted header declares."""
    yield from (((), macro) for macro in MACRO.findall(text))
    text = DIRECTIVE.sub("", UNSEEN.sub(" ", text))
    scopes, head, parentheses = [Scope("namespace")], "", 0
    for character in text:
        scope = scopes[-1]
        parentheses += {"(": 1, ")": -1}.get(character, 0)
        if parentheses or character not in "{};:,":
            head += character
        elif character == "{":
            opened = opened_scope(scope, declaration(head))
            if opened.kind == "namespace" or scope.is_public():
                yield from names_of(scope, declaration(head))
            scopes.append(opened)
            head = ""
        elif character in "};" or (character == "," and scope.kind == "enum"):
            if scope.is_public():
                yield from names_of(scope, declaration(head))
            if character == "}":
                scopes.pop()
            head = ""
        elif character == ":" and ACCESS.match(head.strip()):
            scope.access, head = head.strip(), ""
        else:
            head += character


def declaration(head):
    """A declaration without attributes, and without what it requires of its template parameters."""
    head = " ".join(re.sub(r"\[\[.*?\]\]", "", head, flags=re.DOTALL).split())
    while re.match(r"template <|requires [\w:]+<", head):
        depth, end = 0, 0
        for end, character in enumerate(head):
            depth += {"<": 1, ">": -1}.get(character, 0)
            if depth == 0 and character == ">":
                break
        head = head[end + 1:].strip()
    return head


def opened_scope(scope, head):
    found = SCOPE.match(head)
    if not found or not scope.is_public():
        return Scope()
    kind, name = found[1].removesuffix(" class"), tuple(found[2].split("::"))
    if kind == "namespace" and (name[0] == "detail" or (scope.path + name)[0] != "sluice"):
        return Scope()
    path = scope.path if kind == "enum" else scope.path + name  # its page has the enumerators
    return Scope(kind, path, "private" if kind == "class" else "public")


def names_of(scope, head):
    """The (scope, name) that a declaration introduces, if it is one that has a page."""
    found = SCOPE.match(head)
    if found:
        path = tuple(found[2].split("::"))
        if (scope.path + path)[0] == "sluice" and "detail" not in path:
            yield scope.path + path[:-1], path[-1]
        return
    if not scope.path or not head or head[0] in ",:" or head.endswith(("= delete", "= default")):
        return
    if head.startswith(("friend ", "requires", "static_assert", "class ", "struct ")) or " operator" in f" {head}":
        return
    if scope.kind == "enum":
        yield scope.path, re.match(r"\w+", head)[0]
        return
    named = NAMED.match(head)
    name = named[1] if named else DECLARED.search(outside_of_angles(head))[1]
    if name and name.lstrip("~") != scope.path[-1]:  # constructors have the page of their class
        yield scope.path, name


def outside_of_angles(head):
    while "<" in head:
        shorter = re.sub(r"<[^<>]*>", " ", head)
        if shorter == head:
            break
        head = shorter
    return head


def search_index(html):
    """name -> the links that the search gives for it"""
    index = {}
    for script in sorted((html / "search").glob("all_*.js")):
        for line in script.read_text("utf-8").splitlines():
            if entry := SEARCHABLE.search(line):
                index.setdefault(unescape(entry[1]), set()).update(RESULT.findall(entry[2]))
    return index


def check_names(root, index):
    for header in sorted((root / "include").glob("**/*.hpp")):
        if "detail" in header.parts:
            continue
        for scope, name in sorted(set(public_names(header.read_text("utf-8")))):
            pages = {page_of(scope), page_of((*scope, name)), page_of((header.name,))}
            found = {re.sub("^(class|struct|namespace|concept)", "", link.split("#")[0])
                     for link in index.get(name, index.get("::".join((*scope, name)), ()))}
            found |= {re.sub("_3_01.*_01_4", "", page) for page in found}  # of a specialisation
            if not pages & found:
                path = header.relative_to(root)
                yield f"{path}: {'::'.join((*scope, name))} is not found by the search [name]"


def page_of(path):
    return "_1_1".join(path).replace("_1_1", "::").replace("_", "__").replace(
        "::", "_1_1").replace(".", "_8") + ".html"


def check_links(html, index):
    anchors = {}
    for page in html.glob("*.html"):
        anchors[page.name] = set(ANCHOR.findall(page.read_text("utf-8")))
    links = {("the search", link) for found in index.values() for link in found}
    for page in html.glob("*.html"):
        links |= {(page.name, unescape(link)) for link in LINK.findall(page.read_text("utf-8"))}
    for page, link in sorted(links):
        if re.match(r"(https?|mailto|javascript):", link):
            continue
        target, _, anchor = unquote(link).partition("#")
        target = target or page
        if not (html / target).is_file():
            yield f"{page}: no such file: {link} [link]"
        elif anchor and anchor not in anchors.get(target, ()):
            yield f"{page}: no such place: {link} [link]"


def check_marks(html):
    for page in sorted(html.glob("md_*.html")):
        for match in MARK.finditer(CODE.sub("", page.read_text("utf-8"))):
            yield f"{page.name}: shows {match[0]} [mark]"


def self_test():
    text = """
        #define SLUICE_ONE 1
        namespace sluice {
        namespace detail { struct hidden { int member; }; }
        enum class colour : int { red = 1, green };  // blue
        using alias = int;
        template <class T> concept small = requires(T t) { t.size(); };
        template <class T = std::vector<int>>
        class [[nodiscard("a")]] thing : public base<T>
        {
            int first_ = {};
        public:
            using value_type = T;
            explicit thing(int number) : first_(number) {}
            thing(const thing&) = delete;
            [[nodiscard]] std::map<int, int> get(int (*f)() = {}) const { return {{1, 2}}; }
            struct inner { int number = 1; std::string text; };
            bool operator==(const thing&) const;
        private:
            void hide();
        };
        inline constexpr int zero{0};
        }
        namespace other { int nothing; }
    """
    names = {"::".join((*scope, name)) for scope, name in public_names(textwrap.dedent(text))}
    expected = {"SLUICE_ONE", "sluice"} | {
        f"sluice::{name}" for name in (
            "colour", "red", "green", "alias", "small", "thing", "thing::value_type", "thing::get",
            "thing::inner", "thing::inner::number", "thing::inner::text", "zero")}
    if names != expected:
        sys.exit(f"self-test: missing {expected - names}, too many {names - expected}")


def main():
    self_test()
    root, html = map(Path, sys.argv[1:])
    index = search_index(html)
    problems = [*check_names(root, index), *check_links(html, index), *check_marks(html)]
    print(*problems, f"{len(problems)} problems in the reference", sep="\n")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
