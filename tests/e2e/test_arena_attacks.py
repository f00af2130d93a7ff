# SPDX-License-Identifier: MIT
"""Bot servers that mean harm: whatever they send, in whatever pace, costs them their own games and
nobody else anything. The server here speaks bytes, not HTTP."""
import concurrent.futures
import json
import os
import re
import resource
import socket
import threading
import time

from harness import Skip, main, run, same, test

ENVIRONMENT = {'DICECHESS_WEBHOOK_SECRET': 'three-dice-and-a-board'}


def answer(body, status='200 OK', head=''):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return (f'HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{head}'
            f'Content-Length: {len(body)}\r\n\r\n').encode() + body


def turn_of(request):
    tree, moves = request['state']['legalMoves'], []
    while tree:
        move = next(iter(tree))
        moves.append(move)
        tree = tree[move]
    return {'moves': moves}


class Evil:
    """Answers verifications well and turns by `attack(connection, request)`: bytes to send, or None when
    it has done everything itself."""

    def __init__(self, attack, host='127.0.0.1'):
        self.attack, self.asked, self.bodies = attack, 0, []
        family = socket.AF_INET6 if ':' in host else socket.AF_INET
        self.listener = socket.create_server((host, 0), family=family, backlog=64)
        name = f'[{host}]' if ':' in host else host
        self.url = f'http://{name}:{self.listener.getsockname()[1]}/bot'
        self.over = False

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.over = True
        self.listener.close()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            with connection, connection.makefile('rb') as stream:
                while self.one(connection, stream):
                    pass
        except OSError:
            pass

    def one(self, connection, stream):
        length = None
        for line in iter(stream.readline, b'\r\n'):
            if not line:
                return False
            match = re.match(rb'content-length: (\d+)', line.lower())
            length = int(match[1]) if match else length
        request = json.loads(stream.read(length))
        if request['type'] == 'verification':
            connection.sendall(answer({'nonce': request['nonce']}))
            return True
        self.asked += 1
        self.bodies.append(request)
        reply = self.attack(connection, request)
        if reply is not None:
            connection.sendall(reply)
        return reply is not None


