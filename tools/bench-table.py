#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the JSON of `hazard bench --json` (standard input) into the table of bench/RESULTS.md.

The output of several runs may follow one another: of each figure the best run counts, and the ratio
is that of the best figure to the twin's best. That is for machines on which others work, too."""
import json
import sys


def shown(value):
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def is_rate(item):
    return item["unit"].endswith("/s")


def best_of(runs):
    """The figures of one item in several runs as one."""
    pick = max if is_rate(runs[0]) else min
    item = dict(pick(runs, key=lambda run: run["best"]))
    twins = [run["twin"] for run in runs if "twin" in run]
    if twins:
        slow, fast = pick(twins), item["best"]
        item["times_twin"] = fast / slow if is_rate(item) else slow / fast
    return item


reports = [json.loads(line) for line in sys.stdin if line.strip()]
report = reports[0]
for other in reports[1:]:
    if other["signature"] != report["signature"]:
        sys.exit("runs of different programs")
print(f"Machine: {report['machine']['cpu']}, {report['machine']['cores']} cores, "
      f"{'fast' if report['machine']['fast_bits'] else 'portable'} bit instructions, "
      f"{report['machine']['kernels']} kernels; "
      f"hazard {report['version']}, {report['build']} build; "
      f"signature `{report['signature']}` over {report['nodes']:,} nodes; best of {len(reports)} "
      f"run{'' if len(reports) == 1 else 's'}.")
print()
print("| what | unit | best | median | first | aim | times its twin |")
print("|---|---|---|---|---|---|---|")
for items in zip(*(r["items"] for r in reports), strict=True):
    item = best_of(items)
    budget = [shown(item[k]) if k in item else "" for k in ("first", "aim")]
    ratio = shown(item["times_twin"]) if "times_twin" in item else ""
    print(f"| {item['group']}: {item['name']} | {item['unit']} | {shown(item['best'])} | "
          f"{shown(item['median'])} | {budget[0]} | {budget[1]} | {ratio} |")
