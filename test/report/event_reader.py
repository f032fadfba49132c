# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Reads event files of TensorBoard, and refuses whatever is not as it should be.

Written from the description of the formats, not from the writer: TFRecord frames with masked
CRC-32C, and the fields of the messages Event, Summary, HistogramProto, TensorProto, GraphDef.
"""

import math
import struct
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path


class Malformed(Exception):
    """Says what is wrong, and at which byte."""


def _crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def masked(crc):
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    """The data of each frame."""
    at = 0
    while at < len(data):
        if len(data) - at < 12:
            raise Malformed(f"half a header at {at}")
        length, of_length = struct.unpack_from("<QI", data, at)
        if masked(crc32c(data[at:at + 8])) != of_length:
            raise Malformed(f"wrong checksum of the length at {at}")
        end = at + 12 + length
        if len(data) < end + 4:
            raise Malformed(f"half a record at {at}")
        payload = data[at + 12:end]
        if masked(crc32c(payload)) != struct.unpack_from("<I", data, end)[0]:
            raise Malformed(f"wrong checksum of the data at {at}")
        yield payload
        at = end + 4


def _varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Malformed("a varint without an end")
        value |= (data[at] & 0x7F) << shift
        at += 1
        if not data[at - 1] & 0x80:
            return value, at
        shift += 7


def fields(message, types):
    """{number: [values]}; `types` has the type of each number that may be there."""
    found = defaultdict(list)
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, wire = key >> 3, key & 7
        if number not in types:
            raise Malformed(f"field {number} is none of {sorted(types)}")
        kind = types[number]
        if wire != {"int": 0, "double": 1, "float": 5}.get(kind, 2):
            raise Malformed(f"field {number} has the wire type {wire}, but is a {kind}")
        if wire == 0:
            value, at = _varint(message, at)
            value -= (value >> 63) << 64
        else:
            size = {1: 8, 5: 4}.get(wire)
            if size is None:
                size, at = _varint(message, at)
            if at + size > len(message):
                raise Malformed(f"field {number} is longer than its message")
            value, at = _decoded(kind, message[at:at + size]), at + size
        found[number].append(value)
    return found


def _decoded(kind, data):
    if kind == "double":
        return struct.unpack("<d", data)[0]
    if kind == "float":
        return struct.unpack("<f", data)[0]
    if kind == "doubles":
        return list(struct.unpack(f"<{len(data) // 8}d", data))
    if kind == "text":
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Malformed(f"a string is not UTF-8: {error}") from error
    return data


def one(found, number):
    if len(found[number]) != 1:
        raise Malformed(f"field {number} is there {len(found[number])} times, not once")
    return found[number][0]


@dataclass
class Histogram:
    min: float
    max: float
    num: float
    sum: float
    sum_squares: float
    limits: list
    counts: list


@dataclass
class Node:
    op: str
    inputs: list
    attributes: dict


@dataclass
class Run:
    """What TensorBoard would show; each value with its step, in the order of the file."""
    scalars: dict = field(default_factory=lambda: defaultdict(list))
    histograms: dict = field(default_factory=lambda: defaultdict(list))
    texts: dict = field(default_factory=lambda: defaultdict(list))
    graph: dict = None
    restarts: list = field(default_factory=list)
    times: list = field(default_factory=list)


def _histogram(data):
    found = fields(data, {**{n: "double" for n in range(1, 6)}, 6: "doubles", 7: "doubles"})
    result = Histogram(*(one(found, number) for number in range(1, 8)))
    if len(result.limits) != len(result.counts):
        raise Malformed("a histogram has not as many limits as counts")
    if sum(result.counts) != result.num:
        raise Malformed("the counts of a histogram do not add up")
    if result.num and any(a > b for a, b in zip(result.limits, result.limits[1:])):
        raise Malformed("the limits of a histogram go down")
    if result.limits[-1] != math.nextafter(math.inf, 0):
        raise Malformed("the last limit of a histogram is not the greatest double")
    return result


def _text(data, metadata):
    plugin = one(fields(one(fields(metadata, {1: "message", 4: "int"}), 1), {1: "text"}), 1)
    if plugin != "text":
        raise Malformed(f"a tensor for the plugin {plugin}")
    tensor = fields(data, {1: "int", 2: "message", 8: "text"})
    if one(tensor, 1) != 7 or one(tensor, 2) != b"":
        raise Malformed("a text is not a single string")
    return one(tensor, 8)


def _graph(data):
    nodes = {}
    for message in fields(data, {1: "message"})[1]:
        node = fields(message, {1: "text", 2: "text", 3: "text", 5: "message"})
        attributes = {}
        for entry in node[5]:
            entry = fields(entry, {1: "text", 2: "message"})
            attributes[one(entry, 1)] = one(fields(one(entry, 2), {2: "bytes"}), 2).decode()
        name = one(node, 1)
        if name in nodes:
            raise Malformed(f"two nodes {name}")
        nodes[name] = Node(one(node, 2), node[3], attributes)
    for node in nodes.values():
        if not nodes.keys() >= set(node.inputs):
            raise Malformed(f"an input of {node} is no node")
    return nodes


def _add_summary(run, step, data):
    for message in fields(data, {1: "message"})[1]:
        value = fields(message, {1: "text", 2: "float", 5: "message", 8: "message", 9: "message"})
        tag = one(value, 1)
        if value[2]:
            run.scalars[tag].append((step, one(value, 2)))
        elif value[5]:
            run.histograms[tag].append((step, _histogram(one(value, 5))))
        else:
            run.texts[tag].append((step, _text(one(value, 8), one(value, 9))))


def _restart(run, step, data):
    """As TensorBoard does: what the program repeats from this step on was in vain before."""
    if one(fields(data, {1: "int"}), 1) != 1:
        raise Malformed("a session that does not start")
    run.restarts.append(step)
    for curves in (run.scalars, run.histograms, run.texts):
        for tag, points in curves.items():
            curves[tag] = [point for point in points if point[0] < step]


def read_events(data, run=None):
    """Of one file, or of another one of the same run."""
    run = Run() if run is None else run
    for number, record in enumerate(records(data)):
        event = fields(record, {
            1: "double", 2: "int", 3: "text", 4: "message", 5: "message", 7: "message",
            10: "message"})
        run.times.append(one(event, 1))
        kinds = [kind for kind in (3, 4, 5, 7) if event[kind]]
        if kinds != [3] and number == 0 or kinds == [3] and number > 0 or len(kinds) != 1:
            raise Malformed(f"event {number} has the fields {kinds}")
        if event[3] and event[3] != ["brain.Event:2"]:
            raise Malformed(f"the version is {event[3]}")
        if event[4]:
            if run.graph is not None:
                raise Malformed("two graphs in one run")
            run.graph = _graph(one(event, 4))
        if event[5]:
            _add_summary(run, one(event, 2), one(event, 5))
        if event[7]:
            _restart(run, one(event, 2), one(event, 7))
    if not run.times:
        raise Malformed("no events")
    return run


def read_run(directory):
    """The only event file of a directory."""
    files = [path for path in Path(directory).iterdir() if "tfevents" in path.name]
    if len(files) != 1:
        raise Malformed(f"{directory} has {len(files)} event files, not one")
    return read_events(files[0].read_bytes())
