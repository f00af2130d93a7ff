# SPDX-License-Identifier: MIT
"""`hazard agree` compares two bots turn by turn."""
import json
import os
import re
import tempfile

from harness import main, run, same, test

CATALOGUE = {'schema': 1, 'id': 'mine', 'seeds': [4, 0], 'scenarios': [
    {'id': 'block', 'cat': 'defensive', 'goal': 'decision',
     'dfen': 'k3r2q/8/8/8/8/2B5/8/4K3 w - - 0 1 B', 'expect': ['c3e5'], 'legal': 10, 'king': 0},
    {'id': 'pass', 'cat': 'forced-pass', 'goal': 'pass',
     'dfen': '7k/8/8/8/8/8/8/K7 b - - 0 1 nnn', 'expect': 'pass', 'legal': 0, 'king': 0}]}


class File:
    """A catalogue on disk while it is used."""

    def __init__(self, content):
        self.content = content if isinstance(content, str) else json.dumps(content)

    def __enter__(self):
        handle, self.path = tempfile.mkstemp(suffix='.json')
        with os.fdopen(handle, 'w', encoding='utf-8') as file:
            file.write(self.content)
        return self.path

    def __exit__(self, *_):
        os.unlink(self.path)


@test
def bot_agrees_with_itself_by_turn_and_score():
    for bot in ('random', 'greedy', 'aggressive', 'monte-carlo:rollouts=3,plies=4'):
        answer = run('agree', '--equal', '--json', bot, bot).json
        summary = answer['summary']
        same(summary['runs'], len(answer['scenarios']) * len(answer['seeds']))
        same((summary['same'], summary['same_score'], summary['different']),
             (summary['runs'], summary['runs'], 0))
        assert '(100.0 %)' in run('agree', '--equal', bot, bot).out


@test
def differing_turns_are_counted_shown_and_exit_with_1():
    with File(CATALOGUE) as path:
        answer = run('agree', '--json', '--catalogue', path, 'greedy-v2', 'greedy', code=1).json
        text = run('agree', '--catalogue', path, 'greedy-v2', 'greedy', code=1).out
    same((answer['candidate'], answer['reference'], answer['catalogue'], answer['seeds']),
         ('greedy-v2', 'greedy', 'mine', [4, 0]))
    block, forced = answer['scenarios']
    same((block['id'], block['agree'], forced['id'], forced['agree']), ('block', 0, 'pass', 2))
    for one, seed in zip(block['runs'], (4, 0)):
        same((one['seed'], one['same'], one['class']), (seed, False, 'candidate_improved'))
        same((one['candidate']['turn'], one['candidate']['matched']), (['c3e5'], True))
        same((one['reference']['turn'], one['reference']['matched']), (['c3h8'], False))
        assert one['candidate']['legal'] and one['reference']['legal']
    same((forced['runs'][0]['candidate']['pass'], forced['runs'][0]['candidate']['score']),
         (True, None))
    summary = answer['summary']
    same((summary['runs'], summary['same'], summary['candidate_improved'],
          summary['candidate_regressed'], summary['both_matched']), (4, 2, 2, 0, 2))
    assert re.search(r'^block +defensive +0 of 2 +2 / 0$', text, re.M)
    assert '    c3e5 instead of c3h8: 2 seeds' in text
    assert 'same turn: 2 of 4 (50.0 %)' in text


@test
def equal_asks_for_scores_as_well():
    with File(CATALOGUE) as path:
        arguments = ['agree', '--catalogue', path, 'checkmate-aware', 'greedy-v2']
        with_turns = run(*arguments, '--json', '--seeds', '0,1,2,3,4,5,6,7,8,9', code=None).json
        same(with_turns['summary']['same'] >= with_turns['summary']['same_score'], True)
        shown = run(*arguments, '--equal', code=1).out
    assert ', score 0 instead of ' in shown and 'same turn and score: ' in shown


@test
def seeds_can_be_chosen():
    answer = run('agree', '--json', '--seeds', '9,18446744073709551615', 'greedy', 'greedy').json
    same(answer['seeds'], [9, '18446744073709551615'])
    same(answer['summary']['runs'], 2 * len(answer['scenarios']))
    for seeds in ('', 'x', '1,', ',1', '1,,2', '-1', '1,1', '18446744073709551616', '1 2'):
        assert '--seeds' in run('agree', '--seeds', seeds, 'greedy', 'greedy', code=2).err, seeds


@test
def bad_catalogues_and_bots_are_refused_with_the_place():
    wrong = json.loads(json.dumps(CATALOGUE))
    wrong['scenarios'][0]['expect'] = ['c3c4']
    with File(wrong) as path:
        error = run('agree', '--catalogue', path, 'greedy', 'greedy', code=2).err
    assert 'scenarios[0] (block): expect[0]: "c3c4"' in error and path in error
    with File('{"schema": 1,\n "schema": 1}') as path:
        error = run('agree', '--catalogue', path, 'greedy', 'greedy', code=2).err
    assert re.search(path + r':2:\d+: JSON: duplicate', error)
    run('agree', '--catalogue', '/nonexistent/file', 'greedy', 'greedy', code=3)
    assert 'UNKNOWN_BOT' in run('agree', 'greedy', 'nobody', code=2).err
    assert 'BAD_OPTION' in run('agree', 'monte-carlo:x=1', 'greedy', code=2).err
    for arguments in ([], ['greedy'], ['greedy'] * 3):
        assert 'two bots' in run('agree', *arguments, code=2).err


main()
