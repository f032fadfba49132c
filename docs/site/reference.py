# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The reference: pages in Markdown, one for each public header, of what Doxygen reads in them.

A page begins with the entity that has the name of its header. Its declaration is copied from the
header; a class has its members, an alias those of the class that it names, each with a link to their
contract.
"""

import re
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import PurePosixPath

COMPONENTS = {
    "": ("Errors, operations, threads", "What all others use. Link `sluice::sluice`."),
    "queue": ("Queues", "Queues, `select`, semaphores and events."),
    "task": ("Tasks", "Time limits, repetition, and functions that block."),
    "coordination": ("Scopes of tasks", "Stop a group of tasks, wait for them, get the first error."),
    "runner": ("Queue runners", "Keep a queue filled, and close it after its last producer."),
    "input": ("Reading data", "Epochs, batches, and positions from which to go on."),
    "metrics": ("Metrics", "What a monitor sees: plain values. Link `sluice::report`."),
    "monitor": ("Monitor", "Watches queues while a program runs. Link `sluice::report`."),
    "page": ("Live page", "Shows a monitor in a browser. Link `sluice::report`."),
    "report": ("Reports", "Formats in which others read figures. Link `sluice::report`."),
    "redis": ("Queues between processes", "Queues on a Redis server. Link `sluice::redis`."),
    "pipeline": ("Pipelines", "Pipelines that JSON defines, and stages for them. Link `sluice::pipeline`."),
}
KINDS = {"typedef": "alias", "define": "macro"}
# What the filter in the Doxyfile makes two lines of.
PARAGRAPH = re.compile(r"^( *\* )(@par [A-Z][a-z]+( [a-z]+)?)  +", re.MULTILINE)
BLOCKS = ("itemizedlist", "orderedlist", "programlisting", "verbatim", "parameterlist", "simplesect")
CLASSES = ("class", "struct", "union")
# A name in a sentence: one with a scope, an underscore or parentheses; or a page.
NAME = re.compile(r"docs/[\w/]+\.md"
                  r"|(?<![\w/.:-])(?:(?:[a-z]\w*(?:<>)?::)+[a-z]\w*(?:\(\))?|[a-z]+_\w+(?:\(\))?|[a-z]\w*\(\))")


class Entity:
    """A class, function, alias, concept, enumeration, variable, member or macro; overloads are one."""

    def __init__(self, scope, name, kind):
        self.scope, self.name, self.kind = scope, name, kind
        self.forms = []  # (declaration, first sentence, description): of overloads several
        self.members, self.bases = [], []
        self.type, self.line = "", 0

    @property
    def path(self):
        return "::".join((*self.scope, self.name))

    @property
    def brief(self):
        return self.forms[0][1]


class Reference:
    """All headers with their entities, and where each name is explained."""

    def __init__(self, root, xml):
        self.root = root
        self.sources = {}  # lines of a header
        self.headers = {}  # path below include/ -> entities
        self.compounds = {}  # path of a class -> entity
        for path in sorted(xml.glob("*.xml")):
            if re.match(r"(class|struct|union|concept|namespace)sluice|.*_8hpp", path.name):
                self.read(ElementTree.parse(path).getroot().find("compounddef"))
        for path in [path for path in self.compounds if "::".join(path.split("::")[:-1]) in self.compounds]:
            outer, inner = self.compounds[path.rpartition("::")[0]], self.compounds[path]
            outer.members.append(inner)
        inner = [member for entity in self.compounds.values() for member in entity.members]
        for entities in self.headers.values():
            entities[:] = sorted((e for e in entities if e not in inner), key=lambda entity: entity.line)
        self.anchors = {}  # entity or member -> its place in the page
        for header, entities in self.headers.items():
            if entities:
                self.place_headings(header, entities)
        self.places = self.index()

    # --- reading ----------------------------------------------------------------------

    def read(self, compound):
        kind = compound.get("kind")
        path = compound.findtext("compoundname")
        if kind in ("namespace", "file"):
            for node in compound.iter("memberdef"):
                if (kind == "file") == (node.get("kind") == "define") and self.is_public(node):
                    self.add(self.headers_of(node), tuple(path.split("::")) if kind == "namespace" else (), node)
            return
        arguments = re.sub("^[^<]*| ", "", path)  # of a specialisation
        scope = tuple(without_arguments(path).split("::"))
        if arguments and not (scope[0] == "sluice" and self.is_public(compound)):
            return
        entity = Entity(scope[:-1], scope[-1] + arguments, kind)
        entity.line = int(compound.find("location").get("line"))
        entity.bases = [base.text for base in compound.iter("basecompoundref") if base.get("prot") == "public"]
        entity.forms.append(self.form(compound, kind))
        self.compounds[path] = entity
        self.headers_of(compound).append(entity)
        for node in compound.iter("memberdef"):
            if node.get("prot") != "private" and node.get("kind") != "friend" and self.is_public(node):
                self.add(entity.members, scope, node)

    @staticmethod
    def is_public(node):
        text = "".join(part for name in ("briefdescription", "detaileddescription")
                       for part in node.find(name).itertext())
        return text.strip() or node.get("kind") == "enum"

    def headers_of(self, node):
        file = node.find("location").get("file")
        return self.headers.setdefault(file[file.rindex("include/") + len("include/"):], [])

    def add(self, entities, scope, node):
        name, kind = node.findtext("name"), KINDS.get(node.get("kind"), node.get("kind"))
        found = next((e for e in entities if (e.name, e.kind, e.scope) == (name, kind, scope)), None)
        if found is None:
            found = Entity(scope, name, kind)
            found.line = int(node.find("location").get("line"))
            entities.append(found)
        found.forms.append(self.form(node, kind))
        found.type = "".join(node.find("type").itertext()) if node.find("type") is not None else ""
        for value in node.iter("enumvalue"):
            member = Entity((*scope, name), value.findtext("name"), "enumerator")
            member.forms.append((member.name, *self.descriptions(value)))
            found.members.append(member)

    def form(self, node, kind):
        return (self.declaration(node, kind), *self.descriptions(node))

    @staticmethod
    def descriptions(node):
        brief, details = node.find("briefdescription"), node.find("detaileddescription")
        if "".join(brief.itertext()).strip() or details.find("para") is None:
            return brief, details
        # a comment of one sentence over several lines: Doxygen takes it for a description
        first, rest = ElementTree.Element("para"), ElementTree.Element("para")
        first.text = details.find("para").text
        for child in details.find("para"):
            (rest if child.tag in BLOCKS else first).append(child)
        brief, others = ElementTree.Element("description"), ElementTree.Element("description")
        brief.append(first)
        others.extend([rest, *details.findall("para")[1:]])
        return brief, others

    def declaration(self, node, kind):
        """As the header has it: from the comment down to the body, without what is private."""
        if kind == "macro":
            return f"#define {node.findtext('name')}"
        location = node.find("location")
        lines = self.source(location.get("file"))
        end = begin = int(location.get("line")) - 1
        while begin > 0 and lines[begin - 1].strip() and not re.search(r"^\s*[*/]|[;{}:]$", lines[begin - 1]):
            begin -= 1
        indent = re.match(" *", lines[begin])[0]
        text, depth = "", 0
        for character in re.sub(f"^{indent}|^#.*\n", "", "\n".join(lines[begin:end + 40]), flags=re.MULTILINE):
            depth += {"(": 1, ")": -1}.get(character, 0)
            if character == ";" and depth == 0 or character == "{" and depth == 0 and kind != "concept" \
                    and not re.search(r"requires\b[^{}]*\)\s*$", text) and "=" not in last_line(text):
                break
            text += character
        text = re.sub(r" *//[^\n]*", "", text)
        text = re.sub(r"\s*\bSLUICE_LIFETIME_BOUND\b", "", text)
        if kind == "function":
            text = re.split(r"\n\s+: |\) : ", text)[0] + (")" if ") : " in text else "")
        return re.sub(r" = *$", "", text.rstrip())

    def source(self, file):
        file = file[file.rindex("include/"):]
        if file not in self.sources:
            text = (self.root / file).read_text("utf-8")
            self.sources[file] = PARAGRAPH.sub(r"\1\2\n\1", text).splitlines()  # as Doxygen sees it
        return self.sources[file]

    # --- names ------------------------------------------------------------------------

    def place_headings(self, header, entities):
        """In their order; of two headings with the same words the second one is numbered."""
        used = {slug(PurePosixPath(header).stem): 0}

        def place(entity, heading, outer):
            self.anchors[entity] = outer
            if heading:
                number = used[heading] = used.get(heading, -1) + 1
                self.anchors[entity] = heading + (f"-{number}" if number else "")
            for member in sorted(entity.members, key=has_heading):
                place(member, slug(title_of(member)) if has_heading(member) else "", self.anchors[entity])

        for i, entity in enumerate(in_order(header, entities)):
            place(entity, "" if i == 0 and is_named(header, entity) else slug(entity.name), "")

    def index(self):
        """name -> (page, anchor); for a member with its class, and alone if only one class has it"""
        places, alone = {}, {}
        for header, entities in self.headers.items():
            for entity in in_order(header, entities):
                place = (page_of(header), self.anchors[entity])
                places.setdefault(entity.name, place)
                places[entity.path] = place
                for member in entity.members:
                    there = (place[0], self.anchors[member])
                    for name in (f"{without_arguments(entity.name)}::{member.name}", member.path):
                        places.setdefault(name, there)
                    if member.kind != "enumerator":
                        alone.setdefault(member.name, set()).add(there)
        for entities in self.headers.values():
            for entity in entities:
                if entity.kind == "alias":
                    for member in self.members_of_alias(entity):
                        places.setdefault(f"{entity.name}::{member.name}", places[member.path])
        for name, there in alone.items():
            if len(there) == 1 and "_" in name:
                places.setdefault(name, *there)
        return {name.removeprefix("sluice::"): place for name, place in places.items()}

    def place(self, name):
        return self.places.get(name.removesuffix("()").removeprefix("sluice::").replace("<>", ""))

    def names_of(self, entity):
        """Its own, then those of aliases and of classes that inherit from it."""
        others = [each for entities in self.headers.values() for each in entities]
        return [without_arguments(entity.name)] + [each.name for each in others if re.search(
            rf"\b{re.escape(entity.name)}\b", each.type if each.kind == "alias" else " ".join(each.bases))]

    def members_of_alias(self, alias):
        named = re.match(r"(?:typename )?([\w:]+)", alias.type)
        if not named:
            return []
        for scope in ("::".join(alias.scope) + "::", ""):
            if entity := self.compounds.get(scope + named[1]):
                return self.all_members(entity)
        return []

    def all_members(self, entity):
        members = list(entity.members)
        for base in entity.bases:
            if inherited := self.compounds.get(without_arguments(base)):
                own = {member.name for member in members} | {inherited.name, f"~{inherited.name}"}
                members += [member for member in self.all_members(inherited) if member.name not in own]
        return members

    # --- pages ------------------------------------------------------------------------

    def pages(self):
        """(page, header, Markdown)"""
        for header, entities in sorted(self.headers.items()):
            if entities:
                yield page_of(header), header, "\n\n".join(Page(self, header, entities).parts())

    def local_names(self):
        """page -> the members of what it is about, which its text need not qualify"""
        return {page_of(header): {member.name: self.anchors[member]
                                  for entity in reversed(entities) for member in entity.members}
                for header, entities in self.headers.items()}

    def overview(self):
        """component -> (title, text, [(header, name, brief)])"""
        found = {}
        for header, entities in sorted(self.headers.items()):
            if entities:
                brief = Page(self, header, entities).line(in_order(header, entities)[0].brief)
                found.setdefault(component_of(header), []).append((header, PurePosixPath(header).stem, brief))
        return [(name, *texts, found[name]) for name, texts in COMPONENTS.items() if name in found]


def last_line(text):
    return text[text.rfind("\n") + 1:]


def page_of(header):
    return "reference/" + header.removeprefix("sluice/").removesuffix(".hpp") + ".md"


def component_of(header):
    return PurePosixPath(header).parent.name.replace("sluice", "")


def in_order(header, entities):
    """First what the header is named after: all else on its page is there because of it."""
    def rank(entity):
        if is_named(header, entity):
            return 0
        if "_".join((*entity.scope[1:], entity.name)) == PurePosixPath(header).stem:
            return 1
        return 2 if entity.kind in CLASSES else 3

    main = min(entities, key=rank, default=None)
    return sorted(entities, key=lambda entity: entity is not main)


def is_named(header, entity):
    """Whether it has the name of the header, which is the title of the page."""
    return without_arguments(entity.name) == PurePosixPath(header).stem


def without_arguments(name):
    return re.sub(" ?<.*", "", name)


def slug(title):
    return re.sub(r"[^\w-]", "", title.lower().replace(" ", "-"))


def has_heading(member):
    return member.kind in ("function", "alias", *CLASSES)


def title_of(member):
    """Its name, but not once more that of its class."""
    if member.name.lstrip("~") == without_arguments(member.scope[-1]):
        return "Destructor" if member.name.startswith("~") else "Constructor"
    return member.name


class Page:
    """The page of a header."""

    def __init__(self, reference, header, entities):
        self.reference, self.header, self.entities = reference, header, in_order(header, entities)

    def parts(self):
        yield f"# {PurePosixPath(self.header).stem}"
        yield "<!-- up -->"
        yield f"```cpp\n#include <{self.header}>\n```"
        yield "<!-- guide -->"
        for i, entity in enumerate(self.entities):
            level = 2
            if i or not is_named(self.header, entity):
                yield f"## {escaped(entity.name)}"
                level = 3
            yield from self.parts_of(entity, level)

    def parts_of(self, entity, level):
        for declaration, brief, details in entity.forms:
            yield "\n".join(self.blocks(brief))
            yield f"```{{code-block}} cpp\n:class: declaration\n\n{declaration}\n```"
            yield "\n".join(self.blocks(details))
        if entity.kind == "alias":
            if entity is self.entities[0]:
                yield "<!-- example -->"
            if members := self.reference.members_of_alias(entity):
                yield "#" * level + f" Members of {entity.name}"
                yield self.table(members)
            return
        plain = [member for member in entity.members if not has_heading(member)]
        if plain:
            yield "````{container} fields\n" + "\n".join(self.definitions(plain)) + "````"
        if entity is self.entities[0]:
            yield "<!-- example -->"
        members = [member for member in entity.members if has_heading(member)]
        everything = [m for m in self.reference.all_members(entity) if has_heading(m)]
        if len(everything) > 5 or len(everything) > len(members):
            yield "#" * level + f" Members of {entity.name}"
            yield self.table(everything)
            level += 1
        for member in members:
            yield "#" * level + f" {escaped(title_of(member))}"
            yield from self.parts_of(member, level + 1)

    def table(self, members):
        rows = ["| member | |", "|---|---|"]
        for member in members:
            place = self.reference.places.get(member.path.removeprefix("sluice::"))
            name = f"`{member.name}`" if title_of(member) == member.name else title_of(member).lower()
            if place:
                name = f"[{name}]({self.relative(*place)})"
            rows.append(f"| {name} | {self.line(member.brief)} |".replace("||", r"\|\|"))
        return "\n".join(rows)

    def relative(self, page, place=""):
        """A link from the page of this header."""
        depth = page_of(self.header).count("/")
        return "../" * depth + page + (f"#{place}" if place else "")

    def definitions(self, members):
        for member in members:
            declaration, brief, details = member.forms[0]
            yield f"`{' '.join(declaration.split())}`"
            lines = [*self.blocks(brief), *self.blocks(details)]
            yield indented(": ", lines)
            yield ""

    # --- text -------------------------------------------------------------------------

    def line(self, node):
        return " ".join("".join(self.inline(para) for para in node.iter("para")).split())

    def blocks(self, node):
        """The lines of a description."""
        contract = []
        for para in node.findall("para"):
            text = escaped_text(self, para.text)
            for child in para:
                if child.tag in BLOCKS:
                    if text.strip():
                        yield from (text.strip(), "")
                    text = ""
                    if child.tag in ("parameterlist", "simplesect") and not child.findall(".//programlisting"):
                        contract += self.contract(child)
                    elif child.tag == "simplesect":
                        yield from (f"**{child.findtext('title')}**", "", *self.blocks(child))
                    else:
                        yield from self.block(child)
                else:
                    text += self.inline_of(child)
                text += escaped_text(self, child.tail)
            if text.strip():
                yield from (text.strip(), "")
        yield from contract

    def block(self, node):
        if node.tag == "programlisting":
            for blank in node.iter("sp"):
                blank.text = " "
            yield from ("```cpp", *("".join(line.itertext()) for line in node.iter("codeline")), "```", "")
        elif node.tag == "verbatim":
            yield from ("```cpp", *textwrap.dedent(node.text).strip().splitlines(), "```", "")
        else:
            for item in node.findall("listitem"):
                yield indented("- ", [line for line in self.blocks(item) if line])
            yield ""

    def contract(self, node):
        """An entry of the list of terms: parameters, the result, errors, what is promised."""
        if node.tag == "parameterlist":
            title = {"param": "Parameters", "templateparam": "Template parameters",
                     "exception": "Throws", "retval": "Result"}[node.get("kind")]
            lines = []
            for item in node.findall("parameteritem"):
                name = " ".join(n.text or "" for n in item.iter("parametername"))
                lines.append(f"- `{name}`: " + self.line(item.find("parameterdescription")))
        else:
            title = node.findtext("title") or {"return": "Returns", "pre": "Preconditions"}[node.get("kind")]
            lines = [re.sub(r"^- (`[\w:]+`)(?! *$)", r"- \1:", line) if title == "Errors" else line
                     for line in self.blocks(node)]
        yield from (f"{title}", indented(": ", lines or [""]), "")

    def inline(self, para):
        return escaped_text(self, para.text) + "".join(
            self.inline_of(child) + escaped_text(self, child.tail) for child in para)

    def inline_of(self, node):
        if node.tag == "computeroutput":
            return self.code("".join(node.itertext()))
        if node.tag in ("bold", "emphasis"):
            mark = "**" if node.tag == "bold" else "*"
            return f"{mark}{self.inline(node)}{mark}"
        if node.tag == "ulink":
            return f"[{self.inline(node)}]({node.get('url')})"
        if node.tag == "simplesect":
            return f" {node.findtext('title') or ''} " + " ".join(self.inline(p) for p in node.iter("para"))
        return {"ndash": "–", "mdash": "—", "linebreak": " "}.get(node.tag) or self.inline(node)

    def code(self, text):
        mark = "``" if "`" in text else "`"
        return f"{mark}{text}{mark}"


def escaped_text(page, text):
    """Names become code, which the site links; all else is text."""
    done, end = "", 0
    for match in NAME.finditer(text or ""):
        if match[0].endswith(".md"):
            title = PurePosixPath(match[0]).stem.capitalize()
            link = f"[{title}]({page.relative(match[0].removeprefix('docs/'))})"
            done, end = done + escaped(text[end:match.start()]) + link, match.end()
        elif page.reference.place(match[0]) or "::" in match[0] or match[0].endswith("()"):
            done += escaped(text[end:match.start()]) + f"`{match[0]}`"
            end = match.end()
    return done + escaped((text or "")[end:])


def escaped(text):
    return re.sub(r"([\\`*<\[\]|$])", r"\\\1", text)


def indented(mark, lines):
    text = "\n".join(lines).strip("\n")
    return mark + text.replace("\n", "\n" + " " * len(mark)).rstrip()
