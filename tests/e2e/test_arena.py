# SPDX-License-Identifier: MIT
"""`hazard arena` as people and scripts use it: what is printed, what survives a kill, what is
refused. Several processes are in test_arena_ranks.py."""
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import time

from arena_runs import MATCH, Folder, items_in, json_of, lasting, processes, read
from harness import HAZARD, START, main, run, same, test
from locales import comma_locale

# ---- matches ---------------------------------------------------------------------------------


@test
def a_match_says_score_and_interval():
    text = run(*MATCH, '--pairs', '20').out
    assert text.startswith('A aggressive\nB greedy\n'), text
    assert re.search(r'score of A +\d+\.\d\d % \+- \d+\.\d\d: \d+ won, \d+ drawn, \d+ lost', text), text
    assert 'ends         king 40' in text, text
    assert 'ended alike' not in text, text
    alike = run('arena', '--a', 'greedy', '--b', 'greedy', '--pairs', '3').out
    assert '% +- 0.00' in alike and 'all pairs ended alike' in alike, alike


@test
def threads_and_repeats_change_nothing():
    with Folder() as file:
        reports, logs = [], []
        for threads in (1, 2, 8):
            log = file(f'log{threads}')
            reports.append(lasting(json_of(*MATCH, '--pairs', '60', '-j', str(threads),
                                           '--games-log', log)))
            # what a thought took differs, nothing else
            logs.append([[turn[:3] for turn in json.loads(line)['turns']]
                         for line in read(log).splitlines()])
        assert reports[0] == reports[1] == reports[2], reports
        assert logs[0] == logs[1] == logs[2]
        same(len(logs[0]), 120)


@test
def the_test_decides_and_the_exit_status_says_so():
    better = json_of('arena', '--a', 'greedy', '--b', 'random', '--sprt', '-20,20')
    same(better['sprt']['verdict'], 'H1')
    worse = json_of('arena', '--a', 'random', '--b', 'greedy', '--sprt', '-20,20', code=1)
    same(worse['sprt']['verdict'], 'H0')
    assert worse['games'] < 200
    same([worse['pairs'][f'n{i}'] for i in range(5)],
         [better['pairs'][f'n{4 - i}'] for i in range(5)])
    same(json_of(*MATCH, '--pairs', '2', '--sprt', '0,1', code=1)['sprt']['verdict'], 'continue')


@test
def the_one_turn_players_stand_in_the_known_order():
    shares = {}
    for player in ('random', 'checkmate-aware', 'greedy', 'greedy-v2', 'aggressive'):
        report = json_of('arena', '--a', player, '--b', 'greedy', '--pairs', '800', '-j', '2')
        shares[player] = report['score_percent']
    print('#', ', '.join(f'{player} {share:.1f} %' for player, share in shares.items()))
    assert shares['random'] < 5 < 38 < shares['checkmate-aware'] < 47, shares
    same(shares['greedy'], 50.0)
    assert 51 < shares['greedy-v2'] < 58.5 < shares['aggressive'] < 65, shares


@test
def less_luck_keeps_the_score_and_narrows_it():
    luck = json_of(*MATCH, '--pairs', '300', '--luck', 'king')['luck']
    assert luck['variance_ratio'] < 0.75, luck
    assert abs(luck['adjusted_score_percent'] - luck['score_percent']) < luck['half_width_percent'] * 2
    assert luck['adjusted_half_width_percent'] < luck['half_width_percent'], luck


@test
def chess_is_played_from_a_list_of_openings():
    with Folder() as file:
        with open(file('openings.epd'), 'w', encoding='utf-8') as out:
            out.write('r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - id "a";\n'
                      'rnbqkb1r/pp1ppppp/5n2/2p5/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - id "b";\n')
        report = json_of('arena', '--game', 'chess', '--a', 'search:depth=2', '--b', 'search:depth=1',
                         '--start', file('openings.epd'), '--pairs', '2', '--max-plies', '80',
                         '--games-record', file('games.pgn'), '--verify')
        same((report['game'], report['starts'], report['games']), ('chess', 2, 4))
        text = read(file('games.pgn'))
        same(text.count('[Event "hazard arena"]'), 4)
        same(len(re.findall(r'^\[FEN "', text, re.M)), 4)


@test
def several_clocks_are_several_matches():
    lines = run(*MATCH, '--pairs', '2', '--tc', '2+0.1,m:1+1', '--json').out.splitlines()
    reports = [json.loads(line) for line in lines]
    same([report['control']['label'] for report in reports], ['2+0.1', 'm:1+1'])
    same([report['kind'] for report in reports], ['timed_match'] * 2)
    same([report['control']['base_ms'] for report in reports], [2000, 60000])


