#!/usr/bin/env python3
"""Scores a folder written by `parallax export tasks` and prints the answers as CSV (Python 3, standard library only).

    parallax export tasks audits/demo.yaml --evaluator pocket --out tasks
    python3 examples/command/score_tasks.py tasks > scores.csv
    parallax ingest scores.csv --audit audits/demo.yaml

The metric is the one of python_example.py beside it; replace `score` by your own. To split the work over machines, give a share:
`score_tasks.py tasks --part 2/8` scores every eighth task; concatenate the parts without their header lines.
"""
import csv
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_example import VERSION, score  # noqa: E402


def main():
    folder, part, parts = sys.argv[1], 1, 1
    if len(sys.argv) == 4 and sys.argv[2] == "--part":
        part, parts = map(int, sys.argv[3].split("/"))
    elif len(sys.argv) != 2:
        sys.exit("usage: score_tasks.py FOLDER [--part K/N]")
    with open(os.path.join(folder, "tasks.json"), encoding="utf-8") as handle:
        if json.load(handle)["schema"] != "parallax/tasks@1":
            sys.exit("%s/tasks.json: unknown schema; expected parallax/tasks@1" % folder)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["task", "score", "status", "reason", "evaluator"])
    name = "colour-example-%s" % VERSION
    with open(os.path.join(folder, "tasks.jsonl"), encoding="utf-8") as handle:
        for number, line in enumerate(handle):
            if number % parts != part - 1:
                continue
            task = json.loads(line)
            try:
                request = {"images": [{"path": os.path.join(folder, task["image"])}], "caption": task["caption"]}
                out.writerow([task["task"], repr(score(request)), "scored", "", name])
            except Exception as error:  # a failure is an answer too; it is never a zero
                out.writerow([task["task"], "", "failed", "%s: %s" % (type(error).__name__, error), name])


if __name__ == "__main__":
    main()
