# SPDX-License-Identifier: MIT
"""`hazard play --json`: the events a program plays by, as docs/play.md promises them."""
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time

from harness import HAZARD, START, main, run, same, test

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / 'docs/play.md'
KING_ON_A_FILE = 'k7/8/8/8/8/8/8/R3K3 w - - 0 1'
STATE = ['number', 'side', 'player', 'dice', 'played', 'left', 'dfen', 'next']
TURN = ['number', 'side', 'player', 'dice', 'pass', 'turn', 'takes_king', 'score', 'from_book', 'dfen']
MEMBERS = {
    'start': ['seed', 'white', 'black', 'dfen'],
    'roll': STATE, 'move': ['move', *STATE], 'undo': ['move', *STATE], 'turn': TURN,
    'error': ['code', 'message', 'word', *STATE], 'draw': ['accepted'],
    'end': ['outcome', 'winner', 'reason', 'turns', 'seed', 'dfen'],
    'quit': ['cause', 'turns', 'seed', 'dfen'], 'record': ['file'],
    'moves': ['next'], 'odds': ['odds'], 'danger': ['danger'],
    'hint': ['bot', 'turn', 'takes_king', 'score', 'from_book'], 'board': STATE, 'dfen': ['dfen'],
    'help': ['words'],
}


def parse(line):
    """One event, its members checked."""
    event = json.loads(line)
    same(list(event), ['event', *MEMBERS[event['event']]])
    return event


def play(*arguments, stdin='', code=0):
    result = run('play', '--json', *arguments, stdin=stdin, code=code)
    same(result.err, '')
    assert result.out.endswith('\n')
    return [parse(line) for line in result.out.splitlines()]


def names(events):
    return [event['event'] for event in events]


def one(events, name):
    found = [event for event in events if event['event'] == name]
    same(len(found), 1, name)
    return found[0]


def state(event):
    return {member: event[member] for member in STATE}


def after_roll(number, stdin):
    """The events that follow the roll of a turn of the game with seed 7."""
    events = play('--seed', '7', stdin=stdin)
    place = next(i for i, e in enumerate(events) if e['event'] == 'roll' and e['number'] == number)
    return events[place:]


@test
def every_event_and_member_is_in_the_document():
    text = DOCUMENT.read_text(encoding='utf-8')
    states, events = text.split('## The state')[1].split('## The events')
    for event, members in MEMBERS.items():
        row = re.search(rf'^\| `{event}` \| (.*)$', events, re.M)
        assert row, event
        if members[-len(STATE):] == STATE:
            assert 'the state' in row[1], event
            members = members[:-len(STATE)]
        for member in members:
            assert f'`{member}`' in row[1], (event, member)
    for member in STATE:
        assert re.search(rf'^\| `{member}` \|', states, re.M), member
    words = one(play('--seed', '7', stdin='help\n'), 'help')['words']
    for word in words:
        assert f'`{word["name"]}`' in text, word


@test
def a_game_starts_rolls_and_is_left():
    events = play('--seed', '7')
    same(events[0], {'event': 'start', 'seed': 7, 'white': 'human', 'black': 'greedy', 'dfen': START})
    same(names(events), ['start'] + ['roll', 'turn'] * 4 + ['roll', 'quit'])
    same(events[1]['next'], [])
    same((events[2]['pass'], events[2]['turn'], events[2]['player']), (True, [], 'human'))
    same((events[4]['player'], events[4]['pass']), ('greedy', False))
    assert isinstance(events[4]['score'], int)
    same(state(events[-2]) | {'dfen': '', 'next': []},
         {'number': 5, 'side': 'white', 'player': 'human', 'dice': 'PNK', 'played': [], 'left': 'PNK',
          'dfen': '', 'next': []})
    same(events[-1], {'event': 'quit', 'cause': 'end_of_input', 'turns': 4, 'seed': 7,
                      'dfen': events[-2]['dfen']})
    same(one(play('--seed', '7', stdin='quit\n'), 'quit')['cause'], 'quit')


