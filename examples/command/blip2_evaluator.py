#!/usr/bin/env python3
"""BLIP-2 image-text matching (ITM) or contrast (ITC) as a command evaluator.

    pip install torch transformers pillow
    python3 blip2_evaluator.py --head itm --device cuda

ITM is the probability of "match" from the matching head; ITC the largest cosine between a query token and the caption, x 100. BLIP-2
was trained with 32 text tokens: longer captions are cut there (--tokens), which the fingerprint records.
"""
import argparse

import torch
import transformers
from PIL import Image
from transformers import AutoProcessor, Blip2ForImageTextRetrieval

from parallax_evaluator import serve, state_hash

parser = argparse.ArgumentParser()
parser.add_argument("--checkpoint", default="Salesforce/blip2-itm-vit-g")
parser.add_argument("--revision", default="main")
parser.add_argument("--head", default="itm", choices=["itm", "itc"])
parser.add_argument("--tokens", type=int, default=32)
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
parser.add_argument("--batch", type=int, default=16)
options = parser.parse_args()

processor = AutoProcessor.from_pretrained(options.checkpoint, revision=options.revision)
model = Blip2ForImageTextRetrieval.from_pretrained(options.checkpoint, revision=options.revision).to(options.device).eval()


@torch.inference_mode()
def score(requests):
    values = []
    # One pair at a time: the contrast head compares every picture of a batch with every caption.
    for request in requests:
        picture = Image.open(request["images"][0]["path"]).convert("RGB")
        inputs = processor(images=picture, text=request["caption"], return_tensors="pt", truncation=True,
                           max_length=options.tokens).to(options.device)
        logits = model(**inputs, use_image_text_matching_head=options.head == "itm").logits_per_image
        values.append(float(torch.softmax(logits, dim=1)[0, 1]) if options.head == "itm" else 100 * float(logits.flatten()[0]))
    return values


serve(
    name="blip2-%s" % options.head, version=transformers.__version__, score=score, batch=options.batch,
    scale=("itm-probability", 0, 1) if options.head == "itm" else ("cosine100", -100, 100),
    fingerprint={"checkpoint": options.checkpoint, "revision": options.revision, "head": options.head,
                 "tokens": options.tokens, "weights": state_hash(model)},
    environment={"device": options.device, "torch": torch.__version__},
)
