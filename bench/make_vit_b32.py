#!/usr/bin/python3
"""Writes a random-weight CLIP ViT-B/32 of true shape for bench/score.ts: make_vit_b32.py FOLDER (about 600 MB).

Vision: 224 px, patch 32, 12 layers of 768, 12 heads; text: 77 tokens, 49,408 entries, 12 layers of 512, 8 heads; both project to 512.
Needs Debian's python3-torch. The tokenizer is the small one of tests/fixtures/models/clip, filled up with entries that no text has to the 49,408 of the
model: lengths and speed are what matters here.
"""
import json, os, shutil, sys
import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.n1, self.n2 = heads, nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.f1, self.f2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, mask=None):
        n, t, d = x.shape
        h = self.n1(x)
        q, k, v = (f(h).view(n, t, self.heads, d // self.heads).transpose(1, 2) for f in (self.q, self.k, self.v))
        a = q @ k.transpose(2, 3) * (d // self.heads) ** -0.5
        a = torch.softmax(a if mask is None else a + mask, -1)
        x = x + self.o((a @ v).transpose(1, 2).reshape(n, t, d))
        h = self.f1(self.n2(x))
        return x + self.f2(h * torch.sigmoid(1.702 * h))


class Vision(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 768, 32, 32, bias=False)
        self.cls, self.position = nn.Parameter(torch.randn(768) * 0.02), nn.Parameter(torch.randn(50, 768) * 0.02)
        self.pre, self.post = nn.LayerNorm(768), nn.LayerNorm(768)
        self.layers = nn.ModuleList(Layer(768, 12) for _ in range(12))
        self.head = nn.Linear(768, 512, bias=False)

    def forward(self, pixels):
        x = self.patch(pixels).flatten(2).transpose(1, 2)
        x = self.pre(torch.cat([self.cls.expand(x.shape[0], 1, -1), x], 1) + self.position)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.post(x[:, 0]))


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.position = nn.Embedding(49408, 512), nn.Parameter(torch.randn(77, 512) * 0.02)
        self.layers = nn.ModuleList(Layer(512, 8) for _ in range(12))
        self.norm, self.head = nn.LayerNorm(512), nn.Linear(512, 512, bias=False)

    def forward(self, ids):
        t = ids.shape[1]
        at = torch.arange(t)
        mask = (at[None, :] > at[:, None]).float() * -1e4
        x = self.token(ids) + self.position[:t]
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(self.norm(x)[torch.arange(x.shape[0]), ids.to(torch.int).argmax(-1)])


def main():
    out = sys.argv[1]
    os.makedirs(os.path.join(out, 'onnx'), exist_ok=True)
    torch.manual_seed(0)
    clip = os.path.join(HERE, '..', 'tests', 'fixtures', 'models', 'clip')
    shutil.copyfile(os.path.join(clip, 'tokenizer_config.json'), os.path.join(out, 'tokenizer_config.json'))
    with open(os.path.join(clip, 'tokenizer.json')) as handle:
        tokenizer = json.load(handle)
    vocabulary, (start, end) = tokenizer['model']['vocab'], tokenizer['added_tokens']
    for token in (start, end):
        vocabulary.pop(token['content'], None)
    for number in range(len(vocabulary), 49406):
        vocabulary['<unused-%d>' % number] = number
    for number, token in ((49406, start), (49407, end)):
        vocabulary[token['content']] = token['id'] = number
    tokenizer['post_processor'].update(cls=[start['content'], 49406], sep=[end['content'], 49407])
    with open(os.path.join(out, 'tokenizer.json'), 'w') as handle:
        json.dump(tokenizer, handle)
    with open(os.path.join(clip, 'preprocessor_config.json')) as handle:
        processor = json.load(handle)
    processor.update(size={'shortest_edge': 224}, crop_size={'height': 224, 'width': 224})
    axes = {0: 'batch_size'}
    with torch.no_grad():
        torch.onnx.export(Vision().eval(), (torch.randn(2, 3, 224, 224),), os.path.join(out, 'onnx', 'vision_model.onnx'), input_names=['pixel_values'],
                          output_names=['image_embeds'], dynamic_axes={'pixel_values': axes, 'image_embeds': axes}, opset_version=14)
        torch.onnx.export(Text().eval(), (torch.randint(0, 400, (2, 20)),), os.path.join(out, 'onnx', 'text_model.onnx'), input_names=['input_ids'],
                          output_names=['text_embeds'], dynamic_axes={'input_ids': {0: 'batch_size', 1: 'sequence_length'}, 'text_embeds': axes}, opset_version=14)
    with open(os.path.join(out, 'preprocessor_config.json'), 'w') as handle:
        json.dump(processor, handle)
    with open(os.path.join(out, 'config.json'), 'w') as handle:
        json.dump({'model_type': 'clip', 'text_config': {'vocab_size': 49408, 'max_position_embeddings': 77}, 'vision_config': {'image_size': 224, 'patch_size': 32}}, handle)


main()
