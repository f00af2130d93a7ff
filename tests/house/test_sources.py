#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_sources.py BUILD_DIR
The rules of the house that no compiler checks: who may include whom, what a header looks like, what
the library exports and calls, and that the documents say the same as the tree. Prints TAP.

BUILD_DIR: a finished build with gcc, whose library is looked into.
"""
import json
import pathlib
import re
import subprocess
import sys

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1]).resolve()

TEXT_SUFFIXES = {'.c', '.h', '.py', '.sh', '.md', '.txt', '.tsv', '.build', '.3', '.dict', '.yml'}
CODE_SUFFIXES = {'.c', '.h', '.py', '.sh'}


def files(*folders, suffixes=CODE_SUFFIXES):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob('*')):
            if path.is_file() and path.suffix in suffixes:
                yield path


def all_texts():
    """Every text file of the project, whether or not this is a git checkout."""
    for path in sorted(ROOT.iterdir()):
        if path.is_file() and (path.suffix in TEXT_SUFFIXES or path.name == 'Makefile'):
            yield path
    yield ROOT / '.ci/run'
    yield from files('include', 'src', 'tests', 'bench', 'docs', 'man', 'tools',
                     suffixes=TEXT_SUFFIXES)


def relative(path):
    return str(path.relative_to(ROOT))


def rooms():
    """room -> set of rooms it leans on, as the build enforces it (src/meson.build), in order."""
    text = (ROOT / 'src/meson.build').read_text()
    table = text[text.index('rooms = ['):]
    table = table[:table.index('\n]')]
    return {name: set(re.findall(r"'(\w+)'", leans))
            for name, leans in re.findall(r"\['(\w+)', \[([^\]]*)\]\]", table)}


def sections(markdown):
    """heading -> text of a document, subsections included in their parents."""
    found = {}
    for match in re.finditer(r'^(#+) (.+)$', markdown, re.M):
        end = re.search(r'^#{1,%d} ' % len(match[1]), markdown[match.end():], re.M)
        found[match[2]] = markdown[match.end():match.end() + end.start() if end else None]
    return found


def includes(path):
    return re.findall(r'^\s*#\s*include\s*([<"][^>"]+[>"])', path.read_text(), re.M)


# ---- sources ---------------------------------------------------------------------------------


def spdx():
    """every source file and script names its licence in the first lines"""
    for path in [*files('include', 'src', 'tests', 'bench', 'tools'), *ROOT.rglob('meson.build'),
                 ROOT / 'Makefile', ROOT / '.ci/run']:
        if 'SPDX-License-Identifier: MIT' not in '\n'.join(path.read_text().splitlines()[:2]):
            yield f'{relative(path)}: no SPDX line'


def opening_comment():
    """every C file says what it is for before its first line of code"""
    for path in files('include', 'src', 'tests', 'bench', suffixes={'.c', '.h'}):
        lines = path.read_text().splitlines()
        if len(lines) < 2 or not lines[1].startswith('/*'):
            yield f'{relative(path)}: line 2 does not open a comment about the file'


def size():
    """no source file has grown past 800 lines"""
    for path in files('include', 'src'):
        lines = len(path.read_text().splitlines())
        if lines > 800:
            yield f'{relative(path)}: {lines} lines'


def leftovers():
    """nothing unfinished and no path of somebody's machine is left in the tree"""
    marks = re.compile(r'\b(' + '|'.join(['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X']) + r')\b')
    paths = re.compile(r'(?<![\w.$})/*])/(home|root|work|Users|tmp/\w+)/')
    for path in all_texts():
        for number, line in enumerate(path.read_text(errors='replace').splitlines(), 1):
            if marks.search(line) or paths.search(line):
                yield f'{relative(path)}:{number}: {line.strip()[:120]}'


def guards():
    """include guards follow the path of the header"""
    for path in files('include', 'src', 'tests', 'bench', suffixes={'.h'}):
        folder, *parts = path.relative_to(ROOT).with_suffix('').parts
        guard = '_'.join(part.upper().replace('-', '_') for part in parts) + '_H'
        if folder == 'src':
            guard = f'HAZARD_{guard}'
        code = re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.S).split('\n')
        code = [line for line in code if line.strip()]
        used = code[0].removeprefix('#ifndef ')
        if code[1] != f'#define {used}' or not code[-1].startswith('#endif'):
            yield f'{relative(path)}: no include guard'
        elif used != guard and (folder in ('include', 'src') or not used.startswith('HAZARD_')):
            yield f'{relative(path)}: the guard is {used}, expected {guard}'


