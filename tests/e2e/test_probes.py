# SPDX-License-Identifier: MIT
"""`hazard arena scenarios`, the probes, the comparison and the page."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from harness import HAZARD, main, run, same, test
from locales import comma_locale
from ranks import mpi_is_there, mpirun


class File:
    """A file while it is used."""

    def __init__(self, text, suffix=''):
        self.text, self.suffix = text, suffix

    def __enter__(self):
        handle, self.path = tempfile.mkstemp(suffix=self.suffix)
        with os.fdopen(handle, 'w', encoding='utf-8') as file:
            file.write(self.text)
        return self.path

    def __exit__(self, *_):
        os.unlink(self.path)


def head_is_good(report, kind):
    same((report['schema'], report['kind']), (1, kind))
    assert re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', report['created']), report['created']
    assert {'start', 'seed', 'pairs_cap'} <= set(report) or kind == 'comparison'
    assert report['program']['version'] and report['machine']['cores'] >= 1
    for side in 'ab':
        assert {'name', 'options', 'model_sha256'} <= set(report[side])


@test
def scenarios_are_classed_and_summed_up():
    report = run('arena', 'scenarios', '--a', 'greedy-v2', '--b', 'greedy', '--seeds', '1,2',
                 '--json').json
    head_is_good(report, 'scenarios')
    summary = report['summary']
    same(report['seeds'], [1, 2])
    same(summary['runs'], len(report['results']))
    same(summary['runs'], 2 * report['scenarios'])
    classes = [run_['class'] for run_ in report['results']]
    for name in ('candidate_improved', 'candidate_regressed', 'both_matched', 'both_missed'):
        same(summary[name], classes.count(name), name)
    same(summary['same'] + summary['different'], summary['runs'])
    same(summary['illegal'], {'a': 0, 'b': 0})
    text = run('arena', 'scenarios', '--a', 'greedy-v2', '--b', 'greedy', '--seeds', '1,2').out
    assert 'guard-block' in text and '(expected)' in text


@test
def every_player_that_looks_at_its_turn_takes_kings_and_passes():
    for bot in ('checkmate-aware', 'greedy', 'greedy-v2', 'aggressive', 'expectimax:limit=2',
                'monte-carlo:rollouts=2,plies=2'):
        report = run('arena', 'scenarios', '--a', bot, '--b', 'greedy', '--json', code=None).json
        for one in report['results']:
            if one['goal'] in ('king', 'pass'):
                assert one['a']['match'], (bot, one)


@test
def a_regression_exits_with_1_and_bad_input_with_2():
    run('arena', 'scenarios', '--a', 'random', '--b', 'greedy', code=1)
    assert '--a and --b' in run('arena', 'scenarios', '--a', 'greedy', code=2).err
    assert 'UNKNOWN_BOT' in run('arena', 'scenarios', '--a', 'x', '--b', 'greedy', code=2).err
    with File('{"schema": 1}') as path:
        error = run('arena', 'scenarios', '--a', 'greedy', '--b', 'greedy', '--catalogue', path,
                    code=2).err
        assert 'SCENARIO' in error, error


@test
def recall_counts_only_what_the_limit_can_touch():
    report = run('arena', 'recall', '--limit', '4', '--count', '15', '--json').json
    head_is_good(report, 'recall')
    same((report['positions'], report['limit']), (15, 4))
    same(report['same'] + report['equal_score'] + report['worse'] + report['better'],
         report['exposed'])
    same(report['better'], 0)
    same(report['loss']['count'], report['worse'])
    same(report['a']['options'], 'limit=4')
    again = run('arena', 'recall', '--limit', '4', '--count', '15', '--json', '-j', '3').json
    for name in ('exposed', 'same', 'worse', 'equal_score', 'loss', 'results'):
        same(again[name], report[name], name)
    error = run('arena', 'recall', '--bot', 'monte-carlo', '--count', '2', code=2).err
    assert 'BAD_OPTION' in error and 'limit' in error, error


@test
def model_probe_compares_choices_and_values():
    report = run('arena', 'models', '--a', 'greedy', '--b', 'greedy', '--count', '20',
                 '--json').json
    head_is_good(report, 'models')
    same((report['same'], report['values']['mean_difference']), (20, 0))
    text = run('arena', 'models', '--a', 'aggressive', '--b', 'greedy', '--count', '20').out
    assert 'the same turn' in text and 'correlation' in text
    with File('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 PKK\n') as path:
        report = run('arena', 'models', '--a', 'aggressive', '--b', 'greedy', '--positions', path,
                     '--json').json
        same((report['positions'], report['positions_from']), (1, path))
    with File('4k3/8/8/8/8/8/4P3/4K3 w - - 0 x\n') as path:
        error = run('arena', 'models', '--a', 'greedy', '--b', 'greedy', '--positions', path,
                    code=2).err
        assert 'line 1, column 31' in error, error


@test
def comparison_goes_through_its_steps_in_order():
    report = run('arena', 'compare', '--a', 'greedy', '--b', 'random', '--exact', 'random',
                 '--pairs', '200', '--sprt', '0,50', '--seeds', '3', '--json', code=None).json
    head_is_good(report, 'comparison')
    verdict = report['verdict']
    same((verdict['equal'], verdict['legal'], verdict['strength'], verdict['good']),
         (True, True, 'stronger', True))
    same(report['match']['sprt']['verdict'], 'H1')
    same(report['equality']['candidate'], 'random')
    # What must not differ differs: no match is played.
    report = run('arena', 'compare', '--a', 'greedy', '--b', 'random', '--exact', 'aggressive',
                 '--seeds', '3', '--json', code=1).json
    same((report['verdict']['equal'], report['agreement'], report['match']), (False, None, None))
    text = run('arena', 'compare', '--a', 'random', '--b', 'greedy', '--pairs', '100', '--sprt',
               '0,50', code=1).out
    for part in ('1. equality', '2. agreement', '3. strength', 'not shown to be stronger'):
        assert part in text, (part, text)


@test
def page_is_written_beside_the_report():
    folder = tempfile.mkdtemp()
    page, games = os.path.join(folder, 'report.html'), os.path.join(folder, 'games.txt')
    try:
        report = run('arena', '--a', 'aggressive', '--b', 'greedy', '--pairs', '20', '--json',
                     '--html', page, '--games-record', games,
                     env=comma_locale(folder)).json
        with open(page, encoding='utf-8') as file:
            html = file.read()
        assert html.startswith('<!DOCTYPE html>') and html.rstrip().endswith('</html>')
        assert f'{report["score_percent"]:.2f} %' in html
        assert 'href="games.txt"' in html and '<script' not in html
        assert not re.search(r'\b(x1|y1|cx|cy|width)="[^"]*,', html), 'a decimal comma'
    finally:
        shutil.rmtree(folder)
    error = run('arena', '--a', 'greedy', '--b', 'greedy', '--pairs', '1', '--html',
                '/no/such/folder/x.html', code=3).err
    assert '/no/such/folder' in error, error


# ---- workers, ranks, stops -------------------------------------------------------------------

WORK = [['scenarios', '--a', 'expectimax', '--b', 'greedy', '--seeds', '0,7,42,5,6,8,9'],
        ['recall', '--count', '25', '--limit', '4'],
        ['models', '--a', 'expectimax', '--b', 'aggressive', '--count', '25']]


def lasting(report):
    """A report without what depends on the hour and the machine."""
    return {key: value for key, value in report.items()
            if key not in ('created', 'machine', 'ms', 'speed') and not key.startswith('ms_')}


def killed_at(path, lines, arguments):
    """Runs a command and kills it as soon as its checkpoint has so many lines."""
    process = subprocess.Popen([HAZARD, 'arena', *arguments, '--checkpoint', path],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            if os.path.exists(path):
                with open(path, encoding='utf-8') as file:
                    if len(file.readlines()) >= lines:
                        break
            time.sleep(0.002)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


@test
def questions_are_the_same_for_any_number_of_workers_and_ranks():
    for arguments in WORK:
        alone = run('arena', *arguments, '--json')
        same(lasting(run('arena', *arguments, '--json', '-j', '3').json), lasting(alone.json))
    mpi_is_there()
    for arguments in WORK:
        alone = run('arena', *arguments, '--json')
        done = mpirun(2, 'arena', *arguments, '--json')
        same(done.returncode, alone.code, done.stderr)
        same(lasting(json.loads(done.stdout)), lasting(alone.json))
        same(json.loads(done.stdout)['machine']['ranks'], 2)


@test
def killed_probes_and_scenarios_go_on_where_they_were():
    for arguments in WORK:
        whole = run('arena', *arguments, '--json').json
        folder = tempfile.mkdtemp()
        path = os.path.join(folder, 'c')
        try:
            for lines in (2, 5, 9):
                if os.path.exists(path):
                    killed_at(path, lines, [*arguments, '--resume'])
                else:
                    killed_at(path, lines, arguments)
            same(lasting(run('arena', *arguments, '--json', '--checkpoint', path, '--resume', '-j',
                             '2').json), lasting(whole))
            # Another run, and a file in the way.
            error = run('arena', *arguments, '--checkpoint', path, code=2).err
            assert 'CHECKPOINT' in error, error
            other = ['--a', 'random'] if arguments[0] != 'recall' else ['--limit', '5']
            error = run('arena', *arguments, *other, '--checkpoint', path, '--resume', code=2).err
            assert 'another run: player_1' in error, error
            with open(path, 'r+', encoding='utf-8') as file:
                file.seek(os.path.getsize(path) - 30)
                file.write('x')
            error = run('arena', *arguments, '--checkpoint', path, '--resume', code=2).err
            assert 'CHECKPOINT' in error, error
            error = run('arena', *arguments, '--resume', code=2).err
            assert '--checkpoint' in error, error
        finally:
            shutil.rmtree(folder)


@test
def stopped_comparison_goes_on_in_every_step():
    arguments = ['arena', 'compare', '--a', 'aggressive', '--b', 'greedy', '--exact', 'greedy',
                 '--seeds', '3,4', '--pairs', '30', '--sprt', '0,50', '--json']
    whole = run(*arguments, code=None).json
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, 'c')
    try:
        once = run(*arguments, '--checkpoint', path, '-j', '2', code=None).json
        same(sorted(os.listdir(folder)), ['c', 'c.agreement', 'c.equality'])
        again = run(*arguments, '--checkpoint', path, '--resume', code=None).json
        for name in ('equality', 'agreement', 'verdict'):
            same(once[name], whole[name], name)
            same(again[name], whole[name], name)
        same(again['match']['pairs'], whole['match']['pairs'])
        same(again['match']['pairs_resumed'], whole['match']['pairs']['total'])
    finally:
        shutil.rmtree(folder)


@test
def reports_are_valid_json_of_one_line():
    for arguments in (('scenarios', '--a', 'greedy', '--b', 'greedy'),
                      ('models', '--a', 'greedy', '--b', 'greedy', '--count', '2'),
                      ('recall', '--count', '2')):
        out = run('arena', *arguments, '--json').out
        same(out.count('\n'), 1)
        json.loads(out)


main()
