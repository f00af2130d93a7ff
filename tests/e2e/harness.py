# SPDX-License-Identifier: MIT
"""What the end-to-end tests share: running the built command as a user would, and TAP.

A test is a function with the decorator @test; its name, with spaces for underscores, is its promise.
The command is the one in the environment variable HAZARD.
"""
import json
import os
import subprocess
import sys
import traceback

HAZARD = os.environ['HAZARD']
START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
KIWIPETE = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
TIMEOUT_S = 120

_tests = []


class Skip(Exception):
    """What a test raises when this machine lacks what it needs."""


def test(function):
    _tests.append(function)
    return function


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def json(self):
        lines = self.out.splitlines()
        assert len(lines) == 1, f'{len(lines)} lines instead of one: {self.out[:200]!r}'
        return json.loads(lines[0])


def run(*arguments, stdin='', code=0, env=None):
    """Runs the command and checks its exit status; code None: any."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run([HAZARD, *arguments], input=data, capture_output=True, check=False,
                          timeout=TIMEOUT_S, env={**os.environ, **(env or {})})
    result = Result(done.returncode, done.stdout.decode('utf-8', 'surrogateescape'),
                    done.stderr.decode('utf-8', 'surrogateescape'))
    assert code is None or result.code == code, (
        f'hazard {arguments}: exit status {result.code} instead of {code}\n'
        f'{result.out[-500:]}\n{result.err[-500:]}')
    assert result.code >= 0, f'ended by signal {-result.code}'
    return result


def same(actual, expected, what=''):
    assert actual == expected, f'{what}\n  expected {expected!r}\n  got      {actual!r}'


def main():
    print(f'1..{len(_tests)}')
    failed = 0
    for number, function in enumerate(_tests, 1):
        name = function.__name__.replace('_', ' ')
        try:
            function()
            print(f'ok {number} - {name}', flush=True)
        except Skip as reason:
            print(f'ok {number} - {name} # SKIP {reason}', flush=True)
        except Exception:  # whatever breaks a test off fails it
            failed += 1
            for line in traceback.format_exc().splitlines():
                print('#', line.encode('ascii', 'backslashreplace').decode())
            print(f'not ok {number} - {name}', flush=True)
    sys.exit(1 if failed else 0)
