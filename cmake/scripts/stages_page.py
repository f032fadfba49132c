# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""stages_page.py <sluice> <page>: writes the page about the stages, from what the command says
of them; with --check it fails if the page is another one."""

import json
import re

from generated_page import write_or_check

HEAD = """# Stages

<!-- search: CSV, jq, gzip, regular expression, print, text_lines -->

<!-- Made from the output of `sluice stages --json`: `./dev stages` writes this page. -->

Every stage that the command `sluice` knows, with its options. `sluice stages NAME` prints the same about one stage.
[The pipeline file](file.md) describes where a stage and its options stand.
"""

KINDS = {
    "Sources": "A source has no `from`. It reads its input and gives elements to the queue `to`.",
    "Transforms": "A transform takes elements from one queue and gives elements to another one. "
                  "[`command`](#command) without `to` is a sink.",
    "Sinks": "A sink needs no `to`. It writes results.",
}


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
    default = "required" if option["required"] else code(option.get("default"))
    return [f"`{option['name']}`", option["type"], default, allowed(option), marked(option["summary"], ())]


def allowed(option):
    if "choices" in option:
        return ", ".join(f"`{choice}`" for choice in option["choices"])
    bounds = [f"{word} {option[key]:,.15g}"
              for key, word in (("minimum", "at least"), ("maximum", "at most")) if key in option]
    return ", ".join(bounds)


def code(value):
    return "" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"


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
    write_or_check(
        lambda output_of: page(json.loads(output_of("stages", "--json"))),
        "`sluice stages --json`")
