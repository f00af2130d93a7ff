# SPDX-License-Identifier: MIT
"""The texts tell the truth: examples of the help run, man pages are good mdoc, the examples of
docs/query.md are answered byte for byte."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from harness import HAZARD, Skip, main, run, same, test

ROOT = pathlib.Path(__file__).resolve().parents[2]


def commands():
    return re.findall(r'^  (\w+(?: \w+)?)  +\w', run('help').out, re.M)


def examples(command):
    """Command lines below "Examples:"."""
    text = run('help', *command.split()).out
    if 'Examples:' not in text:
        return []
    part = text.split('Examples:\n')[1].split('\nExit status')[0]
    return [line.strip() for line in part.splitlines() if re.match(r'  \S', line)]


@test
def examples_of_the_help_run():
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(HAZARD, os.path.join(folder, 'hazard'))
        environment = {**os.environ, 'PATH': folder + ':' + os.environ['PATH']}
        for command in commands():
            for example in examples(command):
                done = subprocess.run(['sh', '-c', example], env=environment, cwd=folder, check=False,
                                      stdin=subprocess.DEVNULL, capture_output=True, timeout=100)
                same((done.returncode, done.stderr), (0, b''), example)
                assert done.stdout, example
                count += 1
    assert count >= 20, count


@test
def every_command_has_an_example():
    for command in commands():
        assert examples(command), command


@test
def man_pages_are_good_mdoc():
    if not shutil.which('mandoc'):
        raise Skip('mandoc is not installed')
    for command in ['hazard', *commands()]:
        page = run('help', '--man', *command.split()).out
        done = subprocess.run(['mandoc', '-T', 'lint', '-W', 'warning'], input=page, text=True,
                              capture_output=True, check=False)
        same((done.stdout, done.returncode), ('', 0), command)


@test
def man_pages_say_what_the_help_says():
    if not shutil.which('mandoc'):
        raise Skip('mandoc is not installed')
    for command in commands():
        page = run('help', '--man', *command.split()).out
        plain = subprocess.run(['mandoc', '-T', 'utf8', '-O', 'width=500'], input=page, text=True,
                               capture_output=True, check=True).stdout
        plain = re.sub('.\b', '', plain)
        for option in re.findall(r'^  (?:-\w, |    )--([\w-]+)', run('help', *command.split()).out, re.M):
            assert f'--{option}' in plain, (command, option)
        for example in examples(command):
            assert example in re.sub(r'\s+', ' ', plain), (command, example)


@test
def every_command_has_a_man_page_in_the_build():
    pages = os.environ.get('HAZARD_MAN')
    if not pages:
        raise Skip('HAZARD_MAN is not set')
    for command in commands():
        with open(os.path.join(pages, f'hazard-{command.replace(" ", "-")}.1'), encoding='utf-8') as file:
            same(file.read(), run('help', '--man', *command.split()).out)
    with open(os.path.join(pages, 'hazard.1'), encoding='utf-8') as file:
        same(file.read(), run('help', '--man', 'hazard').out)


def query_examples():
    text = (ROOT / 'docs/query.md').read_text(encoding='utf-8')
    for block in re.findall(r'^```json\n(.*?)^```$', text, re.M | re.S):
        lines = block.splitlines()
        yield from zip(lines[::2], lines[1::2], strict=True)


@test
def examples_of_the_query_document_are_answered_byte_for_byte():
    pairs = list(query_examples())
    assert len(pairs) > 30, len(pairs)
    out = run('query', stdin=''.join(request + '\n' for request, _ in pairs)).out
    for (request, reply), line in zip(pairs, out.splitlines(), strict=True):
        same(line, reply, request)


@test
def the_query_document_shows_every_query():
    text = (ROOT / 'docs/query.md').read_text(encoding='utf-8')
    shown = set(re.findall(r'"query":"(\w+)"', text)) - {'mate'}
    headings = set(re.findall(r'^### `(\w+) \{', text, re.M))
    same(shown, headings)
    listed = re.search(r'docs/query.md: ([\w, \n]+)\.', run('help', 'query').out)[1]
    same(set(re.split(r'[,\s]+', listed)), headings)


main()
