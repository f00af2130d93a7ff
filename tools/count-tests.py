#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count-tests.py FILE...
Counts test results and prints "PASSED FAILED". A FILE is a meson testlog.json, where every test
program that speaks TAP counts each of its promises, any other program counts as one; or plain
output in TAP. Names of failed tests go to stderr.

A program that broke off, or that says it passed without having tested anything, counts as one
failure, so that a crash can never look like a shorter list of good results.
"""
import json
import pathlib
import re
import sys

PLAN = re.compile(r'^1\.\.(\d+)\b', re.M)
RESULT = re.compile(r'^(not )?ok\b[ \t]*\d*[ \t]*-?[ \t]*([^#\n]*)(#[ \t]*(?:skip|todo)\b)?', re.M | re.I)
GOOD = {'OK', 'SKIP', 'EXPECTEDFAIL'}


def count_tap(program, text, good):
    """-> passed, failed, names of the failures; good: whether the program itself ended well."""
    plans = [int(n) for n in PLAN.findall(text)]
    passed, seen, failures = 0, 0, []
    for bad, name, directive in RESULT.findall(text):
        seen += 1
        if directive:
            continue
        if bad:
            failures.append(f'{program}: {name.strip()}')
        else:
            passed += 1
    if not plans or seen != sum(plans):
        failures.append(f'{program}: announced {sum(plans)} results, gave {seen}')
    elif seen == 0:
        failures.append(f'{program}: tested nothing')
    elif not good and not failures:
        failures.append(f'{program}: ended with an error')
    return passed, failures


def count_testlog(text):
    passed, failures = 0, []
    for line in filter(None, text.splitlines()):
        test = json.loads(line)
        good = test['result'] in GOOD
        output = test.get('stdout') or ''
        if PLAN.search(output):
            more, names = count_tap(test['name'], output, good)
            passed += more
            failures += names
        elif test['result'] == 'SKIP':
            continue
        elif good:
            passed += 1
        else:
            failures.append(f"{test['name']}: {test['result']}")
    return passed, failures


def main():
    passed, failures = 0, []
    for path in sys.argv[1:]:
        with open(path, encoding='utf-8', errors='replace') as file:
            text = file.read()
        if path.endswith('.json'):
            more, names = count_testlog(text)
        else:
            more, names = count_tap(pathlib.Path(path).stem, text, True)
        passed += more
        failures += names
    for name in failures:
        print('failed:', name, file=sys.stderr)
    print(passed, len(failures))


if __name__ == '__main__':
    main()
