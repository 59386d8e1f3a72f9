#!/usr/bin/env python3
"""Long-CLIP (248 tokens) from the authors' repository and checkpoint as a command evaluator: cosine x 100.

    git clone https://github.com/beichenzbc/Long-CLIP    # and download longclip-L.pt as its page says
    python3 long_clip_evaluator.py --repository Long-CLIP --checkpoint longclip-L.pt

A Hugging Face conversion exported to ONNX runs natively and faster (docs/evaluators.md); this is the original code.
"""
import argparse
import hashlib
import sys

import torch
from PIL import Image

from parallax_evaluator import Remembered, serve

parser = argparse.ArgumentParser()
parser.add_argument("--repository", required=True)
parser.add_argument("--checkpoint", required=True)
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
options = parser.parse_args()
sys.path.insert(0, options.repository)
from model import longclip  # noqa: E402

model, preprocess = longclip.load(options.checkpoint, device=options.device)
model.eval()
images, captions = Remembered(), Remembered()


@torch.inference_mode()
def embed_images(paths):
    pixels = torch.stack([preprocess(Image.open(path).convert("RGB")) for path in paths]).to(options.device)
    return list(torch.nn.functional.normalize(model.encode_image(pixels).float(), dim=-1).cpu())


@torch.inference_mode()
def embed_captions(texts):
    tokens = longclip.tokenize(texts, truncate=True).to(options.device)
    return list(torch.nn.functional.normalize(model.encode_text(tokens).float(), dim=-1).cpu())


def score(requests):
    left = images.get([request["images"][0]["path"] for request in requests], embed_images)
    right = captions.get([request["caption"] for request in requests], embed_captions)
    return [100 * float(a @ b) for a, b in zip(left, right)]


with open(options.checkpoint, "rb") as handle:
    weights = hashlib.sha256(handle.read()).hexdigest()
serve(
    name="long-clip", version="1", scale=("cosine100", -100, 100), score=score, batch=64,
    fingerprint={"weights": weights, "context": 248}, environment={"device": options.device, "torch": torch.__version__},
)
