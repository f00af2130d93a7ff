#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bot_server.py [--port N] [--think MS] [--max-concurrent N] [--break NAME]... [--fault NAME[=N]]

A small reference server of the bot protocol for tests: it plays random legal turns, in Python's
standard library alone, on the loopback interface only. Rules it takes from `hazard query` when the
environment has HAZARD; without that it can only choose from the trees it is sent.

--fault makes its answers to `yourTurn` bad in one way; --break leaves out one thing that the
protocol asks for. Both are there to show that our side notices. Keys come from the environment
(DICECHESS_WEBHOOK_SECRET, DICECHESS_WEBHOOK_NEXT_SECRET). The first line of its output is its
address. It ends when its standard input does.
"""
import argparse
import base64
import hashlib
import hmac
import http.server
import json
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time

MICRO_MOVE = re.compile(r'[a-h][1-8][a-h][1-8][qrbn]?\Z')
MAX_BODY = 1 << 20
BREAKS = """accept-any-signature accept-late accept-early accept-upper accept-short accept-twice
accept-stamp case-sensitive no-pending no-active no-proof any-nonce any-verification active-proof
no-verification strict-members any-seat any-pending any-side any-clock no-rules busy-pass
needs-clocks needs-number offers-draws no-cache no-stale get-answers reads-all no-limit any-depth
any-key any-double slow no-draws draw-text any-type dies fragile no-capacity no-chunks any-length
closes no-continue any-path plain-text accept-one-bit accept-unsigned accept-unstamped accept-blanks
trims-body any-number parses-first any-text type-first any-game any-name any-version any-dfen
any-clocks any-state forgets-increment forgets-draw tree-order no-doubling any-decision
double-text narrow-time any-array refuses-expect guesses fischer-only""".split()


class Refusal(Exception):
    def __init__(self, status, code):
        super().__init__(code)
        self.status, self.code = status, code


def invalid():
    return Refusal(400, 'invalid_request')


class Rules:
    """The legal turns of a position, by `hazard query`."""

    def __init__(self, command):
        self.lock = threading.Lock()
        self.child = command and subprocess.Popen([command, 'query'], stdin=subprocess.PIPE,
                                                  stdout=subprocess.PIPE, text=True)

    def ask(self, **query):
        """The result, None without rules; ValueError for a bad position."""
        if not self.child:
            return None
        with self.lock:
            self.child.stdin.write(json.dumps(query) + '\n')
            self.child.stdin.flush()
            reply = json.loads(self.child.stdout.readline())
        if 'error' in reply:
            raise ValueError(reply['error']['message'])
        return reply['result']

    def close(self):
        if self.child:
            self.child.stdin.close()
            self.child.wait()
            self.child.stdout.close()


def whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2 ** 53


def no_doubles(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError('a double key')
    return dict(pairs)


def is_board(text):
    """Whether this is a placement of pieces; all that is known without rules."""
    ranks = text.split('/')
    return len(ranks) == 8 and all(
        re.fullmatch('[1-8pnbrqkPNBRQK]+', rank) and
        sum(int(c) if c.isdigit() else 1 for c in rank) == 8 for rank in ranks)


class Pairs(list):
    """An object with a key that stands twice."""


def pairs_or_dict(pairs):
    names = [name for name, _ in pairs]
    return dict(pairs) if len(set(names)) == len(names) else Pairs(pairs)


class Bot:
    """Everything but the transport."""

    def __init__(self, key, next_key=None, think_ms=0, max_concurrent=8, breaks=(), fault=None,
                 fault_after=0, hazard=os.environ.get('HAZARD')):
        for name in breaks:
            assert name in BREAKS, name
        self.key, self.next_key = key.encode(), next_key and next_key.encode()
        self.think_ms, self.breaks, self.fault = think_ms, set(breaks), fault
        self.fault_after = fault_after
        self.free = threading.Semaphore(max_concurrent)
        self.rules = Rules(None if 'no-rules' in self.breaks else hazard)
        self.lock = threading.Lock()
        self.cache = {}
        self.asked = 0
        self.seen = []

    # ---- signatures

    def signed(self, stamps, signatures, body):
        """The keys under which the request is good: a set of 'active' and 'pending'."""
        lax = self.breaks
        if 'accept-any-signature' in lax:
            return {'active', 'pending'}
        if 'accept-twice' in lax:
            stamps, signatures = stamps[:1], signatures[:1]
        if 'parses-first' in lax:
            try:
                json.loads(body)
            except (ValueError, RecursionError):
                raise invalid()
        if ('accept-unsigned' in lax and not signatures) or ('accept-unstamped' in lax and not stamps):
            return {'active', 'pending'}
        if len(stamps) != 1 or len(signatures) != 1:
            raise Refusal(401, 'unauthorized')
        stamp, signature = stamps[0], signatures[0]
        if 'accept-upper' in lax:
            signature = signature.lower()
        number = r'\s*[+]?[0-9]+' if 'accept-stamp' in lax else r'(0|[1-9][0-9]*)'
        form = r'[0-9a-f]{63,64}' if 'accept-short' in lax else r'[0-9a-f]{64}'
        if not re.fullmatch(number, stamp) or not re.fullmatch(form, signature):
            raise Refusal(401, 'unauthorized')
        off = int(stamp) - time.time()
        spelled = [stamp]
        if 'accept-blanks' in lax and stamp == '1':
            spelled, off = ['1', ' 1', '  1'], 0
        if (off < -301 and 'accept-late' not in lax) or (off > 300 and 'accept-early' not in lax):
            raise Refusal(401, 'unauthorized')
        if 'narrow-time' in lax and abs(off) > 200:
            raise Refusal(401, 'unauthorized')
        good = set()
        for name, key in (('active', self.key), ('pending', self.next_key)):
            if key:
                for written in spelled:
                    seen = body.rstrip(b' ') if 'trims-body' in lax else body
                    digest = hmac.new(key, written.encode() + b'.' + seen, hashlib.sha256).hexdigest()
                    if 'accept-short' in lax and len(signature) == 63:
                        digest = digest[:63]
                    if 'accept-one-bit' in lax:
                        digest = digest[:31] + signature[31:32] + digest[32:]
                    if hmac.compare_digest(digest, signature):
                        good.add(name)
        if not good:
            raise Refusal(401, 'unauthorized')
        return good

    # ---- deliveries

    def answer(self, body, keys):
        try:
            text = body.decode('utf-8')
            request = json.loads(text, object_pairs_hook=pairs_or_dict)
        except (ValueError, RecursionError):
            if 'fragile' in self.breaks:
                os._exit(3) if 'dies' in self.breaks else None
                raise Refusal(500, 'internal_error')
            raise invalid()
        if 'any-array' in self.breaks and isinstance(request, list):
            return {}
        if not isinstance(request, dict):
            raise invalid()
        kind = request.get('type')
        if not isinstance(kind, str) or ('type-first' in self.breaks and next(iter(request)) != 'type'):
            raise invalid()
        if kind == 'verification':
            return self.verify(request, body, keys)
        if 'no-active' in self.breaks and 'active' in keys:
            raise Refusal(401, 'unauthorized')
        if 'no-pending' in self.breaks and 'active' not in keys:
            raise Refusal(401, 'unauthorized')
        if kind == 'yourTurn':
            return self.turn(request)
        if kind == 'drawDecision' and 'no-draws' not in self.breaks:
            self.check(request, False)
            return {'acceptDraw': 'no' if 'draw-text' in self.breaks else False}
        if kind in ('doubleOpportunity', 'doubleDecision') and 'no-doubling' not in self.breaks:
            return self.double(request, kind)
        if 'any-type' in self.breaks:
            return {}
        raise Refusal(400, 'unsupported_delivery')

    def verify(self, request, body, keys):
        nonce = request.get('nonce')
        if 'no-verification' in self.breaks:
            raise Refusal(400, 'unsupported_delivery')
        if not isinstance(nonce, str) or not nonce:
            raise invalid()
        if 'version' not in request:
            return {'nonce': nonce}
        version = request['version']
        if (type(version) is not int or version != 2) and 'any-verification' not in self.breaks:
            raise invalid()
        if 'any-nonce' not in self.breaks:
            try:
                plain = base64.urlsafe_b64decode(nonce + '=' * (-len(nonce) % 4))
            except ValueError:
                raise invalid()
            again = base64.urlsafe_b64encode(plain).decode().rstrip('=')
            if again != nonce or len(plain) < 16:
                raise invalid()
        bot = request.get('bot')
        texts = [request.get('setupId'), request.get('revision')]
        texts += [bot.get('team'), bot.get('name')] if isinstance(bot, dict) else [None]
        if not all(isinstance(text, str) and (text or 'any-text' in self.breaks) for text in texts):
            raise invalid()
        if 'pending' not in keys and 'active-proof' not in self.breaks:
            raise Refusal(401, 'unauthorized')
        proof = hmac.new(self.next_key or self.key, b'dicechess-webhook-activate-v2\n' + body,
                         hashlib.sha256).hexdigest()
        return {'nonce': nonce, 'proof': '0' * 64 if 'no-proof' in self.breaks else proof}

    def double(self, request, kind):
        """Declines, whatever it is about."""
        decision = self.check(request, False)['doubling']['decision']
        name = 'offerDouble' if kind == 'doubleOpportunity' else 'acceptDouble'
        return {'decisionId': 'x' if 'any-decision' in self.breaks else decision['id'],
                name: 'no' if 'double-text' in self.breaks else False}

    def check(self, request, dice):
        """The members of a game request."""
        state, lax = request.get('state'), self.breaks
        if 'any-state' in lax and not isinstance(state, dict):
            state = request['state'] = request['x']
        if not isinstance(state, dict):
            raise invalid()
        if 'any-name' in lax and request.get('seat') == 'Green':
            request['seat'] = 'White'
        seat, game = request.get('seat'), request.get('gameId')
        if seat not in ('White', 'Black') or not isinstance(game, str) or (
                game.strip() in ('', '.', '..') and 'any-game' not in lax):
            raise invalid()
        if not whole(state.get('version')):
            if 'any-version' not in lax:
                raise invalid()
            state['version'] = str(state.get('version'))
        if not isinstance(state.get('dfen'), str):
            raise invalid()
        if state.get('activeSeat') not in ('White', 'Black'):
            raise invalid()
        if state['activeSeat'] != seat and 'any-seat' not in lax:
            raise invalid()
        if state.get('dicePending') is not dice and 'any-pending' not in lax:
            raise invalid()
        if 'strict-members' in lax and not set(state) <= {
                'version', 'dfen', 'activeSeat', 'dicePending', 'legalMoves', 'clocks',
                'timeControl', 'mayOfferDraw', 'drawOffer'}:
            raise invalid()
        fields = state['dfen'].split(' ')
        if not is_board(fields[0]) and 'any-dfen' not in lax:
            raise invalid()
        if len(fields) < 2 or (fields[1] != seat[0].lower() and 'any-side' not in lax):
            raise invalid()
        try:
            self.rules.ask(query='counts', dfen=state['dfen'])
        except ValueError:
            if 'any-dfen' not in lax:
                raise invalid()
        clocks = state.get('clocks')
        if 'needs-clocks' in lax and clocks is None:
            raise invalid()
        if 'any-clocks' in lax and not isinstance(clocks, dict):
            clocks = state['clocks'] = None
        if clocks is not None:
            if not isinstance(clocks, dict) or not all(
                    whole(clocks.get(color)) or 'any-clock' in lax for color in ('white', 'black')):
                raise invalid()
        if 'fischer-only' in lax and 'Fischer' not in (state.get('timeControl') or {}):
            raise invalid()
        if 'needs-number' in lax:
            for control in (state.get('timeControl') or {}).values():
                if not all(whole(value) for value in control.values()):
                    raise invalid()
        return state

    def check_tree(self, tree, depth=0):
        """Counts the nodes."""
        lax = self.breaks
        if isinstance(tree, Pairs):
            if 'any-double' not in lax:
                raise invalid()
            tree = dict(tree)  # the last of two counts, here and when it chooses
        if not isinstance(tree, dict) or (depth > 3 and 'any-depth' not in lax):
            raise invalid()
        nodes = 1
        for key, below in tree.items():
            if not MICRO_MOVE.match(key) and 'any-key' not in lax:
                raise invalid()
            nodes += self.check_tree(below, depth + 1)
        return nodes

    def turn(self, request):
        state = self.check(request, True)
        tree = state.get('legalMoves')
        if tree is not None and self.check_tree(tree) > 200000:
            raise invalid()
        lax = self.breaks
        if isinstance(tree, Pairs):
            tree = state['legalMoves'] = dict(tree)
        fischer = (state.get('timeControl') or {}).get('Fischer') or {}
        increment = None if 'forgets-increment' in lax else fischer.get('incrementSeconds')
        offer = None if 'forgets-draw' in lax else state.get('mayOfferDraw') is True
        inputs = json.dumps([state['dfen'], increment, offer, tree],
                            sort_keys='tree-order' not in lax)
        key = (request['gameId'], request['seat'], state['version'])
        if 'no-cache' in self.breaks:
            return self.decide(request, state, tree)
        with self.lock:
            entry = self.cache.get(key)
            mine = entry is None
            if mine:
                entry = self.cache[key] = {'inputs': inputs, 'done': threading.Event()}
        if entry['inputs'] != inputs and 'no-stale' not in self.breaks:
            raise Refusal(409, 'stale_context')
        if not mine:
            entry['done'].wait()
            if 'answer' in entry:
                return entry['answer']
            raise Refusal(503, 'capacity_exceeded')
        try:
            entry['answer'] = self.decide(request, state, tree)
        except BaseException:
            with self.lock:
                del self.cache[key]
            raise
        finally:
            entry['done'].set()
        return entry['answer']

    def decide(self, request, state, tree):
        if not self.free.acquire(blocking='no-capacity' in self.breaks):
            raise Refusal(503, 'capacity_exceeded')
        try:
            return self.choose(request, state, tree)
        finally:
            self.free.release()

    def choose(self, request, state, tree):
        with self.lock:
            self.asked += 1
        think = self.think_ms
        clocks = state.get('clocks')
        if clocks:
            left = clocks[request['seat'].lower()]
            # A clock that is nearly down is what a slow server does not look at.
            think = 1000 if 'slow' in self.breaks and left < 1000 else min(think, left / 100)
        time.sleep(max(think, 0) / 1000)
        moves = []
        if tree is None:
            turns = self.rules.ask(query='turns', dfen=state['dfen'])
            if turns is None:
                raise Refusal(503, 'missing_legal_moves')
            moves = random.choice(turns) if turns else []
            if 'guesses' in self.breaks:
                moves = ['a1a1']
        else:
            while tree:
                move = random.choice(list(tree))
                moves.append(move)
                tree = tree[move]
        if 'busy-pass' in self.breaks and not moves:
            moves = ['a1a1']
        answer = {'moves': moves}
        if 'no-cache' in self.breaks:
            answer['serial'] = self.asked  # the same moves by chance are no memory
        if 'offers-draws' in self.breaks:
            answer['offerDraw'] = True
        return answer


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    timeout = 60
    disable_nagle_algorithm = True

    @property
    def bot(self):
        return self.server.bot

    def log_message(self, *_):
        pass

    def handle_expect_100(self):
        # do_POST says it after it has looked at the size.
        return True

    def finish(self):
        try:
            super().finish()
        except OSError:
            pass

    def reply(self, status, answer):
        body = json.dumps(answer, separators=(',', ':')).encode()
        self.reply_bytes(status, body)

    def reply_bytes(self, status, body, headers=()):
        self.send_response(status)
        self.send_header('Content-Type', 'text/plain' if 'plain-text' in self.bot.breaks
                         else 'application/json')
        self.send_header('Cache-Control', 'no-store')
        self.send_header('Content-Length', str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        if self.close_connection or 'closes' in self.bot.breaks:
            self.close_connection = True
            self.send_header('Connection', 'close')
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def refuse(self, refusal):
        self.reply(refusal.status, {'error': refusal.code})

    def other_method(self):
        if 'get-answers' in self.bot.breaks:
            return self.reply(200, {})
        self.close_connection = True
        return self.refuse(Refusal(405, 'invalid_request'))

    do_GET = do_PUT = do_DELETE = do_HEAD = do_PATCH = other_method

    def read_chunks(self):
        body = b''
        while True:
            line = self.rfile.readline(100)
            size = int(line.split(b';')[0], 16)
            if len(body) + size > MAX_BODY and 'no-limit' not in self.bot.breaks:
                if 'reads-all' not in self.bot.breaks:
                    raise Refusal(413, 'invalid_request')
            body += self.rfile.read(size)
            if self.rfile.readline(10).strip():
                raise invalid()
            if size == 0:
                break
        if len(body) > MAX_BODY and 'no-limit' not in self.bot.breaks:
            raise Refusal(413, 'invalid_request')
        return body

    def read_body(self):
        lax = self.bot.breaks
        lengths = self.headers.get_all('Content-Length', [])
        codings = self.headers.get_all('Transfer-Encoding', [])
        self.close_connection = True  # unless all goes well
        if 'any-length' in lax:
            lengths = lengths[:1]
            if codings:
                lengths = []
        if (lengths and codings) or len(set(lengths)) > 1 or (codings and 'no-chunks' in lax):
            raise invalid()
        if 'any-number' in lax and lengths:
            lengths = [re.sub('[^0-9]', '', lengths[0])]
        if lengths and not re.fullmatch('[0-9]{1,15}', lengths[0]):
            raise invalid()
        if not lengths and not codings:
            raise invalid()
        length = int(lengths[0]) if lengths else 0
        if length > MAX_BODY and not {'reads-all', 'no-limit'} & lax:
            raise Refusal(413, 'invalid_request')
        if 'refuses-expect' in lax and self.headers.get('Expect'):
            raise Refusal(417, 'invalid_request')
        if (self.headers.get('Expect', '').lower() == '100-continue' and
                'no-continue' not in lax):
            self.send_response_only(100)
            self.end_headers()
        body = self.read_chunks() if codings else self.rfile.read(length)
        if len(body) > MAX_BODY and 'no-limit' not in lax:
            raise Refusal(413, 'invalid_request')
        self.close_connection = self.headers.get('Connection', '').lower() == 'close'
        return body

    def header(self, name):
        values = self.headers.get_all(name, [])
        if 'case-sensitive' in self.bot.breaks:
            values = [value for key, value in self.headers.items() if key == name]
        # The parser strips blanks, which belong to a value that was sent twice padded.
        return values

    def do_POST(self):
        bot = self.bot
        try:
            if self.path != '/api/webhook' and 'any-path' not in bot.breaks:
                self.close_connection = True
                raise Refusal(404, 'not_found')
            body = self.read_body()
            bot.seen.append(body)
            keys = bot.signed(self.header('X-DiceChess-Timestamp'),
                              self.header('X-DiceChess-Signature'), body)
            if self.misbehave(body):
                return
            self.reply(200, bot.answer(body, keys))
        except Refusal as refusal:
            try:
                self.refuse(refusal)
            except OSError:
                pass
        except OSError:
            self.close_connection = True

    # ---- faults

    def misbehave(self, body):
        """Answers badly when that was asked for. True: it did."""
        bot = self.bot
        if not bot.fault or b'"yourTurn"' not in body:
            return False
        name, _, argument = bot.fault.partition('=')
        with bot.lock:
            bot.asked += 1
            if bot.asked <= bot.fault_after:
                bot.asked_well = True
                return False
        if name == 'late':
            time.sleep(int(argument) / 1000)
            return False
        if name == 'flaky':
            again = body in bot.cache
            bot.cache[body] = True
            if not again:
                raise Refusal(int(argument or 503), 'capacity_exceeded')
            self.reply(200, bot.choose(json.loads(body), json.loads(body)['state'],
                                       json.loads(body)['state']['legalMoves']))
            return True
        if name == 'status':
            self.reply_bytes(int(argument), b'{"error":"internal_error"}')
        elif name == 'redirect':
            self.reply_bytes(302, b'', [('Location', '/api/webhook')])
        elif name == 'garbled':
            self.reply_bytes(200, b'{"moves":')
        elif name == 'kinds':
            self.reply_bytes(200, b'{"moves":[1,2]}')
        elif name == 'deep':
            self.reply_bytes(200, b'{"moves":' + b'[' * 20000 + b']' * 20000 + b'}')
        elif name == 'illegal':
            self.reply_bytes(200, b'{"moves":["a1a1"]}')
        elif name == 'part':
            tree = json.loads(body)['state']['legalMoves']
            self.reply(200, {'moves': [next((m for m in tree if tree[m]), 'a1a1')]})
        elif name == 'decline':
            self.reply_bytes(200, b'{"moves":[]}')
        elif name == 'resign':
            self.reply_bytes(200, b'{"moves":[],"resign":true}')
        elif name == 'oversized':
            self.reply_bytes(200, b'{"moves":[]' + b' ' * 70000 + b'}')
        elif name == 'oversized-chunks':
            self.wfile.write(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' +
                             (b'4000\r\n' + b' ' * 0x4000 + b'\r\n') * 5 + b'0\r\n\r\n')
        elif name == 'drop':
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        elif name == 'half':
            self.close_connection = True
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"moves":')
        elif name == 'no-http':
            self.close_connection = True
            self.wfile.write(b'SSH-2.0-OpenSSH_9.2\r\n\r\n')
        elif name == 'dribble':
            self.close_connection = True
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
            for _ in range(int(argument)):
                self.wfile.write(b' ')
                time.sleep(0.05)
        else:
            raise AssertionError(name)
        return True


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, bot, port=0):
        super().__init__(('127.0.0.1', port), Handler)
        self.bot = bot
        self.url = f'http://127.0.0.1:{self.server_address[1]}/api/webhook'

    def handle_error(self, *_):
        pass

    def __enter__(self):
        self.thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()
        self.bot.rules.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--port', type=int, default=0)
    parser.add_argument('--think', type=int, default=0)
    parser.add_argument('--max-concurrent', type=int, default=8)
    parser.add_argument('--break', action='append', default=[], dest='breaks', choices=BREAKS)
    parser.add_argument('--fault')
    parser.add_argument('--fault-after', type=int, default=0)
    options = parser.parse_args()
    key = os.environ.get('DICECHESS_WEBHOOK_SECRET')
    if not key:
        sys.exit('DICECHESS_WEBHOOK_SECRET is not set')
    bot = Bot(key, os.environ.get('DICECHESS_WEBHOOK_NEXT_SECRET') or None, options.think,
              options.max_concurrent, options.breaks, options.fault, options.fault_after)
    with Server(bot, options.port) as server:
        print(server.url, flush=True)
        sys.stdin.read()


if __name__ == '__main__':
    main()
