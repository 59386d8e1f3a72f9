"""Trains the pocket CLIP. Usage: train.py --data FOLDER --held-out FOLDER --out FILE.pt --steps N --seed S

Loss: symmetric InfoNCE over a batch of scenes and their edited twins in the same view, in which a caption that is also true
of another image is no negative; a two-way softmax between a scene and its twin; and training-only aids that fade: presence,
counts, room and view from either embedding by one shared linear head, and what each 8 x 8 px show from the convolutions,
which learn that alone for the first --dense steps.
"""
import argparse
import json
import math
import multiprocessing
import os
import random
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import tokenizer as bpe
from captions import Captioner
from evaluate import evaluate
from model import CELL_WIDTH, PocketClip, normalise_pixels, start_from
from records import ROOM_TYPES, VIEW_KINDS, Records

BATCH_PAIRS = 32
RIVAL_SCALE = 20.0
LONG_EVERY = 4  # one batch in four carries prompts of several sentences; batches are padded to their longest caption


class Aids(nn.Module):
    """Heads used in training only."""

    def __init__(self, concepts, classes, width=128):
        super().__init__()
        self.words = nn.Linear(width, 2 * concepts + len(ROOM_TYPES) + len(VIEW_KINDS))
        self.cell = nn.Conv2d(CELL_WIDTH, classes, 1)
        self.share = torch.ones(classes)
        # Floor, wall and background fill most of a picture and teach little.
        self.share[:3] = 0.1
        nn.init.normal_(self.words.weight, std=0.5)

    def start_at_shares(self, records):
        """Biases at the log odds of the training set: at these rates they would take a thousand steps to get there."""
        with torch.no_grad():
            share = word_targets(records, np.arange(len(records.records))).mean(0).clamp(0.003, 0.9)
            self.words.bias.copy_((share / (1 - share)).log())
            counts = torch.bincount(torch.from_numpy(records.cells.astype(np.int64)).ravel(), minlength=records.classes) * self.share
            self.cell.bias.copy_((counts / counts.sum()).clamp(min=1e-4).log())


