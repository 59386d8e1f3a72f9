"""The pocket CLIP: modules named as in Hugging Face's CLIPModel, so that the state dict reads the same.

Shapes: pixel_values (n, 3, 96, 96) float, input_ids (n, t <= 77) int64, embeddings (n, 128), not normalised.
"""
import math

import torch
from torch import nn
from torch.nn import functional as F

CONFIG = {
    "projection_dim": 128,
    "text": {"hidden_size": 128, "intermediate_size": 512, "num_hidden_layers": 3, "num_attention_heads": 4,
             "max_position_embeddings": 77},
    "vision": {"image_size": 96, "patch_size": 16, "hidden_size": 128, "intermediate_size": 512,
               "num_hidden_layers": 2, "num_attention_heads": 4},
}
MEAN = (0.48145466, 0.4578275, 0.40821073)
STD = (0.26862954, 0.26130258, 0.27577711)
EPS = 1e-5


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** -0.5
        self.k_proj, self.v_proj = nn.Linear(width, width), nn.Linear(width, width)
        self.q_proj, self.out_proj = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x, mask=None):
        n, t, w = x.shape
        # One product for q, k and v: same numbers as three, fewer calls on a CPU.
        weight = torch.cat((self.q_proj.weight * self.scale, self.k_proj.weight, self.v_proj.weight))
        bias = torch.cat((self.q_proj.bias * self.scale, self.k_proj.bias, self.v_proj.bias))
        q, k, v = F.linear(x, weight, bias).reshape(n, t, 3, self.heads, w // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores + mask[:t, :t]
        mixed = scores.softmax(-1).to(v.dtype) @ v
        return self.out_proj(mixed.transpose(1, 2).reshape(n, t, w))


class Mlp(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x):
        return self.fc2(quick_gelu(self.fc1(x)))


class Layer(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.self_attn, self.mlp = Attention(width, heads), Mlp(width, inner)
        self.layer_norm1, self.layer_norm2 = nn.LayerNorm(width, EPS), nn.LayerNorm(width, EPS)

    def forward(self, x, mask=None):
        x = x + self.self_attn(self.layer_norm1(x), mask)
        return x + self.mlp(self.layer_norm2(x))


class Encoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.layers = nn.ModuleList(
            Layer(c["hidden_size"], c["num_attention_heads"], c["intermediate_size"]) for _ in range(c["num_hidden_layers"]))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x


class TextEmbeddings(nn.Module):
    def __init__(self, c, vocabulary):
        super().__init__()
        self.token_embedding = nn.Embedding(vocabulary, c["hidden_size"])
        self.position_embedding = nn.Embedding(c["max_position_embeddings"], c["hidden_size"])

    def forward(self, ids):
        return self.token_embedding(ids) + self.position_embedding.weight[: ids.shape[1]]


class TextTransformer(nn.Module):
    def __init__(self, c, vocabulary):
        super().__init__()
        self.embeddings, self.encoder = TextEmbeddings(c, vocabulary), Encoder(c)
        self.final_layer_norm = nn.LayerNorm(c["hidden_size"], EPS)
        # -1e4 and not -inf: half precision and every ONNX runtime agree on it.
        self.register_buffer("mask", torch.full((77, 77), -1e4).triu(1), persistent=False)

    def forward(self, ids):
        hidden = self.final_layer_norm(self.encoder(self.embeddings(ids), self.mask))
        # The end token has the largest id, so argmax finds its first occurrence (padding is the same id).
        return hidden[torch.arange(ids.shape[0]), ids.to(torch.int).argmax(-1)]


class Block(nn.Module):
    """Two 3 x 3 convolutions beside a shortcut; starts as the shortcut alone."""

    def __init__(self, width):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2, self.norm2 = nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        nn.init.zeros_(self.norm2.weight)

    def forward(self, x):
        return F.relu(x + self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x))))))


class Stem(nn.Sequential):
    """(n, 3, 96, 96) -> (n, 96, 12, 12). Furniture a few pixels wide falls anywhere in a patch: overlapping windows learn that
    from some ten thousand pictures, one 16 x 16 window a patch does not."""

    def __init__(self):
        down = lambda a, b: (nn.Conv2d(a, b, 3, 2, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU())
        super().__init__(*down(3, 32), *down(32, 64), Block(64), *down(64, CELL_WIDTH), Block(CELL_WIDTH), Block(CELL_WIDTH))


CELL_WIDTH = 96


class VisionEmbeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        width, patch = c["hidden_size"], c["patch_size"]
        assert patch == 16
        self.class_embedding = nn.Parameter(torch.randn(width) * 0.02)
        self.stem = Stem()
        self.patch_embedding = nn.Conv2d(CELL_WIDTH, width, 2, 2, bias=False)
        self.position_embedding = nn.Embedding((c["image_size"] // patch) ** 2 + 1, width)

    def forward(self, cells):
        patches = self.patch_embedding(cells).flatten(2).transpose(1, 2)
        head = self.class_embedding.expand(cells.shape[0], 1, -1).to(patches.dtype)
        return torch.cat((head, patches), 1) + self.position_embedding.weight


class VisionTransformer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embeddings = VisionEmbeddings(c)
        self.pre_layrnorm = nn.LayerNorm(c["hidden_size"], EPS)  # Hugging Face's spelling
        self.encoder = Encoder(c)
        self.post_layernorm = nn.LayerNorm(c["hidden_size"], EPS)

    def forward(self, cells):
        return self.post_layernorm(self.encoder(self.pre_layrnorm(self.embeddings(cells)))[:, 0])


class PocketClip(nn.Module):
    def __init__(self, vocabulary, config=CONFIG):
        super().__init__()
        text, vision, out = config["text"], config["vision"], config["projection_dim"]
        self.text_model, self.vision_model = TextTransformer(text, vocabulary), VisionTransformer(vision)
        self.visual_projection = nn.Linear(vision["hidden_size"], out, bias=False)
        self.text_projection = nn.Linear(text["hidden_size"], out, bias=False)
        self.logit_scale = nn.Parameter(torch.tensor(math.log(10.0)))
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif parameter.dim() == 4:
                nn.init.kaiming_normal_(parameter, nonlinearity="relu")
            elif parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02 if "embedding" in name else parameter.shape[1] ** -0.5 * 0.7)

    def image_cells(self, pixels):
        """(n, 96, 12, 12): what the convolutions make of each 8 x 8 px."""
        return self.vision_model.embeddings.stem(pixels)

    def pool_cells(self, cells):
        return self.visual_projection(self.vision_model(cells))

    def get_image_features(self, pixels):
        return self.pool_cells(self.image_cells(pixels))

    def get_text_features(self, ids):
        return self.text_projection(self.text_model(ids))


def start_from(model, state):
    """Takes over what fits: the text tower always, the picture tower when it has the same shape."""
    own = model.state_dict()
    model.load_state_dict({**own, **{name: value for name, value in state.items() if name in own and own[name].shape == value.shape}})


def normalise_pixels(images):
    """uint8 (n, 96, 96, 3) -> float (n, 3, 96, 96) with CLIP's mean and deviation."""
    x = images.permute(0, 3, 1, 2).to(torch.float32) / 255
    return (x - torch.tensor(MEAN).view(1, 3, 1, 1)) / torch.tensor(STD).view(1, 3, 1, 1)
