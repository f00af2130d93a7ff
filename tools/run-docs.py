#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run-docs.py BUILD_DIR [DOCUMENT...]
Runs what the documents show, so that they stay true. Prints TAP, one test for each block.

In a document a fenced block says what it is:
    ```sh                    commands; must succeed. They run in a scratch folder that looks like
                             the root of the project, after `make` and `make install`.
    ```sh norun: REASON      commands that are not run here, and why
    ```text output           what the sh block before it prints, exactly
    ```c NAME.c              a file that the sh blocks after it may use, and one of them must;
    ```python NAME.py        so is this
Other blocks are only looked at by people. The manual page libhazard(3) counts as a document: its
program is compiled and run.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r'^```([^\n]*)\n(.*?)^```$', re.M | re.S)
TIMEOUT_S = 120


def blocks(path):
    """-> (line, what the block is, content), in order."""
    text = path.read_text()
    for match in BLOCK.finditer(text):
        yield text.count('\n', 0, match.start()) + 1, match[1].strip(), match[2]


def manual_program(path):
    """The program in a literal display of an mdoc page."""
    display = re.search(r'^\.Bd -literal[^\n]*\n(#include.*?)^\.Ed$', path.read_text(), re.M | re.S)
    return re.sub(r'\\e', r'\\', display[1])


class Results:
    def __init__(self):
        self.lines = []
        self.failed = 0

    def add(self, name, wrong):
        for line in wrong:
            self.lines.append(f'# {line}')
        self.failed += bool(wrong)
        self.lines.append(f'{"not ok" if wrong else "ok"} {self.count() + 1} - {name}')

    def count(self):
        return sum(not line.startswith('#') for line in self.lines)

    def finish(self):
        print('\n'.join([f'1..{self.count()}', *self.lines]))
        return 1 if self.failed else 0


def install(build):
    """Installs the build below itself; -> the environment of somebody who has installed it."""
    stage = build / 'docs-stage'
    subprocess.run(['meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', stage],
                   check=True, stdout=subprocess.DEVNULL)
    config = next(stage.rglob('hazard.pc'))
    prefix = next(stage.rglob('include/hazard.h')).parents[1]
    return {**os.environ, 'PATH': f'{prefix / "bin"}:{os.environ["PATH"]}',
            'PKG_CONFIG_PATH': str(config.parent), 'PKG_CONFIG_SYSROOT_DIR': str(stage)}


def scratch(folder, build):
    """Fills a folder so that it looks like the root of the project, with build/ being the build."""
    for entry in ROOT.iterdir():
        if entry.name != 'build' and not entry.name.startswith('.'):
            (folder / entry.name).symlink_to(entry)
    (folder / 'build').symlink_to(build)


def run(script, folder, environment):
    """-> output, list of what is wrong."""
    try:
        done = subprocess.run(['sh', '-e', '-c', script], cwd=folder, env=environment, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return '', [f'did not end within {TIMEOUT_S} s']
    wrong = []
    if done.returncode:
        wrong = [f'exit status {done.returncode}', *done.stdout.splitlines()[-15:]]
    return done.stdout, wrong


def compare(expected, output):
    """-> list of the first lines that differ."""
    pairs = list(zip([*expected.splitlines(), '(end)'], [*output.splitlines(), '(end)']))
    for number, (left, right) in enumerate(pairs, 1):
        if left != right:
            return [f'line {number} of the output', f'  document: {left}', f'  program:  {right}']
    return []


def run_document(path, build, environment, results):
    name = path.relative_to(ROOT)
    programs = {}  # files written, and whether a command has used them
    output = None
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        scratch(folder, build)
        for line, kind, content in blocks(path):
            words = kind.split()
            if words[:1] in (['c'], ['python']) and len(words) == 2:
                programs[words[1]] = False
                (folder / words[1]).write_text(content)
            elif kind == 'sh':
                output, wrong = run(content, folder, environment)
                results.add(f'{name}:{line} {content.splitlines()[0]}', wrong)
                programs = {file: used or file in content for file, used in programs.items()}
                continue
            elif kind == 'text output':
                wrong = ['no sh block before it'] if output is None else compare(content, output)
                results.add(f'{name}:{line} shows what the commands print', wrong)
            elif words[:1] == ['sh'] and not re.match(r'sh norun: \w', kind):
                results.add(f'{name}:{line} says what kind of block it is', [kind])
            output = None
        for file in (file for file, used in programs.items() if not used):
            results.add(f'{name} uses its program {file}', ['no command uses it'])


def run_manual(path, environment, results):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / 'example.c').write_text(manual_program(path))
        _, wrong = run('cc -Wall -Wextra -Wpedantic -Werror -o example example.c '
                       '$(pkg-config --cflags --libs hazard)\n./example | grep .',
                       folder, environment)
        results.add(f'{path.name}: the example compiles and runs', wrong)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    named = [pathlib.Path(argument).resolve() for argument in sys.argv[2:]]
    documents = named or [*sorted(ROOT.glob('*.md')), *sorted((ROOT / 'docs').rglob('*.md')),
                          ROOT / 'man/libhazard.3']
    environment = install(build)
    results = Results()
    for path in documents:
        if path.suffix == '.md':
            run_document(path, build, environment, results)
        else:
            run_manual(path, environment, results)
    return results.finish()


if __name__ == '__main__':
    sys.exit(main())