def compile_alone(path, *command):
    result = subprocess.run([*command, '-fsyntax-only', '-Wall', '-Wextra', '-Wpedantic', '-Werror',
                             '-'], input=f'#include <{path}>\n', capture_output=True, text=True,
                            check=False)
    if result.returncode:
        yield f'{path}: {result.stderr.strip().splitlines()[0]}'


def public_headers():
    return [str(path.relative_to(ROOT / 'include')) for path in files('include', suffixes={'.h'})]


def headers_in_c():
    """every public header compiles alone as strict C17"""
    for header in public_headers():
        yield from compile_alone(header, 'gcc', '-x', 'c', '-std=c17', f'-I{ROOT / "include"}')


def headers_in_cpp():
    """every public header compiles alone as C++ and gives its functions C linkage"""
    for header in public_headers():
        yield from compile_alone(header, 'g++', '-x', 'c++', '-std=c++17',
                                 f'-I{ROOT / "include"}')
        text = (ROOT / 'include' / header).read_text()
        if re.search(r'^\w[^\n]*\bhz_\w+\(', text, re.M) and 'extern "C"' not in text:
            yield f'{header}: declares functions outside extern "C"'


def inner_headers():
    """every inner header compiles alone with what its room may see"""
    for room in rooms():
        for path in files(f'src/{room}', suffixes={'.h'}):
            yield from compile_alone(f'{room}/{path.name}', 'gcc', '-x', 'c', '-std=c17',
                                     '-D_POSIX_C_SOURCE=200809L', '-Wno-pedantic',
                                     f'-I{BUILD / "src/views" / room}', f'-I{BUILD / "src"}')


# ---- rooms -----------------------------------------------------------------------------------


def no_circles():
    """a room leans only on rooms above it in the list, with all that those lean on"""
    above = set()
    for room, leans in rooms().items():
        if not leans <= above:
            yield f'{room} leans on {sorted(leans - above)}, which are not above it'
        for other in leans & above:
            missing = rooms()[other] - leans
            if missing:
                yield f'{room} leans on {other} but not on {sorted(missing)}'
        above.add(room)


def includes_look_down():
    """no source includes a header of a room its own does not lean on"""
    graph = rooms()
    for path in files('src', suffixes={'.c', '.h'}):
        room = path.parent.name
        # The command sees every room, and `hazard bench` what it measures.
        allowed = graph.get(room, {*graph, 'bench'}) | {room}
        for name in includes(path):
            match = re.match(r'<hazard/(\w+)\.h>|"(\w+)/', name)
            if match and (match[1] or match[2]) not in allowed:
                yield f'{relative(path)} includes {name}'
            if name.startswith('"') and '/' not in name:
                yield f'{relative(path)} includes {name} without its room'
    for path in files('include/hazard', suffixes={'.h'}):
        for name in includes(path):
            match = re.match(r'<hazard/(\w+)\.h>', name)
            if match and match[1] not in graph[path.stem]:
                yield f'{relative(path)} includes {name}'


def every_source_is_built():
    """every source and every test program in the tree is built"""
    commands = json.loads((BUILD / 'compile_commands.json').read_text())
    built = {(pathlib.Path(c['directory']) / c['file']).resolve() for c in commands}
    for path in [*files('src', suffixes={'.c'}), *files('bench', suffixes={'.c'}),
                 *ROOT.glob('tests/*/test_*.c'), *files('tests/ref', suffixes={'.c'})]:
        if path not in built:
            yield f'{relative(path)} is not built'


def data_files():
    """every file of test data is used by a test and described in tests/data/README.md"""
    readme = (ROOT / 'tests/data/README.md').read_text()
    tests = '\n'.join(path.read_text() for path in files('tests', suffixes={'.c', '.h', '.py'}))
    for path in sorted((ROOT / 'tests/data').iterdir()):
        if path.name == 'README.md':
            continue
        if path.name not in tests:
            yield f'{relative(path)}: no test reads it'
        if path.name not in readme:
            yield f'{relative(path)}: not in the README'


# ---- the library -----------------------------------------------------------------------------


def symbols(*options):
    output = subprocess.run(['nm', *options, BUILD / 'src/libhazard.a'], capture_output=True,
                            text=True, check=True).stdout
    for line in output.splitlines():
        words = line.split()
        if len(words) >= 2 and len(words[-2]) == 1:
            yield words[-2], words[-1]


