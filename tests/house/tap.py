# SPDX-License-Identifier: MIT
"""The few lines of TAP that the house checks need: a check is a function that returns the list of
what it found wrong; an empty list is a pass."""
import traceback


def run(checks):
    """Runs the checks, prints TAP, returns the exit status. A check's docstring is its promise."""
    print(f'1..{len(checks)}')
    failed = 0
    for number, check in enumerate(checks, 1):
        promise = ' '.join(check.__doc__.split())
        try:
            wrong = list(check())
        except Exception:  # a check that breaks off has not passed
            wrong = traceback.format_exc().splitlines()
        for line in wrong[:40]:
            print('#', line)
        failed += bool(wrong)
        print(f'{"not ok" if wrong else "ok"} {number} - {promise}', flush=True)
    return 1 if failed else 0
