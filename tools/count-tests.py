#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count-tests.py FILE...
Counts test results and prints "PASSED FAILED". A FILE is a meson testlog.json, where every test
program that speaks TAP counts each of its promises, any other program counts as one; or plain
output in TAP. What failed goes to stderr, with what the program says about it.

A program that broke off, or that says it passed without having tested anything, counts as one
failure, so that a crash can never look like a shorter list of good results.
"""
import json
import pathlib
import re
import sys

PLAN = re.compile(r'^1\.\.(\d+)\b', re.M)
RESULT = re.compile(r'(not )?ok\b[ \t]*\d*[ \t]*-?[ \t]*([^#]*)(#[ \t]*(?:skip|todo)\b)?', re.I)
GOOD = {'OK', 'SKIP', 'EXPECTEDFAIL'}


def count_tap(program, text, good):
    """-> passed, what failed with the comments that explain it; good: whether the program itself
    ended well."""
    announced = sum(int(n) for n in PLAN.findall(text))
    passed, seen, failures = 0, 0, []
    seeds = [line for line in text.splitlines() if line.startswith('# HAZARD_TEST_SEED')]
    bad = False
    for line in text.splitlines():
        result = RESULT.match(line)
        if result:
            seen += 1
            bad = bool(result[1]) and not result[3]
            passed += not result[1] and not result[3]
            if bad:
                failures.append('\n'.join([f'{program}: {result[2].strip()}', *seeds]))
        elif bad and line.startswith('#') and not line.startswith('# not ok'):
            failures[-1] += f'\n{line}'
    if seen == 0 or seen != announced:
        failures.append(f'{program}: announced {announced} results, gave {seen}')
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
            more, wrong = count_tap(test['name'], output, good)
            passed += more
            failures += wrong
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
            more, wrong = count_testlog(text)
        else:
            more, wrong = count_tap(pathlib.Path(path).stem, text, True)
        passed += more
        failures += wrong
    for failure in failures:
        print('failed:', failure, file=sys.stderr)
    print(passed, len(failures))


if __name__ == '__main__':
    main()
