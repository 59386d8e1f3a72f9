"""Rendered shards: <name>.rgb (n x 96 x 96 x 3 bytes), .ids (n x 96 x 96 bytes), .jsonl (n records), and for each run
<stream>-<first room>.catalogue.json ({"categories": [...], "names": {category: [...]}}). Ids: 0 background, 1 floor, 2 wall,
3 + k category k of that run; the catalogue may have grown between runs.

A record: {"scene", "edit", "group", "room", "objects": [{"category", "pixels"}], "named": [category, ...], "view": {...}}.
Images of one group show one scene and its edited twins in one view; the first of a group is the original.
"""
import glob
import json
import os
import re
from collections import Counter

import numpy as np

import words
from captions import concept_counts, concepts

SIZE, CELL = 96, 8
GRID = SIZE // CELL
VIEW_KINDS = ["top", "angled", "side"]
ROOM_TYPES = list(words.ROOMS)
VISIBLE = 8  # pixels of 9,216 below which an object does not count as seen


def view_kind(pitch):
    return "top" if pitch >= 80 else "angled" if pitch >= 20 else "side"


class Records:
    """Everything in memory: images uint8, the class in the middle of each 8 x 8 px uint8, and counts of each concept."""

    def __init__(self, folders, categories=None, limit=None):
        """folders: one path or several joined by commas; categories: those of another set, to share its numbering."""
        self.folders, self.limit, self.loaded = folders.split(","), limit, set()
        names = {}
        for folder in self.folders:
            for path in sorted(glob.glob(os.path.join(folder, "*.catalogue.json"))):
                with open(path, encoding="utf8") as file:
                    names.update(json.load(file)["names"])
        words.use_catalogue(names)
        self.categories = list(categories) if categories else sorted(names)
        self.concepts = concepts(self.categories)
        self.classes = 3 + len(self.categories)
        self.images = np.zeros((0, SIZE, SIZE, 3), np.uint8)
        self.cells = np.zeros((0, GRID, GRID), np.uint8)
        self.records, self.groups = [], []
        self.refresh()

    def refresh(self):
        """Reads shards that were finished since the last call (a .jsonl is written last). Returns whether there were any."""
        images, cells, found = [self.images], [self.cells], False
        for path in sorted(p for folder in self.folders for p in glob.glob(os.path.join(folder, "*.jsonl"))):
            if path in self.loaded or (self.limit and len(self.loaded) >= self.limit):
                continue
            self.loaded.add(path)
            found = True
            with open(path, encoding="utf8") as file:
                rows = [json.loads(line) for line in file]
            n, stem = len(rows), path[: -len(".jsonl")]
            images.append(np.fromfile(stem + ".rgb", np.uint8).reshape(n, SIZE, SIZE, 3))
            ids = np.fromfile(stem + ".ids", np.uint8).reshape(n, SIZE, SIZE)[:, CELL // 2::CELL, CELL // 2::CELL]
            cells.append(self.renumbered(stem)[ids].astype(np.uint8))
            last = None
            for row in rows:
                key = (path, row["group"])
                if key != last:
                    self.groups.append([])
                    last = key
                self.groups[-1].append(len(self.records))
                self.records.append(self.record(row))
        if found:
            self.images, self.cells = np.concatenate(images), np.concatenate(cells)
            self.have = np.array([concept_counts(r["total"], self.concepts) for r in self.records], np.int16)
            self.room = np.array([ROOM_TYPES.index(r["room"]) if r["room"] in ROOM_TYPES else -1 for r in self.records])
            self.straight_down = np.array([r["camera"]["pitch"] == 90 for r in self.records])
            self.view = np.array([VIEW_KINDS.index(r["view"]) for r in self.records])
        return found

    def renumbered(self, stem):
        """Table from a run's ids to ours."""
        with open(re.sub(r"-\d+$", "", stem) + ".catalogue.json", encoding="utf8") as file:
            own = json.load(file)["categories"]
        table = np.zeros(256, np.int64)
        table[:3] = [0, 1, 2]
        for k, category in enumerate(own):
            table[3 + k] = 3 + self.categories.index(category)
        return table

    def record(self, row):
        total, seen = Counter(), Counter()
        for item in row["objects"]:
            total[item["category"]] += 1
            seen[item["category"]] += item["pixels"] >= VISIBLE
        return {"scene": row["scene"], "edit": row["edit"], "room": row["room"], "total": dict(total), "seen": dict(seen),
                "named": row.get("named", []), "view": view_kind(row["view"]["pitch"]), "camera": row["view"]}

    def claims(self, claims):
        """Arrays of claims: needed counts (m, concepts), room index or -1, view index or -1."""
        need = np.zeros((len(claims), len(self.concepts)), np.int16)
        index = {name: k for k, name in enumerate(self.concepts)}
        for row, claim in enumerate(claims):
            for name, n in claim["counts"].items():
                need[row, index[name]] = n
        room = np.array([ROOM_TYPES.index(c["room"]) if c["room"] else -1 for c in claims])
        view = np.array([VIEW_KINDS.index(c["view"]) if c["view"] else -1 for c in claims])
        return need, room, view

    def truth(self, rows, claims):
        """(images, captions) boolean: whether caption j is true of image i."""
        need, room, view = self.claims(claims)
        have = self.have[rows][:, None]
        holds = ((need == 0) | ((need < 0) & (have > 0)) | (need == have)).all(-1)
        holds &= (room < 0) | (room == self.room[rows][:, None])
        return holds & ((view < 0) | (view == self.view[rows][:, None]))
