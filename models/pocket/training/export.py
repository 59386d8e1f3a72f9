"""Writes the model folder. Usage: export.py --model FILE.pt --tokenizer FILE --held-out FOLDER --out models/pocket

onnx/*.onnx (fp32), config.json, preprocessor_config.json, tokenizer.json, tokenizer_config.json, and reference.json with
reference.png: token ids and torch embeddings of some captions and pictures, for comparing other runtimes to 1e-4.
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
from model import CONFIG, MEAN, STD, PocketClip, normalise_pixels
from records import Records

ODD = ["A Top-Down View of a BEDROOM, with 2 nightstands!", "  two   sofas\tand a\nrug ", "Zimmer mit größerem Schrank – café", "it's a kid's room", "", "x"]


class Text(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        return self.model.get_text_features(input_ids)


class Vision(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pixel_values):
        return self.model.get_image_features(pixel_values)


def write(path, document):
    with open(path, "w", encoding="utf8") as file:
        json.dump(document, file, ensure_ascii=False, indent=1)
        file.write("\n")


def configs(out, tokens, model):
    text, vision, dim = CONFIG["text"], CONFIG["vision"], CONFIG["projection_dim"]
    shared = {"hidden_act": "quick_gelu", "layer_norm_eps": 1e-5, "projection_dim": dim}
    write(os.path.join(out, "config.json"), {
        "architectures": ["CLIPModel"], "initializer_factor": 1.0, "model_type": "clip", "projection_dim": dim,
        # transformers reads this as the start of training; here it is the learned scale, so that logits can be rebuilt.
        "logit_scale_init_value": round(float(model.logit_scale), 4), "logit_scale": round(float(model.logit_scale), 4),
        "text_config": {"model_type": "clip_text_model", "vocab_size": tokens.size, **text, **shared,
                        "bos_token_id": tokens.bos, "eos_token_id": tokens.eos, "pad_token_id": tokens.eos},
        "vision_config": {"model_type": "clip_vision_model", "num_channels": 3, **vision, **shared,
                          # Not Hugging Face's single convolution: see README.md. Runtimes that read the ONNX files need not know.
                          "patch_stem": "conv 3x3/2 32, conv 3x3/2 64, block 64, conv 3x3/2 96, block 96, block 96, conv 2x2/2 128"}})
    size = vision["image_size"]
    write(os.path.join(out, "preprocessor_config.json"), {
        "crop_size": {"height": size, "width": size}, "do_center_crop": True, "do_convert_rgb": True, "do_normalize": True,
        "do_rescale": True, "do_resize": True, "feature_extractor_type": "CLIPFeatureExtractor",
        "image_processor_type": "CLIPImageProcessor", "image_mean": MEAN, "image_std": STD, "resample": 1,
        "rescale_factor": 1 / 255, "size": {"shortest_edge": size}})
    write(os.path.join(out, "tokenizer_config.json"), {
        "add_prefix_space": False, "bos_token": "<|startoftext|>", "clean_up_tokenization_spaces": True, "do_lower_case": True,
        "eos_token": "<|endoftext|>", "errors": "replace", "model_max_length": bpe.CONTEXT, "pad_token": "<|endoftext|>",
        "tokenizer_class": "CLIPTokenizer", "unk_token": "<|endoftext|>"})
    tokens.save(os.path.join(out, "tokenizer.json"))


def towers(out, tokens, model):
    folder = os.path.join(out, "onnx")
    os.makedirs(folder, exist_ok=True)
    size = CONFIG["vision"]["image_size"]
    torch.onnx.export(Vision(model).eval(), (torch.randn(2, 3, size, size),), os.path.join(folder, "vision_model.onnx"),
                      input_names=["pixel_values"], output_names=["image_embeds"], opset_version=14, do_constant_folding=True,
                      dynamic_axes={"pixel_values": {0: "batch_size"}, "image_embeds": {0: "batch_size"}})
    ids = torch.tensor([[tokens.bos, 5, 6, tokens.eos, tokens.eos], [tokens.bos, 7, 8, 9, tokens.eos]])
    torch.onnx.export(Text(model).eval(), (ids,), os.path.join(folder, "text_model.onnx"),
                      input_names=["input_ids"], output_names=["text_embeds"], opset_version=14, do_constant_folding=True,
                      dynamic_axes={"input_ids": {0: "batch_size", 1: "sequence_length"}, "text_embeds": {0: "batch_size"}})


def reference(out, tokens, model, data):
    draw = random.Random(11)
    captioner = Captioner(data.categories, draw)
    originals = [g[0] for g in data.groups if data.records[g[0]]["edit"] == "original"]
    chosen = draw.sample(originals, 8)
    # One picture in a column of eight: small, and decoded by any PNG reader without loss.
    Image.fromarray(np.concatenate(data.images[chosen], 0)).save(os.path.join(out, "reference.png"), optimize=True)
    texts = [captioner.canonical(data.records[i], "a top-down view of {}")[0] for i in chosen[:6]]
    texts += [captioner.caption(data.records[i])[0] for i in chosen[:3]] + [captioner.caption(data.records[chosen[3]], True)[0]] + ODD
    with torch.no_grad():
        images = model.get_image_features(normalise_pixels(torch.from_numpy(data.images[chosen])))
        captions = [{"text": t, "ids": tokens.encode(t), "embedding": floats(model.get_text_features(torch.tensor([tokens.encode(t)]))[0])}
                    for t in texts]
    write(os.path.join(out, "reference.json"), {
        "schema": "parallax/model-reference@1", "made": "torch, fp32, one caption or picture at a time; embeddings are not normalised",
        "captions": captions, "images": {"file": "reference.png", "layout": "column", "size": CONFIG["vision"]["image_size"],
                                         "embeddings": [floats(row) for row in images]}})


def floats(row):
    return [float(f"{v:.7g}") for v in row.tolist()]


def main():
    arguments = argparse.ArgumentParser()
    for name in ("model", "tokenizer", "held-out", "out"):
        arguments.add_argument("--" + name, required=True)
    a = arguments.parse_args()
    torch.set_num_threads(1)
    tokens = bpe.load(a.tokenizer)
    model = PocketClip(tokens.size)
    model.load_state_dict(torch.load(a.model)["model"])
    model.eval()
    configs(a.out, tokens, model)
    towers(a.out, tokens, model)
    reference(a.out, tokens, model, Records(a.held_out))
    for name in ("text", "vision"):
        print(name, os.path.getsize(os.path.join(a.out, "onnx", f"{name}_model.onnx")))


if __name__ == "__main__":
    main()
