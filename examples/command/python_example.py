#!/usr/bin/env python3
"""A complete command evaluator in plain Python 3 (standard library only): read this, then put your own metric into `score`.

What it measures is honest but small: how colourful a picture is, nudged by the colour words of the caption. It is an
example of the protocol (docs/evaluators.md, "Command evaluators"), not a metric anybody should report.

    score = 100 * (1 - exp(-C / 40)) * (0.5 + 0.5 * M)

C is the colourfulness of Hasler and Suesstrunk (2003) on a 64 x 64 grid of pixels; M is the share of the colours named in the
caption that some pixel shows (1 when it names none).
"""
import json
import math
import struct
import sys
import zlib

VERSION = "1.0.0"
COLOURS = {
    "red": (0, 25), "orange": (15, 45), "brown": (10, 45), "wooden": (10, 45), "yellow": (40, 70), "green": (70, 165),
    "blue": (180, 265), "purple": (255, 310), "pink": (300, 350),
}


def read_png(path):
    """Width, height and rows of RGB bytes of an 8-bit RGB PNG without interlacing (what Parallax writes)."""
    with open(path, "rb") as handle:
        data = handle.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG file")
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        at += size + 12
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            if (depth, colour, interlace) != (8, 2, 0):
                raise ValueError("expected an 8-bit RGB PNG without interlacing")
        elif kind == b"IDAT":
            packed += body
    raw, stride, rows = zlib.decompress(packed), width * 3, []
    before = bytearray(stride)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if kind == 1:
            for i in range(3, stride):
                row[i] = (row[i] + row[i - 3]) & 255
        elif kind == 2:
            for i in range(stride):
                row[i] = (row[i] + before[i]) & 255
        elif kind == 3:
            for i in range(stride):
                row[i] = (row[i] + ((row[i - 3] if i >= 3 else 0) + before[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                a, b, c = (row[i - 3] if i >= 3 else 0), before[i], (before[i - 3] if i >= 3 else 0)
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                row[i] = (row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        rows.append(row)
        before = row
    return width, height, rows


def sample(path, grid=64):
    width, height, rows = read_png(path)
    columns, lines = min(grid, width), min(grid, height)
    pixels = []
    for j in range(lines):
        row = rows[(2 * j + 1) * height // (2 * lines)]
        for i in range(columns):
            x = 3 * ((2 * i + 1) * width // (2 * columns))
            pixels.append((row[x], row[x + 1], row[x + 2]))
    return pixels


def colourfulness(pixels):
    def moments(values):
        mean = sum(values) / len(values)
        return mean, sum((v - mean) ** 2 for v in values) / len(values)
    (mean_a, var_a), (mean_b, var_b) = moments([r - g for r, g, _ in pixels]), moments([(r + g) / 2 - b for r, g, b in pixels])
    return math.sqrt(var_a + var_b) + 0.3 * math.sqrt(mean_a ** 2 + mean_b ** 2)


def hue(pixel):
    high, low = max(pixel), min(pixel)
    if high - low < 24:
        return None
    r, g, b = pixel
    if high == r:
        return 60 * ((g - b) / (high - low) % 6)
    return 60 * ((b - r) / (high - low) + 2) if high == g else 60 * ((r - g) / (high - low) + 4)


def score(request, cache={}):
    """One request in, one number out. Raise an exception for a picture that cannot be scored: it becomes a failure, never a zero."""
    path = request["images"][0]["path"]
    if path not in cache:
        if len(cache) > 256:
            cache.clear()
        pixels = sample(path)
        cache[path] = colourfulness(pixels), {round(h) for h in map(hue, pixels) if h is not None}
    strength, hues = cache[path]
    words = [w.strip(".,;:!?") for w in request["caption"].lower().split()]
    named = sorted({w for w in words if w in COLOURS})
    seen = sum(any(COLOURS[w][0] <= h <= COLOURS[w][1] for h in hues) for w in named)
    match = seen / len(named) if named else 1.0
    return 100 * (1 - math.exp(-strength / 40)) * (0.5 + 0.5 * match)


def main():
    # Libraries like to print. Standard output belongs to the protocol, so everything else goes to standard error.
    out, sys.stdout = sys.stdout, sys.stderr

    def say(message):
        out.write(json.dumps(message, allow_nan=False) + "\n")
        out.flush()

    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({
                "type": "hello", "protocol": 1, "name": "colour-example", "version": VERSION,
                "scale": {"name": "colour-share-100", "min": 0, "max": 100},
                "reads": {"image": True, "caption": True, "scene": False}, "batch": 16,
                "fingerprint": {"grid": 64}, "environment": {},
            })
        elif message["type"] == "score":
            for request in message["requests"]:
                try:
                    say({"id": request["id"], "status": "scored", "value": score(request)})
                except Exception as error:  # one bad picture must not end the run
                    say({"id": request["id"], "status": "failed", "reason": "%s: %s" % (type(error).__name__, error)})
        elif message["type"] == "close":
            return


if __name__ == "__main__":
    main()
