"""Figures on held-out rooms. Usage: evaluate.py --model FILE.pt --held-out FOLDER --tokenizer tokenizer.json [--out figures.json]

Each group of the held-out set is one room in one view: the original and its edits (removed, replaced, added, swapped, floor).
Captions are the plain form: "a rendering of a bedroom with a double bed, two nightstands and a wardrobe".
"""
import argparse
import json
import random

import numpy as np
import torch
from torch.nn import functional as F

import tokenizer as bpe
from captions import Captioner
from model import PocketClip, normalise_pixels
from records import Records
from words import article, singular

WRAPPERS = ["{}", "a rendering of {}", "a photo of {}", "a top-down view of {}", "a top-down rendering of a virtual scene: {}",
            "picture about a scene: {}", "image depicting {}", "a bird-eye photo depicting scene: {}"]
EDITS = ["removed", "replaced", "added", "thinned", "swapped", "floor"]
CHOICES = 32


def embed_images(model, images, batch=128):
    with torch.no_grad():
        parts = [model.get_image_features(normalise_pixels(torch.from_numpy(images[at: at + batch])))
                 for at in range(0, len(images), batch)]
    return F.normalize(torch.cat(parts), dim=-1).numpy()


def embed_texts(model, tokens, texts, batch=128):
    ids = [tokens.encode(text) for text in texts]
    parts = []
    with torch.no_grad():
        for at in range(0, len(ids), batch):
            group = ids[at: at + batch]
            padded = torch.full((len(group), max(map(len, group))), tokens.eos, dtype=torch.int64)
            for row, each in enumerate(group):
                padded[row, : len(each)] = torch.tensor(each)
            parts.append(model.get_text_features(padded))
    return F.normalize(torch.cat(parts), dim=-1).numpy()


def choices(texts, size=CHOICES):
    """Blocks of `size` indices in order, no caption twice in a block (a repeated caption waits for a later block)."""
    waiting, blocks = list(range(len(texts))), []
    while True:
        block, used, rest = [], set(), []
        for index in waiting:
            if len(block) < size and texts[index] not in used:
                block.append(index)
                used.add(texts[index])
            else:
                rest.append(index)
        if len(block) < size:
            return blocks
        blocks.append(block)
        waiting = rest


def top1(images, captions, texts):
    """(image to text, text to image, trials)."""
    right = [0, 0]
    blocks = choices(texts)
    for block in blocks:
        scores = images[block] @ captions[block].T
        target = np.arange(len(block))
        right[0] += (scores.argmax(1) == target).sum()
        right[1] += (scores.argmax(0) == target).sum()
    n = max(1, len(blocks) * CHOICES)
    return right[0] / n, right[1] / n, len(blocks) * CHOICES


def auc(positive, negative):
    if len(positive) == 0 or len(negative) == 0:
        return None
    order = np.concatenate((positive, negative)).argsort(kind="stable").argsort() + 1
    return (order[: len(positive)].sum() - len(positive) * (len(positive) + 1) / 2) / (len(positive) * len(negative))


def drops(cosines, reference):
    """Strict drop 1, tie 0.5; share, mean drop, n."""
    change = np.asarray(reference) - np.asarray(cosines)
    if len(change) == 0:
        return {"share": None, "mean": None, "pairs": 0}
    return {"share": round(float((change > 0).mean() + 0.5 * (change == 0).mean()), 4), "mean": round(float(change.mean()), 4),
            "pairs": len(change)}


def is_default(record):
    camera = record["camera"]
    return camera["pitch"] == 90 and camera["yaw"] == 0 and camera["focal"] == 50 and camera["lighting"] == "city"