def augment(pixels, grid, straight_down, rng):
    """Mirror, quarter turns of top-down pictures, brightness, contrast, softness, noise; uint8 (n, 96, 96, 3) to the same.
    A scene and its twin (rows 2k, 2k + 1) are mirrored and turned alike."""
    mirrored = np.repeat(rng.random(len(pixels) // 2) < 0.5, 2)
    turns = np.repeat(rng.integers(0, 4, len(pixels) // 2), 2) * straight_down
    pixels[mirrored] = pixels[mirrored, :, ::-1]
    grid[mirrored] = grid[mirrored, :, ::-1]
    for turn in (1, 2, 3):
        chosen = turns == turn
        pixels[chosen] = np.rot90(pixels[chosen], turn, (1, 2))
        grid[chosen] = np.rot90(grid[chosen], turn, (1, 2))
    x = torch.from_numpy(pixels).permute(0, 3, 1, 2).float()
    per_image = lambda low, high: torch.from_numpy(rng.uniform(low, high, (len(pixels), 1, 1, 1)).astype(np.float32))
    soft = F.avg_pool2d(F.pad(x, (1, 1, 1, 1), mode="replicate"), 3, 1)
    x = x + per_image(-0.35, 0.6) * (soft - x)
    x = (x - 128) * per_image(0.85, 1.15) + 128 + per_image(-12, 12)
    x = x + torch.randn_like(x) * per_image(0, 4)
    return x.round_().clamp_(0, 255).to(torch.uint8).permute(0, 2, 3, 1).contiguous(), grid


class Batches:
    def __init__(self, records, tokens, seed):
        self.records, self.tokens = records, tokens
        self.rng, self.draw = np.random.default_rng(seed), random.Random(seed)
        self.captioner = Captioner(records.categories, self.draw)
        self.order = []

    def next(self, step, pairs=BATCH_PAIRS):
        data = self.records
        rows = []
        while len(rows) < 2 * pairs:
            if not self.order:
                self.order = list(self.rng.permutation(len(data.groups)))
            group = data.groups[self.order.pop()]
            rows += [group[0], self.draw.choice(group[1:])]
        long = step % LONG_EVERY == LONG_EVERY - 1
        texts, claims = [], []
        for at, row in enumerate(rows):
            # What the edit is about is mentioned more often than not, on both sides.
            must = data.records[rows[at | 1]]["named"] if self.draw.random() < 0.75 else ()
            text, claim = self.captioner.caption(data.records[row], long, must[:2])
            texts.append(text)
            claims.append(claim)
        rows = np.array(rows)
        pixels, cells = augment(data.images[rows], data.cells[rows], data.straight_down[rows], self.rng)
        return {"pixels": pixels, "cells": cells, "ids": pad([self.tokens.encode(t) for t in texts]),
                "truth": data.truth(rows, claims), "seen": word_targets(data, rows), "said": claim_targets(data.claims(claims))}


def worker(queue, answers, arguments, tokenizer_path, seed, pairs):
    """Makes batches in a process of its own; answers a request to look for new shards with the number of pictures."""
    torch.set_num_threads(1)
    batches = Batches(Records(*arguments), bpe.load(tokenizer_path), seed)
    step = 0
    while True:
        batch = batches.next(step, pairs)
        queue.put({key: as_arrays(value) for key, value in batch.items()})
        step += 1
        if step % 100 == 0 and batches.records.refresh():
            answers.put(len(batches.records.records))


def as_arrays(value):
    """Plain arrays cross from one process to another more simply than tensors."""
    return tuple(map(as_arrays, value)) if isinstance(value, tuple) else np.asarray(value)


def as_tensors(value):
    return tuple(map(as_tensors, value)) if isinstance(value, tuple) else torch.from_numpy(value)


def pad(ids):
    out = torch.full((len(ids), max(map(len, ids))), ids[0][-1], dtype=torch.int64)
    for row, each in enumerate(ids):
        out[row, : len(each)] = torch.tensor(each)
    return out


def word_targets(records, rows):
    have = records.have[rows]
    room = np.eye(len(ROOM_TYPES), dtype=np.float32)[records.room[rows]] * (records.room[rows] >= 0)[:, None]
    view = np.eye(len(VIEW_KINDS), dtype=np.float32)[records.view[rows]]
    return torch.from_numpy(np.concatenate(((have > 0), (have > 1), room, view), 1).astype(np.float32))


def claim_targets(claims):
    """Targets and weights of what a caption says: an unmentioned concept counts as absent, an unnamed room or view not at all."""
    need, room, view = claims
    named = lambda index, n: (np.eye(n, dtype=np.float32)[index] * (index >= 0)[:, None], np.repeat((index >= 0)[:, None], n, 1))
    rooms, room_weight = named(room, len(ROOM_TYPES))
    views, view_weight = named(view, len(VIEW_KINDS))
    target = np.concatenate(((need != 0), (need > 1), rooms, views), 1).astype(np.float32)
    weight = np.concatenate((np.ones_like(need), np.ones_like(need), room_weight, view_weight), 1).astype(np.float32)
    return torch.from_numpy(target), torch.from_numpy(weight)


def losses(model, aids, batch, dense):
    pixels, ids, truth = normalise_pixels(batch["pixels"]).contiguous(memory_format=torch.channels_last), batch["ids"], batch["truth"]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        cells = model.image_cells(pixels)
        shown = aids.cell(cells)
    local = F.cross_entropy(shown.float(), batch["cells"].long(), weight=aids.share)
    if dense:
        return torch.zeros(()), torch.zeros(()), torch.zeros(()), local
    with torch.autocast("cpu", dtype=torch.bfloat16):
        image, text = model.pool_cells(cells), model.get_text_features(ids)
    image, text = F.normalize(image.float(), dim=-1), F.normalize(text.float(), dim=-1)
    scale = model.logit_scale.exp()
    logits = scale * image @ text.T
    n = len(pixels)
    also_true = truth & ~torch.eye(n, dtype=torch.bool)
    masked = logits.masked_fill(also_true, -1e4)
    target = torch.arange(n)
    contrast = (F.cross_entropy(masked, target) + F.cross_entropy(masked.T, target)) / 2
    # A scene against its twin: rows 2k and 2k + 1 share the view. Counted where the caption is false of the other image.
    twin = target ^ 1
    wrong = (~truth)[twin, target].float()
    # Twins differ little: a scale of its own keeps their small differences from being passed over while the learned one is low.
    close = logits * (RIVAL_SCALE / scale.detach())
    own, other_image, other_text = close.diagonal(), close[twin, target], close[target, twin]
    wrong_text = (~truth)[target, twin].float()
    rival = ((F.softplus(other_image - own) * wrong).sum() / wrong.sum().clamp(min=1)
             + 0.5 * (F.softplus(other_text - own) * wrong_text).sum() / wrong_text.sum().clamp(min=1))
    # Sums over a picture's outputs, not means: few of them are ever positive.
    seen = F.binary_cross_entropy_with_logits(aids.words(image), batch["seen"], reduction="sum") / n
    said, weight = batch["said"]
    told = F.binary_cross_entropy_with_logits(aids.words(text), said, weight, reduction="sum") / n
    return contrast, rival, seen + told, local


def main():
    arguments = argparse.ArgumentParser()
    for name, kind in (("data", str), ("held-out", str), ("out", str), ("tokenizer", str), ("init", str), ("steps", int), ("seed", int)):
        arguments.add_argument("--" + name, type=kind, required=name not in ("init",))
    arguments.add_argument("--rate", type=float, default=1.5e-3)
    arguments.add_argument("--dense", type=int, default=0)
    arguments.add_argument("--pairs", type=int, default=BATCH_PAIRS)
    a = arguments.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    records = Records(a.data)
    held_out = Records(a.held_out, records.categories)
    tokens = bpe.load(a.tokenizer)
    queue, answers = multiprocessing.Queue(6), multiprocessing.Queue()
    maker = multiprocessing.Process(target=worker, daemon=True,
                                    args=(queue, answers, (a.data, records.categories), a.tokenizer, a.seed, a.pairs))
    maker.start()
    pictures = len(records.records)
    model, aids = PocketClip(tokens.size), Aids(len(records.concepts), records.classes)
    aids.start_at_shares(records)
    if a.init:
        start = torch.load(a.init)
        start_from(model, start["model"])
        if start["categories"] == records.categories:
            start_from(aids, start["aids"])
    both = nn.ModuleList([model, aids]).to(memory_format=torch.channels_last)
    decayed = [p for p in both.parameters() if p.dim() >= 2]
    plain = [p for p in both.parameters() if p.dim() < 2]
    optimiser = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.05}, {"params": plain, "weight_decay": 0.0}],
                                  lr=a.rate, betas=(0.9, 0.98))
    begun, cpu, log = time.time(), time.process_time(), []
    for step in range(a.steps):
        done = step / a.steps
        rate = a.rate * min(1, (step + 1) / 80) * (0.5 + 0.5 * math.cos(math.pi * done)) + 1e-6
        for group in optimiser.param_groups:
            group["lr"] = rate
        fade = 1 if done < 0.6 else 1 - 0.8 * (done - 0.6) / 0.4
        contrast, rival, told, local = losses(model, aids, {key: as_tensors(value) for key, value in queue.get().items()}, step < a.dense)
        loss = contrast + 0.5 * rival + fade * (0.1 * told + 2 * local)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(both.parameters(), 1.0)
        optimiser.step()
        with torch.no_grad():
            model.logit_scale.clamp_(max=math.log(40))
        log.append([v.item() for v in (contrast, rival, told, local)])
        if (step + 1) % 25 == 0:
            mean = np.mean(log[-25:], 0)
            print(f"step {step + 1} contrast {mean[0]:.3f} rival {mean[1]:.3f} told {mean[2]:.3f} local {mean[3]:.3f} "
                  f"scale {model.logit_scale.exp().item():.1f} images {pictures} wall {time.time() - begun:.0f} "
                  f"cpu {time.process_time() - cpu:.0f}", flush=True)
        while not answers.empty():
            pictures = answers.get()
        if (step + 1) % 500 == 0 or step + 1 == a.steps:
            held_out.refresh()
            if held_out.records:
                figures = evaluate(model, held_out, tokens, quick=step + 1 < a.steps)
                print(json.dumps({"step": step + 1, **figures}), flush=True)
            state = {"model": model.state_dict(), "aids": aids.state_dict(), "categories": records.categories, "step": step + 1,
                     "seed": a.seed, "wall": time.time() - begun, "cpu": time.process_time() - cpu, "images": pictures, "passes": (step + 1) * 2 * a.pairs}
            torch.save(state, a.out + ".part")
            os.replace(a.out + ".part", a.out)


if __name__ == "__main__":
    main()