@test
def it_is_the_game_of_the_text_mode():
    stdin = 'g1f3 e2e3,e1e2\n'
    text = run('play', '--seed', '7', stdin=stdin).out
    turns = [e for e in play('--seed', '7', stdin=stdin) if e['event'] == 'turn']
    same([','.join(turn['turn']) for turn in turns if not turn['pass']], re.findall(r'plays (\S+)', text))
    same([e['dice'] for e in turns], re.findall(r'rolled (\w+)\n', text)[:len(turns)])


@test
def moves_are_answered_and_taken_back():
    roll, first, second, back, error, *_ = after_roll(5, 'g1f3\ne2e3\nundo\na1a8 e2e4\n')
    same((first['event'], first['move'], first['played'], first['left']), ('move', 'g1f3', ['g1f3'], 'PK'))
    same(first['dfen'], run('apply', roll['dfen'], 'g1f3').out.strip())
    same(run('query', stdin=json.dumps({'query': 'next', 'dfen': roll['dfen'], 'played': ['g1f3']})).json
         ['result'], first['next'])
    same((second['played'], second['left']), (['g1f3', 'e2e3'], 'K'))
    same((back['event'], back['move']), ('undo', 'e2e3'))
    same(state(back), state(first))
    same((error['event'], error['code'], error['word']), ('error', 'NOT_LEGAL', 'a1a8'))
    same(state(error), state(first))


@test
def a_complete_turn_is_handed_over():
    events = after_roll(5, 'g1f3 e2e3 e1e2 quit\nquit\n')
    same(names(events)[:6], ['roll', 'move', 'move', 'move', 'error', 'turn'])
    turn = events[5]
    same((turn['turn'], turn['player'], turn['score'], turn['pass'], turn['dice']),
         (['g1f3', 'e2e3', 'e1e2'], 'human', None, False, 'PNK'))
    same(turn['dfen'], run('apply', '--strict', '--hand-over', events[0]['dfen'], *turn['turn']).out.strip())
    same(events[6]['dfen'].split()[:-1], turn['dfen'].split())


@test
def questions_are_answered_by_what_other_commands_say():
    events = after_roll(5, 'moves odds danger hint board dfen help draw\n')
    roll = events[0]
    same(names(events), ['roll', 'moves', 'odds', 'danger', 'hint', 'board', 'dfen', 'help', 'draw', 'quit'])
    odds = run('odds', '--json', roll['dfen']).json
    same(events[1]['next'], roll['next'])
    same((events[2]['odds'], events[3]['danger']), (odds['odds'], odds['danger']))
    assert events[4]['turn'] in run('turns', '--json', roll['dfen']).json['turns']
    same(events[4]['bot'], 'greedy')
    same(state(events[5]), state(roll))
    same(events[6]['dfen'], roll['dfen'])
    same(events[8], {'event': 'draw', 'accepted': False})


@test
def refusals_say_why_and_change_nothing():
    noise = ['e2e5', 'd1d8', 'foo', 'undo', 'O-O', '\x1b[2J"\\', 'x' * 5000, '\udcff\udc80'.encode(
        'utf-8', 'surrogateescape'), b'\0']
    data = b'\n'.join(w if isinstance(w, bytes) else w.encode() for w in noise) + b'\n \n,,\n'
    roll, *errors, leave = after_roll(5, data)
    same([e['code'] for e in errors], ['NOT_LEGAL', 'NOT_LEGAL', 'MOVE_TEXT', 'NOT_FOUND', 'MOVE_TEXT',
                                       'MOVE_TEXT', 'INVALID_ARGUMENT', 'MOVE_TEXT', 'MOVE_TEXT'])
    same([e['word'] for e in errors], ['e2e5', 'd1d8', 'foo', None, 'O-O', '\x1b[2J"\\', None,
                                       '\ufffd\ufffd', '\0'])
    for error in errors:
        same(state(error), state(roll))
        assert error['message']
    same(leave['dfen'], roll['dfen'])


