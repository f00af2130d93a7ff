#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the JSON of `hazard bench --json` (standard input) into the table of bench/RESULTS.md."""
import json
import sys


def shown(value):
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


report = json.load(sys.stdin)
print(f"Machine: {report['machine']['cpu']}, {report['machine']['cores']} cores, "
      f"{'fast' if report['machine']['fast_bits'] else 'portable'} bit instructions, {report['machine']['kernels']} kernels; "
      f"hazard {report['version']}, {report['build']} build; "
      f"signature `{report['signature']}` over {report['nodes']:,} nodes.")
print()
print("| what | unit | best | median | first | aim | times its twin |")
print("|---|---|---|---|---|---|---|")
for item in report["items"]:
    budget = [shown(item[k]) if k in item else "" for k in ("first", "aim")]
    ratio = shown(item["times_twin"]) if "times_twin" in item else ""
    print(f"| {item['group']}: {item['name']} | {item['unit']} | {shown(item['best'])} | "
          f"{shown(item['median'])} | {budget[0]} | {budget[1]} | {ratio} |")
