# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What is read is written unchanged: tricky documents, compared with Python's own modules."""

import csv
import io
import json
import random

from program import ProgramTest, main

DOCUMENTS = 1000  # of each format
DOCUMENTS_AT_ONCE = 250  # a run of the program costs more than a document

CHARACTERS = ["a", "Z", "0", " ", "\t", "é", "ß", "語", "\U0001f600", "\u2028", "\x7f", "\x01",
              "\x1b", "\\", "/", "'", '"', ",", ";", "\n", "\r", "\r\n", "\0", "\ufeff", "\u0301"]
NUMBERS = ["0", "-0", "-0.0", "1.0", "1.10", "12e4", "1E+2", "1e-7", "0.1", "0.30000000000000004",
           "9007199254740993", "9223372036854775807", "9223372036854775808",
           "-9223372036854775809", "18446744073709551616", "12345678901234567890123",
           "0.12345678901234567890123", "5e-324", "1e-400", "1.7976931348623157e308",
           "100000000000000000000.0", "1e22", "1e23", "123456789.123456789"]
TEXTS = ["", "007", "+1", ".5", "5.", "0x10", "1e400", "NaN", "-Infinity", "1_000", "12 ", " 12",
         "true", "null", "{}", "[1", "=1+1", "n/a", "--", "-", "1-2", "$HOME", "a\"b"]


def random_text(source):
    return "".join(source.choices(CHARACTERS, k=source.randrange(8)))


class WrittenNumber(float):
    """A number that remembers how it was written."""

    def __new__(cls, written):
        number = super().__new__(cls, written)
        number.written = written
        return number

    def __eq__(self, other):
        return self.written == other.written

    __hash__ = None


AS_WRITTEN = {"parse_int": WrittenNumber, "parse_float": WrittenNumber}


def written(value):
    """A JSON text of a value, as compact as that of the program."""
    if isinstance(value, WrittenNumber):
        return value.written
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{written(k)}:{written(v)}" for k, v in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def random_value(source, depth=0):
    kind = source.randrange(8 if depth < 4 else 5)
    if kind == 0:
        return source.choice([None, True, False])
    if kind <= 2:
        return WrittenNumber(source.choice(NUMBERS))
    if kind <= 4:
        return random_text(source)
    items = [random_value(source, depth + 1) for _ in range(source.randrange(5))]
    if kind == 5:
        return items
    return {random_text(source) + str(i): item for i, item in enumerate(items)}


def random_number(source):
    sign, digits = source.choice(["", "-"]), str(source.randrange(10 ** source.randrange(1, 30)))
    fraction = "." + "".join(source.choices("0123456789", k=source.randrange(1, 25)))
    exponent = source.choice("eE") + source.choice(["", "+", "-"]) + str(source.randrange(250))
    return sign + digits + source.choice(["", fraction]) + source.choice(["", exponent])


def random_field(source):
    choices = [source.choice(NUMBERS), source.choice(TEXTS), random_text(source)]
    return source.choice([*choices, random_number(source)])


def csv_text(rows, end, quoting):
    def record(row):
        text = io.StringIO()
        csv.writer(text, lineterminator="\r\n", quoting=quoting).writerow(row)  # quotes both
        return text.getvalue().removesuffix("\r\n") + end

    return "".join(map(record, rows))


def lines_of(content):
    return content.decode().split("\n")[:-1]  # splitlines() knows other ends, too


def batches():
    seeds = range(DOCUMENTS)
    return [seeds[i:i + DOCUMENTS_AT_ONCE] for i in range(0, DOCUMENTS, DOCUMENTS_AT_ONCE)]


class RoundTrips(ProgramTest):
    maxDiff = 2000

    def written_lines(self, format, options, written="json_lines"):
        """What a source and a sink make of the files in the folder "in", in their order."""
        pipeline = self.describe(
            {"all": {}},
            [
                {"stage": "read", "to": "all",
                 "options": {"files": ["in"], "format": format, **options}},
                {"stage": "write", "from": "all", "options": {"path": "out", "format": written}},
            ],
        )
        status, _, err = self.sluice("run", pipeline, "--report", "none")
        self.assertEqual((status, err), (0, ""))
        return (self.folder / "out").read_bytes()

    def write_inputs(self, documents):
        """Replaces the files in the folder "in"."""
        folder = self.folder / "in"
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        for i, document in enumerate(documents):
            (folder / f"{i:06}").write_bytes(document)

    def test_json_lines_are_written_as_they_were_read(self):
        for seeds in batches():
            values = [random_value(random.Random(seed)) for seed in seeds]
            # written with other spaces, escapes and line ends in every second document
            documents = [written(value) + "\n" if i % 2 == 0 else
                         " " + written(value).replace("\x7f", "\\u007f") + "\t\r\n"
                         for i, value in enumerate(values)]
            self.write_inputs([document.encode() for document in documents])
            found = self.written_lines("json_lines", {})
            self.assertEqual([json.loads(line, **AS_WRITTEN) for line in lines_of(found)], values)
            kept = [document.strip(" \t\r\n") + "\n" for document in documents]
            self.assertEqual(found.decode(), "".join(kept))

    def test_random_numbers_are_written_as_they_were_read(self):
        source = random.Random(7)
        numbers = "".join(random_number(source) + "\n" for _ in range(5000)).encode()
        self.write_inputs([numbers])
        self.assertEqual(self.written_lines("json_lines", {}), numbers)

    def check_csv(self, options, expected_of):
        for seeds in batches():
            documents, expected = [], []
            for seed in seeds:
                source = random.Random(seed)
                width = source.randrange(1, 6)
                rows = [[random_field(source) for _ in range(width)]
                        for _ in range(source.randrange(5))]
                header = [random_text(source) + str(i) for i in range(width)]
                end = source.choice(["\n", "\r\n", "\r"])
                quoting = source.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])
                text = csv_text([header, *rows], end, quoting)
                unmarked = text.removeprefix("\ufeff")  # a byte order mark is left out
                read = list(csv.reader(io.StringIO(unmarked, newline="")))
                documents.append(text.encode())
                expected += [dict(zip(read[0], row)) for row in read[1:] if row]
            self.write_inputs(documents)
            found = self.written_lines("csv", options)
            records = [json.loads(line, **AS_WRITTEN) for line in lines_of(found)]
            expected = [{name: expected_of(field) for name, field in record.items()}
                        for record in expected]
            self.assertEqual(records, expected)
            self.assertEqual(list(map(list, records)), list(map(list, expected)))  # their order

    def test_csv_fields_are_written_as_they_were_read(self):
        self.check_csv({}, lambda field: field)

    def test_csv_numbers_are_written_as_they_were_read(self):
        def number_or_text(field):
            try:
                value = json.loads(field)
            except ValueError:
                return field
            is_number = type(value) in (int, float) and field.strip() == field
            is_finite = is_number and abs(float(value)) < float("inf")
            return WrittenNumber(field) if is_finite else field

        self.check_csv({"numbers": True}, number_or_text)

    def test_lines_are_written_as_they_were_read(self):
        source = random.Random(3)
        lines = [bytes(source.choices([*range(10), *range(11, 256)], k=source.randrange(20)))
                 for _ in range(5000)]
        content = b"".join(line.rstrip(b"\r") + b"\n" for line in lines)
        self.write_inputs([content])
        self.assertEqual(self.written_lines("lines", {}, "lines"), content)


if __name__ == "__main__":
    main()
