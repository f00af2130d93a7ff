# SPDX-License-Identifier: MIT
"""hazard model: packages are made, checked, inspected and run; and bots play with them."""
import json
import math
import os
import shutil
import tempfile

import onnx
from harness import KIWIPETE, START, Skip, main, run, same, test

FOLDER = tempfile.mkdtemp(prefix='hazard-model-')
GRAPH = os.path.join(FOLDER, 'net.onnx')
ROLE_OF = {'value': 'position-value', 'collapse': 'chance-collapse', 'prerank': 'move-prerank'}
WIDE = '4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1 PNK'


def write(name, content):
    path = os.path.join(FOLDER, name)
    with open(path, 'wb') as file:
        file.write(content)
    return path


def package(name, role='position-value'):
    path = os.path.join(FOLDER, name)
    if not os.path.exists(path):
        run('model', 'pack', GRAPH, '--role', role, '--schema', 'kcp-13', '--id', name, '--out', path)
    return path


def packages():
    return {name: package(name, role) for name, role in ROLE_OF.items()}


def expected(position):
    row = run('features', '--schema', 'kcp-13', '--json', position).json['rows'][0]['row']
    weights, bias = onnx.KCP13
    return 1 / (1 + math.exp(-(sum(w * x for w, x in zip(weights, row)) + bias)))


@test
def answers_that_are_no_numbers_are_said():
    write('nan.onnx', onnx.linear([0.0] * 7, float('nan')))
    path = os.path.join(FOLDER, 'nan')
    run('model', 'pack', os.path.join(FOLDER, 'nan.onnx'), '--role', 'position-value', '--schema',
        'material-7-v1', '--id', 'nan', '--out', path)
    for bot in ('onnx-eval', 'onnx-expectimax'):
        answer = run('best', '--bot', f'{bot}:model={path}', '--seed', '1', '--json', WIDE).json['answers'][0]
        assert answer['nonFiniteRows'] > 0, answer
        assert 'cannot be trusted' in run('best', '--bot', f'{bot}:model={path}', '--seed', '1',
                                          WIDE).out
    assert 'nonFiniteRows' not in run('best', '--bot', 'greedy', '--json', WIDE).json['answers'][0]


# ---- pack and check ----


@test
def pack_makes_a_package_that_check_accepts():
    path = os.path.join(FOLDER, 'packed')
    made = run('model', 'pack', GRAPH, '--role', 'position-value', '--schema', 'kcp-13', '--id',
               'unit-1', '--out', path, '--provenance', 'games=100', '--provenance',
               'note=a=b, "c"', '--json').json
    same(sorted(os.listdir(path)), ['manifest.json', 'model.onnx'])
    with open(os.path.join(path, 'manifest.json'), encoding='utf-8') as file:
        manifest = json.load(file)
    same(manifest['provenance'], {'games': '100', 'note': 'a=b, "c"'})
    same((manifest['modelSha256'], manifest['featureCount']), (made['modelSha256'], 13))
    checked = run('model', 'check', path, '--role', 'position-value', '--json').json
    same((checked['accepted'], checked['modelId'], checked['executor']), (True, 'unit-1', 'builtin'))
    assert run('model', 'check', path).out.startswith('accepted')
    with open(GRAPH, 'rb') as graph, open(os.path.join(path, 'model.onnx'), 'rb') as packed:
        same(packed.read(), graph.read())


@test
def pack_takes_the_names_of_the_graph():
    graph = write('renamed.onnx', onnx.linear(*onnx.KCP13, input_name='features',
                                              output_name='win_probability'))
    path = os.path.join(FOLDER, 'renamed')
    made = run('model', 'pack', graph, '--role', 'move-prerank', '--schema', 'kcp-13', '--id', 'r',
               '--out', path, '--json').json
    same((made['inputName'], made['outputName']), ('features', 'win_probability'))


@test
def pack_leaves_nothing_of_what_would_be_refused():
    fixed = write('fixed.onnx', onnx.linear(*onnx.KCP13, batch=1))
    nonsense = write('nonsense.onnx', b'this is no graph')
    options = ['--role', 'position-value', '--id', 'x', '--out', os.path.join(FOLDER, 'refused')]
    before = sorted(os.listdir(FOLDER))
    for graph, schema, text in ((fixed, 'kcp-13', 'got [1,13]'), (GRAPH, 'rich-9-v1', 'got [batch,13]'),
                                (nonsense, 'kcp-13', 'cannot read the ONNX graph')):
        result = run('model', 'pack', graph, '--schema', schema, *options, code=1)
        assert text in result.out, result.out
        assert '.new-' not in result.out, result.out
        same(sorted(os.listdir(FOLDER)), before)
    run('model', 'pack', GRAPH, '--schema', 'kcp-13', '--id', ' ', *options[:2], *options[4:], code=1)
    run('model', 'pack', GRAPH, '--schema', 'kcp-13', '--engine', 'new', *options, code=1)
    same(sorted(os.listdir(FOLDER)), before)


