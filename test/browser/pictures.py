# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Makes the pictures of the live page, of a trace and of summaries for the documentation: `pictures.py FOLDER`.

They show programs that run, and so differ from one time to the next. SLUICE and FIVE_LOSSES are the
command lines of the command and of the sample.
"""

import base64
import json
import os
import shlex
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import browser
import summaries_picture
import trace_picture

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))
import event_reader  # noqa: E402

LARGEST = 150_000  # bytes
WIDTH, HEIGHT = 1240, 860
ELAPSED = "(document.querySelector('#figures dd')?.textContent ?? '')"

# Training takes the examples more slowly than they are decoded.
PIPELINE = {
    "name": "training",
    "queues": {
        "records": {"capacity": 256},
        "examples": {"type": "shuffle", "capacity": 4096, "min_after_dequeue": 512, "seed": 7},
        "losses": {"capacity": 64},
    },
    "runners": [
        {"name": "read", "stage": "range", "options": {"from": 1, "to": 10**9}, "to": "records"},
        {"name": "decode", "stage": "rate_limit", "options": {"per_second": 2600},
         "from": "records", "to": "examples", "workers": 2},
        {"name": "train", "stage": "rate_limit", "options": {"per_second": 1900},
         "from": "examples", "to": "losses"},
        {"name": "log", "stage": "discard", "from": "losses"},
    ],
}


# Slow enough for single elements to be seen.
TRACED = {
    "name": "import",
    "queues": {"lines": {"capacity": 64}, "rows": {"capacity": 8}, "done": {"capacity": 8}},
    "runners": [
        {"name": "read", "stage": "range", "options": {"from": 1, "to": 10**9}, "to": "lines"},
        {"name": "parse", "stage": "rate_limit", "options": {"per_second": 400},
         "from": "lines", "to": "rows", "workers": 2},
        {"name": "store", "stage": "rate_limit", "options": {"per_second": 250}, "from": "rows", "to": "done"},
        {"name": "log", "stage": "discard", "from": "done"},
    ],
}


def draw_trace(folder):
    command = shlex.split(os.environ.get("SLUICE", "sluice"))
    with tempfile.TemporaryDirectory() as scratch:
        description, trace = Path(scratch, "import.json"), Path(scratch, "trace.json")
        description.write_text(json.dumps(TRACED), "utf-8")
        subprocess.run([*command, "run", description, "--trace", trace, "--timeout", "2s", "--report", "none"],
                       check=False, capture_output=True)  # it ends by the timeout
        drawn = trace_picture.draw(trace.read_text("utf-8"), 0.25)
    (Path(folder) / "trace.svg").write_text(drawn, "utf-8")
    print(f"trace.svg: {len(drawn)} bytes")


def draw_summaries(folder):
    command = shlex.split(os.environ.get("FIVE_LOSSES", "sample_five_losses"))
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([*command, "--logdir", scratch], check=True, stdout=subprocess.DEVNULL)
        drawn = summaries_picture.draw(event_reader.read_run(scratch).scalars)
    (Path(folder) / "summaries.svg").write_text(drawn, "utf-8")
    print(f"summaries.svg: {len(drawn)} bytes")


def take(folder):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as description:
        json.dump(PIPELINE, description)
        description.flush()
        command = shlex.split(os.environ.get("SLUICE", "sluice"))
        program = subprocess.Popen([*command, "run", description.name, "--serve", "0"],
                                   stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        try:
            show(program.stderr.readline().decode().split()[-1], folder)
        finally:
            program.kill()
            program.communicate()


def show(url, folder):
    chromium = browser.start_browser()
    try:
        size(chromium, dark=False)
        chromium.get(url)
        browser.wait_for(chromium, f"return {ELAPSED}.startsWith('1\\u00a0min')")
        for name, dark in (("live_page_light", False), ("live_page_dark", True)):
            size(chromium, dark)
            before = chromium.execute_script(f"return {ELAPSED}")
            browser.wait_for(chromium, f"return {ELAPSED} !== arguments[0]", before)  # in these colours
            picture = chromium.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
            content = shrink(base64.b64decode(picture["data"]))
            if len(content) > LARGEST:
                raise SystemExit(f"{name}.png has {len(content)} bytes, more than {LARGEST}")
            (Path(folder) / f"{name}.png").write_bytes(content)
            print(f"{name}.png: {len(content)} bytes")
    finally:
        chromium.quit()


def size(chromium, dark):
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})


def shrink(png):
    """The same picture, compressed as well as it can be without a filter: flat areas are most of it."""
    chunks, at = [], 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        chunks.append((kind, png[at + 8:at + 8 + length]))
        at += 12 + length
    header = dict(chunks)[b"IHDR"]
    width, height, depth, colour = struct.unpack(">IIBB", header[:10])
    pixel = {2: 3, 6: 4}[colour] * depth // 8
    data = zlib.decompress(b"".join(content for kind, content in chunks if kind == b"IDAT"))
    rows = b"".join(b"\0" + row for row in unfiltered(data, width * pixel, height, pixel))
    result = png[:8]
    for kind, content in ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")):
        result += struct.pack(">I", len(content)) + kind + content
        result += struct.pack(">I", zlib.crc32(kind + content))
    return min(result, png, key=len)


def unfiltered(data, length, height, pixel):
    """The rows of a picture, of which each is stored as its difference from its neighbours."""
    above = bytearray(length)
    for start in range(0, height * (length + 1), length + 1):
        kind, row = data[start], bytearray(data[start + 1:start + 1 + length])
        for i in range(length):
            left = row[i - pixel] if i >= pixel else 0
            up = above[i]
            corner = above[i - pixel] if i >= pixel else 0
            guess = (0, left, up, (left + up) // 2, paeth(left, up, corner))[kind]
            row[i] = (row[i] + guess) & 0xFF
        yield bytes(row)
        above = row


def paeth(left, up, corner):
    guess = left + up - corner
    return min((left, up, corner), key=lambda each: abs(guess - each))


if __name__ == "__main__":
    if missing := browser.missing():
        raise SystemExit(f"pictures need {', '.join(missing)}")
    draw_trace(sys.argv[1])
    draw_summaries(sys.argv[1])
    take(sys.argv[1])
