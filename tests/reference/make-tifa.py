"""Correlations of the TIFA scores with people, from scipy: python3 tests/reference/make-tifa.py <tifa_human_annotations_with_scores.json> > tests/reference/tifa.json

The human score of a picture is the mean of its two ratings; all 800 pictures."""
import json
import sys

from scipy import stats

rows = list(json.load(open(sys.argv[1])).values())
human = [sum(row["human_scores"]) / len(row["human_scores"]) for row in rows]
models = ["blip2-flant5xl", "git-large", "mplug-large", "ofa-large", "vilt"]
out = {}
for model in models:
    scores = [row[f"tifa_{model}"] for row in rows]
    out[model] = {"pearson": float(stats.pearsonr(scores, human)[0]), "spearman": float(stats.spearmanr(scores, human)[0]),
                  "tauB": float(stats.kendalltau(scores, human)[0])}
print(json.dumps(out, indent=1))