@test
def pack_overwrites_nothing_and_needs_everything():
    options = ['model', 'pack', GRAPH, '--role', 'position-value', '--schema', 'kcp-13', '--id', 'x']
    there = package('value')
    assert 'already' in run(*options, '--out', there, code=2).err
    assert '--out is needed' in run(*options, code=2).err
    assert '--id is needed' in run(*options[:-2], '--out', 'x', code=2).err
    run(*options, '--out', os.path.join(FOLDER, 'no', 'such', 'parent'), code=3)
    run(*options, '--out', os.path.join(FOLDER, 'x'), '--provenance', 'nothing', code=2)
    run('model', 'pack', os.path.join(FOLDER, 'none'), *options[3:], '--out', 'x', code=3)


@test
def check_says_why_a_package_is_refused():
    broken = os.path.join(FOLDER, 'broken')
    shutil.copytree(package('value'), broken)
    with open(os.path.join(broken, 'model.onnx'), 'ab') as file:
        file.write(b'\0')
    result = run('model', 'check', broken, '--json', code=1).json
    same((result['accepted'], result['code']), (False, 'MODEL_DIGEST'))
    assert 'model SHA-256 mismatch' in result['message']
    with open(os.path.join(broken, 'manifest.json'), 'w', encoding='utf-8') as file:
        file.write('{')
    assert 'not valid JSON' in run('model', 'check', broken, code=1).out
    os.remove(os.path.join(broken, 'manifest.json'))
    assert 'manifest file not readable' in run('model', 'check', broken, code=1).out
    assert 'model file not readable' in run('model', 'check', FOLDER, code=1).out
    role = run('model', 'check', package('value'), '--role', 'chance-collapse', code=1).out
    assert "modelRole 'position-value' cannot serve as 'chance-collapse'" in role
    version = run('model', 'check', package('value'), '--engine-version', '1.2.3', code=1).out
    assert "does not include engine version '1.2.3'" in version
    run('model', 'check', package('value'), '--role', 'king', code=2)
    run('model', 'check', code=2)


# ---- inspect, operators, runtimes ----


@test
def inspect_tells_what_a_graph_is_made_of():
    facts = run('model', 'inspect', GRAPH, '--json').json
    same((facts['irVersion'], facts['opset'], facts['nodes'], facts['parameters']), (8, 13, 3, 14))
    same(facts['inputs'], [{'name': 'input', 'element': 'FLOAT', 'shape': '[batch,13]'}])
    same(facts['outputs'], [{'name': 'output', 'element': 'FLOAT', 'shape': '[batch,1]'}])
    same([(o['name'], o['count'], o['supported']) for o in facts['operators']],
         [('Add', 1, True), ('MatMul', 1, True), ('Sigmoid', 1, True)])
    assert facts['builtin'] and facts['cost']['multiplyAdds'] >= 13
    same(run('model', 'inspect', package('value'), '--json').json['sha256'], facts['sha256'])
    assert 'MatMul' in run('model', 'inspect', GRAPH).out
    run('model', 'inspect', write('bad.onnx', b'\x01\x02'), code=2)
    run('model', 'inspect', os.path.join(FOLDER, 'none'), code=3)


@test
def an_operator_nobody_knows_is_named():
    graph = write('strange.onnx', onnx.linear(*onnx.KCP13, last='Frobnicate'))
    assert 'Frobnicate' in run('model', 'run', graph, stdin='start\n', code=2).err


@test
def operators_and_runtimes_are_listed():
    operators = run('model', 'operators', '--json').json
    names = [(o['domain'], o['name']) for o in operators]
    same(names, sorted(set(names)))
    for name in ('Gemm', 'MatMul', 'Sigmoid', 'Relu', 'Conv', 'LayerNormalization'):
        assert ('', name) in names, name
    assert ('ai.onnx.ml', 'TreeEnsembleRegressor') in names
    assert all(o['first'] <= o['last'] for o in operators)
    runtimes = {r['name']: r for r in run('model', 'runtimes', '--json').json}
    assert runtimes['builtin']['available']
    missing = run('model', 'runtimes', '--json', env={'HAZARD_ONNXRUNTIME': '/nowhere.so'}).json[1]
    same((missing['name'], missing['available']), ('onnxruntime', False))
    assert '/nowhere.so' in missing['reason']
    run('model', 'check', package('value'), '--executor', 'onnxruntime', code=3,
        env={'HAZARD_ONNXRUNTIME': '/nowhere.so'})


