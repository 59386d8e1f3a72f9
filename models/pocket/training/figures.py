"""Writes figures.json and the table of README.md. Usage: figures.py --models FIRST.pt,LAST.pt --held-out FOLDER --tokenizer FILE
--out models/pocket

The last model is measured; the ones before it are the trainings it continued from, for the account of what was spent.
"""
import argparse
import json
import os
import re

import torch

import tokenizer as bpe
from evaluate import CHOICES, WRAPPERS, evaluate
from export import write
from model import PocketClip
from records import Records


def spent(states):
    rows = [{key: state[key] for key in ("seed", "step", "passes", "images")} | {"cpuSeconds": round(state["cpu"]), "wallSeconds": round(state["wall"])}
            for state in states]
    return {"runs": rows, "passes": sum(r["passes"] for r in rows), "cpuMinutes": round(sum(r["cpuSeconds"] for r in rows) / 60, 1),
            "wallMinutes": round(sum(r["wallSeconds"] for r in rows) / 60, 1)}


def percent(value):
    return "not measured" if value is None else f"{100 * value:.1f}%"


def table(figures):
    top, at, drops, default = (figures[k] for k in ("topOne", "topOneAtDefault", "drops", "dropsAtDefault"))
    cell = lambda block, edit: f"{percent(block[edit]['share'])} of {block[edit]['pairs']}" if edit in block else "not measured"
    rows = [("Right caption among 32 (chance 3.1%)", percent(top["imageToText"]), percent(at["imageToText"])),
            ("Right picture among 32", percent(top["textToImage"]), percent(at["textToImage"])),
            ("Score drops when a named object is removed", cell(drops, "removed"), cell(default, "removed")),
            ("... when a named object is replaced by another kind", cell(drops, "replaced"), cell(default, "replaced")),
            ("... when an object is added that the caption does not name", cell(drops, "added"), cell(default, "added")),
            ("... when half of the objects go", cell(drops, "thinned"), cell(default, "thinned")),
            ("... when two objects change places (50%: blind to it)", cell(drops, "swapped"), cell(default, "swapped")),
            ("... when only the floor changes colour (50%: as it should be)", cell(drops, "floor"), cell(default, "floor"))]
    lines = ["| | all views | default view |", "|---|---|---|", *[f"| {a} | {b} | {c} |" for a, b, c in rows]]
    wrappers, cosine = figures["wrappers"], figures["cosine"]
    presence = sorted(figures["presenceAuc"]["categories"].items(), key=lambda item: -item[1])
    name = lambda pairs: ", ".join(f"{category} {value:.2f}" for category, value in pairs)
    lines += ["", f"Free-form captions: {percent(figures['topOneFreeForm']['imageToText'])} / {percent(figures['topOneFreeForm']['textToImage'])}; "
              f"prompts of several sentences: {percent(figures['topOneLongPrompts']['imageToText'])} / {percent(figures['topOneLongPrompts']['textToImage'])}. "
              f"Cosine of a picture with its own caption {cosine['matched']:.3f}, with another's {cosine['mismatched']:.3f}. "
              f"The same picture and body under {wrappers['wrappers']} prompt wrappers: standard deviation {wrappers['deviationOverWrappers']:.3f}, "
              f"against {wrappers['deviationOverScenes']:.3f} between scenes.",
              "", f"Presence (`a photo of a room with a ...`, area under the curve, mean {figures['presenceAuc']['mean']:.2f}): best {name(presence[:8])}; "
              f"worst {name(presence[-8:])}. All are in `figures.json`."]
    training = figures["training"]
    lines += ["", f"Training: {training['passes']:,} picture passes, {training['cpuMinutes']} CPU minutes ({training['wallMinutes']} minutes on a busy "
              f"two-core machine), {training['runs'][-1]['images']:,} pictures, seeds {', '.join(str(r['seed']) for r in training['runs'])}. "
              f"Measured on {figures['heldOut']['rooms']} held-out rooms, {figures['topOne']['trials']} trials ({figures['topOneAtDefault']['trials']} at the default view)."]
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser()
    for name in ("models", "held-out", "tokenizer", "out"):
        arguments.add_argument("--" + name, required=True)
    a = arguments.parse_args()
    torch.set_num_threads(1)
    states = [torch.load(path) for path in a.models.split(",")]
    tokens = bpe.load(a.tokenizer)
    model = PocketClip(tokens.size)
    model.load_state_dict(states[-1]["model"])
    data = Records(a.held_out, states[-1]["categories"])
    measured = evaluate(model, data, tokens)
    figures = {
        "schema": "parallax/model-figures@1", "model": "pocket",
        "purpose": "exists for demonstration and tests: it knows only this project's own renderer and furniture kit",
        "task": {"choices": CHOICES, "chance": 1 / CHOICES, "caption": "a rendering of a <room> with <every seen object, counted>",
                 "defaultView": {"pitch": 90, "yaw": 0, "focal": 50, "lighting": "city", "background": "grey-255"},
                 "drop": "share of pairs whose score falls when the edit is made and the caption kept; ties count half"},
        "heldOut": {"rooms": measured.pop("rooms"), "pictures": len(data.records), "categories": len(data.categories)},
        "parameters": sum(p.numel() for p in model.parameters()), "training": spent(states), **measured}
    figures["wrappers"]["forms"] = WRAPPERS
    write(os.path.join(a.out, "figures.json"), figures)
    readme = os.path.join(a.out, "README.md")
    with open(readme, encoding="utf8") as file:
        text = file.read()
    text = re.sub(r"(<!-- figures -->\n).*(<!-- end of figures -->)", lambda m: m[1] + table(figures) + "\n" + m[2], text, flags=re.S)
    with open(readme, "w", encoding="utf8") as file:
        file.write(text)
    print(table(figures))


if __name__ == "__main__":
    main()
