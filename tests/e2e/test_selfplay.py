# SPDX-License-Identifier: MIT
"""`hazard selfplay`: the same bytes whatever happens on the way."""
import itertools
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import zlib

from harness import HAZARD, main, run, same, test
from ranks import mpi_is_there, mpirun, ranks_of, start_recovering

SETTINGS = ('--bot', 'aggressive', '--bot', 'greedy', '--random-plies', '3', '--temperature', '40')


class Folder:
    """A folder for a test; `folder / name` is a path in it."""

    def __enter__(self):
        self.path = tempfile.mkdtemp()
        return self

    def __truediv__(self, name):
        return os.path.join(self.path, name)

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def content(path):
    with open(path, 'rb') as file:
        return file.read()


@test
def games_go_to_the_standard_output_and_are_good_records():
    out = run('selfplay', '--games', '3', *SETTINGS).out
    same(out.count('[HazardRecord "1"]'), 3)
    for part in ('[White "aggressive"]', '[Seed "42"]', '[Seed "44"]', '[Round "3"]',
                 'temperature 40', ' random\n', ' drawn best ', '{score '):
        assert part in out, f'{part!r} is missing'
    with Folder() as folder:
        with open(folder / 'games', 'w', encoding='utf-8') as file:
            file.write(out)
        shown = run('selfplay', '--show', folder / 'games', '--json').json
    same((shown['format'], shown['games'], shown['complete']), ('record', 3, True))
    same(shown['plies'], out.count('own '))


# ---- a second reader of rows, written from docs/formats.md -----------------------------------


def rows_of(data):
    """Settings, and the rows as dicts of column name to number or list."""
    def take(form):
        nonlocal at
        values = struct.unpack_from('<' + form, data, at)
        at += struct.calcsize('<' + form)
        return values if len(values) > 1 else values[0]

    def text(form):
        nonlocal at
        length = take(form)
        at += length
        return data[at - length:at].decode()

    same(data[:8], b'\x89HZR\r\n\x1a\n')
    at = 8
    version, length, checksum = take('III')
    same((version, zlib.crc32(data[at:at + length])), (1, checksum))
    stop = at + length
    columns = [(text('B'), *take('cBH')) for _ in range(take('H'))]
    settings = {}
    for _ in range(take('H')):
        key = text('B')
        settings[key] = text('H')
    same(at, stop)
    rows, games = [], 0
    while data[at:at + 4] == b'ROWS':
        begin = at
        at += 4
        count, first, lines, raw, packed = take('IQIII')
        inner, outer = take('II')
        same(first, games)
        same(zlib.crc32(data[begin:begin + 32]), outer)
        same(zlib.crc32(data[at:at + packed]), inner)
        plain = zlib.decompress(data[at:at + packed])
        same(len(plain), raw)
        at += packed
        games += count
        block, place = [{} for _ in range(lines)], 0
        for name, kind, size, width in columns:
            letter = {1: 'b', 2: 'h', 4: 'i', 8: 'q'}[size]
            letter = letter if kind == b'i' else letter.upper()
            numbers = struct.unpack_from(f'<{lines * width}{letter}', plain, place)
            place += lines * width * size
            for i, row in enumerate(block):
                part = numbers[i * width:(i + 1) * width]
                row[name] = part[0] if width == 1 else list(part)
        same(place, raw)
        rows += block
    if data[at:at + 4] == b'DONE':
        at += 4
        same(take('QQ'), (games, len(rows)))
        same(zlib.crc32(data[at - 20:at]), take('I'))
    same(at, len(data))
    return settings, rows


LETTERS = '.PNBRQK..pnbrqk'
ROLLS = list(itertools.combinations_with_replacement('pnbrqk', 3))
FILES = 'abcdefgh'


def square(text):
    return FILES.index(text[0]) + 8 * (int(text[1]) - 1)