def evaluate(model, data, tokens, quick=False):
    model.eval()
    captioner = Captioner(data.categories, random.Random(5))
    groups = [g for g in data.groups if data.records[g[0]]["edit"] == "original" and sum(data.records[g[0]]["seen"].values()) > 0]
    first = {g[0]: data.records[g[0]] for g in groups}
    originals = list(first)
    plain = [captioner.canonical(first[i]) for i in originals]
    texts = [text for text, _ in plain]
    images, captions = embed_images(model, data.images[originals]), embed_texts(model, tokens, texts)
    figures = {}
    row_of = {index: row for row, index in enumerate(originals)}
    default = np.array([is_default(first[i]) for i in originals])

    def block(name, chosen, caption_vectors, caption_texts):
        chosen = np.flatnonzero(chosen)
        a, b, n = top1(images[chosen], caption_vectors[chosen], [caption_texts[i] for i in chosen])
        figures[name] = {"imageToText": round(float(a), 4), "textToImage": round(float(b), 4), "trials": n}

    every = np.ones(len(originals), bool)
    block("topOne", every, captions, texts)
    for kind in ["all"] if quick else ["all", "default"]:
        pick = every if kind == "all" else default
        rows, kept = {e: [] for e in EDITS}, {e: [] for e in EDITS}
        for g in groups:
            if not pick[row_of[g[0]]]:
                continue
            named = plain[row_of[g[0]]][1]["counts"]
            for i in g[1:]:
                r = data.records[i]
                if r["edit"] not in rows or (r["edit"] in ("removed", "replaced") and not any(c in named for c in r["named"][:1])):
                    continue
                rows[r["edit"]].append(i)
                kept[r["edit"]].append(row_of[g[0]])
        out = {}
        for e in EDITS if not quick else ["removed", "replaced", "added"]:
            if rows[e]:
                edited = embed_images(model, data.images[rows[e]])
                reference = (images[kept[e]] * captions[kept[e]]).sum(1)
                out[e] = drops((edited * captions[kept[e]]).sum(1), reference)
        figures["drops" if kind == "all" else "dropsAtDefault"] = out
    if not quick:
        wrapped = captioner.canonical
        top = [wrapped(first[i], "a top-down view of {}")[0] for i in originals]
        block("topOneAtDefault", default, embed_texts(model, tokens, top), top)
        free = [captioner.caption(first[i])[0] for i in originals]
        block("topOneFreeForm", every, embed_texts(model, tokens, free), free)
        long = [captioner.caption(first[i], True)[0] for i in originals]
        block("topOneLongPrompts", every, embed_texts(model, tokens, long), long)
        own = (images * captions).sum(1)
        across = images @ captions.T
        figures["cosine"] = {"matched": round(float(own.mean()), 4),
                             "mismatched": round(float(across[~np.eye(len(own), dtype=bool)].mean()), 4)}
        by_wrapper = np.stack([(images * embed_texts(model, tokens, [wrapped(first[i], w)[0] for i in originals])).sum(1)
                               for w in WRAPPERS])
        figures["wrappers"] = {"deviationOverWrappers": round(float(by_wrapper.std(0).mean()), 4),
                               "deviationOverScenes": round(float(by_wrapper.std(1).mean()), 4), "wrappers": len(WRAPPERS)}
    presence = {}
    have = np.array([[first[i]["seen"].get(c, 0) > 0 for c in data.categories] for i in originals])
    absent = np.array([[first[i]["total"].get(c, 0) == 0 for c in data.categories] for i in originals])
    probes = embed_texts(model, tokens, [f"a photo of a room with {article(captioner_name(c))}" for c in data.categories])
    scores = images @ probes.T
    for k, category in enumerate(data.categories):
        value = auc(scores[have[:, k], k], scores[absent[:, k], k])
        if value is not None and have[:, k].sum() >= 5:
            presence[category] = round(float(value), 3)
    figures["presenceAuc"] = {"mean": round(float(np.mean(list(presence.values()))), 4) if presence else None}
    if not quick:
        figures["presenceAuc"]["categories"] = presence
    figures["rooms"] = len({first[i]["scene"] for i in originals})
    model.train()
    return figures


def captioner_name(category):
    from captions import names_of
    return singular(names_of(category)[0])


def main():
    arguments = argparse.ArgumentParser()
    for name in ("model", "held-out", "tokenizer"):
        arguments.add_argument("--" + name, required=True)
    a = arguments.parse_args()
    torch.set_num_threads(1)
    tokens = bpe.load(a.tokenizer)
    model = PocketClip(tokens.size)
    model.load_state_dict(torch.load(a.model)["model"])
    print(json.dumps(evaluate(model, Records(a.held_out), tokens), indent=2))


if __name__ == "__main__":
    main()