@test
def endings_name_winner_and_reason():
    def end(*arguments, stdin):
        event = one(play(*arguments, stdin=stdin), 'end')
        return event['outcome'], event['winner'], event['reason']
    same(end('--seed', '7', stdin='resign\n'), ('0-1', 'black', 'resignation'))
    same(end('--side', 'both', '--seed', '7', stdin='draw\n'), ('1/2-1/2', None, 'agreement'))
    same(end('--side', 'both', '--seed', '4', KING_ON_A_FILE, stdin='a1a8\n'), ('1-0', 'white', 'king'))
    same(end('--side', 'both', '--seed', '4', 'k7/8/8/8/8/8/8/R3K3 w - - 100 80', stdin=''),
         ('1/2-1/2', None, 'fifty'))
    taken = one(play('--side', 'both', '--seed', '4', KING_ON_A_FILE, stdin='a1a8\n'), 'turn')
    same((taken['takes_king'], taken['dfen'].split()[:2]), (True, ['R7/8/8/8/8/8/8/4K3', 'w']))


@test
def bots_play_alone_and_the_record_is_announced():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'game "1".txt')
        events = play('--side', 'none', '--bot', 'aggressive', '--seed', '1', '--record', path)
        same(names(events)[-2:], ['end', 'record'])
        same(events[-1]['file'], path)
        with open(path, encoding='utf-8') as file:
            record = file.read()
    end = events[-2]
    assert f'[Result "{end["outcome"]}"]' in record
    turns = [event for event in events if event['event'] == 'turn']
    same(len(turns), end['turns'])
    for before, turn, after in zip(events[1:], events[2:], events[3:]):
        if turn['event'] == 'turn' and after['event'] == 'roll':
            played = ['-'] if turn['pass'] else turn['turn']
            same(turn['dfen'], run('apply', '--hand-over', before['dfen'], *played).out.strip())
            same(after['dfen'].rsplit(' ', 1)[0], turn['dfen'])


@test
def wrong_options_leave_the_output_empty():
    for arguments in (['--side', 'middle'], ['--bot', 'nobody'], ['nonsense'], ['8/8/8/8/8/8/8/4K3 w - -']):
        result = run('play', '--json', *arguments, code=2)
        same(result.out, '', arguments)
        assert result.err.startswith('hazard play: '), arguments


@test
def failed_reading_is_an_event_too():
    with tempfile.TemporaryDirectory() as folder:
        reader = os.open(folder, os.O_RDONLY)  # a folder cannot be read like a file
        done = subprocess.run([HAZARD, 'play', '--json', '--seed', '7'], stdin=reader, check=False,
                              capture_output=True, timeout=60)
        os.close(reader)
    same(done.returncode, 3)
    last = json.loads(done.stdout.splitlines()[-1])
    same((last['event'], last['cause'], last['code']), ('quit', 'failure', 'IO'))
    assert b'reading failed' in done.stderr


@test
def a_program_can_play_a_whole_game():
    seed = int(os.environ.get('HAZARD_TEST_SEED') or time.time())
    print(f'# HAZARD_TEST_SEED={seed}')
    choose = random.Random(seed).choice
    with subprocess.Popen([HAZARD, 'play', '--json', '--seed', str(seed), '--bot', 'aggressive'], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        while True:
            line = child.stdout.readline()
            assert line, 'the game stopped without an end'
            event = parse(line)
            if event['event'] == 'end':
                break
            assert event['event'] in ('start', 'roll', 'move', 'turn'), event
            if event['event'] in ('roll', 'move') and event['player'] == 'human' and event['next']:
                child.stdin.write(choose(event['next']) + '\n')
                child.stdin.flush()
        child.stdin.close()
        same(child.stdout.read(), '')
        same(child.wait(timeout=30), 0)


main()