@test
def tournaments_have_a_table():
    report = json_of('arena', 'tournament', 'random', 'greedy', 'aggressive', '--pairs', '30')
    same((report['kind'], len(report['pairings']), report['pairings'][0]['games']),
         ('round_robin', 3, 60))
    ranks = {player['name']: player['rank'] for player in report['players']}
    same(ranks, {'aggressive': 1, 'greedy': 2, 'random': 3})
    text = run('arena', 'gauntlet', 'greedy', 'random', 'aggressive', '--pairs', '5').out
    assert 'gauntlet of 3 players' in text and 'percent of points' in text, text


@test
def stats_works_from_counters_alone():
    report = json_of(*MATCH, '--pairs', '50', '--sprt', '-10,10', code=None)
    pairs = ','.join(str(report['pairs'][f'n{i}']) for i in range(5))
    games = ','.join(str(report[key]['total']) for key in ('losses', 'draws', 'wins'))
    again = json_of('arena', 'stats', '--pairs', pairs, '--games', games, '--sprt', '-10,10')
    same(again['sprt'], report['sprt'])
    same(again['elo'], report['elo'])
    same(again['score_percent'], report['score_percent'])
    for key in ('pair_sd', 'game_sd', 'half_width_percent', 'gain', 'games_2_percent'):
        same(again['resolution'][key], report['resolution'][key], key)
    shards = json_of('arena', 'stats', '--pairs', '1,0,5,0,2', '--pairs', '2,0,3,0,1')
    same(shards, json_of('arena', 'stats', '--pairs', '3,0,8,0,3'))
    text = run('arena', 'stats', '--pairs', '5,15,30,30,20', '--games', '61,45,94').out
    assert '0.280636' in text and '1514' in text and '3.452978280' in text, text
    for bad in (['--pairs', '1,2,3'], ['--singles', '1,2,x'], [], ['--games', '1,0,1'],
                ['--pairs', '1,0,0,0,0', '--games', '0,0,3']):
        run('arena', 'stats', *bad, code=2)
    assert 'warning' in run('arena', 'stats', '--pairs', '1,0,0,0,0', '--games', '0,0,2').err


@test
def reports_have_points_under_a_decimal_comma():
    with Folder() as file:
        env = comma_locale(file('.'))
        command = (*MATCH, '--pairs', '7', '--sprt', '-20,20', '--luck', 'king')
        report = json_of(*command, env=env, code=None)
        assert isinstance(report['resolution']['pair_sd'], float)
        same(lasting(report), lasting(json_of(*command, code=None)))
        # numbers are read and kept the same way
        stats = ('arena', 'stats', '--pairs', '5,15,30,30,20', '--sprt', '-2.5,7.5,0.01,0.02')
        same(run(*stats, env=env).out, run(*stats).out)
        json_of(*command, '--checkpoint', file('c'), code=None)
        again = json_of(*command, '--checkpoint', file('c'), '--resume', env=env, code=None)
        same(lasting(again), lasting(report))
        page = run(*command, '--html', file('page'), env=env, code=None)
        assert page.code in (0, 1) and not re.search(r'(points|d)="[^"]*\d,\d+,\d', read(file('page')))


# ---- kill and resume ---------------------------------------------------------------------------


