# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The six jobs of samples/pipelines/standard_jobs, and the tools that people use for them.

A tool is a line for bash that reads $INPUT and prints the result. `by_python` computes the same
with Python's modules. What a program prints is compared in the form that `read` makes of it.
"""

import collections
import csv
import dataclasses
import gzip
import json
import random
import re
from pathlib import Path
from typing import Callable

FOLDER = Path(__file__).resolve().parents[3] / "samples/pipelines/standard_jobs"

CITIES = ["Rome", "Oslo", "Lima", "Bern", "Cairo", "Quito", "Cádiz", "Delhi"]
KINDS = ["book", "food", "tool", "toy"]


# --- inputs: the same for the same number of lines ---------------------------------------------

def access_log(lines):
    dice = random.Random(1)
    for number in range(lines):
        url = f"/shop/{int(dice.random() ** 2 * 1000)}"
        status = dice.choices([200, 304, 404, 500, 503], [80, 8, 6, 4, 2])[0]
        yield (f"10.{dice.randrange(256)}.{dice.randrange(256)}.{dice.randrange(256)} - - "
               f"[25/Nov/2026:{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02} +0000] "
               f'"GET {url} HTTP/1.1" {status} {dice.randrange(100000)} "-" "Mozilla/5.0"\n')


def orders(lines):
    dice = random.Random(2)
    for number in range(lines):
        yield (number, dice.choice(CITIES), dice.choice(KINDS), dice.randrange(1, 20),
               f"{dice.random() * 200:.2f}")


def orders_csv(lines):
    yield "id,city,kind,pieces,price\n"
    for number, city, *others in orders(lines):  # a city in quotes, as a comma needs them
        named = f'"{city}, {number % 7}"' if number % 5 == 0 else city
        yield ",".join(map(str, (number, named, *others))) + "\n"


def plain_orders_csv(lines):
    yield "id,city,kind,pieces,price\n"
    for order in orders(lines):
        yield ",".join(map(str, order)) + "\n"


def orders_json(lines):
    for number, city, kind, pieces, price in orders(lines):
        price = price.rstrip("0").rstrip(".")  # as jq would write it
        yield (f'{{"id":{number},"city":"{city}","kind":"{kind}",'
               f'"pieces":{pieces},"price":{price}}}\n')


def prose(lines):
    """A quarter of the lines, because sort takes long for words."""
    dice = random.Random(3)
    words = ["".join(dice.choices("etaoinshrdlu_09", k=dice.randrange(2, 10))) for _ in range(20000)]
    for _ in range(lines // 4):
        yield " ".join(words[int(dice.random() ** 3 * len(words))] for _ in range(12)) + ".\n"


# --- results ------------------------------------------------------------------------------------

def as_text(printed):
    return printed.decode()


def as_values(printed):
    """JSON lines, whatever their spaces; numbers as they are written."""
    return [json.loads(line, parse_float=str) for line in printed.decode().splitlines()]


def as_set(printed):
    """Rows of no particular order."""
    return sorted((row["city"], row["kind"], row["count"], row["pieces_sum"])
                  for row in as_values(printed))


def unpacked(printed):
    return gzip.decompress(printed).decode()


def lines_of(path):
    with path.open(encoding="utf-8", newline="\n") as file:
        yield from file


def ranked(counts, most):
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0].encode()))
    return "".join(f"{count}\t{text}\n" for text, count in rows[:most])


def top_urls(path):
    fields = (line.split(" ") for line in lines_of(path))
    return ranked(collections.Counter(f[6] for f in fields if int(f[8]) >= 500), 10)


def expensive_records(path):
    with path.open(encoding="utf-8", newline="") as file:
        return [{**row, "id": int(row["id"]), "pieces": int(row["pieces"])}
                for row in csv.DictReader(file) if float(row["price"]) > 150]


def expensive_values(path):
    values = (json.loads(line, parse_float=str) for line in lines_of(path))
    return [value for value in values if float(value["price"]) > 150]


def sums(path):
    count, total = collections.Counter(), collections.Counter()
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = row["city"], row["kind"]
            count[key] += 1
            total[key] += int(row["pieces"])
    return sorted((*key, count[key], total[key]) for key in count)


def without_errors(path):
    text = gzip.decompress(path.read_bytes()).decode()
    return "".join(line for line in text.splitlines(True) if not re.search('" 5[0-9][0-9] ', line))


def words(path):
    found = collections.Counter()
    for line in lines_of(path):
        found.update(re.findall("[A-Za-z0-9_\x80-\U0010ffff]+", line))
    return ranked(found, 20)


# --- jobs ---------------------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    input: str  # name of the file
    lines: Callable  # of the input, so many
    writes: bool  # to OUTPUT, not to standard output
    read: Callable  # of what a program printed or wrote
    by_python: Callable
    tools: dict  # name of a tool: line for bash

    @property
    def description(self):
        return FOLDER / f"{self.name}.json"

    def make_input(self, folder, lines):
        path = folder / self.input
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "wt", encoding="utf-8", newline="\n") as file:
            file.writelines(self.lines(lines))
        return path


RANK = r"LC_ALL=C sort -t $'\t' -k1,1nr -k2 | head -n"
JOBS = [
    Job("top_urls", "access.log", access_log, False, as_text, top_urls, {
        "mawk": """mawk '$9 >= 500 { n[$7]++ } END { for (u in n) print n[u] "\\t" u }' """
                '"$INPUT" | ' + RANK + " 10",
    }),
    Job("csv_to_json_lines", "orders.csv", orders_csv, True, as_values, expensive_records, {
        "mlr": """mlr --icsv --ojsonl filter '$price > 150' "$INPUT" """,
    }),
    Job("filter_json_lines", "orders.jsonl", orders_json, True, as_values, expensive_values, {
        "jq": """jq -c 'select(.price > 150)' "$INPUT" """,
        "mlr": """mlr --ijsonl --ojsonl filter '$price > 150' "$INPUT" """,
    }),
    Job("sums_by_two_keys", "plain_orders.csv", plain_orders_csv, False, as_set, sums, {
        "mawk": """mawk -F , 'NR > 1 { k = "\\"city\\":\\"" $2 "\\",\\"kind\\":\\"" $3 "\\""; """
                """n[k]++; s[k] += $4 } END { for (k in n) """
                """printf "{%s,\\"count\\":%d,\\"pieces_sum\\":%d}\\n", k, n[k], s[k] }' "$INPUT" """,
        "mlr": "mlr --icsv --ojsonl stats1 -a count,sum -f pieces -g city,kind "
               """then rename pieces_count,count "$INPUT" """,
    }),
    Job("gzip_to_gzip", "access.log.gz", access_log, True, unpacked, without_errors, {
        "mawk": """zcat "$INPUT" | mawk '!/" 5[0-9][0-9] /' | gzip""",
        "grep": """zcat "$INPUT" | LC_ALL=C grep -v '" 5[0-9][0-9] ' | gzip""",
    }),
    Job("count_words", "prose.txt", prose, False, as_text, words, {
        "mawk": """mawk 'BEGIN { FS = "[^A-Za-z0-9_\\200-\\377]+" } """
                """{ for (i = 1; i <= NF; i++) if ($i != "") n[$i]++ } """
                """END { for (w in n) print n[w] "\\t" w }' "$INPUT" | """ + RANK + " 20",
        "sort": r"""LC_ALL=C grep -a -o -E $'[A-Za-z0-9_\x80-\xff]+' "$INPUT" | """
                "LC_ALL=C sort | uniq -c | sed -E $'s/^ *([0-9]+) /\\\\1\\t/' | " + RANK + " 20",
    }),
]
