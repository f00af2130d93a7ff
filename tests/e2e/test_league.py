# SPDX-License-Identifier: MIT
"""`hazard league` as a contestant and an organiser use it."""
import contextlib
import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile

import onnx_write as onnx
from harness import HAZARD, main, run, same, test

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Folder:
    """A scratch folder with files and a store."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.path = self._folder.name
        self.db = self.file('league.db')
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def file(self, name, content=None):
        path = os.path.join(self.path, name)
        if content is not None:
            pathlib.Path(path).write_bytes(content)
        return path


def league(*arguments, **options):
    return run('league', *arguments, **options)


@test
def check_tells_what_a_file_counts():
    with Folder() as folder:
        path = folder.file('m.onnx', onnx.material())
        answer = league('check', path, '--json').json
        same(answer['accepted'], True)
        same((answer['parameters'], answer['common_parameters'], answer['information_bits']),
             (1540, 1540, 1540 * 32))
        same((answer['executor'], answer['batched'], answer['warnings']), ('builtin', True, []))
        assert '1540 parameters' in league('check', path).out


@test
def check_refuses_with_code_and_reason():
    two = onnx.Graph([onnx.node('Relu', ['board'], ['score'])],
                     inputs=[onnx.port('board', ['n', 1539])])
    cases = {
        'E01': b'',
        'E02': b'no model at all',
        'E03': onnx.model(onnx.Graph([onnx.node('Relu', ['board'], ['score'])]), opset=9999),
        'E06': onnx.model(two),
        'E07': onnx.model(onnx.Graph([onnx.node('Relu', ['board'], ['score'])],
                                     outputs=[onnx.port('score', ['n', 1540])])),
        'E08': onnx.model(onnx.Graph([onnx.node('RandomNormalLike', ['board'], ['score'])])),
        'E09': onnx.model(onnx.Graph([onnx.node('Relu', ['bored'], ['score'])])),
        'E11': onnx.model(onnx.Graph([onnx.node('Relu', ['board'], ['score'])])),
    }
    with Folder() as folder:
        for code, content in cases.items():
            path = folder.file(code, content)
            answer = league('check', path, '--json', '--executor', 'builtin', code=1).json
            same((answer['accepted'], answer['code']), (False, code), answer)
            assert answer['message'], code
            assert code in league('check', path, '-x', 'builtin', code=1).out
            same(league('run', path, '-x', 'builtin', '--json', code=1).json['code'], code)


@test
def run_plays_the_same_with_any_number_of_threads():
    with Folder() as folder:
        path = folder.file('m.onnx', onnx.material())
        pgn = [folder.file(f'{n}.pgn') for n in (1, 3)]
        one = league('run', path, '--json', '--threads', '1', '--save', pgn[0]).json
        three = league('run', path, '--json', '--threads', '3', '--save', pgn[1]).json
        for answer in (one, three):
            del answer['slowest_position_ms']
        same(one, three)
        same(pathlib.Path(pgn[0]).read_text(), pathlib.Path(pgn[1]).read_text())
        same(pathlib.Path(pgn[0]).read_text().count('[Event '), 50)
        same(one['level'], 0)
        same([level['played'] for level in one['levels']], [50])
        here = league('run', 'material', '--json').json
        same(here['levels'], one['levels'], 'in a child and here')


@test
def run_takes_a_private_set_of_openings():
    with Folder() as folder:
        own = folder.file('own', league('openings').out.encode())
        same(league('run', 'material', '--second', own, '--json').json['second'], None)
        positions = league('openings', '--fen').out.splitlines()
        lines = [line.split('\t') for line in league('openings').out.splitlines()]
        same([[o['eco'], o['name'], o['moves']] for o in league('openings', '--json').json], lines)
        same([o['fen'] for o in league('openings', '--json').json], positions)
        same((len(set(positions)), {line.split()[1] for line in positions}), (25, {'w'}))
        wrong = folder.file('wrong', b'A00\tname\te2e4 e7e5 g1f3 b8c6\n')
        result = league('run', 'material', '--second', wrong, code=2)
        assert 'there must be 25 openings' in result.err, result.err
        league('run', 'material', '--second', folder.file('none'), code=2)
        league('run', 'material', '--second', '-')


@test
def the_shipped_references_are_what_the_command_writes():
    with Folder() as folder:
        for name, parameters in (('material', 5), ('handcrafted', 0)):
            path = folder.file(name)
            same(league('reference', name, '--out', path, '--json').json,
                 {'file': path, 'name': name, 'bytes': pathlib.Path(path).stat().st_size})
            shipped = ROOT / 'models' / 'league' / f'{name}.onnx'
            same(pathlib.Path(path).read_bytes(), shipped.read_bytes(), name)
            same(league('check', path, '--json').json['parameters'], parameters)
        same(league('run', 'handcrafted', '--json').json['levels'][0]['points'], 25)
        league('reference', 'queen', '--out', folder.file('q'), code=2)


@test
def a_submission_is_played_once_and_shown_on_the_board():
    with Folder() as folder:
        path = folder.file('m.onnx', onnx.material())
        store = ('--db', folder.db)
        entry = league('submit', path, '--author', 'Ada', '--strategy', 'a vector', '--json',
                       *store).json
        same((entry['id'], entry['author'], entry['status'], entry['parameters'], entry['level']),
             (1, 'Ada', 'done', 1540, 0))
        again = league('submit', path, '--author', 'Bob', '--json', *store).json
        same(again, entry, 'the same bytes')
        board = league('board', '--json', *store).json
        same([(row['rank'], row['author'], row['parameters'], row['score'], row['status'],
               row['attempts']) for row in board],
             [(1, 'Ada', 1540, entry['score'], 'done', 1)])
        head, row = league('board', *store).out.splitlines()
        same(head.split(), ['rank', 'author', 'strategy', 'parameters', 'score', 'status',
                            'attempts', 'entry'])
        same([row[head.index(name):].split('  ')[0] for name in head.split()],
             ['1', 'Ada', 'a vector', '1540', entry['score'], 'done', '1', '1'])
        # The next file of the same author has to wait, a reference row has not.
        other = folder.file('r.onnx')
        league('reference', 'material', '--out', other)
        wait = league('submit', other, '--author', 'Ada', '--json', *store, code=1).json
        assert 0 < wait['wait_s'] <= 600, wait
        league('submit', other, '--author', 'Ada', '--reference', *store)
        board = league('board', '--json', *store).json
        same([(row['rank'], row['parameters'], row['status']) for row in board],
             [(1, 1540, 'done'), (None, 5, 'reference, not ranked')])
        # Games.
        games = league('games', '1', '--json', *store).json
        same(len(games), 50)
        same({game['level'] for game in games}, {1})
        points = sum({'win': 2, 'draw': 1, 'loss': 0}[game['result']] for game in games)
        same(points, 2 * entry['levels'][0]['points'])
        pgn = league('games', '1', '--pgn', *store).out
        same(pgn.count('[Event '), 50)
        same(len(league('games', '1', *store).out.splitlines()), 51)
        assert '13 games played again, 0 took' in league('verify', '1', '--every', '4', '--seed', '0',
                                                              *store).out
        league('show', '1', *store)
        league('show', '77', *store, code=1)
        league('games', '77', *store, code=1)


@test
def a_refused_submission_is_kept_with_its_reason():
    with Folder() as folder:
        store = ('--db', folder.db)
        path = folder.file('x', b'not a model')
        entry = league('submit', path, '--author', 'Ada', '--json', *store, code=1).json
        same((entry['status'], entry['code']), ('rejected (E02)', 'E02'))
        assert entry['message']
        same(league('board', '--json', *store).json, [])
        # A refusal does not start the timer.
        good = folder.file('m.onnx', onnx.material())
        same(league('submit', good, '--author', 'Ada', '--json', *store).json['status'], 'done')
        for wrong in ('', 'x' * 41, 'a\nb'):
            league('submit', good, '--author', wrong, *store, code=2)
        league('submit', good, *store, code=2)


@test
def a_store_that_is_none_is_left_alone():
    with Folder() as folder:
        path = folder.file('letter.txt', b'dear aunt,\n' * 500)
        result = league('board', '--db', path, code=3)
        assert 'letter.txt' in result.err, result.err
        same(pathlib.Path(path).read_bytes(), b'dear aunt,\n' * 500)


def age(db, seconds):
    """Lets time go by for a store."""
    with contextlib.closing(sqlite3.connect(db)) as store, store:
        if store.execute('SELECT count(*) FROM sqlite_master').fetchone()[0]:
            store.execute('UPDATE submissions SET time = time - ?1, alive = alive - ?1',
                          (seconds,))


@test
def a_submission_killed_at_any_moment_is_brought_again_and_played():
    with Folder() as folder:
        path = folder.file('n.onnx', onnx.material())
        submit = ('league', 'submit', path, '--author', 'Ada', '--db', folder.db, '--second', '-')
        for wait in (0, .02, .05, .1, .2, .4, .8, 1.5):
            with subprocess.Popen([HAZARD, *submit], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                try:
                    process.wait(wait)
                except subprocess.TimeoutExpired:
                    process.kill()
            if os.path.exists(folder.db):
                age(folder.db, 601)
        # Whatever was begun is there once at most, and the same file plays to its end.
        entry = run(*submit, '--json').json
        same((entry['id'], entry['status'], entry['levels'][0]['played']), (1, 'done', 50))
        right = run('league', 'run', path, '--json', '--second', '-').json
        same(entry['levels'], right['levels'])
        board = league('board', '--db', folder.db, '--json').json
        same([(row['author'], row['attempts']) for row in board], [('Ada', 1)])
        same(league('work', '--db', folder.db).out, '0 entries\n')
        same(league('work', '--db', folder.db, '--json').json, {'entries': 0})


@test
def programs_that_submit_at_once_do_not_disturb_one_another():
    with Folder() as folder:
        names = [f'author {n}' for n in range(4)]
        running = []
        for n, name in enumerate(names + ['author 0']):  # the last one brings what is there
            path = folder.file(f'{n % 4}.onnx', onnx.material(1.0 + n % 4))
            running.append(subprocess.Popen(
                [HAZARD, 'league', 'submit', path, '--author', name, '--db', folder.db, '--second',
                 '-', '--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        ends = [(process.communicate(timeout=120), process.returncode) for process in running]
        for (out, err), code in ends[:4]:
            assert code in (0, 1), (out, err)
            assert json.loads(out)['status'] in ('done', 'checking', 'queued') or \
                json.loads(out)['status'].startswith('playing'), out
        board = league('board', '--db', folder.db, '--json').json
        same(sorted(row['author'] for row in board), names)
        same({row['status'] for row in board}, {'done'})
        same({row['attempts'] for row in board}, {1})


@test
def a_store_that_cannot_be_written_is_said():
    with Folder() as folder:
        path = folder.file('m.onnx', onnx.material())
        for db in ('/dev/full', '/dev/null', '/proc/none', folder.path, folder.file('no/such')):
            result = league('submit', path, '--author', 'Ada', '--db', db, code=3)
            assert db in result.err, result.err
        # Readers do not make a store.
        for verb in (['board'], ['show', '1'], ['games', '1'], ['verify', '1'], ['work']):
            result = league(*verb, '--db', folder.db, code=3)
            assert 'league.db' in result.err, result.err
            assert not os.path.exists(folder.db), verb


@test
def games_of_all_entries_are_played_again_by_turns():
    with Folder() as folder:
        store = ('--db', folder.db)
        for n in range(2):
            league('submit', folder.file(f'{n}.onnx', onnx.material(1.0, 3.0 + n)), '--author',
                   f'author {n}', '--second', '-', *store)
        for day in range(10):
            out = league('verify', 'all', '--every', '10', '--seed', str(day), *store).out
            same(out, '10 games played again, 0 took another course\n')
        league('verify', 'all', *store)
        # A record that was changed is found: by its end, or by playing it again.
        with contextlib.closing(sqlite3.connect(folder.db)) as db, db:
            moves = db.execute('SELECT moves FROM games WHERE submission = 1 AND number = 1'
                               ).fetchone()[0]
            twin = db.execute('SELECT moves FROM games WHERE submission = 2 AND number = 1'
                              ).fetchone()[0]
            assert moves != twin
            db.execute('UPDATE games SET moves = ?, points2 = (SELECT points2 FROM games g WHERE '
                       'g.submission = 2 AND g.number = 1), reason = (SELECT reason FROM games g '
                       'WHERE g.submission = 2 AND g.number = 1) WHERE submission = 1 AND '
                       'number = 1', (twin,))
        differ = league('verify', 'all', '--every', '1', '--json', *store, code=1).json
        same(differ, {'played': 100, 'differ': [{'id': 1, 'level': 1, 'second': False,
                                                 'number': 1}]})
        out = league('verify', 'all', '--every', '1', *store, code=1).out
        assert 'entry 1, game 1 of level 1: took another course' in out, out


@test
def the_ladder_is_climbed_the_same_way_each_time():
    one = league('ladder', '--games', '24', '--level', '1', '--json').json
    same(one, league('ladder', '--games', '24', '--level', '1', '--json', '--threads', '3').json)
    step = one['steps'][0]
    same((one['games'], len(one['steps']), step['lower'], step['upper']), (24, 1, 1, 2))
    same(step['wins'] + step['draws'] + step['losses'], 24)
    assert abs(step['percent'] - 100 * (step['wins'] + step['draws'] / 2) / 24) < 1e-9, step
    same((sum(step['pairs']), step['apart']), (12, True))
    text = league('ladder', '--games', '24', '--level', '1').out
    assert text.startswith('level 2 against level 1: '), text
    other = league('ladder', '--games', '24', '--level', '1', '--json', '--seed', '2').json
    assert other['steps'] != one['steps']
    for wrong in (['--games', '3'], ['--games', '7'], ['--level', '4'], ['x'], ['--seed', 'x']):
        league('ladder', *wrong, code=2)


@test
def baselines_speak_the_universal_chess_interface():
    for level in '1234':
        dialogue = ('uci\nisready\nposition startpos moves e2e4 e7e5\ngo depth 9\n'
                    'nonsense\nposition fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo\n'
                    'position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\ngo\nquit\n')
        lines = league('baseline', level, stdin=dialogue).out.splitlines()
        assert lines[0].startswith(f'id name Hazard league level {level}'), lines[0]
        assert 'uciok' in lines and 'readyok' in lines
        moves = [line.split()[1] for line in lines if line.startswith('bestmove')]
        same((len(moves), moves[1], moves[2]), (3, '0000', 'd1d8'))
        assert any('score mate 1 ' in line for line in lines), lines
    for wrong in ([], ['0'], ['5'], ['x'], ['1', '2']):
        league('baseline', *wrong, code=2)


@test
def wrong_usage_is_refused():
    for arguments in ([], ['nonsense'], ['check'], ['check', 'a', 'b'], ['run'], ['show'],
                      ['show', 'x'], ['show', '-1'], ['run', 'material', '--level', '5'],
                      ['run', 'material', '--level', '0'], ['run', 'material', '--threads', '0'],
                      ['board', 'x'], ['work', 'x'], ['reference', 'material'],
                      ['verify', '1', '--every', '0'], ['games']):
        league(*arguments, code=2)
    league('check', '/nonexistent', code=3)
    league('run', '/nonexistent', code=3)


main()
