"""Trains tokenizer.json. Usage: make_tokenizer.py --out models/pocket/tokenizer.json --seed 7 [--merges 1000]

The corpus: random captions over rooms of random categories, every wrapper of the reference grammar, and every word of our lists.
"""
import argparse
import json
import random
from collections import Counter

from captions import GRAMMAR, Captioner
from tokenizer import Tokenizer, train
from words import ADJECTIVES, FURTHER, KINDS, MEDIA, NAMES, NUMBERS, PLACES, ROOM_ADJECTIVES, ROOMS, VIEW_NOUNS, VIEWS, plural, singular, use_catalogue


def corpus(seed, captions=30000):
    draw = random.Random(seed)
    captioner = Captioner(list(NAMES), draw)
    texts = Counter()
    for _ in range(captions):
        total = {c: draw.choice([1, 1, 1, 2, 2, 3, 4, 6]) for c in draw.sample(list(NAMES), draw.randint(1, 7))}
        record = {"room": draw.choice(list(ROOMS)), "total": total, "seen": total, "view": draw.choice(["top", "angled", "side"])}
        texts[captioner.caption(record, draw.random() < 0.3)[0]] += 1
    lists = [n for names in NAMES.values() for n in names] + [n for names, _ in KINDS.values() for n in names]
    for name in lists:
        texts[f"{singular(name)} {plural(name)}"] += 40
    for text in [*[g.format("") for g, _ in GRAMMAR], *[r for names in ROOMS.values() for r in names], *ADJECTIVES, *ROOM_ADJECTIVES,
                 *PLACES, *FURTHER, *MEDIA, *NUMBERS.values(), *[v for group in (VIEWS, VIEW_NOUNS) for names in group.values() for v in names]]:
        texts[text] += 20
    return texts


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--out", required=True)
    arguments.add_argument("--seed", type=int, required=True)
    arguments.add_argument("--merges", type=int, default=1100)
    arguments.add_argument("--catalogue", required=True, help="<stream>.catalogue.json of rendered rooms: the kit's names")
    a = arguments.parse_args()
    with open(a.catalogue, encoding="utf8") as file:
        use_catalogue(json.load(file)["names"])
    learned = Tokenizer(train(corpus(a.seed), a.merges))
    learned.save(a.out)
    print(f"{len(learned.merges)} merges, vocabulary {learned.size}")


if __name__ == "__main__":
    main()
