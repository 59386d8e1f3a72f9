#!/usr/bin/env python3
"""BLIP-VQA as a command evaluator: the probability that the first word of the answer is "yes".

    pip install torch transformers pillow
    python3 blip_vqa_evaluator.py --question 'Does this image show {caption}?' --device cuda

The question is part of the metric, so it is in the fingerprint. A question given by the audit (an evaluator factor named
`question`) replaces it request by request: declare `question: {levels: [...], evaluators: [blip-vqa]}` and the audit measures it.
"""
import argparse

import torch
import transformers
from PIL import Image
from transformers import BlipForQuestionAnswering, BlipProcessor

from parallax_evaluator import serve, state_hash

parser = argparse.ArgumentParser()
parser.add_argument("--checkpoint", default="Salesforce/blip-vqa-base")
parser.add_argument("--revision", default="main")
parser.add_argument("--question", default="Does this image show {caption}?")
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
options = parser.parse_args()

processor = BlipProcessor.from_pretrained(options.checkpoint, revision=options.revision)
model = BlipForQuestionAnswering.from_pretrained(options.checkpoint, revision=options.revision).to(options.device).eval()
yes = processor.tokenizer.convert_tokens_to_ids("yes")


@torch.inference_mode()
def score(requests):
    values = []
    for request in requests:
        question = (request["parameters"].get("question") or options.question).replace("{caption}", request["caption"])
        picture = Image.open(request["images"][0]["path"]).convert("RGB")
        inputs = processor(images=picture, text=question, return_tensors="pt", truncation=True, max_length=512).to(options.device)
        seen = model.vision_model(inputs["pixel_values"])[0]
        read = model.text_encoder(
            input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], encoder_hidden_states=seen,
            encoder_attention_mask=torch.ones(seen.shape[:2], dtype=torch.long, device=options.device))[0]
        first = torch.full((1, 1), model.decoder_start_token_id, dtype=torch.long, device=options.device)
        logits = model.text_decoder(
            input_ids=first, encoder_hidden_states=read, encoder_attention_mask=inputs["attention_mask"]).logits[0, -1]
        values.append(float(torch.softmax(logits, dim=0)[yes]))
    return values


serve(
    name="blip-vqa", version=transformers.__version__, scale=("yes-probability", 0, 1), score=score, batch=16,
    fingerprint={"checkpoint": options.checkpoint, "revision": options.revision, "question": options.question,
                 "weights": state_hash(model)},
    environment={"device": options.device, "torch": torch.__version__},
)
