"""The maxima of both bands in numpy, in blocks, timed: python3 bench/stats-numpy.py <weights.f64> <directions.f64> <prompts>

Prints one line of JSON: seconds and the 95% point of each band's maxima."""
import json
import sys
import time

import numpy as np

weights = np.fromfile(sys.argv[1]).reshape(-1, int(sys.argv[3]))
directions = np.fromfile(sys.argv[2]).reshape(-1, int(sys.argv[3]))
prompts = weights.shape[1]
block = 4096


def run(studentised):
    largest = np.zeros(len(weights))
    start = time.perf_counter()
    for first in range(0, len(directions), block):
        u = directions[first : first + block].T
        x = weights @ u
        if studentised:
            q = weights @ (u * u)
            np.multiply(x, x, out=x)
            q -= x / prompts
            np.divide(x, q, out=x)
        else:
            np.abs(x, out=x)
        np.maximum(largest, x.max(1), out=largest)
    seconds = time.perf_counter() - start
    return seconds, float(np.quantile(np.sqrt(largest) if studentised else largest, 0.95))


published, c_published = run(False)
studentised, c_studentised = run(True)
print(json.dumps({"published": published, "studentised": studentised,
                  "cPublished": c_published, "cStudentised": c_studentised}))