# ---- run and compare ----


@test
def run_gives_the_value_of_positions_and_rows():
    positions = [START, KIWIPETE, '4k3/8/8/8/8/8/8/4K2R b K - 0 1']
    lines = run('model', 'run', package('value'), stdin='\n'.join(positions)).out.splitlines()
    same(len(lines), 3)
    for position, line in zip(positions, lines):
        value, score = line.split('\t')
        assert abs(float(value) - expected(position)) < 1e-6, position
        same(int(score), int(float(value) * 10000), position)
    rows = [run('features', '--schema', 'kcp-13', '--format', 'tsv', p).out for p in positions]
    same(run('model', 'run', GRAPH, stdin=''.join(rows)).out.splitlines(), lines)
    as_json = ''.join(json.dumps([float(x) for x in row.split('\t')]) + '\n' for row in rows)
    objects = [json.loads(x) for x in run('model', 'run', GRAPH, '--json', stdin=as_json).out.splitlines()]
    same([f'{o["score"]}' for o in objects], [line.split('\t')[1] for line in lines])
    same(run('model', 'run', GRAPH, '--schema', 'kcp-13', stdin='start\n').out.splitlines(), lines[:1])


@test
def run_takes_the_colour_asked_for():
    white, black = (run('model', 'run', package('value'), '--color', color, stdin=KIWIPETE).out
                    for color in ('white', 'black'))
    flipped = run('position', '--json', KIWIPETE).json['flip']
    assert white != black
    same(run('model', 'run', package('value'), '--color', 'white', stdin=flipped).out, black)


@test
def run_tells_apart_what_is_not_finite():
    for weight, text in ((math.inf, 'inf\t10000'), (-math.inf, '-inf\t0'), (math.nan, 'nan\t0')):
        graph = write('endless.onnx', onnx.linear([weight, 1], 0, last='Identity'))
        same(run('model', 'run', graph, stdin='1 1\n').out, text + '\n')


@test
def a_model_file_that_is_no_regular_file_is_not_waited_for():
    path = os.path.join(FOLDER, 'pipe')
    os.mkfifo(path)
    for arguments in (('inspect', path), ('run', path)):
        assert 'not a regular file' in run('model', *arguments, stdin='', code=3).err


@test
def run_says_which_line_is_wrong_after_answering_those_before():
    for bad, text in (('1 2 3', '3 numbers'), ('what', 'neither'), ('8/8 w', 'no position'),
                      ('1 2 x', 'neither'), ('', '0 numbers')):
        result = run('model', 'run', package('value'), stdin=f'start\n{bad}\nstart\n', code=2)
        same(len(result.out.splitlines()), 1, bad)
        assert 'line 2' in result.err and text in result.err, result.err
    assert '--schema' in run('model', 'run', GRAPH, stdin='start\n', code=2).err
    same(run('model', 'run', package('value'), stdin='').out, '')


@test
def run_answers_many_lines_as_it_answers_one():
    one = run('model', 'run', package('value'), stdin=KIWIPETE + '\n').out
    many = run('model', 'run', package('value'), stdin=(KIWIPETE + '\nstart\n') * 400).out.splitlines()
    same(len(many), 800)
    same(set(many[::2]), {one.strip()})


@test
def compare_says_no_when_executors_differ_too_much():
    same_one = run('model', 'compare', package('value'), '--with', 'builtin', '--rows', '300', '--seed',
                   '5', '--json').json
    same((same_one['same'], same_one['largest'], same_one['rows']), (True, 0, 300))
    available = run('model', 'runtimes', '--json').json[1]['available']
    if not available:
        run('model', 'compare', package('value'), code=3)
        raise Skip('no ONNX Runtime here')
    other = run('model', 'compare', package('value'), '--rows', '500', '--seed', '5', '--json').json
    assert other['largest'] <= 1e-6
    run('model', 'compare', package('value'), '--tolerance', '-1', code=2)


# ---- bots ----


