# SPDX-License-Identifier: MIT
"""hazard analyse: results with values, odds and losses; luck; whole games."""
import json
import os
import tempfile

from harness import KIWIPETE, START, main, run, same, test

SPARSE = '7k/8/8/b7/8/8/5P2/4K3 w - - 0 1 NBK'
WIDE = '4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1 PNK'
WEIGHT = {1: 1, 2: 3, 3: 6}


def game(*options):
    """The record of a game that bots played."""
    folder = tempfile.mkdtemp(prefix='hazard-analyse-')
    path = os.path.join(folder, 'game.txt')
    try:
        run('play', '--side', 'none', '--json', '--record', path, *options)
        with open(path, encoding='utf-8') as file:
            return file.read()
    finally:
        if os.path.exists(path):
            os.remove(path)
        os.rmdir(folder)


@test
def every_result_is_valued_and_ordered():
    answer = run('analyse', '--json', '--show', '0', '--bot', 'aggressive', KIWIPETE, '--roll', 'PNB').json
    rows = run('best', '--all', '--json', '--bot', 'aggressive', '--seed', '1', KIWIPETE, '--roll',
               'PNB').json['answers'][0]['all']
    same(len(answer['results']), len(rows))
    same({json.dumps(r['turn']): r['value'] for r in answer['results']},
         {json.dumps(r['turn']): r['score'] for r in rows})
    values = [r['value'] for r in answer['results']]
    same(values, sorted(values, reverse=True))
    same([r['loss'] for r in answer['results']], [values[0] - v for v in values])
    same(answer['value'], values[0])
    for result in answer['results'][:5]:
        odds = run('odds', '--json', result['result_dfen']).json['odds']
        same((result['own_king'], result['enemy_king']), (odds['white_king'], odds['black_king']))


@test
def a_search_values_as_its_bot_does():
    answer = run('analyse', '--json', SPARSE).json
    same((answer['judge'], answer['depth'], answer['valued']), ('material', 2, 4))
    best = run('best', '--json', '--bot', 'expectimax:nopruning=1', '--seed', '1', SPARSE).json
    values = {json.dumps(c['turn']): c['value'] for c in best['answers'][0]['search']['candidates']}
    for result in answer['results']:
        if result['own_king'] == 0:
            assert abs(result['value'] - values[json.dumps(result['turn'])]) < 1e-9


@test
def luck_adds_up_to_nothing_over_all_rolls():
    answer = run('analyse', '--json', '--bot', 'greedy-v2', KIWIPETE, '--roll', 'PNB').json
    rolls = answer['rolls']
    same(len(rolls), 56)
    mean = sum(WEIGHT[len(set(roll))] * value for roll, value in rolls.items()) / 216
    assert abs(mean - answer['mean']) < 1e-9
    assert abs(answer['luck'] - (rolls['PNB'] - mean)) < 1e-9
    same(rolls['PNB'], answer['value'])
    text = run('analyse', '--bot', 'greedy-v2', KIWIPETE, '--roll', 'PNB').out
    assert 'Luck of PNB' in text
    none = run('analyse', '--json', '--no-rolls', SPARSE).json
    assert 'rolls' not in none and 'luck' not in none


@test
def a_played_turn_is_found_whatever_its_order():
    position = START + ' PNB'
    for turn in ('e2e4,f1c4,g1f3', 'g1f3,e2e4,f1c4', 'a2a3,b1c3'):
        code = 0 if turn.count(',') == 2 else 1
        result = run('analyse', '--json', '--bot', 'aggressive', '--turn', turn, position, code=code)
        if code == 0:
            played = result.json['played']
            assert played['loss'] >= 0 and played['rank'] >= 1
    first, second = (run('analyse', '--json', '--bot', 'aggressive', '--turn', turn, position).json['played']
                     for turn in ('e2e4,f1c4,g1f3', 'g1f3,e2e4,f1c4'))
    same(first, second)
    assert '<- played' in run('analyse', '--bot', 'greedy', '--turn', 'h2h3,g1f3,h1g1', '--show', '1',
                              START + ' PNR').out


@test
def the_limit_says_how_many_are_looked_into():
    answer = run('analyse', '--json', '--no-rolls', '--limit', '3', '--show', '0', WIDE).json
    same((answer['count'], answer['valued']), (114, 3))
    same([r['value'] is None for r in answer['results']], [False] * 3 + [True] * 111)


