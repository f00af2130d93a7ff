# SPDX-License-Identifier: MIT
"""Orthodox chess from the command line: counts of legal moves equal to published ones and to those
of Debian's stockfish, on fixed and on random positions; positions looked at."""
import os
import pathlib
import random
import shutil
import subprocess

from harness import KIWIPETE, START, Skip, main, run, same, test

DATA = pathlib.Path(__file__).resolve().parents[1] / 'data'
STOCKFISH = shutil.which('stockfish', path=os.environ.get('PATH', '') + ':/usr/games')
SEED = int(os.environ.get('HAZARD_TEST_SEED') or random.SystemRandom().randrange(2 ** 53))
EFFORT = float(os.environ.get('HAZARD_TEST_EFFORT') or 1)


class Stockfish:
    """The other engine, asked for counts only."""

    def __init__(self):
        if not STOCKFISH:
            raise Skip('stockfish is not installed')
        self.process = subprocess.Popen([STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate('quit\n', timeout=20)

    def ask(self, *lines, last):
        self.process.stdin.write(''.join(line + '\n' for line in lines))
        answer = []
        for line in self.process.stdout:
            answer.append(line.strip())
            if line.startswith(last):
                return answer
        raise AssertionError('stockfish ended')

    def divide(self, position, depth):
        """move -> leaves below it."""
        lines = self.ask(f'position {position}', f'go perft {depth}', last='Nodes searched')
        pairs = (line.split(': ') for line in lines if ': ' in line and line[0] in 'abcdefgh')
        return {move: int(count) for move, count in pairs}

    def fen(self, position):
        return self.ask(f'position {position}', 'd', last='Checkers')[-3].removeprefix('Fen: ')


def facts():
    lines = (DATA / 'chess_perft.tsv').read_text().splitlines()
    return [line.split('\t') for line in lines if line and not line.startswith('#')]


@test
def perft_of_chess_counts_what_was_published():
    positions = facts()
    assert len(positions) >= 30, len(positions)
    for fen, depth, leaves in positions:
        same(run('perft', '--chess', '--json', '--depth', depth, fen).json['nodes'], int(leaves), fen)
    assert run('perft', '-c', '-d', '4', 'start').out.startswith('197281 nodes')
    same(run('perft', '--chess', '--depth', '0', '--json', START).json['nodes'], 1)


@test
def perft_of_chess_divided_adds_up():
    result = run('perft', '--chess', '--depth', '3', '--divide', '--json', KIWIPETE).json
    same((sum(result['divide'].values()), result['nodes'], result['fen']), (97862, 97862, KIWIPETE))
    same(list(result['divide']), sorted(result['divide']))
    same(result['divide']['e1g1'], 2059)
    text = run('perft', '--chess', '--depth', '2', '-D', KIWIPETE).out
    assert text.endswith('total  2039\n') and 'e1c1   43\n' in text
    same(run('perft', '--chess', '-D', '-d', '1', '8/8/8/8/8/1k6/q7/K7 w - - 0 1').out, 'total  0\n')


@test
def stockfish_counts_the_same_on_fixed_positions():
    with Stockfish() as other:
        for fen, depth, _ in facts():
            ours = run('perft', '--chess', '--json', '--divide', '--depth', depth, fen).json['divide']
            same(ours, other.divide(f'fen {fen}', depth), fen)


@test
def stockfish_counts_the_same_on_random_positions():
    print(f'# HAZARD_TEST_SEED={SEED} repeats this run')
    chance = random.Random(SEED)
    starts = [START, KIWIPETE, '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
              'n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1', 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1']
    with Stockfish() as other:
        for number in range(max(1, int(40 * EFFORT))):
            start, moves = starts[number % len(starts)], []
            for _ in range(chance.randrange(60)):
                position = ' '.join([f'fen {start} moves', *moves])
                choices = sorted(other.divide(position, 1))
                if not choices:
                    break
                moves.append(chance.choice(choices))
            position = ' '.join([f'fen {start} moves', *moves])
            fen = other.fen(position)
            ours = run('perft', '--chess', '--json', '--divide', '--depth', '3', fen).json['divide']
            same(ours, other.divide(position, 3), position)


@test
def a_chess_position_shows_how_it_stands():
    start = run('position', '--chess', '--json', 'start').json
    same((start['fen'], start['playable'], start['reason'], start['check'], start['end']),
         (START, True, None, False, 'none'))
    same((len(start['moves']), start['moves']['g1f3']), (20, 'Nf3'))
    mate = run('position', '--chess', '--json',
               'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3').json
    same((mate['check'], mate['end'], mate['moves']), (True, 'checkmate', {}))
    text = run('position', '--chess', '8/P3k3/8/8/8/8/8/4K3 w - - 0 1').out
    for part in ('playable   yes', 'moves      9', 'a8=Q', 'a8=N', 'Kd2'):
        assert part in text, part
    # A clock that DFEN does not take.
    assert '- 200 150' in run('position', '--chess', '4k3/8/8/8/8/8/8/4K2R w K - 200 150').out


@test
def what_is_no_chess_position_is_told_with_its_reason():
    for fen, reason in (('8/8/8/8/8/8/8/8 w - - 0 1', 'White has no king'),
                        ('4k3/8/8/8/8/8/8/4K3 w K - 0 1', "the right 'K'"),
                        ('4k2P/8/8/8/8/8/8/4K3 w - - 0 1', 'a pawn stands on h8'),
                        ('4k3/8/8/8/8/8/8/4K2r b - - 0 1', "White's king could be taken")):
        result = run('position', '--chess', '--json', fen, code=1).json
        assert not result['playable'] and reason in result['reason'], result
        assert reason in run('position', '--chess', fen, code=1).out
    assert 'FIELD_COUNT' in run('position', '--chess', START + ' PNB', code=2).err
    assert 'HALFMOVE' in run('perft', '--chess', START.replace('0 1', 'x 1'), code=2).err
    run('perft', '--chess', '--turns', START, code=2)
    run('perft', '--chess', code=2)


main()