def play(board, move):
    """The move on a list of letters, by what a move is and nothing else."""
    start, stop = square(move[:2]), square(move[2:4])
    piece = board[start]
    if piece in 'Pp' and start % 8 != stop % 8 and board[stop] == '.':
        board[stop % 8 + start // 8 * 8] = '.'  # en passant
    if piece in 'Kk' and abs(start - stop) == 2:
        corner = stop + 1 if stop > start else stop - 2
        board[(start + stop) // 2], board[corner] = board[corner], '.'
    board[start] = '.'
    board[stop] = piece if len(move) == 4 else (
        move[4].upper() if piece == 'P' else move[4])


def turn_text(row):
    def name(index):
        return FILES[index % 8] + str(index // 8 + 1)

    moves = [name(m & 63) + name(m >> 6 & 63) + ('', 'n', 'b', 'r', 'q')[m >> 12]
             for m in row['turn'] if m]
    return ','.join(moves) if moves else '-'


LINE = re.compile(r'(\d+)(\.{1,3}) (\w{3}) (\S+)( \{score (-?\d+)\})? ; own (\d+) enemy (\d+)'
                  r'( random)?( drawn best (-?\d+))?')


@test
def rows_read_by_a_second_program_are_the_games_of_the_records():
    arguments = ('selfplay', '--games', '70', *SETTINGS, '--bot', 'greedy-v2')
    with Folder() as folder:
        run(*arguments, '--format', 'rows', '--out', folder / 'rows')
        run(*arguments, '--out', folder / 'record')
        settings, rows = rows_of(content(folder / 'rows'))
        games = content(folder / 'record').decode().split('[HazardRecord "1"]')[1:]
    same([settings[f'player.{i}'] for i in range(3)], ['aggressive', 'greedy', 'greedy-v2'])
    same(settings['temperature'], '40')
    rows = iter(rows)
    for number, game in enumerate(games):
        head = dict(re.findall(r'\[(\w+) "([^"]*)"\]', game))
        lines = [match for match in map(LINE.fullmatch, game.splitlines()) if match]
        board = list('RNBQKBNR' + 'P' * 8 + '.' * 32 + 'p' * 8 + 'rnbqkbnr')
        for ply, line in enumerate(lines):
            row, side = next(rows), ply % 2
            same([LETTERS[b >> shift & 15] for b in row['board'] for shift in (0, 4)], board)
            same((row['game'], row['ply'], row['left']), (number, ply, len(lines) - 1 - ply))
            same((row['side'], row['fullmove']), (side, int(line[1])))
            same(''.join(ROLLS[row['roll']]), line[3].lower())
            same(turn_text(row), line[4])
            same((row['own_216'], row['enemy_216']), (int(line[7]), int(line[8])))
            same(row['flags'], (1 if line[5] else 0) + (2 if line[9] else 0) + (4 if line[10] else 0))
            if line[5]:
                same(row['score'], int(line[6]))
            if line[10]:
                same(row['best'], int(line[11]))
            same(row['result'], {'1-0': 1, '0-1': -1}.get(head['Result'], 0) * (1 - 2 * side))
            same(settings[f'player.{row["player"]}'], head[('White', 'Black')[side]])
            same(settings[f'player.{row["opponent"]}'], head[('Black', 'White')[side]])
            for move in line[4].split(',') if line[4] != '-' else ():
                play(board, move)
    same(next(rows, None), None)


@test
def threads_do_not_change_a_byte_in_either_format():
    for form in ('record', 'rows'):
        with Folder() as folder:
            for threads in ('1', '4'):
                run('selfplay', '--games', '50', *SETTINGS, '--format', form, '--threads', threads,
                    '--out', folder / threads)
            same(content(folder / '1'), content(folder / '4'), form)


@test
def killed_run_is_resumed_into_the_same_file():
    seed = int(os.environ.get('HAZARD_TEST_SEED', time.time_ns() % 10**9))
    print(f'# HAZARD_TEST_SEED={seed} repeats this run')
    chance = random.Random(seed)
    for form in ('record', 'rows'):
        arguments = ['selfplay', '--games', '400', *SETTINGS, '--format', form]
        with Folder() as folder:
            run(*arguments, '--out', folder / 'whole')
            whole = content(folder / 'whole')
            for _ in range(8):
                path = folder / 'killed'
                kills = 0
                for _ in range(200):
                    command = [HAZARD, *arguments, '--out', path, '--resume', '--threads',
                               str(chance.randint(1, 3))]
                    child = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.PIPE)
                    try:
                        child.wait(chance.uniform(0.01, 0.25))
                    except subprocess.TimeoutExpired:
                        child.send_signal(signal.SIGKILL)
                        kills += 1
                    error = child.communicate()[1]
                    if child.returncode == 0:
                        break
                    assert child.returncode == -signal.SIGKILL, error
                same(child.returncode, 0)
                same(content(path), whole, f'{form}, {kills} kills')
                os.unlink(path)


@test
def signal_stops_between_games_and_says_how_to_go_on():
    with Folder() as folder:
        arguments = ['selfplay', '--games', '1000000', *SETTINGS, '--out', folder / 'games']
        child = subprocess.Popen([HAZARD, *arguments], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE)
        while not os.path.exists(folder / 'games') or os.path.getsize(folder / 'games') < 2000:
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        error = child.communicate(timeout=60)[1].decode()
        same(child.returncode, 1)
        assert '--resume goes on' in error, error
        shown = run('selfplay', '--show', folder / 'games', '--json').json
        assert shown['complete'] and shown['games'] > 0


@test
def rows_that_end_early_are_shown_with_exit_status_1():
    with Folder() as folder:
        run('selfplay', '--games', '40', '--format', 'rows', '--out', folder / 'rows')
        whole = content(folder / 'rows')
        shown = run('selfplay', '--show', folder / 'rows', '--json').json
        same((shown['format'], shown['games'], shown['complete']), ('rows', 40, True))
        same(shown['settings']['player.0'], 'greedy')
        with open(folder / 'rows', 'wb') as file:
            file.write(whole[:-100])
        shown = run('selfplay', '--show', folder / 'rows', '--json', code=1).json
        same((shown['games'], shown['complete']), (32, False))
        with open(folder / 'rows', 'wb') as file:
            file.write(whole[:700] + b'?' + whole[701:])
        error = run('selfplay', '--show', folder / 'rows', code=2).err
        assert 'checksum' in error, error


@test
def other_settings_and_other_files_are_refused_and_kept():
    with Folder() as folder:
        path = folder / 'games'
        run('selfplay', '--games', '5', *SETTINGS, '--out', path)
        before = content(path)
        error = run('selfplay', '--games', '5', *SETTINGS, '--out', path, code=2).err
        assert 'CONFLICT' in error and 'is there already' in error, error
        error = run('selfplay', '--games', '9', '--bot', 'greedy', '--out', path, '--resume',
                    code=2).err
        assert 'CHECKPOINT' in error and 'another run' in error, error
        error = run('selfplay', '--games', '3', *SETTINGS, '--out', path, '--resume', code=2).err
        assert 'has 5 games already' in error, error
        same(content(path), before)
        with open(folder / 'letter', 'w', encoding='utf-8') as file:
            file.write('Dear reader,\n')
        error = run('selfplay', '--out', folder / 'letter', '--resume', code=2).err
        assert 'no file of game records' in error, error
        same(content(folder / 'letter'), b'Dear reader,\n')


@test
def bad_usage_is_named():
    for arguments, part in (
            (('--bot', 'nobody'), 'UNKNOWN_BOT'),
            (('--bot', 'random', '--temperature', '5'), 'no values'),
            (('--temperature', '-1'), 'temperature'),
            (('--temperature', '1e999'), 'temperature'),
            (('--temperature-plies', '4'), 'goes with --temperature'),
            (('--format', 'csv'), 'csv'),
            (('--resume',), '--out'),
            (('--json',), '--out'),
            (('--games', '0'), 'games'),
            (('--max-plies', '60001'), 'max-plies'),
            (('extra',), 'extra')):
        error = run('selfplay', *arguments, code=2).err
        assert part in error, (arguments, error)
    error = run('selfplay', '--openings', '/no/such/file', code=3).err
    assert '/no/such/file' in error, error


@test
def start_positions_are_taken_in_turn_and_bad_ones_named():
    with Folder() as folder:
        with open(folder / 'starts', 'w', encoding='utf-8') as file:
            file.write('4k3/8/8/8/8/8/8/4K2R w K - 0 1\n8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\n')
        out = run('selfplay', '--games', '3', '--openings', folder / 'starts').out
        starts = [line for line in out.splitlines() if line.startswith('[Start ')]
        same(starts[0], starts[2])
        assert 'KP5r' in starts[1]
        with open(folder / 'starts', 'a', encoding='utf-8') as file:
            file.write('rubbish\n')
        error = run('selfplay', '--openings', folder / 'starts', code=2).err
        assert 'OPENINGS' in error and 'line 3' in error, error


@test
def full_disk_and_a_closed_pipe_are_errors_without_a_crash():
    if not os.path.exists('/dev/full'):
        raise Skip('there is no /dev/full')
    with open('/dev/full', 'w', encoding='utf-8') as full:
        done = subprocess.run([HAZARD, 'selfplay', '--games', '50'], stdout=full,
                              stderr=subprocess.PIPE, check=False, timeout=60)
    same(done.returncode, 3)
    assert b'No space left' in done.stderr, done.stderr
    child = subprocess.Popen([HAZARD, 'selfplay', '--games', '100000'], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    child.stdout.read(1000)
    child.stdout.close()
    error = child.stderr.read()
    same(child.wait(timeout=60) in (3, -signal.SIGPIPE), True, error)


@test
def ranks_write_the_same_file():
    mpi_is_there()
    for form, count in (('record', 3), ('rows', 2)):
        arguments = ['selfplay', '--games', '60', *SETTINGS, '--format', form]
        with Folder() as folder:
            run(*arguments, '--out', folder / 'alone')
            done = mpirun(count, *arguments, '--out', folder / 'ranks')
            same(done.returncode, 0, done.stderr)
            same(content(folder / 'ranks'), content(folder / 'alone'), form)


@test
def games_of_a_lost_rank_are_played_by_others():
    mpi_is_there()
    arguments = ['selfplay', '--games', '24', '--bot', 'monte-carlo:rollouts=1,plies=2']
    with Folder() as folder:
        run(*arguments, '--out', folder / 'alone')
        process = start_recovering(*arguments, '--out', folder / 'ranks', '--lost-after', '2')
        try:
            while not os.path.exists(folder / 'ranks') or not content(folder / 'ranks'):
                assert process.poll() is None, process.communicate()
                time.sleep(0.01)
            os.kill(ranks_of(process)[1], signal.SIGKILL)
            begun = time.monotonic()
            _, err = process.communicate(timeout=100)
        finally:
            process.kill()
        same(process.returncode, 0, err)
        assert time.monotonic() - begun < 55, 'a lost rank was waited for as long as without --lost-after'
        same(content(folder / 'ranks'), content(folder / 'alone'))


main()
