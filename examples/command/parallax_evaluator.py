"""The Parallax command protocol for Python metrics: call `serve` and write only the metric (standard library only).

    from parallax_evaluator import serve
    serve(name="my-metric", version="1", scale=("my-score", 0, 1), score=lambda requests: [...])

`score` gets a list of requests and returns one float each, in order. A request is a dictionary with `images` (list of {"key",
"path", "width", "height"}), `caption`, `scene` ({"id", "json", "glb"}), `parameters` and `repeat`, as far as `reads` asks for them. An
exception is a failure of that request with its reason, never a zero: when a batch raises, its requests are tried one by one.
"""
import hashlib
import json
import sys


def serve(name, version, scale, score, batch=1, reads=("image", "caption"), fingerprint=None, environment=None, role=None):
    # Libraries print. Standard output belongs to the protocol, so everything else goes to standard error.
    out, sys.stdout = sys.stdout, sys.stderr

    def say(message):
        # NaN is not JSON and no score: it raises here and becomes a failure below.
        out.write(json.dumps(message, allow_nan=False) + "\n")
        out.flush()

    def answer(request, value):
        try:
            if isinstance(value, Exception):
                raise value
            say({"id": request["id"], "status": "scored", "value": float(value)})
        except Exception as error:
            say({"id": request["id"], "status": "failed", "reason": ("%s: %s" % (type(error).__name__, error))[:2000]})

    def attempt(requests):
        try:
            values = list(score(requests))
            if len(values) != len(requests):
                raise ValueError("%d scores for %d requests" % (len(values), len(requests)))
            return values
        except Exception as error:
            if len(requests) == 1:
                return [error]
            return [value for request in requests for value in attempt([request])]

    hello = {
        "type": "hello", "protocol": 1, "name": name, "version": version,
        "scale": dict(zip(("name", "min", "max"), scale)), "reads": {kind: kind in reads for kind in ("image", "caption", "scene")},
        "batch": batch, "fingerprint": fingerprint, "environment": environment, "role": role,
    }
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({key: value for key, value in hello.items() if value is not None})
        elif message["type"] == "score":
            for request, value in zip(message["requests"], attempt(message["requests"])):
                answer(request, value)
        elif message["type"] == "close":
            return


def state_hash(module):
    """SHA-256 over a torch module's weights: what a fingerprint should hold instead of a checkpoint's name."""
    digest = hashlib.sha256()
    for key, tensor in sorted(module.state_dict().items()):
        digest.update(key.encode())
        digest.update(tensor.detach().cpu().contiguous().flatten().view(-1).float().numpy().tobytes())
    return digest.hexdigest()


class Remembered:
    """A bounded dictionary for embeddings: each image and each caption of an audit comes up hundreds of times."""

    def __init__(self, limit=20000):
        self.limit, self.values = limit, {}

    def get(self, keys, compute):
        missing = [key for key in dict.fromkeys(keys) if key not in self.values]
        if missing:
            if len(self.values) + len(missing) > self.limit:
                # Those of this call may be among them: keep what is asked for now.
                self.values = {key: self.values[key] for key in set(keys) if key in self.values}
            self.values.update(zip(missing, compute(missing)))
        return [self.values[key] for key in keys]