@test
def bots_play_with_models():
    p = packages()
    for bot in (f'onnx-eval:model={p["value"]}', f'onnx-expectimax:model={p["value"]},limit=2',
                f'onnx-expectimax:model={p["value"]},limit=2,collapse={p["collapse"]},rescore={p["value"]},'
                f'weight=0.25,lossguard=1,prerank={p["prerank"]},chunk=7,table=8,threads=2',
                f'onnx-expectimax:model={GRAPH},schema=kcp-13,limit=2'):
        answer = run('best', '--json', '--seed', '1', '--bot', bot, WIDE).json['answers'][0]
        assert answer['turn'] in answer['ties']
        assert 0 <= answer['score'] <= 10000
    short = run('best', '--json', '--seed', '1', '--model', p['value'], WIDE).json
    long = run('best', '--json', '--seed', '1', '--bot', f'onnx-expectimax:model={p["value"]}', WIDE).json
    same(short, long)
    collapsed = run('best', '--json', '--seed', '1', '--model', p['value'], '--bot',
                    f'onnx-expectimax:collapse={p["collapse"]}', WIDE).json['answers'][0]['search']
    same((collapsed['candidatesCollapsed'], collapsed['candidatesCompleted']), (8, 0))


@test
def a_bot_says_which_model_it_refuses():
    p = packages()
    result = run('best', '--bot', f'onnx-expectimax:model={p["value"]},collapse={p["prerank"]}', WIDE, code=2)
    assert "modelRole 'move-prerank' cannot serve as 'chance-collapse'" in result.err
    line = result.err.splitlines()[1:]
    same(line[0][line[1].index('^'):], p['prerank'])
    assert 'needs the option "model"' in run('best', '--bot', 'onnx-eval', WIDE, code=2).err
    run('best', '--model', os.path.join(FOLDER, 'none'), WIDE, code=3)
    assert 'CONFLICT' in run('best', '--bot', f'onnx-expectimax:model={p["value"]},prerankwithmodel=1,'
                             f'prerank={p["prerank"]}', WIDE, code=2).err
    assert 'BAD_OPTION' in run('best', '--bot', 'greedy', '--model', p['value'], WIDE, code=2).err


@test
def paths_may_hold_commas():
    odd = os.path.join(FOLDER, 'a,b\\c')
    shutil.copytree(package('value'), odd)
    answer = run('best', '--json', '--seed', '1', '--bot', 'onnx-eval', '--model', odd, WIDE).json
    same(answer['bot'], 'onnx-eval')
    line = json.dumps({'query': 'best', 'dfen': WIDE, 'bot': 'onnx-eval', 'seed': 1, 'options': {'model': odd}})
    same(run('query', stdin=line).json['result']['turn'], answer['answers'][0]['turn'])


@test
def queries_play_with_models_and_clocks():
    p = packages()
    ask = {'query': 'best', 'dfen': WIDE, 'seed': 1}
    plain = run('query', stdin=json.dumps({**ask, 'model': p['value']})).json['result']
    best = run('best', '--json', '--seed', '1', '--model', p['value'], WIDE).json['answers'][0]
    effort = ('leaves', 'leafBatches', 'chanceNodes')
    assert all(best['search'][key] > 0 for key in effort)
    same(plain['search'], {k: v for k, v in best['search'].items() if k not in effort})
    same(plain['turn'], best['turn'])
    limited = run('query', stdin=json.dumps({**ask, 'model': p['value'], 'options': {'limit': 3}})).json
    same(limited['result']['search']['candidatesSelected'], 3)
    timed = run('query', stdin=json.dumps({**ask, 'model': p['value'], 'time_ms': 60000, 'inc_ms': 5,
                                           'move_number': 3, 'moves_to_go': 10,
                                           'time_policy': 'legacy-linear-v1'})).json
    same(timed['result']['search']['deadlineTruncated'], False)
    for wrong in ({'inc_ms': 5}, {'time_ms': -1}, {'budget_ms': 0}, {'model': 5}):
        same(run('query', stdin=json.dumps({**ask, **wrong})).json['error']['code'], 'QUERY_FORM', wrong)
    same(run('query', stdin=json.dumps({**ask, 'model': 'nowhere'})).json['error']['code'], 'MODEL_FILE')


@test
def a_book_precedes_a_model():
    key = run('position', '--json', WIDE).json['book_key']
    book = write('book.tsv', f'{key}\te1e2,f1g3,b2b4\n'.encode())
    answer = run('best', '--json', '--book', book, '--model', package('value'), WIDE).json['answers'][0]
    same((answer['from_book'], 'search' in answer), (True, False))
    other = run('best', '--json', '--book', book, '--model', package('value'),
                WIDE.replace('PNK', 'PPP')).json['answers'][0]
    same((other['from_book'], 'search' in other), (False, True))


@test
def a_verb_that_is_none_is_refused():
    run('model', code=2)
    run('model', 'eat', GRAPH, code=2)
    run('model', 'inspect', GRAPH, GRAPH, code=2)
    run('model', 'operators', GRAPH, code=2)


try:
    write('net.onnx', onnx.linear(*onnx.KCP13))
    main()
finally:
    shutil.rmtree(FOLDER)
