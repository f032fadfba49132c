# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""stages_page.py <sluice> <page>: writes the page about the stages, from what the command says
of them; with --check it fails if the page is another one."""

import json
import re

from generated_page import write_or_check

HEAD = """# Stages

<!-- search: CSV, jq, gzip, regular expression, print, text_lines -->

<!-- Made from the output of `sluice stages`: `./dev stages` writes this page. -->

Every stage that the command `sluice` knows, with its options. `sluice stages NAME` prints the same about one stage.
[The pipeline file](file.md) describes where a stage and its options stand.
"""

KINDS = {
    "Sources": "A source has no `from`. It reads its input and gives elements to the queue `to`.",
    "Transforms": "A transform takes elements from one queue and gives elements to another one. "
                  "[`command`](#command) without `to` is a sink.",
    "Sinks": "A sink needs no `to`. It writes results.",
}


FLOW = re.compile(r"takes (?P<takes>\w+)(?P<input> if it has an input)?, "
                  r"gives (?P<gives>\w+)(?P<output> if it has an output)?$")
OPTION = re.compile(r"  (?P<name>\S+) +(?P<type>texts?|integer|number|flag|duration|size|any JSON)"
                    r"(?P<required>, required)?(?:, default (?P<default>.*?))?"
                    r"(?:, at least (?P<minimum>[^ ,:]+))?(?:, at most (?P<maximum>[^ ,:]+))?"
                    r"(?:, (?P<choices>\S+(?: \| \S+)+))?: (?P<summary>.*)$")


def parse(text):
    """What `sluice stages NAME` says: a name and a summary, what flows, options, details."""
    head, _, rest = text.partition("\n\n")
    first, flow = head.split("\n")
    name, _, summary = first.partition(": ")
    found = FLOW.match(flow)
    options = []
    if rest.startswith("options\n"):
        lines, _, rest = rest.rstrip("\n").removeprefix("options\n").partition("\n\n")
        options = [OPTION.match(line).groupdict() for line in lines.split("\n")]
    return {"name": name, "summary": summary, "takes": found["takes"], "gives": found["gives"],
            "input_is_optional": bool(found["input"]), "output_is_optional": bool(found["output"]),
            "options": options, "details": rest}


def stages_of(output_of):
    return [parse(output_of("stages", line.split()[0])) for line in output_of("stages").splitlines()]


def kind_of(stage):
    if stage["takes"] == "nothing":
        return "Sources"
    is_sink = stage["output_is_optional"] and not stage["input_is_optional"]
    return "Sinks" if stage["gives"] == "nothing" or is_sink else "Transforms"


def page(stages):
    stage_names = [stage["name"] for stage in stages if "_" in stage["name"]]
    parts = [HEAD]
    for kind, meaning in KINDS.items():
        members = [stage for stage in stages if kind_of(stage) == kind]
        rows = [[f"[`{stage['name']}`](#{stage['name']})", takes(stage), gives(stage),
                 marked(stage["summary"], stage_names)] for stage in members]
        parts.append(f"## {kind}\n\n{meaning}\n\n" + table(["stage", "takes", "gives", "what it does"], rows))
        parts += [section(stage, stage_names) for stage in members]
    return "\n".join(parts)


def takes(stage):
    return stage["takes"] + (" (optional)" if stage["input_is_optional"] else "")


def gives(stage):
    return stage["gives"] + (" (optional)" if stage["output_is_optional"] else "")


def section(stage, stage_names):
    names = stage_names + [f'"{option["name"]}"' for option in stage["options"]]
    summary = marked(stage["summary"], names)
    text = f"### {stage['name']}\n\n{summary[0].upper()}{summary[1:]}.\n"
    if stage["options"]:
        columns = ["option", "type", "default", "allowed", "meaning"]
        text += "\n" + table(columns, map(option_row, stage["options"]))
    if stage["details"]:
        text += "\n" + markdown(stage["details"], names)
    return text


def option_row(option):
    default = "required" if option["required"] else code(option["default"])
    return [f"`{option['name']}`", option["type"], default, allowed(option), marked(option["summary"], ())]


def allowed(option):
    if option["choices"]:
        return ", ".join(f"`{choice}`" for choice in option["choices"].split(" | "))
    bounds = [f"{word} {float(option[key]):,.15g}"
              for key, word in (("minimum", "at least"), ("maximum", "at most")) if option[key]]
    return ", ".join(bounds)


def code(value):
    """A JSON text, with a blank after each comma of an array."""
    return "" if value is None else f"`{json.dumps(json.loads(value), ensure_ascii=False)}`"


def table(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def markdown(details, names):
    """Paragraphs; indented lines are an example."""
    blocks = details.strip("\n").split("\n\n")
    return "\n".join(
        "```json\n" + re.sub(r"^    ", "", block, flags=re.MULTILINE).rstrip() + "\n```\n"
        if block.startswith("    ") else marked(block, names) + "\n"
        for block in blocks
    )


def marked(text, names):
    """Text in which names, strings and JSON are in code font, and no other character is markup."""
    name = "|".join([*map(re.escape, names), "$."])
    return re.sub(rf"(?<!\w)({name})(?!\w)|({{[^}}]+}}|\"[^\"\n]+\")|([\\*_<>|\[\]`])", mark, text)


def mark(match):
    name, literal, character = match.groups()
    if name:
        return "`" + name.strip('"') + "`"
    return f"`{literal}`" if literal else "\\" + character


if __name__ == "__main__":
    write_or_check(lambda output_of: page(stages_of(output_of)), "`sluice stages`")
