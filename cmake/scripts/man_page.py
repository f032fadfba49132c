# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""man_page.py <sluice> <page>: writes the manual page from the help of the command and of its
subcommands; with --check it fails if the page is another one."""

import re
from dataclasses import dataclass, field

from generated_page import write_or_check

TITLE = re.compile(r"(positionals|options|subcommands):$", re.IGNORECASE)
ENTRY = re.compile(r"  (?P<names>\S.*?)(?:   *(?P<summary>\S.*))?$")
# what the parser adds to the names of some options
RELATIONS = re.compile(r" (?:Excludes: \S+|Needs: \S+|REQUIRED)")
STATUS = re.compile(r"\bExit status: (.*?)(?=\n\n|\Z)", re.DOTALL)


@dataclass
class Help:
    """What `--help` prints: a summary, lists of (names, meaning), and paragraphs."""

    summary: str
    usage: str
    entries: dict = field(default_factory=dict)
    paragraphs: list = field(default_factory=list)


def parse(text):
    summary, _, rest = text.partition("\nUsage: ")
    usage, _, rest = rest.partition("\n")
    result = Help(" ".join(summary.split()), usage)
    for block in rest.strip("\n").split("\n\n"):
        first, *lines = block.split("\n")
        if title := TITLE.match(first):
            entries = result.entries.setdefault(title[1].lower(), [])
            for line in lines:
                add_entry(entries, line)
        else:
            result.paragraphs.append(block)
    return result


def add_entry(entries, line):
    if line.startswith(" " * 10):  # the meaning of long names stands below them
        names, summary = entries.pop()
        entries.append((names, f"{summary} {line.strip()}".strip()))
        return
    match = ENTRY.match(line)
    names = RELATIONS.sub("", match["names"])
    entries.append((re.sub(r",\s*", ", ", names), match["summary"] or ""))


def page(help_of):
    program = parse(help_of("--help"))
    names = [name for name, _ in program.entries["subcommands"]]
    version = help_of("--version").strip()
    parts = [
        '.\\" Made from the help of the command: `./dev stages` writes this page.',
        f'.TH SLUICE 1 "" "{version}" "User Commands"',
        ".SH NAME", rf"sluice \- {first_lower(program.summary)}",
        ".SH SYNOPSIS", ".B sluice", "COMMAND [OPTIONS] ...",
        ".br", ".B sluice", roff("--help | --version"),
        ".SH OPTIONS", *list_of(program.entries["options"]),
        ".SH COMMANDS",
    ]
    for name in names:
        parts += command(parse(help_of(name, "--help")))
    parts += [".SH ENVIRONMENT",
              roff("A parameter ${NAME} of a description has the value of --param, or else that of"
                   " the variable NAME."),
              ".SH EXIT STATUS", *exit_status(program)]
    return "\n".join(parts) + "\n"


def command(given):
    name = given.usage.split()[1]
    parts = [f".SS sluice {name}", roff(given.summary + "."), ".PP", rf"\fB{roff(given.usage)}\fR"]
    parts += list_of(given.entries.get("positionals", []))
    parts += list_of(given.entries.get("options", []))
    for paragraph in given.paragraphs:
        if STATUS.match(paragraph):
            continue  # has a section of its own
        parts.append(".PP")
        title, _, rest = paragraph.partition("\n")
        if re.match(r"Examples?\b.*:$", title):
            parts += [roff(title), ".PP", ".nf", ".RS", *(roff(line.strip()) for line in rest.split("\n")),
                      ".RE", ".fi"]
        else:
            parts.append(roff(paragraph))
    return parts


def list_of(entries):
    parts = []
    for names, summary in entries:
        parts += [".TP", rf"\fB{roff(names)}\fR", roff(summary)]
    return parts


def exit_status(program):
    status = next(filter(None, map(STATUS.search, program.paragraphs)))[1]
    parts = []
    for entry in " ".join(status.split()).rstrip(".").split("; "):
        number, _, meaning = entry.partition(" ")
        parts += [".TP", rf"\fB{number}\fR", roff(meaning)]
    return parts


def first_lower(text):
    return text[0].lower() + text[1:].rstrip(".")


def roff(text):
    """Text in which no character is markup, and a dash is that of the keyboard."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\(ga").replace("~", r"\(ti")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


if __name__ == "__main__":
    write_or_check(page, "the help of the command")
