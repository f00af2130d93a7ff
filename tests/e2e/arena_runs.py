# SPDX-License-Identifier: MIT
"""What the end-to-end tests of the arena share: reports without what passes, folders, checkpoints
and processes looked at from outside."""
import json
import os
import shutil
import tempfile

from harness import run

PASSING = ('created', 'machine', 'latency_ms', 'ms_per_turn', 'wall_ms', 'pairs_resumed')
MATCH = ('arena', '--a', 'aggressive', '--b', 'greedy')


def lasting(report):
    """A report without what differs from run to run."""
    return {key: value for key, value in report.items() if key not in PASSING}


def json_of(*arguments, code=0, env=None):
    return run(*arguments, '--json', code=code, env=env).json


class Folder:
    def __enter__(self):
        self.path = tempfile.mkdtemp()
        return lambda name: os.path.join(self.path, name)

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def items_in(path):
    """How many pairs a checkpoint holds; 0 before there is one."""
    try:
        with open(path, encoding='utf-8') as lines:
            return json.loads(lines.readline())['items']
    except FileNotFoundError:
        return 0


def processes(mark):
    """Command lines of all processes that hold this word."""
    found = []
    for number in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{number}/cmdline', 'rb') as file:
                line = file.read().replace(b'\0', b' ').decode('utf-8', 'replace')
        except OSError:
            continue  # it has just ended
        if mark in line:
            found.append(line)
    return found
