#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small match between two chess engines that speak UCI, judged by a third.

    tools/uci-match.py --engine 'build/hazard uci' --engine 'stockfish|UCI_LimitStrength=true|UCI_Elo=1600'

An engine is a command, with options behind bars. Rules come from neither player but from a third
program (--judge, by default Debian's stockfish), which lists the legal moves of every position. What
this is for: that no connection is lost, no move is illegal, no clock runs out. Strength is better
measured by `hazard arena`, which knows statistics.
"""
import argparse
import json
import math
import queue
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
# Some first moves, so that games differ.
OPENINGS = ['e2e4 e7e5 g1f3 b8c6', 'd2d4 d7d5 c2c4 e7e6', 'e2e4 c7c5 g1f3 d7d6',
            'd2d4 g8f6 c2c4 g7g6', 'c2c4 e7e5 b1c3 g8f6', 'e2e4 e7e6 d2d4 d7d5',
            'e2e4 c7c6 d2d4 d7d5', 'g1f3 d7d5 g2g3 g8f6', 'e2e4 e7e5 f1c4 g8f6',
            'd2d4 f7f5 g2g3 g8f6']
PATIENCE_S = 30


class Failure(Exception):
    """An engine lost its game by what it did; its text says how."""


class Engine:
    def __init__(self, text):
        command, *options = text.split('|')
        self.name = text
        words = shlex.split(command)
        found = shutil.which(words[0]) or shutil.which(words[0], path='/usr/games')
        if not found:
            sys.exit(f'{words[0]}: not found')
        self.process = subprocess.Popen([found, *words[1:]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.send('uci')
        self.until('uciok')
        for option in options:
            name, _, value = option.partition('=')
            self.send(f'setoption name {name} value {value}')
        self.ready()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line.decode('utf-8', 'replace').strip()))
        self.lines.put((time.monotonic(), None))

    def send(self, line):
        try:
            self.process.stdin.write((line + '\n').encode())
            self.process.stdin.flush()
        except OSError as error:
            raise Failure('connection lost') from error

    def until(self, start, patience=PATIENCE_S):
        """The lines up to the first that begins so; when that came is self.when."""
        lines = []
        while True:
            try:
                self.when, line = self.lines.get(timeout=patience)
            except queue.Empty:
                raise Failure('no answer') from None
            if line is None:
                raise Failure('connection lost')
            lines.append(line)
            if line.startswith(start):
                return lines

    def ready(self):
        self.send('isready')
        self.until('readyok')

    def close(self):
        try:
            self.send('quit')
            self.process.wait(5)
        except (Failure, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


class Judge(Engine):
    """What a third engine says about a position."""

    def look(self, moves):
        self.send(f'position startpos moves {" ".join(moves)}')
        self.send('d')
        text = self.until('Checkers')
        fen = next(line[5:] for line in text if line.startswith('Fen: '))
        check = text[-1] != 'Checkers:'
        self.send('go perft 1')
        legal = {line.split(':')[0] for line in self.until('Nodes searched')
                 if re.match('[a-h][1-8][a-h][1-8][nbrq]?:', line)}
        return fen, check, legal


def dead(fen):
    pieces = ''.join(c for c in fen.split()[0].lower() if c.isalpha() and c != 'k')
    return pieces in ('', 'n', 'b')


def play(white, black, judge, opening, clock):
    """A game: (points of White, reason, moves)."""
    base, increment, margin = clock
    players, clocks = (white, black), [base, base]
    for player in players:
        player.send('ucinewgame')
        player.ready()
    moves, seen = opening.split(), {}
    for count in range(len(moves)):
        fen, _, _ = judge.look(moves[:count])
        key = ' '.join(fen.split()[:4])
        seen[key] = seen.get(key, 0) + 1
    while True:
        fen, check, legal = judge.look(moves)
        side = 0 if fen.split()[1] == 'w' else 1
        if not legal:
            return ((side if check else 0.5), 'mate' if check else 'stalemate', moves)
        key = ' '.join(fen.split()[:4])
        seen[key] = seen.get(key, 0) + 1
        if seen[key] >= 3:
            return 0.5, 'repetition', moves
        if int(fen.split()[4]) >= 100:
            return 0.5, 'fifty moves', moves
        if dead(fen):
            return 0.5, 'dead material', moves
        if len(moves) > 600:
            return 0.5, 'length', moves
        player = players[side]
        try:
            player.send(f'position startpos moves {" ".join(moves)}')
            begin = time.monotonic()
            left = [max(0, int(1000 * time_left)) for time_left in clocks]
            player.send(f'go wtime {left[0]} btime {left[1]} '
                        f'winc {int(1000 * increment)} binc {int(1000 * increment)}')
            answer = player.until('bestmove', clocks[side] + 5)[-1].split()
            clocks[side] -= player.when - begin
            if clocks[side] < -margin:
                raise Failure(f'{-1000 * clocks[side]:.0f} ms over its time')
            if len(answer) < 2 or answer[1] not in legal:
                raise Failure(f'illegal move {" ".join(answer[1:2])} in {fen}')
        except Failure as failure:
            return side, f'{player.name}: {failure}', moves
        clocks[side] = max(clocks[side], 0) + increment
        moves.append(answer[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--engine', action='append', required=True, help='COMMAND[|OPTION=VALUE...]')
    parser.add_argument('--judge', default='stockfish', help='who knows the rules')
    parser.add_argument('--games', type=int, default=20)
    parser.add_argument('--base', type=float, default=1.0, help='seconds a game')
    parser.add_argument('--increment', type=float, default=0.02, help='seconds a move')
    parser.add_argument('--margin', type=float, default=0.0,
                        help='seconds an answer may be late, for a busy machine')
    parser.add_argument('--json', action='store_true', help='one object with everything')
    options = parser.parse_args()
    if len(options.engine) != 2:
        parser.error('two engines play')
    judge, engines = Judge(options.judge), [Engine(text) for text in options.engine]
    games, points, broken = [], 0.0, 0
    for number in range(options.games):
        swap = number % 2
        white, black = engines[swap], engines[1 - swap]
        opening = OPENINGS[number // 2 % len(OPENINGS)]
        result, reason, moves = play(white, black, judge, opening,
                                     (options.base, options.increment, options.margin))
        own = 1 - result if swap else result
        points += own
        fault = ': ' in reason
        broken += fault
        games.append({'white': white.name, 'points': own, 'reason': reason, 'moves': len(moves)})
        if not options.json:
            print(f'{number + 1:3}  {own:3}  {len(moves):3} moves  {reason}', flush=True)
        if fault:
            # A new process for whoever hung or died.
            for player in engines:
                player.close()
            engines = [Engine(text) for text in options.engine]
    for player in engines + [judge]:
        player.close()
    share = points / options.games
    elo = -400 * math.log10(1 / share - 1) if 0 < share < 1 else math.copysign(math.inf, share - .5)
    if options.json:
        print(json.dumps({'games': games, 'points': points, 'faults': broken}))
    else:
        print(f'{points} of {options.games}, {elo:+.0f} Elo; games lost by a fault: {broken}')
    sys.exit(1 if broken else 0)


if __name__ == '__main__':
    main()
