#!/usr/bin/env python3
"""Any OpenCLIP checkpoint as a command evaluator: cosine x 100.

    pip install open_clip_torch pillow
    python3 open_clip_evaluator.py --model ViT-H-14 --pretrained laion2b_s32b_b79k --device cuda

Preprocessing and tokenizer are open_clip's own for the checkpoint (kernel, crop or squash, mean and standard deviation, context length,
lower-casing), so a score is what a paper that used open_clip reports.
"""
import argparse

import open_clip
import torch
from PIL import Image

from parallax_evaluator import Remembered, serve, state_hash

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--pretrained", required=True)
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
parser.add_argument("--precision", default="fp32", choices=["fp32", "fp16", "bf16"])
parser.add_argument("--batch", type=int, default=64)
options = parser.parse_args()

model, _, preprocess = open_clip.create_model_and_transforms(
    options.model, pretrained=options.pretrained, precision=options.precision, device=options.device)
model.eval()
tokenizer = open_clip.get_tokenizer(options.model)
kind = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}[options.precision]
images, captions = Remembered(), Remembered()


@torch.inference_mode()
def embed_images(paths):
    pixels = torch.stack([preprocess(Image.open(path).convert("RGB")) for path in paths]).to(options.device, kind)
    return list(model.encode_image(pixels, normalize=True).float().cpu())


@torch.inference_mode()
def embed_captions(texts):
    return list(model.encode_text(tokenizer(texts).to(options.device), normalize=True).float().cpu())


def score(requests):
    left = images.get([request["images"][0]["path"] for request in requests], embed_images)
    right = captions.get([request["caption"] for request in requests], embed_captions)
    return [100 * float(a @ b) for a, b in zip(left, right)]


serve(
    name="open_clip-%s-%s" % (options.model, options.pretrained), version=open_clip.__version__,
    scale=("cosine100", -100, 100), score=score, batch=options.batch,
    fingerprint={"model": options.model, "pretrained": options.pretrained, "precision": options.precision,
                 "weights": state_hash(model), "preprocess": str(preprocess), "context": model.context_length},
    environment={"device": options.device, "torch": torch.__version__},
)
