# SPDX-License-Identifier: MIT
"""Games in the terminal, through pipes."""
import os
import re
import subprocess
import tempfile

from harness import HAZARD, START, main, run, same, test

KINGS = '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1'


def moves_shown(text):
    """The micro-moves that the latest `moves` command listed."""
    return re.findall(r'^  ((?:[a-h][1-8][a-h][1-8][qrbn]? ?)+)$', text, re.M)[-1].split()


@test
def end_of_input_leaves_the_game_unfinished():
    result = run('play', '--seed', '7')
    assert 'The game is not finished, after' in result.out and 'Seed 7' in result.out
    same(result.err, '')


@test
def dice_are_a_function_of_the_seed():
    same(run('play', '--seed', '7', stdin='moves\n').out, run('play', '--seed', '7', stdin='moves\n').out)
    rolls = re.findall(r'rolled (\w+)', run('play', '--side', 'none', '--seed', '42').out)
    faces = {'p': 1, 'n': 2, 'b': 3, 'r': 4, 'q': 5, 'k': 6}
    seen = [sorted(faces[letter] for letter in roll.lower()) for roll in rolls[:6]]
    same(seen, [sorted(roll) for roll in ([3, 6, 3], [1, 5, 1], [2, 5, 1], [5, 4, 2], [2, 2, 6],
                                          [5, 4, 3])][:len(seen)])


@test
def bots_play_to_the_end_and_the_record_replays():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'games.txt')
        for seed in ('1', '2', '3'):
            out = run('play', '--side', 'none', '--bot', 'aggressive', '--seed', seed, '--record', path).out
            assert re.search(r'(White|Black) wins: (1-0|0-1), king|A draw: 1/2-1/2', out)
            assert f'The record is in {path}.' in out
        with open(path, encoding='utf-8') as file:
            text = file.read()
    same(text.count('[HazardRecord "1"]'), 3)
    same(re.findall(r'\[Seed "(\d)"\]', text), ['1', '2', '3'])
    same(text.count('[White "aggressive"]'), 3)


@test
def human_plays_micro_moves_and_takes_them_back():
    # White rolls P N K on the third of its turns with this seed; the two before are passes.
    out = run('play', '--seed', '7', stdin='moves\ng1f3\nmoves\nundo\nmoves\n').out
    assert 'White rolled PNK\n' in out and 'White rolled PNK, left: PK' in out
    first, second, third = [m.split() for m in
                            re.findall(r'^  ((?:[a-h][1-8][a-h][1-8][qrbn]? ?)+)$', out, re.M)]
    same(first, third)
    assert 'g1f3' in first and 'g1f3' not in second


@test
def a_turn_is_handed_over_when_it_is_complete():
    out = run('play', '--side', 'both', '--seed', '0', stdin='e2e4\nd1f3\nf1c4\n', code=0).out
    # Seed 0 begins with 4 5 3: rook, queen, bishop; no turn at the start, so White passes.
    assert 'White rolled BRQ' in out and 'White has no legal turn and passes' in out


@test
def several_micro_moves_fit_on_a_line():
    line = 'g1f3 e2e3,e1e2\n'
    out = run('play', '--seed', '7', stdin=line).out
    assert 'White plays g1f3,e2e3,e1e2' in out
    again = run('play', '--seed', '7', stdin='g1f3\ne2e3\ne1e2\n').out
    assert 'White plays g1f3,e2e3,e1e2' in again


@test
def illegal_input_changes_nothing():
    good = run('play', '--seed', '7', stdin='dfen\n').out
    noise = 'e2e5\nd1d8\nfoo\n\n  \n,,,\n' + 'x' * 5000 + '\ne7e5\nO-O\ndfen\n'
    bad = run('play', '--seed', '7', stdin=noise).out
    line = next(text for text in good.splitlines() if text.endswith(' PNK') and '/' in text)
    assert line in bad.splitlines()
    assert 'no piece can move like that' in bad and 'too long' in bad


@test
def words_after_a_question_count_and_after_a_refusal_do_not():
    out = run('play', '--seed', '7', stdin='g1f3 dfen e2e3 dfen\n').out
    same(re.findall(r'^  \S+ (?:w|b) .* (P?K)$', out, re.M), ['PK', 'K'])
    out = run('play', '--seed', '7', stdin='g9f9 g1f3\ndfen\n').out
    assert re.search(r'^  \S+ w .* PNK$', out, re.M), out


@test
def moves_that_the_dice_forbid_are_explained():
    out = run('play', '--seed', '7', stdin='e2e4 g1f3 d2d4\n').out
    assert 'the dice do not allow it' in out


@test
def commands_show_what_they_promise():
    out = run('play', '--seed', '7', stdin='help\nodds\ndanger\nhint\nboard\ndfen\nundo\nquit\n').out
    for word in ('moves', 'odds', 'danger', 'hint', 'undo', 'board', 'dfen', 'draw', 'resign', 'quit'):
        assert re.search(rf'^  {word} +\w', out, re.M), word
    assert "White's king   is taken by" in out
    assert 'the rolls of 216 that take it' in out
    assert 'greedy would play' in out
    assert 'nothing was played on this roll yet' in out
    assert 'The game is not finished' in out


@test
def resignation_and_agreement_end_the_game():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'game.txt')
        out = run('play', '--seed', '7', '--record', path, stdin='resign\n').out
        assert 'Black wins: 0-1, resignation' in out
        out = run('play', '--side', 'both', '--seed', '7', '--record', path, stdin='draw\n').out
        assert 'A draw: 1/2-1/2, agreement' in out
        with open(path, encoding='utf-8') as file:
            text = file.read()
    same(re.findall(r'\[Reason "(\w+)"\]', text), ['resignation', 'agreement'])
    assert '[White "human"]' in text and '[Black "greedy"]' in text
    assert 'declines' in run('play', '--seed', '7', stdin='draw\n').out


@test
def taking_the_king_wins():
    out = run('play', '--side', 'both', '--seed', '0', 'k7/8/8/8/8/8/8/R3K3 w - - 0 1',
              stdin='a1a8\n').out
    assert re.search(r'White plays a1a8 and takes the king', out)
    assert 'White wins: 1-0, king' in out


@test
def hints_do_not_change_the_game():
    def after(stdin):
        return re.findall(r'plays (\S+)', run('play', '--seed', '7', stdin=stdin).out)
    same(after('g1f3 e2e3 e1e2\n'), after('hint\ng1f3\nhint\ne2e3\ne1e2\n'))


@test
def a_position_with_dice_starts_with_fresh_ones():
    out = run('play', '--side', 'both', '--seed', '42', START + ' KKK').out
    assert 'White rolled BBK' in out


@test
def a_program_can_play_through_pipes():
    with subprocess.Popen([HAZARD, 'play', '--side', 'both', '--seed', '7'], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        def read_until(word):
            seen = ''
            while word not in seen:
                line = child.stdout.readline()
                assert line, seen
                seen += line
            return seen
        for _ in range(20):
            read_until(' rolled ')
            child.stdin.write('moves\n')
            child.stdin.flush()
            line = child.stdout.readline()
            while not re.fullmatch(r'  (?:[a-h][1-8][a-h][1-8][qrbn]? ?)+\n', line):
                line = child.stdout.readline()
            child.stdin.write(line.split()[0] + '\n')
            child.stdin.flush()
        child.stdin.close()
        child.stdout.read()
        same(child.wait(timeout=30), 0)


main()
