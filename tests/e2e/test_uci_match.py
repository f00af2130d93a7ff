# SPDX-License-Identifier: MIT
"""Games of `hazard uci` against other chess programs, judged by tools/uci-match.py: no lost
connection, no illegal move, no time loss. HAZARD_MATCH_GAMES=100 plays more, for patient people.
The matches run side by side: what is tested is how the games end, and in each one program thinks."""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys

from harness import HAZARD, Skip, main, same, test

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tools/uci-match.py')
GAMES = os.environ.get('HAZARD_MATCH_GAMES', '10')


STOCKFISH, GNUCHESS = 'stockfish', 'gnuchess --uci'
CLUB = 'stockfish|UCI_LimitStrength=true|UCI_Elo=1350'


def play(opponent):
    """Games against an opponent, fast, with a margin for a busy machine."""
    for name in ['stockfish', opponent.split()[0].split('|')[0]]:
        if not (shutil.which(name) or shutil.which(name, path='/usr/games')):
            raise Skip(f'{name} is not installed')
    done = subprocess.run([sys.executable, TOOL, '--engine', f'{HAZARD} uci', '--engine', opponent,
                           '--games', GAMES, '--base', '0.4', '--increment', '0.005',
                           '--margin', '0.5', '--json'],
                          capture_output=True, timeout=3600, check=False)
    result = json.loads(done.stdout)
    for game in result['games']:
        assert not game['reason'].startswith(HAZARD), game
    same(len(result['games']), int(GAMES))
    return result


_pool = concurrent.futures.ThreadPoolExecutor(3)
_matches = {opponent: _pool.submit(play, opponent) for opponent in (STOCKFISH, GNUCHESS, CLUB)}


def match(opponent):
    return _matches[opponent].result()


@test
def games_against_stockfish_end_by_the_rules():
    match(STOCKFISH)


@test
def games_against_gnuchess_end_by_the_rules():
    match(GNUCHESS)


@test
def a_club_player_is_beaten():
    points = match(CLUB)['points']
    assert points >= 0.6 * int(GAMES), points


main()
