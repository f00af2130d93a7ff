# SPDX-License-Identifier: MIT
"""`hazard model new`: graphs of a known form."""
import math
import os
import pathlib
import struct
import tempfile

from harness import Skip, main, run, same, test

DATA = pathlib.Path(__file__).resolve().parents[1] / 'data'


def in_folder(function):
    def inside():
        with tempfile.TemporaryDirectory() as folder:
            function(lambda name: os.path.join(folder, name))
    inside.__name__ = function.__name__
    return test(inside)


def numbers(path, count):
    with open(path, 'wb') as file:
        file.write(struct.pack(f'<{count}f', *(k % 7 / 7 - 0.5 for k in range(count))))


@in_folder
def architectures_have_their_numbers(path):
    for arch, count, more in [('xattn8-4-v1', 3969, []), ('dual:32,32', 26785, []),
                              ('mlp:64,32', 31 * 64 + 64 + 64 * 32 + 32 + 33,
                               ['--schema', 'kcp-mobility-pawns-31-v1']),
                              ('mlp:', 8, ['--schema', 'material-7-v1'])]:
        name = path(arch.replace(':', '-'))
        made = run('model', 'new', '--arch', arch, '--seed', '5', '--out', name, '--json',
                   *more).json
        same((made['arch'], made['numbers'], made['seed']), (arch, count, 5))
        same(made['bytes'], os.path.getsize(name))
        seen = run('model', 'inspect', name, '--json').json
        assert seen['builtin'], seen


@in_folder
def the_same_seed_makes_the_same_file(path):
    for name, seed in [('a', '1'), ('b', '1'), ('c', '2')]:
        run('model', 'new', '--arch', 'dual:4', '--seed', seed, '--out', path(name))
    texts = [open(path(name), 'rb').read() for name in 'abc']
    assert texts[0] == texts[1] != texts[2]


@in_folder
def numbers_of_a_file_are_taken_as_they_are(path):
    numbers(path('raw'), 8)
    run('model', 'new', '--arch', 'mlp:', '--schema', 'material-7-v1', '--weights', path('raw'),
        '--out', path('net'))
    row = ' '.join(str(n) for n in [1, 2, 3, 4, 5, 6, 7])
    value = run('model', 'run', path('net'), stdin=row + '\n').out.split()[0]
    weights = [k % 7 / 7 - 0.5 for k in range(8)]
    total = weights[7] + sum(w * x for w, x in zip(weights, range(1, 8)))
    assert abs(float(value) - 1 / (1 + 2.718281828459045 ** -total)) < 1e-6, (value, total)


def has_onnxruntime():
    return any(one['name'] == 'onnxruntime' and one['available']
               for one in run('model', 'runtimes', '--json').json)


def transformer(path):
    """The weights of tests/eval/test_chess_model.c, flat, and a graph with them."""
    block = ([(104, 8, 0), (8, 1, 0), (64, 8, 0), (8, 1, 0)] + [(64, 1, 0), (8, 1, 0)] * 2 +
             [(8, 1, 1), (8, 1, 0)] * 2 + [(256, 1, 0), (32, 1, 0), (256, 1, 0), (8, 1, 0)])
    weights = []
    for count, scale, base in 4 * block + [(256, 1, 0), (32, 1, 0), (32, 1, 0), (1, 1, 0)]:
        for _ in range(count):
            k = len(weights)
            weights.append(base + scale * ((7919 * k + 1237) % 2003 / 2003 - 0.5))
    same(len(weights), 3969)
    with open(path('weights'), 'wb') as file:
        file.write(struct.pack('<3969f', *weights))
    run('model', 'new', '--arch', 'xattn8-4-v1', '--weights', path('weights'), '--out',
        path('net'))


@in_folder
def the_transformer_has_its_known_logits_under_every_executor(path):
    transformer(path)
    table = [line.split('\t') for line in (DATA / 'eval_xattn.tsv').read_text().splitlines()
             if not line.startswith('#')]
    positions = ''.join(f'{fen}\n' for fen, _ in table)
    rows = run('features', '-s', 'chess7x8x8-meta13-v1', '-f', 'tsv', stdin=positions).out
    same(len(rows.splitlines()[0].split()), 461)
    for executor in ['builtin'] + ['onnxruntime'] * has_onnxruntime():
        for more, text in [([], rows), (['--schema', 'chess7x8x8-meta13-v1'], positions)]:
            lines = run('model', 'run', path('net'), '-x', executor, *more, stdin=text).out
            for (fen, logit), line in zip(table, lines.splitlines(), strict=True):
                p = float(line.split()[0])
                assert abs(math.log(p / (1 - p)) - float(logit)) < 2e-5, (executor, fen, line)
    run('model', 'run', path('net'), stdin='1 2 3\n', code=2)


@in_folder
def every_architecture_gives_the_same_values_by_both_executors(path):
    if not has_onnxruntime():
        raise Skip('ONNX Runtime is not there (make onnxruntime)')
    transformer(path)
    for arch, more in [('xattn8-4-v1', []), ('dual:32,32', []), ('dual:8', []),
                       ('mlp:64,32', ['--schema', 'kcp-mobility-pawns-31-v1'])]:
        name = path(arch.replace(':', '-'))
        run('model', 'new', '--arch', arch, '--seed', '5', '--out', name, *more)
        seen = run('model', 'compare', name, '--rows', '300', '--tolerance', '1e-5', '--json').json
        assert seen['same'], (arch, seen)


@in_folder
def what_is_wrong_is_said_and_no_file_left(path):
    numbers(path('short'), 7)
    with open(path('odd'), 'wb') as file:
        file.write(b'12345')
    os.mkdir(path('folder'))
    new = ['model', 'new', '--out', path('net')]
    for arguments, code in [([], 2), (['--arch', 'cnn:3', '--seed', '1'], 2),
                            (['--arch', 'mlp:4'], 2),
                            (['--arch', 'mlp:x', '--schema', 'kcp-13'], 2),
                            (['--arch', 'dual:4', '--schema', 'kcp-13'], 2),
                            (['--arch', 'mlp:4', '--schema', 'no-schema'], 2),
                            (['--arch', 'dual:4', '--seed', '1', '--weights', path('short')], 2),
                            (['--arch', 'mlp:', '--schema', 'material-7-v1', '--weights',
                              path('short')], 2),
                            (['--arch', 'dual:4', '--weights', path('odd')], 2),
                            (['--arch', 'dual:4', '--weights', path('folder')], 2),
                            (['--arch', 'dual:4', '--weights', path('missing')], 3),
                            (['--arch', 'dual:4', 'operand'], 2)]:
        result = run(*new, *arguments, code=code)
        assert result.err.startswith('hazard model: '), (arguments, result.err)
        assert not os.path.exists(path('net')), arguments
    run('model', 'new', '--arch', 'dual:4', code=2)
    # Of a name that nobody knows that is said, whatever else is wrong.
    assert 'no architecture' in run(*new, '--arch', 'cnn:3', '--schema', 'kcp-13', code=2).err
    run('model', 'new', '--arch', 'dual:4', '--out', path('no/such/folder'), code=3)
    # A file that is there stays as it is.
    with open(path('there'), 'w', encoding='ascii') as file:
        file.write('kept')
    run('model', 'new', '--arch', 'dual:4', '--out', path('there'), code=3)
    same(open(path('there'), encoding='ascii').read(), 'kept')


main()
