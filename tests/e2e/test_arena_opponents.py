# SPDX-License-Identifier: MIT
"""Opponents that are no part of the library: bots over HTTP and programs that speak UCI, and the
client that checks bot servers, against the reference server of tests/arena."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import sys
import tempfile

from harness import HAZARD, Skip, main, run, same, test

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'arena'))
from bot_server import BREAKS, Bot, Server  # noqa: E402

KEY, NEXT = 'three-dice-and-a-board', 'a-fourth-die'
ENVIRONMENT = {'DICECHESS_WEBHOOK_SECRET': KEY, 'HAZARD_TEST_NEXT': NEXT}

def noticed():
    """What each broken promise is noticed by: the checks that fail, and nothing else may."""
    table = {'no-continue': set()}  # a client that waits is let off after two seconds
    path = pathlib.Path(__file__).resolve().parents[1] / 'data' / 'conform_breaks.tsv'
    for line in path.read_text(encoding='utf-8').splitlines():
        if not line.startswith('#'):
            name, number, check = line.split('\t')
            table.setdefault(name, set()).add((int(number), check))
    return table


# What a server that fails these alone would fail everything else by, too.
ALONE = {(1, 'a request signed with the active key is answered by a turn'),
         (9, 'timeControl Fischer is understood')}
# Switches that are no broken promise by themselves.
ALLOWED = {'no-rules', 'no-draws', 'no-active', 'dies', 'no-doubling'}


def failed(answer):
    return {(check['number'], check['name']) for check in answer['checks']
            if check['verdict'] == 'fail'}


def conform(*options, code, rules=True, breaks=(), think_ms=0, **more):
    # One check looks at a clock, and a busy machine may be late.
    for left in (3, 2, 1, 0):
        bot = Bot(KEY, NEXT, think_ms, breaks=breaks, hazard=HAZARD if rules else None, **more)
        with Server(bot) as server:
            answer = run('arena', 'conform', server.url, '--json', '--clock-margin', '3', *options,
                         env=ENVIRONMENT, code=code if left == 0 else None)
        late = 16 in {number for number, _ in failed(answer.json)}
        if left == 0 or not late or 'slow' in breaks:
            break
    same(answer.code, code)
    return answer.json


@test
def reference_server_passes_every_check():
    answer = conform('--next-secret-env', 'HAZARD_TEST_NEXT', '--max-concurrent', '2', code=0,
                     think_ms=600, max_concurrent=2)
    same([check for check in answer['checks'] if check['verdict'] != 'pass'], [])
    same({check['number'] for check in answer['checks']}, set(range(1, 23)))
    same((answer['passed'], answer['failed'], answer['skipped']), (len(answer['checks']), 0, 0))


@test
def every_broken_promise_is_noticed_and_nothing_else():
    table = noticed()
    same(set(table) | ALLOWED, set(BREAKS))
    listed = run('arena', 'conform', '--list', '--json').json['checks']
    # Every check but those that a server cannot break alone is failed by somebody.
    same(set().union(*table.values()), {(check['number'], check['name']) for check in listed} - ALONE)

    def look(name):
        options = ['--next-secret-env', 'HAZARD_TEST_NEXT']
        more = {}
        if name == 'no-capacity':
            options += ['--max-concurrent', '2']
            more = {'max_concurrent': 2, 'think_ms': 600}
        answer = conform(*options, breaks=[name], code=1 if table[name] else 0, **more)
        same(failed(answer), table[name],
             name + ': ' + '; '.join(f'{check["name"]}: {check["reason"]}'
                                     for check in answer['checks'] if check['verdict'] == 'fail'))

    # Most of the time is waiting.
    slow_first = sorted(table, key=lambda name: name not in ('reads-all', 'no-limit', 'no-capacity'))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(look, slow_first))


@test
def what_a_server_may_leave_out_is_skipped():
    answer = conform(code=0, rules=False, breaks=['no-draws', 'no-doubling'])
    skipped = {check['number']: check['reason'] for check in answer['checks']
               if check['verdict'] == 'skip'}
    same(set(skipped), {1, 6, 8, 17, 20, 22})
    assert 'pending key' in skipped[1] and 'max-concurrent' in skipped[20], skipped


@test
def lines_for_people_say_the_same():
    bot = Bot(KEY, NEXT, breaks=['any-type'], hazard=None)
    with Server(bot) as server:
        answer = run('arena', 'conform', server.url, env=ENVIRONMENT, code=1)
    lines = answer.out.splitlines()
    same(lines[0][:8], ' 1  pass')
    assert re.search(r'^18  fail  an unknown type is refused: status 200 instead of 400',
                     answer.out, re.M), answer.out
    assert re.fullmatch(r'\d+ passed, [12] failed, \d+ skipped', lines[-1]), lines[-1]
    assert KEY not in answer.out + answer.err and NEXT not in answer.out + answer.err


@test
def list_of_checks_is_what_is_checked():
    answer = conform('--next-secret-env', 'HAZARD_TEST_NEXT', breaks=['no-draws'], code=0)
    listed = run('arena', 'conform', '--list', '--json').json
    same([(check['number'], check['name']) for check in listed['checks']],
         [(check['number'], check['name']) for check in answer['checks']])
    same(run('arena', 'conform', '--list').out.splitlines(),
         [f'{check["number"]:2}  {check["name"]}' for check in listed['checks']])
    run('arena', 'conform', '--list', 'http://127.0.0.1:1/', code=2)


@test
def conform_without_server_secret_or_address_says_so():
    answer = run('arena', 'conform', 'http://127.0.0.1:1/', env=ENVIRONMENT, code=3)
    assert 'cannot connect' in answer.err, answer.err
    answer = run('arena', 'conform', 'http://127.0.0.1:1/',
                 env={'DICECHESS_WEBHOOK_SECRET': ''}, code=2)
    assert 'DICECHESS_WEBHOOK_SECRET' in answer.err, answer.err
    run('arena', 'conform', 'http://127.0.0.1:1/', '--secret-env', 'HAZARD_NO_SUCH', code=2)
    run('arena', 'conform', env=ENVIRONMENT, code=2)
    run('arena', 'conform', 'gopher://127.0.0.1/', env=ENVIRONMENT, code=2)


# ---- matches ---------------------------------------------------------------------------------


def match(a, b, *options, code=0, env=None):
    return run('arena', '--a', a, '--b', b, '--json', *options, code=code,
               env={**ENVIRONMENT, **(env or {})}).json


def ends(report):
    return {reason: count for reason, count in report['ends'].items() if count}


@test
def http_bot_plays_a_match_without_losing_a_game_by_fault():
    bot = Bot(KEY, hazard=None)
    with Server(bot) as server:
        report = match(server.url, 'random', '--pairs', '6', '--seed', '5')
    same(report['games'], 12)
    assert set(ends(report)) <= {'king', 'fifty', 'length'}, ends(report)
    last = {}
    turns = 0
    for body in bot.seen:
        request = json.loads(body)
        same(list(request)[0], 'type')
        if request['type'] != 'yourTurn':
            continue
        turns += 1
        state = request['state']
        assert state['version'] > last.get(request['gameId'], -1), 'the version does not grow'
        last[request['gameId']] = state['version']
        assert list(state['legalMoves']) == sorted(state['legalMoves'])
        assert {'version', 'dfen', 'activeSeat', 'dicePending', 'clocks', 'timeControl',
                'legalMoves'} <= set(state)
        same(state['activeSeat'], request['seat'])
        same(state['dfen'].split()[1], request['seat'][0].lower())
    same(len(last), 12)
    assert turns > 12


@test
def bad_http_bot_loses_exactly_its_own_games():
    for fault, reason in {'late=30000': 'timed_out', 'garbled': 'garbled', 'illegal': 'refused',
                          'decline': 'declined', 'oversized': 'oversized', 'drop': 'lost',
                          'redirect': 'http_302', 'status=500': 'http_500'}.items():
        bot = Bot(KEY, fault=fault, hazard=None)
        with Server(bot) as server:
            report = match(f'{server.url} timeout=300 retries=1', 'greedy', '--pairs', '1')
        same(ends(report), {reason: 2}, fault)
        same((report['wins']['total'], report['losses']['total']), (0, 2), fault)


@test
def https_is_spoken_and_strange_certificates_are_refused():
    openssl = shutil.which('openssl')
    if not openssl:
        raise Skip('there is no openssl to make a certificate')
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = folder + '/key.pem', folder + '/certificate.pem'
        subprocess.run([openssl, 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key,
                        '-out', certificate, '-days', '2', '-subj', '/CN=hazard test', '-addext',
                        'subjectAltName=IP:127.0.0.1'], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server = Server(Bot(KEY, NEXT, hazard=None))
        server.socket = context.wrap_socket(server.socket, server_side=True,
                                            do_handshake_on_connect=False)
        with server:
            url = server.url.replace('http:', 'https:')
            report = match(f'{url} ca-file={certificate}', 'random', '--pairs', '1')
            assert set(ends(report)) <= {'king', 'fifty', 'length'}, ends(report)
            answer = run('arena', 'conform', url, '--json', '--ca-file', certificate,
                         '--next-secret-env', 'HAZARD_TEST_NEXT', env=ENVIRONMENT, code=None).json
            assert {number for number, _ in failed(answer)} <= {16}, failed(answer)
            answer = run('arena', 'conform', url, env=ENVIRONMENT, code=3)
            assert 'certificate' in answer.err, answer.err
            answer = run('arena', '--a', url, '--b', 'random', env=ENVIRONMENT, code=3)
            assert 'certificate' in answer.err, answer.err


@test
def http_bot_with_another_secret_stops_the_run():
    bot = Bot('another', hazard=None)
    with Server(bot) as server:
        answer = run('arena', '--a', server.url, '--b', 'greedy', '--pairs', '1', env=ENVIRONMENT, code=None)
    assert answer.code in (2, 3), answer.code
    assert '401' in answer.err and KEY not in answer.err, answer.err


@test
def own_engine_plays_dice_chess_as_a_child_process():
    report = match(f'uci:{HAZARD} uci option.Bot=greedy', 'random', '--pairs', '3')
    same(report['games'], 6)
    assert set(ends(report)) <= {'king', 'fifty', 'length'}, ends(report)
    assert report['score_percent'] > 50, report['score_percent']


@test
def chess_programs_play_each_other():
    stockfish = shutil.which('stockfish', path=os.environ['PATH'] + ':/usr/games')
    if not stockfish:
        raise Skip('there is no stockfish')
    report = match(f'uci:{stockfish} depth=1 option.Hash=1', f'uci:{HAZARD} uci depth=1',
                   '--game', 'chess', '--pairs', '1')
    same(report['games'], 2)
    assert not set(ends(report)) & {'illegal', 'lost', 'garbled', 'timed_out'}, ends(report)


@test
def bad_programs_lose_exactly_their_own_games():
    script = ("sh -c 'while read -r l; do case $l in uci) echo \"option name UCI_Variant type combo "
              "var dicechess\"; echo uciok;; isready) echo readyok;; quit) exit;; go*) {};; esac; "
              "done'")
    for go, reason in {'exit': 'lost', ':': 'timed_out', 'echo bestmove a1a1': 'illegal',
                       'echo bestmove hello': 'garbled', 'cat /dev/zero': 'oversized'}.items():
        report = match('uci:' + script.format(go) + ' timeout=200', 'greedy', '--pairs', '2')
        same(ends(report), {reason: 4}, go)
        same((report['wins']['total'], report['losses']['total']), (0, 4), go)


main()