@test
def taking_the_king_is_worth_the_end_of_the_axis():
    answer = run('analyse', '--json', '4k3/8/3N4/8/B7/8/8/4K3 w - - 0 1 NBQ').json
    first = answer['results'][0]
    same((first['takes_king'], first['value'], answer['value']), (True, 10000, 10000))
    assert answer['luck'] > 0


@test
def a_pass_is_worth_something_too():
    answer = run('analyse', '--json', '--bot', 'greedy', START + ' BRQ').json
    same((answer['pass'], answer['count'], answer['value']), (True, 0, 0))
    assert 'no legal turn' in run('analyse', '--bot', 'greedy', START + ' BRQ').out


@test
def the_time_may_end_before_everything_is_looked_into():
    answer = run('analyse', '--json', '--bot', 'expectimax:depth=3', '--budget-ms', '50', KIWIPETE,
                 '--roll', 'PNB', code=1).json
    same(answer['complete'], False)
    assert answer['valued'] < answer['count']


@test
def a_bot_without_values_cannot_judge():
    for bot in ('random', 'checkmate-aware', 'monte-carlo'):
        assert 'does not value' in run('analyse', '--bot', bot, SPARSE, code=2).err


@test
def wrong_questions_are_refused():
    run('analyse', code=2)
    run('analyse', START, code=2)
    run('analyse', START, '--roll', 'PXX', code=2)
    run('analyse', SPARSE, '--turn', 'e2e4', code=1)
    run('analyse', SPARSE, '--limit', 'x', code=2)
    run('analyse', '--game', 'no-such-file', code=3)
    run('analyse', '--game', '-', '--turn', 'e2e4', code=2)
    run('analyse', '--game', '-', SPARSE, code=2)


# ---- games ----


@test
def every_turn_of_a_game_is_judged():
    text = game('--bot', 'greedy', '--seed', '4')
    lines = [line for line in text.splitlines() if '. ' in line and line[0].isdigit()]
    answer = run('analyse', '--json', '--bot', 'greedy-v2', '--game', '-', stdin=text).json
    same(len(answer['turns']), len(lines))
    for turn, line in zip(answer['turns'], lines):
        words = line.split(' ')
        same((turn['roll'], turn['turn'] or '-'),
             (words[1], words[2].split(',') if words[2] != '-' else '-'))
        if turn['turn']:
            assert turn['loss'] >= 0 and turn['rank'] >= 1
            same(turn['loss'] == 0, turn['rank'] == 1)
    for side in ('white', 'black'):
        turns = [t for t in answer['turns'] if t['side'] == side]
        total = answer[side + 'Total']
        same(total['turns'], len(turns))
        assert abs(total['luck'] - sum(t['luck'] for t in turns)) < 1e-6
        assert abs(total['loss'] - sum(t.get('loss', 0) for t in turns)) < 1e-6
    shown = run('analyse', '--bot', 'greedy-v2', '--game', '-', stdin=text).out
    assert 'gave away' in shown and 'luck' in shown


@test
def a_greedy_bot_gives_nothing_away_in_its_own_eyes():
    text = game('--bot', 'greedy', '--seed', '5')
    answer = run('analyse', '--json', '--bot', 'greedy', '--no-rolls', '--game', '-', stdin=text).json
    same((answer['whiteTotal']['loss'], answer['blackTotal']['loss']), (0, 0))
    same({t['luck'] for t in answer['turns']}, {None})


@test
def many_games_are_judged_one_by_one_and_bad_ones_do_not_hide_others():
    good = game('--bot', 'greedy', '--seed', '6')
    bad = good.replace('1. ', '1. PPP a2a5', 1) if '1. ' in good else good
    result = run('analyse', '--json', '--bot', 'greedy', '--game', '-', stdin=good + bad + good, code=2)
    games = [json.loads(line) for line in result.out.splitlines()]
    same([g['game'] for g in games], [1, 2])
    same(games[0]['turns'], games[1]['turns'])
    assert 'line' in result.err
    both = run('analyse', '--bot', 'greedy', '--game', '-', stdin=good + good).out
    assert 'All 2 games' in both
    assert 'no game' in run('analyse', '--bot', 'greedy', '--game', '-', stdin='', code=2).err


main()
