# SPDX-License-Identifier: MIT
"""A match of two foreign engines, and its games replayed by a third program: every move legal, every
end and every result as the arena says."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from harness import Skip, main, run, same, test

PATHS = os.environ['PATH'] + ':/usr/games'
OPENINGS = ('r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',
            'rnbqkb1r/pp1ppppp/5n2/2p5/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3')


def engine(name):
    path = shutil.which(name, path=PATHS)
    if not path:
        raise Skip(f'there is no {name}')
    return path


class Replayer:
    """Stockfish as a referee: it knows the legal moves, checks and positions by itself."""

    def __init__(self):
        self.process = subprocess.Popen([engine('stockfish')], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, *lines, until):
        for line in lines:
            self.process.stdin.write(line + '\n')
        self.process.stdin.flush()
        answer = []
        while True:
            answer.append(self.process.stdout.readline())
            assert answer[-1], f'stockfish ended after {lines}'
            if re.match(until, answer[-1]):
                return ''.join(answer)

    def look(self, start, moves):
        """Legal moves, FEN and whether the side to move is in check, after these moves."""
        position = f'position fen {start}' + (' moves ' + ' '.join(moves) if moves else '')
        listed = self.ask(position, 'go perft 1', until='Nodes searched')
        shown = self.ask('d', until='Checkers:')
        return (set(re.findall(r'^(\w+): 1$', listed, re.M)), re.search('Fen: (.*)', shown)[1],
                bool(re.search(r'Checkers: *\S', shown)))

    def close(self):
        self.process.stdin.write('quit\n')
        self.process.stdin.flush()
        self.process.wait(timeout=20)


def replay(referee, game):
    """The end and the result that the rules give to a game of the log."""
    moves, seen = [], {}
    for turn in [*game['turns'], None]:
        legal, fen, check = referee.look(game['start'], moves)
        key = ' '.join(fen.split()[:4])
        seen[key] = seen.get(key, 0) + 1
        mover_is_white = fen.split()[1] == 'w'
        if not legal:
            assert turn is None, (game['pair'], moves)
            return ('checkmate', '0-1' if mover_is_white else '1-0') if check else ('stalemate', '1/2-1/2')
        if turn is None:
            if seen[key] >= 3:
                return 'threefold', '1/2-1/2'
            if int(fen.split()[4]) >= 100:
                return 'fifty', '1/2-1/2'
            pieces = re.sub(r'[\d/kK]', '', fen.split()[0]).lower()
            assert pieces in ('', 'n', 'b', 'bb'), fen
            return 'dead_material', '1/2-1/2'
        assert seen[key] < 3 and int(fen.split()[4]) < 100, (game['pair'], fen)
        assert turn[0] is None and turn[1] in legal, (game['pair'], fen, turn)
        moves.append(turn[1])
    return None


def look_with_pgn_extract(pgn):
    """Moves and result of each game of a PGN file, and how many end how, as pgn-extract has it."""
    program = shutil.which('pgn-extract', path=PATHS)
    if not program:
        return None

    def extract(*options):
        done = subprocess.run([program, '-s', *options, pgn], capture_output=True, text=True, check=True)
        same(done.stderr, '')
        return [line for line in done.stdout.lower().splitlines() if line and line[0] != '[']

    games = [text.split() for text in extract('-Wuci', '-w100000')]
    return {'games': [(words[:-1], words[-1]) for words in games],
            'checkmate': len(extract('-M', '-w100000')),
            'stalemate': len(extract('--stalemate', '-w100000'))}


@test
def stockfish_against_gnuchess_ends_as_a_second_program_says():
    stockfish, gnuchess = engine('stockfish'), engine('gnuchess')
    with tempfile.TemporaryDirectory() as folder:
        log, starts = os.path.join(folder, 'log'), os.path.join(folder, 'starts')
        pgn = os.path.join(folder, 'pgn')
        with open(starts, 'w', encoding='utf-8') as out:
            out.write('\n'.join(OPENINGS) + '\n')
        report = run('arena', '--game', 'chess', '--a', f'uci:{stockfish} depth=3 option.Hash=1', '--b',
                     f'uci:{gnuchess} -u depth=3 option.OwnBook=false', '--pairs', '2', '-j', '2',
                     '--start', starts, '--games-log', log, '--games-record', pgn, '--verify',
                     '--json').json
        with open(log, encoding='utf-8') as lines:
            games = [json.loads(line) for line in lines]
        extracted = look_with_pgn_extract(pgn)
    same(len(games), 4)
    same(report['faults'], {'a': 0, 'b': 0})
    points, ends = [0, 0, 0], {}
    referee = Replayer()
    for game in games:
        end, result = replay(referee, game)
        same((game['end'], game['result']), (end, result), game['pair'])
        ends[end] = ends.get(end, 0) + 1
        won = 1 if result == '1/2-1/2' else 2 if (result == '1-0') == (game['a'] == 'white') else 0
        points[won] += 1
    referee.close()
    print('#', ends, points)
    same([report[key]['total'] for key in ('losses', 'draws', 'wins')], points)
    same({key: value for key, value in report['ends'].items() if value}, ends)
    same(report['plies']['mean'] * 4, sum(len(game['turns']) for game in games))
    if not extracted:
        print('# pgn-extract is not installed: the record was not read by it')
        return
    same(extracted['games'], [([turn[1] for turn in game['turns']], game['result']) for game in games])
    for end in ('checkmate', 'stalemate'):
        same(extracted[end], ends.get(end, 0), end)


main()
