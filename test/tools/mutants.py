# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Finds what can be changed in a C++ source, and writes the source with all of it.

All mutants of a file are compiled together, each behind `mutant(n)` of mutant.hpp, which is
true in a process whose environment chooses n: the tests are built once, and run for each
mutant. No line is added or removed, so that messages of the compiler have the right line.

This is no parser. It knows comments, strings and brackets, and relies on the layout that
the formatter gives: blanks around binary operators, none around template arguments.
"""

import re
from dataclasses import dataclass

INCLUDE = "#include <sluice/mutant.hpp>"
OPEN, CLOSE = "([{", ")]}"
NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|\[\[.*?\]\]", re.DOTALL | re.MULTILINE)
# what stands in the brackets after these is for the compiler, or no code of the product
NOT_RUN = re.compile(r"\b(?:(?:if constexpr |static_assert|assert|noexcept|decltype|sizeof|"
                     r"alignas|requires ?)(?=[({])|template (?=<))")
NOT_RUN_EITHER = re.compile(r"\bconstexpr [^;{}()]*=[^;]*;|\boperator ?[^\w\s(]+")
TYPE_OR_NAMESPACE = re.compile(r"\b(class|struct|union|enum|namespace)\b")


@dataclass
class Mutant:
    file: str
    line: int
    last_line: int
    kind: str
    text: str     # what is changed, and into what
    pieces: list  # (position, length, order, text) of what is put in place of what
    number: int = 0

    def name(self):
        """What stays the same when other lines change."""
        return f"{self.file}: {self.kind}: {self.text}"

    def __str__(self):
        return f"{self.file}:{self.line}: {self.kind}: {self.text}"


class Source:
    """A text, and its code: the same with blanks for what does nothing at run time."""

    def __init__(self, file, text):
        self.file, self.text = file, text
        self.code = blank(NOT_CODE, text)
        for head in NOT_RUN.finditer(self.code):
            if self.code[head.end()] in "({<":  # is not within another
                self.blank_brackets(head.end())
        self.code = blank(NOT_RUN_EITHER, self.code)
        self.in_function = self.find_functions()

    def blank_brackets(self, opening):
        end = self.end_of_brackets(opening, *("<>" if self.code[opening] == "<" else (OPEN, CLOSE)))
        inside = blank(re.compile(".+", re.DOTALL), self.code[opening + 1:end - 1])
        self.code = self.code[:opening + 1] + inside + self.code[end - 1:]

    def end_of_brackets(self, opening, opens=OPEN, closes=CLOSE):
        depth = 0
        for i in range(opening, len(self.code)):
            depth += (self.code[i] in opens) - (self.code[i] in closes)
            if depth == 0:
                return i + 1
        return len(self.code)

    def find_functions(self):
        """For each position whether the innermost braces there are those of a function."""
        inside, stack, head = bytearray(len(self.code)), [False], 0
        for i, c in enumerate(self.code):
            if c == "{":
                stack.append(not TYPE_OR_NAMESPACE.search(without_arguments(self.code[head:i])))
            elif c == "}" and len(stack) > 1:
                stack.pop()
            if c in ";{}":
                head = i + 1
            inside[i] = stack[-1]
        return inside

    def matches(self, pattern):
        return (m for m in re.finditer(pattern, self.code) if self.in_function[m.start()])

    def begin_of_operand(self, end, stops):
        """Where the operand before `end` begins: after an open bracket, or one of `stops`."""
        i, depth = end, 0
        while i > 0 and depth >= 0:
            c = self.code[i - 1]
            depth += (c in CLOSE) - (c in OPEN)
            if depth < 0 or depth == 0 and (c in ";,{}" or stops.search(self.code, max(0, i - 8), i)):
                break
            i -= 1
        return end - len(self.code[i:end].lstrip())

    def end_of_operand(self, begin, stops):
        i, depth = begin, 0
        while depth > 0 or self.code[i] not in ";,)]}" and not stops.match(self.code, i):
            depth += (self.code[i] in OPEN) - (self.code[i] in CLOSE)
            i += 1
        return begin + len(self.code[begin:i].rstrip())

    def shown(self, begin, end):
        return " ".join(self.text[begin:end].split())

    def mutant(self, begin, end, text, *pieces):
        line = self.text.count("\n", 0, begin) + 1
        last_line = line + self.text.count("\n", begin, end)
        return Mutant(self.file, line, last_line, "", text, list(pieces))


def blank(pattern, text):
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def without_arguments(text):
    while (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
        text = shorter
    return text


# Pieces, in the order in which they stand if they have the same position. In their texts
# MUTANT stands for the call of mutant(n), and NUMBER for n.


def wrap(begin, end, before, after, depth=0):
    """Around an expression; of two the longer one is outside, or else the less deep."""
    return (end, 0, (0, -begin, -depth), after), (begin, 0, (1, -end, depth), before)


def replace(begin, end, text):
    return begin, end - begin, (2,), text


# The kinds of mutants.


def negate(source, begin, end):
    return source.mutant(begin, end, f"negated: {source.shown(begin, end)}",
                         *wrap(begin, end, "(MUTANT != bool(", "))"))


def conditions(source):
    for m in source.matches(r"\b(?:if|while) (?=\()"):
        end = source.end_of_brackets(m.end()) - 1
        begin = max(m.end(), source.code.rfind(";", m.end(), end)) + 1
        condition = source.code[begin:end]
        if condition.strip() and not re.search(r"(?<![=!<>])=\s", condition):
            yield negate(source, end - len(condition.lstrip()), end)
    for m in source.matches(r"\s\?\s"):
        yield negate(source, source.begin_of_operand(m.start(), BEFORE["?"]), m.start())


COMPARISONS = {"<": ("less", "<="), "<=": ("less_equal", "<"), ">": ("greater", ">="),
               ">=": ("greater_equal", ">"), "==": ("equal", "!="), "!=": ("not_equal", "==")}


def comparisons(source):
    for m in source.matches(r"(?<=\s)(<=?|>=?|==|!=)(?=\s)"):
        name, other = COMPARISONS[m[0]]
        yield source.mutant(*m.span(), f"{m[0]} is {other}: {line_of(source, m)}",
                            replace(*m.span(),
                                    f"{m[0]} ::sluice::mutation::{name}(NUMBER) {m[0]}"))


def line_of(source, match):
    begin = source.text.rfind("\n", 0, match.start()) + 1
    return source.shown(begin, source.text.find("\n", match.end()))


LOWEST = r"(?<![=!<>])=\s|\breturn\b|[?]|(?<!:):\s"
BEFORE = {operator: re.compile(f"(?:{stops})$") for operator, stops in
          (("&&", LOWEST + r"|\|\|"), ("||", LOWEST), ("?", LOWEST))}
AFTER = {"&&": re.compile(r"&&|\|\||[?]|(?<!:):\s"), "||": re.compile(r"\|\||[?]|(?<!:):\s")}


def connectives(source):
    for m in source.matches(r"(?<=\s)(&&|\|\|)(?=\s)"):
        begin = source.begin_of_operand(m.start(), BEFORE[m[0]])
        end = source.end_of_operand(m.end(), AFTER[m[0]])
        # a && b is a ? b : false; a || b is !a ? b : true; one bit makes each the other
        if m[0] == "&&":
            other, before, after = "||", "((MUTANT != bool(", ") : MUTANT)"
        else:
            other, before, after = "&&", "((MUTANT == bool(", ") : !MUTANT)"
        yield source.mutant(*m.span(), f"{m[0]} is {other}: {source.shown(begin, end)}",
                            *wrap(begin, end, before, after, depth=1),
                            replace(*m.span(), ")) ? bool("))


STATEMENT = re.compile(
    r"(?<=[;{})])\s+(?:else\s+)?"
    r"(?P<it>(?!(?:return|throw|delete|else|assert|static_assert|interleaving_point)\b|co_)"
    r"(?:[*+-]*[A-Za-z_](?:\w|::)*(?:\.|->|\(|\[| [-+*/|&]?= )[^;{}]*|(?:\+\+|--)\w+);)")


def statements(source):
    for m in source.matches(STATEMENT):
        begin, end = m.start("it"), m.end() - 1
        whole = m["it"].count("(") == m["it"].count(")")  # or it is in the head of a loop
        if whole and "new (" not in source.code[source.code.rfind("\n", 0, begin) + 1:begin]:
            yield source.mutant(begin, end, f"left out: {source.shown(begin, end)}",
                                *wrap(begin, end, "MUTANT ? void() : void(", ")"))


def steps(source):
    for m in source.matches(r"(\+\+|--)([A-Za-z_](?:\w|\.|->)*)(?![\w(\[.-])"):
        other = {"++": "--", "--": "++"}[m[1]] + m[2]
        yield source.mutant(*m.span(), f"{m[0]} is {other}",
                            replace(*m.span(), f"(MUTANT ? {other} : {m[0]})"))


def constants(source):
    for m in source.matches(r"(?<=\breturn )(true|false)(?=;)"):
        yield source.mutant(*m.span(), f"negated: return {m[0]}",
                            replace(*m.span(), f"MUTANT != {m[0]}"))


def jumps(source):
    for m in source.matches(r"\b(return|break|continue);(?!\s*else\b)"):
        yield source.mutant(*m.span(), f"left out: {m[0]}",
                            replace(m.start(), m.start(), "if (!MUTANT) "))


def alternatives(source):
    for m in source.matches(r"\belse\b(?! if constexpr)"):
        yield source.mutant(*m.span(), f"left out: {line_of(source, m)}",
                            replace(m.end(), m.end(), " if (!MUTANT)"))


def orders(source):
    for m in source.matches(r"std::memory_order_(acquire|release|acq_rel|seq_cst)\b"):
        relaxed = "std::memory_order_relaxed"
        yield source.mutant(*m.span(), f"{m[1]} is relaxed: {line_of(source, m)}",
                            replace(*m.span(), f"(MUTANT ? {relaxed} : {m[0]})"))


KINDS = {"condition": conditions, "comparison": comparisons, "connective": connectives,
         "statement": statements, "step": steps, "constant": constants, "jump": jumps,
         "else": alternatives, "order": orders}


def find_mutants(file, text):
    """All mutants of a text, in the order of their lines."""
    source, found = Source(file, text), []
    for kind, find in KINDS.items():
        for mutant in find(source):
            mutant.kind = kind
            found.append(mutant)
    return sorted(found, key=lambda m: m.line)


def with_mutants(text, mutants):
    """The text with all of them; the comment in front makes room for an #include."""
    parts, position = [], 0
    for (at, length, _, piece), number in sorted(
            (piece, m.number) for m in mutants for piece in m.pieces):
        piece = piece.replace("MUTANT", f"::sluice::mutation::mutant({number})")
        parts += text[position:at], piece.replace("NUMBER", str(number))
        position = at + length
    return INCLUDE + "".join([*parts, text[position:]])[text.index("\n"):]
