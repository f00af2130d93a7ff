# SPDX-License-Identifier: MIT
"""Every reason for which a package is refused, in the order and words of the table in
docs/models.md: a broken package for each, and pairs of faults that show which one comes first."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import tempfile

import onnx
from harness import Skip, main, run, same, test

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix='hazard-refusals-'))
GRAPH = onnx.linear(*onnx.KCP13)
SHAPES = {'input': ('batch', 13), 'output': ('batch', 1)}


def documented():
    """Number -> (code, texts) of the rows of the table."""
    text = (ROOT / 'docs/models.md').read_text(encoding='utf-8')
    rows = {}
    for number, code, words in re.findall(r'^\| (\d+) \| [^|]+ \| `(\w+)` \| (.+) \|$', text, re.M):
        rows[int(number)] = (code, re.findall(r'`([^`]+)`', words))
    return rows


def pattern(words):
    """The words of the table as a regular expression; <x> stands for an actual value."""
    return '.*'.join(re.escape(part) for part in re.split(r'<[^>]*>', words))


def manifest(**changes):
    fields = {'manifestVersion': '1.1.0', 'modelId': 'unit', 'modelSha256': None,
              'modelRole': 'position-value', 'featureSchema': 'kcp-13', 'featureCount': 13,
              'inputName': 'input', 'outputName': 'output', 'perspective': 'side-to-move',
              'engineCompatibility': '>=0.12.0 <1.0.0', **changes}
    return {key: value for key, value in fields.items() if value != 'GONE'}


def package(name, graph=GRAPH, text=None, **changes):
    folder = FOLDER / name
    folder.mkdir()
    if graph is not None:
        (folder / 'model.onnx').write_bytes(graph)
    fields = manifest(**changes)
    if 'modelSha256' in fields and fields['modelSha256'] is None:
        fields['modelSha256'] = hashlib.sha256(graph or b'').hexdigest()
    (folder / 'manifest.json').write_text(json.dumps(fields) if text is None else text)
    return folder


def huge(folder):
    """A model file beyond what is read: it cannot be digested."""
    os.truncate(folder / 'model.onnx', (48 << 20) + 1)
    return folder


def without_manifest(folder):
    os.remove(folder / 'manifest.json')
    return folder


def ports(**changes):
    """The graph with other inputs or outputs."""
    return onnx.linear(*onnx.KCP13, **changes)


# (row, which of its texts, how to make the package, options of check)
FAULTS = [
    (1, 0, lambda n: package(n, graph=None), []),
    (2, 0, lambda n: without_manifest(package(n)), []),
    (3, 0, lambda n: package(n, text='{"manifestVersion": '), []),
    (3, 0, lambda n: package(n, text='{} {}'), []),
    (4, 0, lambda n: package(n, text='[1]'), []),
    (5, 0, lambda n: package(n, manifestVersion='GONE'), []),
    (5, 1, lambda n: package(n, manifestVersion=1.1), []),
    (6, 0, lambda n: package(n, manifestVersion='1.2.0'), []),
    (7, 0, lambda n: package(n, modelId='GONE'), []),
    (7, 1, lambda n: package(n, modelId=7), []),
    (7, 2, lambda n: package(n, modelSha256='GONE'), []),
    (7, 3, lambda n: package(n, modelSha256=[]), []),
    (8, 0, lambda n: package(n, modelRole='GONE'), []),
    (8, 1, lambda n: package(n, manifestVersion='1.0.0'), []),
    (9, 0, lambda n: package(n, featureSchema='GONE'), []),
    (9, 1, lambda n: package(n, featureSchema=13), []),
    (9, 2, lambda n: package(n, featureCount='GONE'), []),
    (9, 3, lambda n: package(n, featureCount=13.5), []),
    (9, 3, lambda n: package(n, featureCount='13'), []),
    (10, 0, lambda n: package(n, inputName=1), []),
    (10, 1, lambda n: package(n, outputName={}), []),
    (10, 2, lambda n: package(n, manifestVersion='1.0.0', modelRole='GONE'), []),
    (11, 0, lambda n: package(n, perspective='GONE'), []),
    (11, 1, lambda n: package(n, manifestVersion='1.0.0', modelRole='GONE', inputName='GONE',
                              outputName='GONE'), []),
    (12, 0, lambda n: package(n, engineCompatibility='GONE'), []),
    (12, 1, lambda n: package(n, engineCompatibility=12), []),
    (12, 2, lambda n: package(n, evaluationProfile=12), []),
    (13, 0, lambda n: package(n, calibration=1), []),
    (13, 1, lambda n: package(n, calibration={'temperature': 'hot'}), []),
    (14, 0, lambda n: package(n, provenance='me'), []),
    (14, 1, lambda n: package(n, provenance={'runs': [1]}), []),
    (15, 0, lambda n: package(n, modelId=' \t'), []),
    (16, 0, lambda n: package(n, modelSha256='12ab'), []),
    (17, 0, lambda n: package(n, modelRole='king'), []),
    (18, 0, lambda n: package(n, featureSchema='KCP-13'), []),
    (19, 0, lambda n: package(n, featureCount=14), []),
    (20, 0, lambda n: package(n, inputName=' '), []),
    (20, 1, lambda n: package(n, outputName=''), []),
    (21, 0, lambda n: package(n, perspective='white'), []),
    (22, 0, package, ['--engine-version', '0.12']),
    (23, 0, lambda n: package(n, engineCompatibility=' '), []),
    (23, 1, lambda n: package(n, engineCompatibility='~0.12.0'), []),
    (24, 0, lambda n: package(n, engineCompatibility='<0.12.0'), []),
    (25, 0, package, ['--role', 'move-prerank']),
    (26, 0, lambda n: package(n, modelSha256='0' * 64), []),
    (26, 1, lambda n: huge(package(n)), []),
    (27, 0, lambda n: package(n, graph=b'no graph'), []),
    (27, 0, lambda n: package(n, graph=onnx.linear(*onnx.KCP13, last='Frobnicate')), []),
    (28, 0, lambda n: package(n, graph=ports(inputs=[onnx.port('input', *SHAPES['input']), onnx.port(
        'more', 'batch', sequence=True)])), []),
    (29, 0, lambda n: package(n, inputName='rows'), []),
    (29, 0, lambda n: package(n, graph=ports(inputs=[onnx.port('input', *SHAPES['input']), onnx.port(
        'a second', 'batch', 1)])), []),
    (30, 0, lambda n: package(n, outputName='variable'), []),
    (30, 0, lambda n: package(n, graph=ports(outputs=[onnx.port('output', *SHAPES['output']), onnx.port(
        'sum', 'batch', 1)])), []),
    (31, 0, lambda n: package(n, graph=onnx.cast(onnx.DOUBLE, onnx.FLOAT, 13)), []),
    (32, 0, lambda n: package(n, graph=onnx.linear(*onnx.KCP13, batch=1)), []),
    (32, 0, lambda n: package(n, featureSchema='kcp-mobility-27-v1', featureCount=27), []),
    (33, 0, lambda n: package(n, graph=onnx.cast(onnx.FLOAT, onnx.DOUBLE, 13)), []),
    (34, 0, lambda n: package(n, graph=onnx.cast(onnx.FLOAT, onnx.FLOAT, 13)), []),
]


def refused(folder, options=()):
    answer = run('model', 'check', str(folder), *options, '--json', code=1).json
    assert not answer['accepted'], answer
    return answer


@test
def the_package_that_the_others_break_is_accepted():
    assert run('model', 'check', str(package('good')), '--json').json['accepted']
    assert run('model', 'check', str(package('null', evaluationProfile=None, calibration=None)),
               '--json').json['accepted']
    old = package('old', manifestVersion='1.0.0', modelRole='GONE', inputName='GONE',
                  outputName='GONE', perspective='GONE')
    same(run('model', 'check', str(old), '--json').json['modelRole'], 'position-value')


@test
def all_34_reasons_have_the_documented_words():
    rows = documented()
    same(sorted(rows), list(range(1, 35)))
    same({row for row, *_ in FAULTS}, set(rows))
    for index, (row, which, make, options) in enumerate(FAULTS):
        folder = make(f'fault-{index}')
        code, words = rows[row]
        answer = refused(folder, options)
        if words[which] == 'cannot digest':
            code = 'MODEL_FILE'
        same(answer['code'], code, f'row {row}: {answer["message"]}')
        assert re.search(pattern(words[which]), answer['message']), (row, words[which], answer)
        file = 'manifest.json' if 2 <= row <= 25 else 'model.onnx'
        assert answer['message'].startswith(f'{folder}/{file}: '), (row, answer)
        shutil.rmtree(folder)


@test
def every_documented_text_is_met():
    met = {(row, which) for row, which, *_ in FAULTS}
    for row, (_, words) in documented().items():
        for which in range(len(words)):
            # Of the role there is a second text, which only the search's leaf gives.
            assert (row, which) in met or (row, which) == (25, 1), (row, words[which])


@test
def the_leaf_of_a_search_says_it_in_its_own_words():
    folder = package('ranks', modelRole='move-prerank')
    result = run('best', '--model', str(folder), 'start', '--roll', 'PNB', code=2)
    assert re.search(pattern(documented()[25][1][1]), result.err), result.err


@test
def of_two_faults_the_earlier_one_is_told():
    faults = [  # field, value, words; in order
        ('modelId', 5, "'modelId'"), ('modelRole', None, "'modelRole'"),
        ('featureSchema', 5, "'featureSchema'"), ('inputName', 5, "'inputName'"),
        ('perspective', None, "'perspective'"), ('engineCompatibility', 5, "'engineCompatibility'"),
        ('calibration', 5, "'calibration'"), ('provenance', 5, "'provenance'"),
        ('modelSha256', '12', '64 hexadecimal'), ('featureCount', 12, 'featureCount 12'),
        ('outputName', ' ', 'outputName must not be blank')]
    for k in range(len(faults)):
        changes = {field: 'GONE' if value is None else value for field, value, _ in faults[k:]}
        answer = refused(package(f'several-{k}', **changes))
        assert faults[k][2] in answer['message'], (faults[k], answer)
    late = package('late', graph=b'no graph', engineCompatibility='>=0.12.0 <0.13.0', modelSha256='0' * 64)
    for options, code in ((['--engine-version', '1.0.0', '--role', 'move-prerank'], 'ENGINE_VERSION'),
                          (['--role', 'move-prerank'], 'MODEL_ROLE'), ([], 'MODEL_DIGEST')):
        same(refused(late, options)['code'], code)


@test
def the_graph_is_checked_for_every_executor():
    if not run('model', 'runtimes', '--json').json[1]['available']:
        raise Skip('no ONNX Runtime here')
    for index, (row, which, make, options) in enumerate(FAULTS):
        if row < 27:
            continue
        code, words = documented()[row]
        answer = refused(make(f'runtime-{index}'), [*options, '--executor', 'onnxruntime'])
        # What the runtime does not open at all is told as a graph that cannot be read.
        assert answer['code'] in (code, 'GRAPH'), (row, answer)
        if answer['code'] == code:
            assert re.search(pattern(words[which]), answer['message']), (row, answer)


try:
    main()
finally:
    shutil.rmtree(FOLDER)
