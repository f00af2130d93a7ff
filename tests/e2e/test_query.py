# SPDX-License-Identifier: MIT
"""The contract of `hazard query` (docs/query.md), as a program would use it."""
import json
import os
import subprocess

from harness import HAZARD, KIWIPETE, START, main, run, same, test

MILLION = 'Q6Q/3Q4/1Q5k/8/Q5Q1/8/8/K2Q2Q1 w - - 0 1 QQQ'
E16 = '8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 PPN'


def ask(*requests):
    """Replies of one session, in order."""
    lines = ''.join(json.dumps(r) + '\n' if isinstance(r, dict) else r + '\n' for r in requests)
    replies = [json.loads(line) for line in run('query', stdin=lines).out.splitlines()]
    same(len(replies), len(requests))
    return replies


def result(**request):
    reply = ask(request)[0]
    assert 'result' in reply, reply
    return reply['result']


def code(**request):
    reply = ask(request)[0]
    return reply['error']['code'] if 'error' in reply else reply


# ---- the dialogue ----


@test
def replies_come_one_by_one_in_order():
    with subprocess.Popen([HAZARD, 'query'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as child:
        for number in range(50):
            request = {'id': number, 'query': 'counts' if number % 2 else 'nonsense',
                       'dfen': START + ' PPP'}
            child.stdin.write(json.dumps(request) + '\n')
            child.stdin.flush()
            reply = json.loads(child.stdout.readline())
            same(reply['id'], number)
            assert ('result' in reply) == bool(number % 2)
        child.stdin.close()
        same(child.wait(timeout=30), 0)
        same(child.stdout.read(), '')


@test
def bad_lines_do_not_disturb_their_neighbours():
    good = json.dumps({'id': 'good', 'query': 'status', 'dfen': START}).encode()
    hostile = [b'', b'\0', b'{', b'\xff\xfe', b'[' * 100000, b'x' * (1 << 21), b'"' * 999,
               b'{"id":' * 5000, b'{"a":1,"a":2}', b'null', b'\x1b[2J', good[:-1], b'\r',
               b'{"id":7,"query":"perft","dfen":"' + b'8' * 500000 + b'","depth":1}',
               b'{"id":' + b'9' * 5000 + b'}', b'\\', b'{"query":"\\u0000"}']
    out = run('query', stdin=b'\n'.join(line for bad in hostile for line in (bad, good)) + b'\n').out
    lines = out.splitlines()
    same(len(lines), 2 * len(hostile))
    for number, line in enumerate(lines):
        reply = json.loads(line)
        if number % 2:
            same(reply, {'id': 'good', 'result': {'over': False, 'winner': None}})
        else:
            assert set(reply) == {'id', 'error'} and len(line) < 1000, line[:200]
            assert reply['error']['message']


@test
def last_line_needs_no_line_end():
    same(len(run('query', stdin=json.dumps({'query': 'first', 'dfen': START})).out.splitlines()), 1)
    same(run('query').out, '')


@test
def closed_output_ends_the_session_with_3():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([HAZARD, 'query'], input=b'{}\n' * 10, stdout=writer, stderr=subprocess.PIPE,
                          check=False)
    os.close(writer)
    same((done.returncode, done.stderr), (3, b''))


@test
def id_is_null_when_it_is_missing_or_unreadable():
    replies = ask({'query': 'first', 'dfen': START}, '{"id":1,', {'id': [1, {'a': None}], 'query': 'x'})
    same([r['id'] for r in replies], [None, None, [1, {'a': None}]])


@test
def unknown_and_missing_fields_are_refused_by_name():
    reply = ask({'id': 1, 'query': 'first', 'dfen': START, 'deep': 1})[0]
    same(reply['error']['code'], 'QUERY_FORM')
    assert '"deep"' in reply['error']['message']
    for query, field in (('first', 'dfen'), ('next', 'played'), ('playable', 'played'),
                         ('apply', 'moves'), ('apply_turn', 'turn'), ('perft', 'depth'),
                         ('rolls', 'target'), ('features', 'schema'), ('evaluate', 'evaluator')):
        request = {'query': query} if field == 'dfen' else {'query': query, 'dfen': START}
        error = ask(request)[0]['error']
        same(error['code'], 'QUERY_FORM', query)
        assert f'"{field}"' in error['message'], error


# ---- turns ----


@test
def turns_tree_counts_and_first_agree():
    def paths(tree):
        return [[move, *rest] for move, below in tree.items() for rest in (paths(below) or [[]])]
    for dfen in (START + ' PNR', KIWIPETE + ' PNB', E16, START + ' BRQ', START,
                 'n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1 pnq'):
        turns = result(query='turns', dfen=dfen)
        counts = result(query='counts', dfen=dfen)
        first = result(query='first', dfen=dfen)
        tree = result(query='tree', dfen=dfen)
        same(paths(tree), turns, dfen)
        same(list(tree), first, dfen)
        same((counts['turns'], counts['first']), (len(turns), len(first)), dfen)
        texts = [','.join(turn) for turn in turns]
        same(texts, sorted(texts), dfen)


@test
def limit_is_an_error_only_when_there_are_more():
    same(len(result(query='turns', dfen=START + ' NRQ', limit=4)), 4)
    same(code(query='turns', dfen=START + ' NRQ', limit=3), 'INCOMPLETE')
    same(code(query='turns', dfen=MILLION, limit=1000000), 'INCOMPLETE')


@test
def millions_of_turns_are_streamed():
    with subprocess.Popen([HAZARD, 'query'], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdin.write(json.dumps({'query': 'turns', 'dfen': MILLION}).encode() + b'\n')
        child.stdin.close()
        turns, peak = 0, 0
        while chunk := child.stdout.read(1 << 16):
            turns += chunk.count(b'[')
            with open(f'/proc/{child.pid}/statm', encoding='ascii') as file:
                pages = file.read().split()
            peak = max(peak, int(pages[1]) if pages else 0)
        same(child.wait(timeout=60), 0)
    same(turns, 2000219 + 1)
    assert peak * 4096 < (64 << 20), peak


@test
def next_and_playable_judge_from_the_roll():
    same(result(query='next', dfen=E16, played=['c2c4']), ['b3c5'])
    same(result(query='next', dfen=E16, played='b3c5'), [])
    same(result(query='next', dfen=E16, played=[]), result(query='first', dfen=E16))
    same(result(query='playable', dfen=E16, played=[]), 'PPN')
    same(result(query='playable', dfen=E16, played='c2c4'), 'N')
    same(result(query='playable', dfen=E16, played=['b3c5']), '')
    for played in (['c2c4', 'b3a5'], ['c2c5'], ['xx'], ['b3c5', 'c2c3'], ['b3c5'] * 5):
        same(code(query='next', dfen=E16, played=played), 'NO_SUCH_TURN', played)
        same(result(query='playable', dfen=E16, played=played), None, played)
    same(result(query='next', dfen=START + ' BRQ', played='-'), [])
    same(result(query='playable', dfen=START, played=''), '')
    same(code(query='next', dfen=START, played='e2e4'), 'NO_SUCH_TURN')
    for played in ([''], ['-'], ['e2e4,d2d4']):
        same(code(query='next', dfen=START + ' PP', played=played), 'MOVE_TEXT', played)


@test
def playable_letters_have_the_case_of_the_mover():
    flipped = result(query='position', dfen=E16)['flip']
    same(result(query='playable', dfen=flipped, played=[]), 'ppn')


@test
def apply_tells_what_is_impossible_from_what_is_not_paid():
    same(code(query='apply', dfen=START + ' P', moves=['e2e4', 'd2d4']), 'NO_DIE')
    same(code(query='apply', dfen=START + ' N', moves='e2e4'), 'NO_DIE')
    same(code(query='apply', dfen=START + ' P', moves='e2e5'), 'NOT_PSEUDO_LEGAL')
    same(code(query='apply', dfen=START + ' P', moves='e2e4q'), 'NOT_PSEUDO_LEGAL')
    same(code(query='apply', dfen=START, moves='castle'), 'NOT_PSEUDO_LEGAL')
    same(result(query='apply', dfen=START, moves=['e2e4', 'e4e5', 'e5e6', 'e6d7', 'd7c8q']),
         'rnQqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1')
    error = ask({'query': 'apply', 'dfen': START + ' PPP', 'moves': ['e2e4', 'd2d4', 'd2d3']})[0]['error']
    same(error['offset'], 10)


@test
def apply_turn_takes_legal_turns_only():
    same(result(query='apply_turn', dfen=E16, turn=['c2c4', 'b3c5']), '8/8/8/2N5/2P5/8/8/K7 w - c3 0 1 P')
    for turn in (['c2c4', 'b3d4'], ['c2c3', 'c3c4'], ['b3c5', 'c2c3'], 'a1a2', '-', [], ['zz']):
        same(code(query='apply_turn', dfen=E16, turn=turn), 'NOT_LEGAL', turn)
    same(result(query='apply_turn', dfen=START + ' BRQ', turn=[]), START + ' BRQ')
    same(result(query='apply_turn', dfen=START + ' BRQ', turn='-'), START + ' BRQ')


@test
def dfen_errors_carry_their_name_and_offset():
    for dfen, name, offset in (('', 'FIELD_COUNT', 0), ('8/8/8/8/8/8/8/8 w - - 128 1', 'HALFMOVE', 22),
                               ('8/8/8/8/8/8/8/9 w - - 0 1', 'BOARD_CHAR', 14),
                               ('8/8/8/8/8/8/8/8 w - - 0 1 \u2654', 'DICE', 26)):
        error = ask({'query': 'first', 'dfen': dfen})[0]['error']
        same((error['code'], error['offset']), (name, offset), dfen)


# ---- positions and values ----


@test
def status_knows_the_winner():
    same(result(query='status', dfen='4k3/8/8/8/8/8/8/8 b - - 0 1'), {'over': True, 'winner': 'black'})
    same(result(query='status', dfen='8/8/8/8/8/8/8/8 b - - 0 1'), {'over': True, 'winner': None})


@test
def key_ignores_clocks_and_the_order_of_dice():
    keys = {result(query='position', dfen=dfen)['key'] for dfen in (
        START[:-3] + '0 1 PNB', START[:-3] + '50 99 BPN', START[:-3] + '1 1 nbp')}
    same(len(keys), 1)
    assert result(query='position', dfen=START + ' PNN')['key'] not in keys
    same(result(query='position', dfen=START)['book_key'], None)


@test
def odds_danger_and_rolls_agree():
    for dfen in (KIWIPETE, '4k3/8/8/3pP3/8/8/8/4R1K1 w - d6 0 1', START):
        odds = result(query='odds', dfen=dfen)
        danger = result(query='danger', dfen=dfen)
        for target, count in odds.items():
            rolls = result(query='rolls', dfen=dfen, target=target)
            same(sum({1: 1, 2: 3, 3: 6}[len(set(r))] for r in rolls), count, target)
        placement = dfen.split(' ')[0]
        same(len(danger), sum(c.isalpha() for c in placement))
        squares = {}
        for rank, row in enumerate(placement.split('/')):
            file = 0
            for c in row:
                if c.isdigit():
                    file += int(c)
                else:
                    squares['abcdefgh'[file] + str(8 - rank)] = c
                    file += 1
        same(set(danger), set(squares))
        for square, piece in squares.items():
            if piece in 'kK':
                same(danger[square], odds['white_king' if piece == 'K' else 'black_king'])
    same(code(query='rolls', dfen=START, target='e4'), 'UNKNOWN_TARGET')


@test
def features_default_to_the_side_to_move():
    flipped = result(query='position', dfen=KIWIPETE)['flip']
    row = result(query='features', dfen=KIWIPETE, schema='kcp-13')
    same(row, result(query='features', dfen=flipped, schema='kcp-13'))
    same(row, result(query='features', dfen=flipped, schema='kcp-13', color='b'))
    same(row, result(query='features', dfen=KIWIPETE, schema='kcp-13', color='white'))
    same(code(query='features', dfen=START, schema='KCP-13'), 'UNKNOWN_SCHEMA')
    same(code(query='features', dfen=START, schema='kcp-13', color='red'), 'QUERY_FORM')


@test
def evaluate_judges_for_a_colour():
    dfen = '4k3/8/8/8/8/8/8/4K2R w K - 0 1'
    same([result(query='evaluate', dfen=dfen, evaluator='material', color=c) for c in 'wb'], [500, -500])
    same(code(query='evaluate', dfen=dfen, evaluator='gut'), 'UNKNOWN_EVALUATOR')


@test
def best_reports_everything_needed_to_repeat_it():
    once = result(query='best', dfen=KIWIPETE + ' PNB', bot='aggressive')
    assert once['seed'] < 2 ** 53
    same(once, result(query='best', dfen=KIWIPETE + ' PNB', bot='aggressive', seed=once['seed']))
    same(once, result(query='best', dfen=KIWIPETE + ' PNB', bot='AGGRESSIVE', seed=str(once['seed'])))
    assert once['turn'] in once['ties']
    after = result(query='apply_turn', dfen=KIWIPETE + ' PNB', turn=once['turn'])
    same(once['result_dfen'], result(query='hand_over', dfen=after))


@test
def best_reads_options_from_an_object():
    base = {'query': 'best', 'dfen': 'k7/8/8/8/8/8/8/7K w - - 0 1 K', 'seed': 1}
    joined = result(**base, bot='monte-carlo:rollouts=5,plies=3')
    same(joined, result(**base, bot='monte-carlo', options={'rollouts': 5, 'plies': '3'}))
    same(joined, result(**base, bot='monte-carlo:rollouts=5', options={'plies': 3}))
    same(code(**base, bot='monte-carlo:rollouts=5', options={'rollouts': 3}), 'BAD_OPTION')
    same(code(**base, bot='greedy', options={'rollouts': 3}), 'BAD_OPTION')
    same(result(**base, options={})['pass'], False)


@test
def best_needs_dice():
    same(code(query='best', dfen=START), 'INVALID_ARGUMENT')


@test
def equity_is_that_of_the_command():
    answer = result(query='equity', dfen=KIWIPETE, rollouts=20, max_plies=30, seed=5)
    command = run('equity', '--json', '--rollouts', '20', '--plies', '30', '--seed', '5', KIWIPETE).json
    same(answer, command)
    same(set(answer), {'white_win', 'black_win', 'undecided', 'standard_error', 'variance_reduction',
                       'rollouts', 'draws', 'seed'})
    same(result(query='equity', dfen='4k3/8/8/8/8/8/8/8 w - - 0 1', seed=1)['black_win'], 1)


@test
def extreme_positions_are_answered():
    for dfen in ('8/8/8/8/8/8/8/8 w KQkq a1h8 0 1 PNB', 'K' * 8 + ('/' + 'K' * 8) * 7 + ' b KQkq - 127 2147483647 kkk',
                 'PPPPPPPP/' * 7 + 'pppppppp w KQkq a3c3e3 0 1 PPP', 'QQQQkQQQ/' * 7 + 'QQQQQQQQ w - - 0 1 QQQ',
                 'qkqkqkqk/' * 7 + 'QKQKQKQK w KQkq e3e6d3d6 0 1 QKR'):
        for query in ('first', 'counts', 'pseudo', 'hand_over', 'status', 'position', 'odds', 'danger'):
            result(query=query, dfen=dfen)
        for query, more in (('features', {'schema': 'kcp-mobility-pawns-31-v1'}),
                            ('evaluate', {'evaluator': 'aggressive'}),
                            ('equity', {'rollouts': 2, 'max_plies': 3, 'seed': 1}),
                            ('best', {'seed': 1}), ('perft', {'depth': 1}),
                            ('rolls', {'target': 'white_king'})):
            result(query=query, dfen=dfen, **more)


main()