def chunks(*parts):
    return (b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' + b''.join(parts))


def flood(piece, first=b''):
    def attack(connection, _):
        connection.sendall(first)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            connection.sendall(piece)
    return attack


def drip(text, pause=0.03):
    def attack(connection, _):
        for byte in text:
            connection.sendall(bytes([byte]))
            time.sleep(pause)
        time.sleep(20)
    return attack


def hang_up(text=b''):
    def attack(connection, _):
        connection.sendall(text)
        connection.shutdown(socket.SHUT_RDWR)
    return attack


def fixed(body, **more):
    return lambda _, request: answer(body(request) if callable(body) else body, **more)


def text_of(request):
    return json.dumps(turn_of(request))


GOOD = b'{"moves":["e2e4"]}'
# What they do, and the reason their games are lost for.
ATTACKS = {
    'a length without a body that long': (hang_up(b'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"mo'),
                                          'lost'),
    'nothing at all': (hang_up(), 'lost'),
    'half a head': (hang_up(b'HTTP/1.1 200 OK\r\nContent-Le'), 'lost'),
    'a body without end': (flood(b' ' * 65536, b'HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n'),
                           'oversized'),
    'a body without length or end': (flood(b' ' * 65536, b'HTTP/1.1 200 OK\r\n\r\n'), 'oversized'),
    'chunks without end': (flood(b'1000\r\n' + b' ' * 4096 + b'\r\n',
                                 b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'), 'oversized'),
    'headers without end': (flood(b'X-Flood: ' + b'x' * 1000 + b'\r\n', b'HTTP/1.1 200 OK\r\n'),
                            'oversized'),
    'one header without end': (flood(b'x' * 65536, b'HTTP/1.1 200 OK\r\nX: '), 'oversized'),
    'interim answers without end': (flood(b'HTTP/1.1 100 Continue\r\n\r\n' * 100), 'oversized'),
    'a byte now and then': (drip(b'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n' + GOOD), 'timed_out'),
    'a head byte by byte': (drip(b'HTTP/1.1 200 OK\r\n' + b'X: y\r\n' * 100), 'timed_out'),
    'silence': (drip(b''), 'timed_out'),
    'chunks that are none': (lambda *_: chunks(b'zz\r\n', GOOD, b'\r\n0\r\n\r\n'), 'garbled'),
    'a chunk of a negative size': (lambda *_: chunks(b'-5\r\n', GOOD, b'\r\n0\r\n\r\n'), 'garbled'),
    'no HTTP': (hang_up(b'SSH-2.0-OpenSSH_9.2\r\n'), 'garbled'),
    'a length that is a word': (lambda *_: b'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n' + GOOD,
                                'garbled'),
    'a body cut by its length': (lambda *_: b'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n' + GOOD,
                                 'garbled'),
    'bytes that are no UTF-8': (fixed(b'{"moves":["\xff\xfe"]}'), 'garbled'),
    'a NUL in the middle': (fixed(b'{"moves":["e2\x00e4"]}'), 'garbled'),
    'a double key': (lambda _, r: answer(('{"moves":["a1a1"],"moves":%s}' %
                                          json.dumps(turn_of(r)['moves'])).encode()), 'garbled'),
    'something behind the answer': (lambda _, r: answer((text_of(r) + ' {}').encode()), 'garbled'),
    'an array': (fixed(b'["e2e4"]'), 'garbled'),
    'moves that are a text': (fixed(b'{"moves":"e2e4"}'), 'garbled'),
    'moves that are numbers': (fixed(b'{"moves":[1e400]}'), 'garbled'),
    'ten thousand brackets': (fixed(b'{"moves":' + b'[' * 10000 + b']' * 10000 + b'}'), 'garbled'),
    'an empty answer': (fixed(b''), 'garbled'),
    'sixty thousand moves': (fixed(b'{"moves":[' + b'"e2e4",' * 8000 + b'"e2e4"]}'), 'refused'),
    'moves in upper case': (lambda _, r: answer({'moves': [m.upper() for m in turn_of(r)['moves']]}),
                            'refused'),
    'moves with blanks': (lambda _, r: answer({'moves': [' ' + m for m in turn_of(r)['moves']]}), 'refused'),
    'a very long move': (fixed({'moves': ['e2e4' * 10000]}), 'refused'),
    'a resignation with moves': (lambda _, r: answer({**turn_of(r), 'resign': True}), 'declined'),
    'a way elsewhere': (fixed(GOOD, status='302 Found', head='Location: /other\r\n'), 'http_302'),
    'a way elsewhere for good': (fixed(GOOD, status='308 Permanent Redirect',
                                       head='Location: http://127.0.0.1:1/\r\n'), 'http_308'),
    'created': (fixed(GOOD, status='201 Created'), 'http_201'),
    'no content': (lambda *_: b'HTTP/1.1 204 No Content\r\n\r\n', 'http_204'),
    'a refusal that breaks off': (hang_up(b'HTTP/1.1 404 Not Found\r\nContent-Length: 99\r\n\r\n{"er'),
                                  'http_404'),
    'a huge refusal': (flood(b' ' * 65536, b'HTTP/1.1 400 Bad Request\r\nContent-Length: 9999999\r\n\r\n'),
                       'http_400'),
    'a status out of range': (fixed(GOOD, status='999 Whatever'), 'http_999'),
}
# Asked once more is who was not heard at all; whoever answered is not asked again. (A connection that
# was kept and turns out to be closed was none, so the first question may come once more.)
REPEATED = {'nothing at all'}


def play(url, *options, code=0):
    return run('arena', '--a', url, '--b', 'greedy', '--json', *options, code=code, env=ENVIRONMENT).json


def ends(report):
    return {reason: count for reason, count in report['ends'].items() if count}


def lost(name):
    attack, reason = ATTACKS[name]
    with Evil(attack) as server:
        report = play(f'{server.url} timeout=700 retries=1', '--pairs', '1')
        same(ends(report), {reason: 2}, name)
        same((report['wins']['total'], report['losses']['total']), (0, 2), name)
        same(report['faults']['a'] + report['illegal']['a'], 2, name)
        same(report['faults']['b'] + report['illegal']['b'] + report['flags']['b'], 0, name)
        if name in REPEATED:
            assert server.asked in (4, 5), (name, server.asked)
        else:
            same(server.asked, 2, name)


@test
def attackers_lose_their_own_games_for_the_right_reason():
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(lost, ATTACKS))


@test
def floods_are_not_kept_in_memory():
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    for name in ('a body without end', 'headers without end', 'interim answers without end'):
        lost(name)
    # The largest child so far, in KiB; a second of such a flood is hundreds of megabytes.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < max(before, 200 << 10)


STRANGE = {
    'another content type': lambda _, r: answer(turn_of(r), head='Content-Type: text/html\r\n'),
    'chunks of one byte': lambda _, r: chunks(*(b'1;x=y\r\n' + bytes([b]) + b'\r\n'
                                                for b in text_of(r).encode()), b'0\r\nTrailer: 1\r\n\r\n'),
    'an interim answer first': lambda _, r: b'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n' +
                                            answer(turn_of(r)),
    'numbers larger than any integer': lambda _, r: answer(
        ('{"nodes":18446744073709551616123,"moves":%s}' % json.dumps(turn_of(r)['moves'])).encode()),
    'members nobody knows': lambda _, r: answer({**turn_of(r), 'offerDraw': True, 'x': [None, {'y': 1.5}]}),
    'a cookie': lambda _, r: answer(turn_of(r), head='Set-Cookie: a=b\r\nX: y\r\n'),
    'HTTP/1.0': lambda _, r: answer(turn_of(r)).replace(b'HTTP/1.1', b'HTTP/1.0'),
    'letters as escapes': lambda _, r: answer(('{"moves":[%s]}' % ','.join(
        '"' + ''.join(f'\\u{ord(c):04x}' for c in m) + '"' for m in turn_of(r)['moves'])).encode()),
}


@test
def strange_but_good_answers_are_taken():
    def look(name):
        with Evil(STRANGE[name]) as server:
            report = play(f'{server.url} timeout=20000 retries=0', '--pairs', '1')
            assert set(ends(report)) <= {'king', 'fifty'}, (name, ends(report))
            same({r['state']['mayOfferDraw'] for r in server.bodies}, {False}, name)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(look, STRANGE))


@test
def connections_that_close_after_each_answer_lose_nothing():
    def attack(connection, request):
        connection.sendall(answer(turn_of(request)))  # says keep-alive, and hangs up
        connection.shutdown(socket.SHUT_RDWR)

    with Evil(attack) as server:
        report = play(f'{server.url} retries=0', '--pairs', '3')
        assert set(ends(report)) <= {'king', 'fifty'}, ends(report)


@test
def only_the_game_in_which_it_happened_is_lost():
    count = [0]

    def attack(_, request):
        game = int(request['gameId'].rsplit('-', 1)[1])
        count[0] += 1
        return answer(b'{') if game in (1, 6) and request['state']['version'] > 3 else answer(
            turn_of(request))

    with Evil(attack) as server:
        report = play(server.url, '--pairs', '5')
        same(report['games'], 10)
        assert ends(report).get('garbled', 0) <= 2, ends(report)
        same(report['ends'].get('lost', 0), 0)
        same(report['faults'], {'a': ends(report).get('garbled', 0), 'b': 0})


@test
def draws_are_declared_impossible_and_never_asked():
    with Evil(lambda _, r: answer({**turn_of(r), 'offerDraw': True})) as server:
        report = play(server.url, '--pairs', '2', '--tc', '20+0.5')
        same({r['type'] for r in server.bodies}, {'yourTurn'})
        for request in server.bodies:
            same(list(request)[:3], ['type', 'gameId', 'seat'])
            state = request['state']
            same((state['mayOfferDraw'], state['dicePending']), (False, True))
            same(state['timeControl'], {'Fischer': {'initialSeconds': 20, 'incrementSeconds': 0}})
            assert 0 < state['clocks']['white'] < 30000 and 0 < state['clocks']['black'] < 30000
        assert set(ends(report)) <= {'king', 'fifty'}, ends(report)


@test
def clock_is_the_time_out_and_is_charged():
    asked = []

    def attack(_, request):
        clock = request['state']['clocks'][request['seat'].lower()]
        asked.append(clock)
        time.sleep(min(0.15, clock / 1000 + 1))
        return answer(turn_of(request))

    with Evil(attack) as server:
        report = play(server.url, '--pairs', '1', '--tc', '0.5+0')
    # 150 ms a turn out of 500: the fourth answer comes too late, if the game lasts as long.
    assert set(ends(report)) <= {'timed_out', 'time', 'king'}, ends(report)
    for before, after in zip(asked, asked[1:]):
        assert after == 500 or 100 < before - after < 400, asked
    if 'timed_out' in ends(report):
        assert min(asked) < 200, asked


@test
def addresses_of_the_sixth_version_work():
    try:
        server = Evil(lambda _, r: answer(turn_of(r)), '::1')
    except OSError:
        raise Skip('this machine has no IPv6') from None
    with server:
        report = play(server.url, '--pairs', '1')
        assert set(ends(report)) <= {'king', 'fifty'}, ends(report)


@test
def proxies_of_the_environment_are_not_used():
    with Evil(lambda _, r: answer(turn_of(r))) as server:
        report = run('arena', '--a', server.url, '--b', 'greedy', '--json', '--pairs', '1',
                     env={**ENVIRONMENT, 'http_proxy': 'http://127.0.0.1:1', 'ALL_PROXY': 'socks5://127.0.0.1:1'}).json
        assert set(ends(report)) <= {'king', 'fifty'}, ends(report)


main()