class Killer:
    """Ends runs by force until it has done so often enough: at random moments, be it before the first
    pair, and in turn when so many pairs are finished, however slow the machine is."""

    def __init__(self, kills):
        seed = int(os.environ.get('HAZARD_TEST_SEED', time.time_ns()))
        print(f'# HAZARD_TEST_SEED={seed} repeats this run')
        self.rng, self.left, self.longest = random.Random(seed), kills, 0.12
        self.moments = set()  # what was finished when the end came

    @staticmethod
    def finished(checkpoint, before):
        try:
            return items_in(checkpoint)
        except ValueError:  # it is just being written
            return before

    def run(self, command, checkpoint):
        """Starts and kills a command with --checkpoint --resume until it is done; its last output."""
        while True:
            process = subprocess.Popen([HAZARD, *command, '--checkpoint', checkpoint, '--resume',
                                        '--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            before = items_in(checkpoint)
            if self.left % 2 == 1:
                time.sleep(self.rng.random() * self.longest)
                process.kill()
            elif self.left > 0:
                enough = before + self.rng.randint(1, 150)
                while process.poll() is None and self.finished(checkpoint, before) < enough:
                    time.sleep(0.002)
                process.kill()
            out, err = process.communicate(timeout=100)
            if process.returncode == 0:
                return json.loads(out)
            same(process.returncode, -signal.SIGKILL, err)
            self.left -= 1
            self.moments.add(items_in(checkpoint))
            # a slow machine is given the time that it needs to get anywhere
            self.longest = 0.12 if items_in(checkpoint) > before else min(2, self.longest * 1.3)


@test
def a_match_killed_fifty_times_counts_the_same_in_the_end():
    killer = Killer(50)
    command = [*MATCH, '--pairs', '4000', '-j', '2', '--luck', 'king', '--carelessness']
    with Folder() as whole:
        expected = json_of(*command, '--games-record', whole('record'), '--games-log', whole('log'))
        record = read(whole('record'))
        # as often as the kills are spread over all of it
        while killer.left > 0:
            with Folder() as file:
                files = ['--games-record', file('record'), '--games-log', file('log'), '--archive',
                         file('archive')]
                report = killer.run([*command, *files], file('checkpoint'))
                same(lasting(report), lasting(expected))
                same(read(file('record')), record)
                same(len(read(file('log')).splitlines()), 8000)
                with sqlite3.connect(file('archive')) as db:
                    runs = db.execute('SELECT run, count(*), min(item), max(item) FROM pair '
                                      'GROUP BY run').fetchall()
                    same([row[1:] for row in runs], [(4000, 0, 3999)])
                db.close()
    assert len(killer.moments) >= 10, killer.moments


@test
def a_tournament_killed_fifty_times_counts_the_same_in_the_end():
    killer = Killer(50)
    command = ['arena', 'tournament', 'random', 'greedy', 'aggressive', '--pairs', '700', '-j', '2']
    whole = json_of(*command)
    while killer.left > 0:
        with Folder() as file:
            report = killer.run(command, file('checkpoint'))
        for one, other in zip(report['pairings'], whole['pairings']):
            same(lasting(one), lasting(other))
        same(report['players'], whole['players'])
    assert len(killer.moments) >= 10, killer.moments


@test
def a_signal_stops_a_run_between_pairs():
    with Folder() as file:
        command = [HAZARD, *MATCH, '--pairs', '1000000', '--json', '--checkpoint', file('c')]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        while not os.path.exists(file('c')):
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
        same(process.returncode, 1)
        report = json.loads(out)
        assert report['cancelled'] and report['games'] == 2 * report['pairs']['total'] > 0
        head = json.loads(read(file('c')).splitlines()[0])
        same(head['items'], report['pairs']['total'])


@test
def no_signal_leaves_a_program_behind():
    for number, signum in enumerate((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)):
        for when, answer in (('asked', 'read l; echo uciok; read l; echo readyok; read l; read l; '
                              'echo readyok'), ('started', ':')):
            mark = f'mark-{os.getpid()}-{number}-{when}'
            engine = f"uci:sh -c '{answer}; sleep 1000; : {mark}' depth=1"
            process = subprocess.Popen([HAZARD, 'arena', '--game', 'chess', '--a', engine, '--b',
                                        'search:depth=1', '--pairs', '1', '--json'],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while not any(line.startswith('sh -c') for line in processes(mark)):
                assert process.poll() is None, process.communicate()
                time.sleep(0.01)
            time.sleep(0.3)
            process.send_signal(signum)
            begun = time.monotonic()
            out, err = process.communicate(timeout=100)
            same(process.returncode, 1, err)
            assert time.monotonic() - begun < 20, 'a start without an answer takes 30 s'
            if when == 'asked':
                report = json.loads(out)
                same((report['cancelled'], report['games']), (True, 0))
            else:
                assert b'CANCELLED' in err, err
            same(processes(mark), [])


@test
def other_runs_and_damaged_checkpoints_are_refused():
    with Folder() as file:
        command = [*MATCH, '--pairs', '3', '--checkpoint', file('c')]
        run(*command)
        assert 'already' in run(*command, code=2).err
        for option, value, word in (('--seed', '9', 'seed'), ('--tc', '9+9', 'control'),
                                    ('--sprt', '0,9', 'test'), ('--b', 'random', 'player_2')):
            err = run(*command, '--resume', option, value, code=2).err
            assert word in err and 'another run' in err, err
        same(json_of(*command, '--resume')['games'], 6)
        text = read(file('c'))
        for bad in ('', 'x', text[:-20], text.replace('"items":3', '"items":2'), text + '{}\n',
                    text.replace('"hazard_checkpoint":2', '"hazard_checkpoint":1')):
            with open(file('c'), 'w', encoding='utf-8') as out:
                out.write(bad)
            assert 'CHECKPOINT' in run(*command, '--resume', code=2).err


@test
def no_flipped_bit_of_a_checkpoint_is_believed():
    rng = random.Random(time.time_ns())
    with Folder() as file:
        names = (('--checkpoint', 'c'), ('--games-log', 'log'), ('--games-record', 'record'))
        command = [*MATCH, '--pairs', '3', *[word for option, name in names for word in (option, file(name))]]
        run(*command)
        good = {name: read(file(name)) for _, name in names}
        text = good['c'].encode()
        numbers, end = text.index(b'"numbers"'), text.index(b'\n')
        for i in range(40):
            # the numbers say how long the other files were
            at = rng.randrange(numbers, end) if i % 2 else rng.randrange(len(text))
            bad = bytearray(text)
            bad[at] ^= 1 << rng.randrange(8)
            with open(file('c'), 'wb') as out:
                out.write(bad)
            assert 'CHECKPOINT' in run(*command, '--resume', code=2).err, (at, bad[at])
            for name in ('log', 'record'):
                same(read(file(name)), good[name], f'byte {at} is {bad[at]}')


@test
def a_file_that_a_resumed_run_did_not_have_is_not_cut():
    with Folder() as file:
        run(*MATCH, '--pairs', '3', '--checkpoint', file('c'))
        with open(file('mine'), 'w', encoding='utf-8') as out:
            out.write('mine\n')
        for option in ('--games-log', '--games-record'):
            assert 'already' in run(*MATCH, '--pairs', '3', '--checkpoint', file('c'), '--resume', option,
                                    file('mine'), code=3).err
            same(read(file('mine')), 'mine\n')


@test
def no_output_goes_over_another_file_of_the_run():
    with Folder() as file:
        with open(file('start'), 'w', encoding='utf-8') as out:
            out.write(START + '\n')
        os.symlink(file('start'), file('link'))
        outputs = ('--games-log', '--games-record', '--archive', '--checkpoint', '--out', '--html')
        for first in outputs:
            for second in outputs:
                if first != second:
                    err = run(*MATCH, '--pairs', '1', first, file('x'), second, file('./x'), code=2).err
                    assert first in err and second in err and 'same file' in err, err
            same(os.path.exists(file('x')), False, first)
            for name in ('start', 'link'):
                err = run(*MATCH, '--pairs', '1', '--start', file('start'), first, file(name), code=2).err
                assert '--start' in err and first in err, err
            same(read(file('start')), START + '\n', first)
        run(*MATCH, '--pairs', '1', '--out', '/dev/null', '--games-log', '/dev/null')


@test
def a_report_is_whole_or_what_was_there_before():
    def no_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    with Folder() as file:
        for option in ('--out', '--html'):
            for before in (None, 'before\n'):
                if before:
                    with open(file('report'), 'w', encoding='utf-8') as out:
                        out.write(before)
                done = subprocess.run([HAZARD, *MATCH, '--pairs', '2', option, file('report')], check=False,
                                      preexec_fn=no_files, capture_output=True, text=True)
                same(done.returncode, 3, done.stderr)
                assert file('report') in done.stderr, done.stderr
                same(os.listdir(file('.')), ['report'] if before else [], option)
                if before:
                    same(read(file('report')), before)
            # a run that is refused leaves nothing either
            os.unlink(file('report'))
            run('arena', '--a', 'greedy', '--b', 'gredy', option, file('report'), code=2)
            same(os.listdir(file('.')), [], option)
            # a link stays one, and so do the rights
            with open(file('kept'), 'w', encoding='utf-8'):
                os.chmod(file('kept'), 0o640)
            os.symlink(file('kept'), file('report'))
            run(*MATCH, '--pairs', '2', option, file('report'))
            assert os.path.islink(file('report')) and len(read(file('kept'))) > 500
            same(os.stat(file('kept')).st_mode & 0o777, 0o640)
            os.unlink(file('report'))
            os.unlink(file('kept'))
        run(*MATCH, '--pairs', '2', '--tc', '9+9,8+8', '--json', '--out', file('two'))
        same(len(read(file('two')).splitlines()), 2)


# ---- what is refused -------------------------------------------------------------------------------


@test
def bad_usage_is_told_and_exits_with_2():
    for arguments, word in ((['--a', 'greedy'], '--a and --b'), (['--a', 'greedy', '--b', 'gredy'],
                                                                 'aggressive'),
                            (['--tc', '0+1'], '--tc'), (['--sprt', '5'], '--sprt'),
                            (['--sprt', '20,0'], 'elo'), (['--game', 'go'], 'go'),
                            (['--pairs', '0'], '--pairs'), (['--resume'], '--checkpoint'),
                            (['--start', '/dev/null'], 'no start'), (['--luck', 'random'], 'luck'),
                            (['--resign-score', '5'], '--resign-turns'), (['extra'], 'extra'),
                            (['--time-policy', 'x'], 'empirical')):
        full = arguments if arguments[0] == '--a' else [*MATCH[1:], *arguments]
        err = run('arena', *full, code=2).err
        assert word in err, (arguments, err)
    run('arena', 'tournament', 'greedy', code=2)
    run('arena', 'gauntlet', code=2)


@test
def bad_openings_are_named_with_line_and_column():
    with Folder() as file:
        with open(file('list'), 'w', encoding='utf-8') as out:
            out.write('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n'
                      '4k3/9/8/8/8/8/8/4K3 w - - 0 1\n')
        err = run(*MATCH, '--start', file('list'), code=2).err
        assert 'line 2' in err and file('list') in err, err


@test
def what_is_missing_or_full_exits_with_3_and_loses_nothing():
    run(*MATCH, '--pairs', '2', '--out', '/nonexistent/x', code=3)
    run(*MATCH, '--pairs', '2', '--games-log', '/nonexistent/x', code=3)
    run(*MATCH, '--pairs', '2', '--start', '/nonexistent/x', code=3)
    if os.path.exists('/dev/full'):
        for option in ('--out', '--games-log', '--games-record', '--archive'):
            err = run(*MATCH, '--pairs', '2', option, '/dev/full', code=3).err
            assert '/dev/full' in err, err
        with Folder() as file:
            err = run(*MATCH, '--pairs', '5', '--games-log', '/dev/full', '--checkpoint', file('c'),
                      code=3).err
            assert '--resume' in err, err
            same(json_of(*MATCH, '--pairs', '5', '--games-log', file('log'), '--checkpoint', file('c'),
                         '--resume')['games'], 10)
        with open('/dev/full', 'w', encoding='utf-8') as full:
            done = subprocess.run([HAZARD, *MATCH, '--pairs', '2'], stdout=full, check=False,
                                  stderr=subprocess.PIPE)
        same(done.returncode, 3)


@test
def a_disk_that_fills_up_leaves_whole_games_and_a_checkpoint():
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

    command = [*MATCH, '--pairs', '600', '--json']
    with Folder() as whole:
        expected = json_of(*command[:-1], '--games-record', whole('record'), '--games-log', whole('log'))
        record, log = read(whole('record')), read(whole('log')).splitlines()
    for options in (['--games-log'], ['--games-record'], ['--checkpoint'],
                    ['--games-log', '--games-record', '--checkpoint']):
        with Folder() as file:
            files = [word for option in options for word in (option, file(option[2:]))]
            done = subprocess.run([HAZARD, *command, *files], preexec_fn=small_files, check=False,
                                  capture_output=True, text=True)
            same((done.returncode, done.stdout), (3, ''), done.stderr)
            assert 'IO: writing ' + file('') in done.stderr, done.stderr
            same('--resume' in done.stderr, '--checkpoint' in options)
            if '--games-log' in options:
                lines = read(file('games-log')).splitlines()
                for line, other in zip(lines, log):
                    same(json.loads(line)['result'], json.loads(other)['result'])
                assert 2 <= len(lines) < 1200 and len(lines) % 2 == 0, len(lines)
            if '--games-record' in options:
                part = read(file('games-record'))
                assert record.startswith(part) and record[len(part):].startswith('['), part[-200:]
            if '--checkpoint' in options:
                report = json_of(*command[:-1], *files, '--resume')
                assert report['pairs_resumed'] > 0, report
                same(lasting(report), lasting(expected))


@test
def a_closed_pipe_is_no_crash():
    with Folder() as file:
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([HAZARD, *MATCH, '--pairs', '5', '--checkpoint', file('c')],
                              stdout=writing, stderr=subprocess.PIPE, check=False)
        os.close(writing)
        same((done.returncode, done.stderr), (3, b''))
        same(json.loads(read(file('c')).splitlines()[0])['items'], 5)


@test
def files_of_others_are_left_alone():
    with Folder() as file:
        for option in ('--games-log', '--games-record'):
            with open(file('mine'), 'w', encoding='utf-8') as out:
                out.write('mine\n')
            assert 'already' in run(*MATCH, '--pairs', '1', option, file('mine'), code=3).err
            same(read(file('mine')), 'mine\n')
        assert 'ARCHIVE' in run(*MATCH, '--pairs', '1', '--archive', file('mine'), code=2).err
        same(read(file('mine')), 'mine\n')


@test
def progress_is_told_every_ten_seconds_and_not_before():
    same(run(*MATCH, '--pairs', '30').err, '')


main()
