"""A small held-out set for the repository's tests. Usage: sample_held_out.py --model FILE.pt --tokenizer FILE --held-out FOLDER
--out tests/models

held-out.png: two columns of 96 px pictures, a room and the same room with one object it names removed, one row a room; the
first rooms of the held-out set in order, none picked. held-out.json: the captions, and how often torch was right on this set.
"""
import argparse
import json
import os
import random

import numpy as np
import torch
from PIL import Image

import tokenizer as bpe
from captions import Captioner
from evaluate import CHOICES, embed_images, embed_texts
from model import PocketClip
from records import Records

ROOMS = 2 * CHOICES


def main():
    arguments = argparse.ArgumentParser()
    for name in ("model", "tokenizer", "held-out", "out"):
        arguments.add_argument("--" + name, required=True)
    a = arguments.parse_args()
    torch.set_num_threads(1)
    tokens, state = bpe.load(a.tokenizer), torch.load(a.model)
    model = PocketClip(tokens.size)
    model.load_state_dict(state["model"])
    model.eval()
    data = Records(a.held_out, state["categories"])
    captioner = Captioner(data.categories, random.Random(5))
    rows, texts = [], []
    for group in data.groups:
        original = data.records[group[0]]
        text, claim = captioner.canonical(original)
        removed = [i for i in group[1:] if data.records[i]["edit"] == "removed" and data.records[i]["named"][0] in claim["counts"]]
        if original["edit"] == "original" and removed and text not in texts[-(len(texts) % CHOICES):] and len(rows) < ROOMS:
            rows.append((group[0], removed[0]))
            texts.append(text)
    assert len(rows) == ROOMS
    sheet = np.concatenate([np.concatenate([data.images[i] for i in pair], 1) for pair in rows], 0)
    os.makedirs(a.out, exist_ok=True)
    Image.fromarray(sheet).save(os.path.join(a.out, "held-out.png"), optimize=True)
    originals, removed = (embed_images(model, data.images[[pair[k] for pair in rows]]) for k in (0, 1))
    captions = embed_texts(model, tokens, texts)
    right = [0, 0]
    for at in range(0, ROOMS, CHOICES):
        scores = originals[at: at + CHOICES] @ captions[at: at + CHOICES].T
        right[0] += int((scores.argmax(1) == np.arange(CHOICES)).sum())
        right[1] += int((scores.argmax(0) == np.arange(CHOICES)).sum())
    drops = int(((originals * captions).sum(1) > (removed * captions).sum(1)).sum())
    document = {"choices": CHOICES, "captions": texts, "imageToText": right[0], "textToImage": right[1], "drops": drops}
    with open(os.path.join(a.out, "held-out.json"), "w", encoding="utf8") as file:
        json.dump(document, file, indent=2)
        file.write("\n")
    print({k: v for k, v in document.items() if k != "captions"})


if __name__ == "__main__":
    main()