def exported_names():
    """the library exports only names that begin with hz_ or hzi_"""
    for kind, name in symbols('--defined-only', '--extern-only'):
        if not name.startswith(('hz_', 'hzi_')):
            yield f'{kind} {name}'


def declared_and_defined():
    """every function and table the public headers declare exists, and no other public name does"""
    declared = set()
    for path in files('include', suffixes={'.h'}):
        code = re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.S)
        code = re.sub(r'^static inline .*?^}', '', code, flags=re.S | re.M)
        code = re.sub(r'(?:#.*\\\n)*(?:#.*\n)', '\n', code)
        declared |= set(re.findall(r'^\w[\w \*]*?\b(hz_\w+)\([^{}]*?\)[^{};]*;', code, re.M))
        declared |= set(re.findall(r'^extern const [\w ]+?\b(hz_\w+)\[', code, re.M))
    defined = {name for _, name in symbols('--defined-only', '--extern-only')
               if name.startswith('hz_')}
    yield from (f'{name} is declared but not defined' for name in sorted(declared - defined))
    yield from (f'{name} is defined but in no public header' for name in sorted(defined - declared))
    if len(declared) < 50:
        yield f'only {len(declared)} declarations found: this check does not see the headers'


def no_output_no_exit():
    """the library neither prints nor ends the process; only sandboxes end their own children"""
    forbidden = {'printf', 'puts', 'putchar', 'fprintf', 'vprintf', 'vfprintf', 'fputs', 'fputc',
                 'putc', 'perror', 'stdout', 'stderr', 'exit', '_exit', 'abort', 'quick_exit',
                 '__printf_chk', '__fprintf_chk', '__vfprintf_chk', 'raise', 'kill'}
    # A child that cannot become another program ends there; one that runs too long is ended.
    children = {'league_sandbox.c.o': {'_exit', 'kill'}}
    output = subprocess.run(['nm', '-A', '--undefined-only', BUILD / 'src/libhazard.a'],
                            capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        words = line.split()
        member = words[0].split(':')[-2]
        if words[-1] in forbidden - children.get(member, set()):
            yield f'{member}: {words[-1]}'


def no_hidden_state():
    """the library keeps no mutable global but answers about the processor, made before main"""
    allowed = {'hzi_fast_bits', 'hzi_kernels_in_use'}
    for kind, name in symbols('--defined-only'):
        # Constants that hold addresses are relocated once and read-only then: .data.rel.ro.
        if kind in 'bBdDcC' and name.split('.')[0] not in allowed | read_only_after_start():
            yield f'{kind} {name}'


def read_only_after_start():
    output = subprocess.run(['objdump', '-t', BUILD / 'src/libhazard.a'], capture_output=True,
                            text=True, check=True).stdout
    return {line.split()[-1].split('.')[0] for line in output.splitlines()
            if '\t' in line and '.data.rel.ro' in line}


# ---- documents -------------------------------------------------------------------------------


def architecture_rooms():
    """the table of rooms in docs/architecture.md is the one the build enforces"""
    text = sections((ROOT / 'docs/architecture.md').read_text())['The rooms']
    leans = {}
    for room, on in re.findall(r'^\| `(\w+)` \|.*\| ([^|]*)\|$', text, re.M):
        direct = set(re.findall(r'\w+', on))
        leans[room] = direct.union(*(leans.get(other, set()) for other in direct))
    graph = rooms()
    if list(leans) != [room for room in graph] + ['cli']:
        yield f'table: {list(leans)}; build: {list(graph)} and cli'
    for room in graph:
        if room in leans and leans[room] != graph[room]:
            yield f'{room}: table {sorted(leans[room])}, build {sorted(graph[room])}'


def architecture_files():
    """docs/architecture.md names every source once in its reading order, and none that is gone"""
    text = sections((ROOT / 'docs/architecture.md').read_text())['The reading order']
    named = re.findall(r'^\| `([\w/.-]+\.[ch])` \|', text, re.M)
    real = {relative(path) for path in files('src', 'include', suffixes={'.c', '.h'})}
    yield from (f'{name} is missing' for name in sorted(real - set(named)))
    yield from (f'{name} does not exist' for name in named if name not in real)
    yield from (f'{name} stands there twice' for name in sorted(set(named)) if named.count(name) > 1)


def documents():
    return [*sorted(ROOT.glob('*.md')), *files('docs', 'bench', 'tests', 'models', suffixes={'.md'})]


def links():
    """links between the documents lead somewhere"""
    for path in documents():
        text = re.sub(r'^```.*?^```', '', path.read_text(), flags=re.S | re.M)
        for target in re.findall(r'\]\(([^)\s]+)\)', text):
            file, _, anchor = target.partition('#')
            if '://' in target:
                continue
            other = (path.parent / file).resolve() if file else path
            if not other.exists():
                yield f'{relative(path)}: {target}'
            elif anchor:
                slugs = {re.sub(r'[^\w -]', '', heading.lower()).replace(' ', '-')
                         for heading in sections(other.read_text())}
                if anchor not in slugs:
                    yield f'{relative(path)}: {target} (no such heading)'


def mentioned_files():
    """files and folders that the documents name are there"""
    pattern = re.compile(r'`((?:src|include|tests|tools|docs|man|bench|models)/[\w./-]*)`')
    for path in documents():
        for name in pattern.findall(path.read_text()):
            if not re.search('[A-Z]{3}', name) and not (ROOT / name).exists():
                yield f'{relative(path)}: {name}'


def make_targets():
    """every `make TARGET` that a document names exists"""
    targets = set(re.findall(r'^([a-z-]+):', (ROOT / 'Makefile').read_text(), re.M))
    for path in documents():
        for target in re.findall(r'(?:`|^    |^)make ([a-z-]+)', path.read_text(), re.M):
            if target not in targets:
                yield f'{relative(path)}: make {target}'


def changelog():
    """the change log knows the version that is built"""
    version = re.search(r"version: '([\d.]+)'", (ROOT / 'meson.build').read_text())[1]
    if f'## [{version}]' not in (ROOT / 'CHANGELOG.md').read_text():
        yield f'no heading for {version}'


def manual_lint():
    """the hand-written man pages are good mdoc"""
    for path in sorted((ROOT / 'man').glob('*.[1-8]')):
        result = subprocess.run(['mandoc', '-T', 'lint', '-W', 'warning', path],
                                capture_output=True, text=True, check=False)
        yield from result.stdout.splitlines()


# ---- tools -----------------------------------------------------------------------------------


def scripts_parse():
    """scripts parse and those with an interpreter line can be run"""
    for path in [*files('tools', 'tests', suffixes={'.sh', '.py'}), ROOT / '.ci/run']:
        first = path.read_text().splitlines()[0]
        if path.suffix == '.py':
            compile(path.read_text(), path, 'exec')
        else:
            shell = 'bash' if 'bash' in first else 'sh'
            result = subprocess.run([shell, '-n', path], capture_output=True, text=True,
                                    check=False)
            yield from result.stderr.splitlines()
        if first.startswith('#!') and not path.stat().st_mode & 0o100:
            yield f'{relative(path)} has an interpreter line but is not executable'


def counting():
    """test counting sees failures, crashes, short lists and empty programs"""
    plan = '1..3\nok 1 - a\n'
    cases = [
        ('OK', '1..2\nok 1 - a\nok 2 - b\n', '2 0'),
        ('FAIL', '1..2\nok 1 - a\nnot ok 2 - b\n# b\n', '1 1'),
        ('ERROR', plan, '1 1'),
        ('OK', plan, '1 1'),
        ('OK', '1..0\n', '0 1'),
        ('OK', '1..2\nok 1 - a\nok 2 - b # SKIP not here\n', '1 0'),
        ('ERROR', '1..1\nok 1 - a\n', '1 1'),
        ('OK', 'no TAP at all\n', '1 0'),
        ('TIMEOUT', '', '0 1'),
        ('SKIP', '', '0 0'),
    ]
    log = BUILD / 'counting.json'
    for result, output, expected in cases:
        log.write_text(json.dumps({'name': 't', 'result': result, 'stdout': output}) + '\n')
        counted = subprocess.run([ROOT / 'tools/count-tests.py', log], capture_output=True,
                                 text=True, check=True).stdout.strip()
        if counted != expected:
            yield f'{result} {output!r}: counted {counted}, expected {expected}'
    log.unlink()


sys.exit(tap.run([
    spdx, opening_comment, size, leftovers, guards, headers_in_c, headers_in_cpp, inner_headers,
    no_circles, includes_look_down, every_source_is_built, data_files,
    exported_names, declared_and_defined, no_output_no_exit, no_hidden_state,
    architecture_rooms, architecture_files, links, mentioned_files, make_targets, changelog,
    manual_lint, scripts_parse, counting,
]))
