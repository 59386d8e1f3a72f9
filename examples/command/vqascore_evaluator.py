#!/usr/bin/env python3
"""VQAScore (Lin et al. 2024) as a command evaluator, through the authors' package.

    pip install t2v-metrics      # see its page: it wants a particular torch and transformers
    python3 vqascore_evaluator.py --model clip-flant5-xxl

Only models whose probabilities come from their own logits are safe here. The package's hosted models answer 0.0 when a request fails,
which this protocol would record as a score: they are refused.
"""
import argparse
import importlib.metadata

import t2v_metrics
import torch

from parallax_evaluator import serve

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="clip-flant5-xxl")
options = parser.parse_args()
if options.model.startswith(("gpt", "gemini")):
    parser.error("hosted models of t2v_metrics score 0.0 on errors; use a judge evaluator of Parallax instead")
metric = t2v_metrics.VQAScore(model=options.model)


def score(requests):
    # The package scores every image with every text; a request is one pair.
    return [float(metric(images=[request["images"][0]["path"]], texts=[request["caption"]])[0][0]) for request in requests]


serve(
    name="vqascore-%s" % options.model, version=importlib.metadata.version("t2v-metrics"), scale=("yes-probability", 0, 1),
    score=score, batch=8, fingerprint={"model": options.model, "question": "the package's default question and answer template"},
    environment={"torch": torch.__version__, "device": "cuda" if torch.cuda.is_available() else "cpu"},
)
