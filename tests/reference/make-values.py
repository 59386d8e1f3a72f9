"""Reference values for tests/statistics, from numpy and scipy: python3 tests/reference/make-values.py > tests/reference/values.json

Data are written out beside the values, so the tests read both from one file."""
import json
import itertools
import numpy as np
from scipy import stats

rng = np.random.default_rng(20261130)
out = {}

# Quantiles, type 7.
x = rng.normal(size=13).round(3)
out["quantiles"] = {"values": x.tolist(), "probabilities": [0, 0.025, 0.3, 0.5, 0.975, 1],
                    "expected": np.quantile(x, [0, 0.025, 0.3, 0.5, 0.975, 1]).tolist()}

# Exactly rounded sums.
big = (rng.normal(size=40) * 10.0 ** rng.integers(-12, 12, 40)).tolist()
import math
out["sums"] = {"values": big, "expected": math.fsum(big)}

# Kendall's W against Friedman: chi2 = m (n - 1) W, with ties.
tables = []
for rows, columns, digits in [(5, 4, 3), (9, 6, 0), (20, 3, 0), (3, 8, 1), (337, 6, 1)]:
    table = rng.normal(scale=2, size=(rows, columns)).round(digits)
    chi2, p = stats.friedmanchisquare(*table.T)
    tables.append({"rows": table.tolist(), "w": chi2 / (rows * (columns - 1))})
out["kendallW"] = tables

# Correlations with ties.
pairs = []
for n, digits in [(8, 0), (15, 1), (30, 0)]:
    a = rng.normal(scale=2, size=n).round(digits)
    b = (a + rng.normal(scale=2, size=n)).round(digits)
    pairs.append({"x": a.tolist(), "y": b.tolist(), "pearson": stats.pearsonr(a, b)[0],
                  "spearman": stats.spearmanr(a, b)[0], "tauB": stats.kendalltau(a, b)[0]})
out["correlations"] = pairs

# Exact permutation p, two-sided.
a = rng.normal(size=7).round(2)
b = (0.7 * a + rng.normal(size=7)).round(2)
r = stats.pearsonr(a, b)[0]
perms = [stats.pearsonr(a, np.array(q))[0] for q in itertools.permutations(b)]
s = stats.spearmanr(a, b)[0]
sperms = [stats.spearmanr(a, np.array(q))[0] for q in itertools.permutations(b)]
out["permutation"] = {"x": a.tolist(), "y": b.tolist(),
                      "pearsonP": float(np.mean(np.abs(perms) >= abs(r) - 1e-12)),
                      "spearmanP": float(np.mean(np.abs(sperms) >= abs(s) - 1e-12))}

# Normal distribution.
z = [-8, -3.3, -1.959963984540054, -0.4, 0, 0.7, 2.5, 6]
q = [1e-9, 0.001, 0.025, 0.3, 0.5, 0.84, 0.975, 0.9999999]
out["normal"] = {"z": z, "cdf": stats.norm.cdf(z).tolist(), "q": q, "quantile": stats.norm.ppf(q).tolist()}

# Critical value of all pairwise comparisons of k independent normal means, known variance: the studentised range over sqrt 2. It is
# what multcomp's glht(mcp(x = "Tukey")) uses for the same linear model.
out["tukey"] = [{"generators": k, "critical": float(stats.studentized_range.ppf(0.95, k, 1e6) / np.sqrt(2))} for k in (3, 4, 6)]

# BCa of a mean.
sample = rng.exponential(size=25).round(3)
res = stats.bootstrap((sample,), np.mean, n_resamples=200000, method="BCa", random_state=1, batch=5000)
per = stats.bootstrap((sample,), np.mean, n_resamples=200000, method="percentile", random_state=1, batch=5000)
out["intervals"] = {"sample": sample.tolist(), "bca": list(map(float, res.confidence_interval)),
                    "percentile": list(map(float, per.confidence_interval))}

# Expected range of a random subset, by enumeration.
v = np.sort(rng.normal(size=9).round(2))
out["expectedRange"] = {"values": v.tolist(), "expected": {
    str(k): float(np.mean([max(c) - min(c) for c in itertools.combinations(v, k)])) for k in (1, 2, 4, 8, 9)}}

# ICC by analysis of variance in matrix form; Shrout and Fleiss' table is in the tests.
rows = (rng.normal(size=(10, 1)) * 2 + rng.normal(size=(1, 4)) + rng.normal(size=(10, 4))).round(2)
n, k = rows.shape
grand = rows.mean()
msb = k * ((rows.mean(1) - grand) ** 2).sum() / (n - 1)
msw = ((rows - rows.mean(1, keepdims=True)) ** 2).sum() / (n * (k - 1))
msj = n * ((rows.mean(0) - grand) ** 2).sum() / (k - 1)
mse = ((rows - rows.mean(1, keepdims=True) - rows.mean(0, keepdims=True) + grand) ** 2).sum() / ((n - 1) * (k - 1))
out["icc"] = {"rows": rows.tolist(), "single": (msb - msw) / (msb + (k - 1) * msw), "mean": (msb - msw) / msb,
              "agreement": (msb - mse) / (msb + (k - 1) * mse + k * (msj - mse) / n)}

# Plackett-Luce by direct maximisation.
from scipy.optimize import minimize
true = np.array([0.4, 0.3, 0.2, 0.1])
rankings = []
for _ in range(30):
    left = [0, 1, 2, 3]
    order = []
    while left:
        w = true[left] / true[left].sum()
        pick = int(rng.choice(left, p=w))
        order.append(pick)
        left.remove(pick)
    rankings.append(order[: int(rng.integers(2, 5))] if rng.random() < 0.5 else order)

def loss(theta):
    worth = np.exp(np.append(theta, 0))
    total = 0.0
    for order in rankings:
        for i in range(len(order) - 1):
            total -= np.log(worth[order[i]]) - np.log(worth[order[i:]].sum())
    return total

best = minimize(loss, np.zeros(3), tol=1e-14, options={"gtol": 1e-12, "maxiter": 10000})
worth = np.exp(np.append(best.x, 0))
out["plackettLuce"] = {"rankings": rankings, "worths": (worth / worth.sum()).tolist()}

# rho, its corrected and interaction forms, by definition in numpy.
G, N, L = 5, 14, 6
scores = (rng.normal(size=(G, 1, 1)) + rng.normal(size=(1, N, 1)) + rng.normal(size=(1, 1, L))
          + 0.4 * rng.normal(size=(G, 1, L)) + rng.normal(size=(G, N, L)) + 20).round(4)
c0 = scores[:, :, 0]
den = c0.mean(1).var()
num = scores.var(axis=2).mean()
C = np.cov(c0) / N
noise = (np.trace(C) - C.sum() / G) / G
M = scores.mean(1)
res = M - M.mean(1, keepdims=True) - M.mean(0, keepdims=True) + M.mean()
out["rho"] = {"scores": scores.tolist(), "rho": num / den, "corrected": num / (den - noise),
              "interaction": (res ** 2).mean() / den,
              "leaveOne": [float(np.delete(scores, g, 0).var(axis=2).mean() / np.delete(c0, g, 0).mean(1).var()) for g in range(G)],
              "dispersion": float(((scores.max(2) - scores.min(2)) / scores.mean(2)).mean()),
              "w": float(stats.friedmanchisquare(*M)[0] / (L * (G - 1)))}

json.dump(out, __import__("sys").stdout, indent=1, default=float)
print()
