# SPDX-License-Identifier: MIT
"""`hazard uci` as graphical interfaces and match programs use it: every command in every state."""
import os
import queue
import re
import subprocess
import tempfile
import threading
import time

from harness import HAZARD, KIWIPETE, START, Skip, main, same, test

QUIET_S = 30  # how long anything may take on a busy machine


class Engine:
    """A running dialogue; lines arrive through a thread, so that waiting has an end."""

    def __init__(self, *arguments, handshake=True, env=None):
        self.process = subprocess.Popen([HAZARD, 'uci', *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        if handshake:
            self.send('uci')
            self.until('uciok')

    def _read(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line.decode().rstrip('\n')))
        self.lines.put((time.monotonic(), None))

    def send(self, *lines):
        self.process.stdin.write(''.join(line + '\n' for line in lines).encode())
        self.process.stdin.flush()

    def line(self, timeout=QUIET_S):
        self.when, text = self.lines.get(timeout=timeout)
        assert text is not None, 'the dialogue ended'
        return text

    def until(self, start, timeout=QUIET_S):
        """All lines up to the first that begins so."""
        lines = []
        while True:
            lines.append(self.line(timeout))
            if lines[-1].startswith(start):
                return lines

    def ready(self):
        self.send('isready')
        return self.until('readyok')[:-1]

    def silent(self, seconds):
        """Lines that come within this time."""
        end, lines = time.monotonic() + seconds, []
        while time.monotonic() < end:
            try:
                lines.append(self.lines.get(timeout=max(0.001, end - time.monotonic()))[1])
            except queue.Empty:
                break
        return lines

    def go(self, limits='depth 4', timeout=QUIET_S):
        self.send('go ' + limits)
        lines = self.until('bestmove', timeout)
        return lines[-1].split()[1], lines

    def end(self, code=0):
        """Closes the input and waits."""
        self.process.stdin.close()
        same(self.process.wait(QUIET_S), code, 'exit status')
        self.reader.join(QUIET_S)
        self.process.stdout.close()
        errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        return errors

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            if kind is None:
                self.end()
            else:
                self.process.kill()
                self.process.wait()


def infos(lines):
    return [line for line in lines if line.startswith('info depth')]


def number(line, word):
    return int(re.search(rf' {word} (-?\d+)', ' ' + line)[1])


@test
def it_introduces_itself_and_its_options():
    with Engine(handshake=False) as engine:
        engine.send('uci')
        lines = engine.until('uciok')
        assert lines[0].startswith('id name Hazard '), lines
        assert lines[1].startswith('id author '), lines
        names = {re.match(r'option name (.*) type', line)[1] for line in lines[2:-1]}
        same(names, {'Hash', 'Threads', 'MultiPV', 'Move Overhead', 'EvalUnit', 'Ponder',
                     'UCI_ShowWDL',
                     'Clear Hash', 'EvalFile', 'UCI_Variant', 'Bot', 'Seed'})


@test
def every_limit_of_go_ends_with_a_move():
    with Engine() as engine:
        engine.send('position startpos moves e2e4 e7e5')
        for limits in ['depth 5', 'nodes 5000', 'movetime 50', 'movetime 0', 'mate 2 nodes 20000',
                       'wtime 1000 btime 1000', 'wtime 1000 btime 1000 winc 10 binc 10',
                       'wtime 1000 btime 1000 movestogo 1', 'wtime 1 btime 1', 'wtime 0 btime 0',
                       'wtime -50 btime -50 winc -1', 'depth 2 nodes 100 movetime 1000',
                       'depth 1000 nodes 2000', 'nodes 1', 'wtime 99999999999999999999 depth 3']:
            move, _ = engine.go(limits)
            assert re.fullmatch('[a-h][1-8][a-h][1-8][qrbn]?', move), (limits, move)


@test
def limits_are_kept():
    with Engine() as engine:
        _, lines = engine.go('depth 6')
        same(number(infos(lines)[-1], 'depth'), 6)
        _, lines = engine.go('nodes 7777')
        same(number(infos(lines)[-1], 'nodes'), 7777)
        start = time.monotonic()
        engine.go('movetime 200')
        assert 0.15 <= engine.when - start < 5
        engine.send('position fen 6k1/5ppp/Q7/8/8/8/5PPP/6K1 w - - 0 1')
        _, lines = engine.go('mate 1')
        assert 'score mate 1 ' in lines[-2], lines


@test
def moves_to_search_are_the_only_ones():
    with Engine() as engine:
        for moves in ['a2a3', 'a2a3 h2h3', 'h2h3 a2a3 b1a3']:
            move, _ = engine.go(f'searchmoves {moves} depth 4')
            assert move in moves.split(), (moves, move)
        move, _ = engine.go('depth 3 searchmoves b1a3')
        same(move, 'b1a3')
        move, lines = engine.go('depth 3 searchmoves e2e5 b1a3')
        same(move, 'b1a3')
        assert any('e2e5' in line for line in lines if 'info string' in line), lines


@test
def infinite_answers_only_when_stopped():
    with Engine() as engine:
        for position in ['startpos', 'fen 6k1/5ppp/Q7/8/8/8/5PPP/6K1 w - - 0 1',
                         'fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1']:
            engine.send('position ' + position, 'go infinite')
            assert not any(line.startswith('bestmove') for line in engine.silent(0.3)), position
            engine.send('stop')
            engine.until('bestmove')


def stop_time(*options):
    """Best time of some stops; a busy machine may delay any one of them."""
    with Engine() as engine:
        engine.send(*('setoption name ' + option for option in options))
        engine.send(f'position fen {KIWIPETE}')
        same(engine.ready(), [], options)
        best = 1.0
        for attempt in range(40):
            engine.send('go infinite' if attempt % 2 else 'go ponder')
            time.sleep(0.02)
            sent = time.monotonic()
            engine.send('stop')
            engine.until('bestmove')
            best = min(best, engine.when - sent)
            if attempt >= 6 and best < 0.010:
                break
        return best


@test
def stop_is_answered_within_ten_milliseconds():
    with tempfile.TemporaryDirectory() as folder:
        cases = [['Hash value 64'], ['Threads value 2'], ['MultiPV value 256'],
                 ['Hash value 2048', 'Threads value 2', 'MultiPV value 3']]
        for number, arch in enumerate(['dual:256,32', 'xattn8-4-v1',
                                       'mlp:64,32 --schema dual-view-1540-v1']):
            path = os.path.join(folder, f'{number}.onnx')
            subprocess.run([HAZARD, 'model', 'new', '--arch', *arch.split(), '--seed', '3', '--out',
                            path], check=True, capture_output=True)
            cases += [['EvalFile value ' + path], ['EvalFile value ' + path, 'Threads value 2']]
        # A graph that takes its time: hundreds of microseconds for a position.
        reference = os.path.join(folder, 'reference.onnx')
        subprocess.run([HAZARD, 'league', 'reference', 'handcrafted', '--out', reference],
                       check=True, capture_output=True)
        cases.append(['EvalFile value ' + reference])
        for case in cases:
            best = stop_time(*case)
            assert best < 0.010, (case, f'{1000 * best:.1f} ms')


@test
def what_takes_time_is_done_at_isready():
    with tempfile.TemporaryDirectory() as folder:
        wrong = os.path.join(folder, 'wrong.onnx')
        subprocess.run([HAZARD, 'model', 'new', '--arch', 'mlp:4', '--schema', 'kcp-13', '--seed',
                        '1', '--out', wrong], check=True, capture_output=True)
        with Engine() as engine:
            engine.send('setoption name EvalFile value ' + wrong)
            lines = engine.ready()
            same(len(lines), 1)
            assert 'no chess encoder fits' in lines[0] and wrong in lines[0], lines
            # A zero would end the name early, at another file than the one that was named.
            engine.send(f'setoption name EvalFile value {wrong}\0x', 'setoption name Bot value x\0y')
            same(['zero' in engine.line(), 'zero' in engine.line()], [True, True])
            engine.send('setoption name EvalFile value <empty>')
            same(engine.ready(), [])
            engine.send(DICE, 'setoption name Bot value no-such-bot')
            lines = engine.ready()
            assert len(lines) == 1 and 'no-such-bot' in lines[0], lines


@test
def a_large_table_takes_no_memory_before_it_is_used():
    if not os.path.exists('/proc/self/status'):
        raise Skip('this system does not say how much memory a process has')
    # With this, meson's way to find forgotten initialisations, the C library writes to all it gives.
    env = {name: value for name, value in os.environ.items() if name != 'MALLOC_PERTURB_'}
    with Engine(env=env) as engine:
        engine.send('setoption name Hash value 4096')
        if engine.ready():
            raise Skip('this machine does not promise 4 GiB to anybody')
        engine.send('ucinewgame')
        engine.go('depth 3')
        with open(f'/proc/{engine.process.pid}/status', encoding='ascii') as status:
            resident = int(re.search(r'VmRSS:\s+(\d+) kB', status.read())[1])
        assert resident < 1 << 20, resident


@test
def stop_without_a_search_does_nothing():
    with Engine() as engine:
        engine.send('stop', 'stop', 'ponderhit')
        same(engine.ready(), [])
        engine.go()
        engine.send('stop', 'ponderhit')
        same(engine.ready(), [])


@test
def pondering_waits_for_the_hit():
    with Engine() as engine:
        engine.send('setoption name Ponder value true', 'position startpos moves e2e4')
        engine.send('go ponder wtime 300 btime 300 movestogo 1')
        assert not any(line.startswith('bestmove') for line in engine.silent(0.6))
        engine.send('ponderhit')
        engine.until('bestmove', 10)
        # A hit right behind the go is not lost.
        for _ in range(20):
            engine.send('go ponder wtime 20 btime 20', 'ponderhit')
            engine.until('bestmove', 10)
        # Depth reached while pondering: the answer waits all the same.
        engine.send('go ponder depth 2')
        assert not any(line.startswith('bestmove') for line in engine.silent(0.2))
        engine.send('ponderhit')
        engine.until('bestmove')
        # The guess was wrong.
        engine.send('go ponder wtime 1000 btime 1000', 'stop')
        engine.until('bestmove')


@test
def the_reply_to_ponder_on_is_legal():
    with Engine() as engine:
        _, lines = engine.go('depth 6')
        words = lines[-1].split()
        same((words[0], words[2]), ('bestmove', 'ponder'))
        pv = infos(lines)[-1].split(' pv ')[1].split()
        same([words[1], words[3]], pv[:2])


@test
def every_command_is_obeyed_while_a_search_runs():
    with Engine() as engine:
        for go in ['go infinite', 'go ponder', 'go depth 100', 'perft 9', 'bench 30']:
            engine.send('position startpos', go)
            engine.ready()
            engine.send('uci')
            engine.until('uciok')
            engine.send('d', 'debug on', 'position startpos moves d2d4', 'register later')
            engine.send('setoption name Hash value 2', 'ucinewgame', 'go depth 1', 'perft 1')
            lines = [line for line in engine.ready() if line.startswith('info string')]
            same(len(lines), 5, go)
            same(sum('stop it first' in line for line in lines), 3, go)
            engine.send('stop')
            lines = engine.ready()
            answers = [line for line in lines if line.startswith('bestmove')]
            same(len(answers), go.startswith('go'), go)
            # What `position` said while it searched is true now.
            engine.send('d')
            line = engine.until('info string FEN')[-1]
            assert line.endswith('rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1'), line


# What an engine may be doing, and the answers that it still owes.
STATES = [([], 0), (['uci'], 0), (['position startpos moves e2e4'], 0),
          (['position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1'], 0),
          (['go infinite'], 1), (['go ponder'], 1), (['go ponder depth 1'], 1),
          (['go infinite depth 1'], 1), (['go wtime 90000000 btime 90000000'], 1),
          (['setoption name Threads value 3', 'setoption name MultiPV value 3', 'go ponder'], 1),
          (['perft 9'], 0), (['bench 30'], 0), (['go perft 9'], 0),
          (['setoption name UCI_Variant value dicechess', f'position fen {START} PNB'], 0),
          (['setoption name UCI_Variant value dicechess', f'position fen {START} PNB',
            'setoption name Bot value greedy', 'go infinite'], 1)]
# Commands, and the answers that they ask for where nothing runs.
COMMANDS = [('uci', 0), ('isready', 0), ('debug on', 0), ('register later', 0), ('d', 0),
            ('ucinewgame', 0), ('position startpos moves d2d4 d7d5', 0), ('position fen x', 0),
            ('setoption name Hash value 3', 0), ('setoption name Hash value x', 0),
            ('setoption name EvalFile value /no/such/file', 0),
            ('setoption name EvalFile value <empty>', 0), ('go depth 1 dice PNB', 1),
            ('go infinite dice PNB', 1), ('go ponder dice PNB', 1), ('go movetime 5 dice PNB', 1),
            ('stop', 0), ('ponderhit', 0), ('perft 1', 0), ('bench 1', 0), ('', 0), ('xyzzy', 0)]


@test
def every_command_is_survived_in_every_state():
    for before, owed in STATES:
        counts = before[-1:] and before[-1].startswith(('perft', 'bench', 'go perft'))
        with Engine() as engine:
            for command, answers in COMMANDS:
                engine.send(*before)
                engine.send(command, 'isready')
                lines = engine.until('readyok')
                if command == 'isready':
                    lines += engine.until('readyok')
                engine.send('stop')
                lines += engine.ready()
                got = sum(line.startswith('bestmove') for line in lines)
                # What runs refuses another search; a perft may have ended by then.
                wanted = {owed} if owed else {0, answers} if answers else {0}
                assert got in wanted, (before, command, lines)
                if not owed and not counts:
                    same(got, answers, (before, command))
                # As it was.
                engine.send('setoption name UCI_Variant value chess', 'position startpos',
                            'setoption name EvalFile value <empty>')
                engine.ready()


@test
def every_state_ends_with_quit_and_with_the_lines():
    for before, _ in STATES:
        counts = before[-1:] and before[-1].startswith(('perft', 'bench', 'go perft'))
        for last in ['stop\nquit\n', 'stop\n'] + ([] if counts else ['quit\n', 'quit']):
            text = ''.join(line + '\n' for line in before) + last
            done = subprocess.run([HAZARD, 'uci'], input=text.encode(), capture_output=True,
                                  timeout=QUIET_S, check=False)
            same((done.returncode, done.stderr), (0, b''), text)
            assert done.stdout == b'' or done.stdout.endswith(b'\n'), text


@test
def lines_may_end_as_on_other_systems():
    text = 'uci\r\nposition startpos moves e2e4 \r\ngo depth 2\r\n'
    done = subprocess.run([HAZARD, 'uci'], input=text.encode(), capture_output=True,
                          timeout=QUIET_S, check=False)
    lines = done.stdout.decode().splitlines()
    assert 'uciok' in lines and lines[-1].startswith('bestmove '), lines
    assert not any('info string' in line for line in lines), lines


@test
def a_go_right_behind_an_answer_is_never_lost():
    with Engine() as engine:
        for _ in range(300):
            engine.go('nodes 20', 10)


@test
def stop_and_the_next_go_may_come_together():
    with Engine() as engine:
        engine.send('go infinite')
        for _ in range(20):
            engine.send('stop', 'position startpos moves e2e4', 'go infinite')
        engine.send('stop')
        answers = [line for line in engine.ready() if line.startswith('bestmove')]
        same(len(answers), 21)


@test
def several_lines_are_different_moves_in_order():
    with Engine() as engine:
        engine.send('setoption name MultiPV value 4', f'position fen {KIWIPETE}')
        _, lines = engine.go('depth 5')
        last = infos(lines)[-4:]
        same([number(line, 'multipv') for line in last], [1, 2, 3, 4])
        same(len({line.split(' pv ')[1].split()[0] for line in last}), 4)
        scores = [number(line, 'cp') for line in last]
        same(scores, sorted(scores, reverse=True))
        engine.send('setoption name MultiPV value 256')
        _, lines = engine.go('depth 2')
        same(max(number(line, 'multipv') for line in infos(lines)), 48)


@test
def chances_are_said_when_wanted():
    with Engine() as engine:
        _, lines = engine.go()
        assert not any(' wdl ' in line for line in lines)
        engine.send('setoption name UCI_ShowWDL value true')
        _, lines = engine.go()
        for line in infos(lines):
            same(sum(int(n) for n in re.search(r' wdl (\d+) (\d+) (\d+) ', line).groups()), 1000)


@test
def options_take_their_range_and_nothing_else():
    with Engine() as engine:
        good = ['Hash value 1', 'Hash value 33', 'hash value 8', 'Threads value 3',
                'MOVE OVERHEAD value 0', 'Move Overhead value 100', 'MultiPV value 1',
                'Clear Hash', 'UCI_Variant value chess', 'Seed value 18446744073709551615',
                'EvalFile value <empty>', 'EvalFile value', 'Ponder value false']
        for option in good:
            engine.send('setoption name ' + option)
            same(engine.ready(), [], option)
        bad = ['Hash value 0', 'Hash value 1000000', 'Hash value many', 'Hash value', 'Hash',
               'Threads value -1', 'Threads value 257', 'MultiPV value 0', 'Seed value -1',
               'Seed value 18446744073709551616', 'UCI_Variant value atomic', 'Ponder value maybe',
               'NoSuchOption value 1', '', 'value 3', 'EvalFile value ' + 'x' * 3000]
        for option in bad:
            engine.send('setoption name ' + option)
            lines = engine.ready()
            same(len(lines), 1, option)
            assert lines[0].startswith('info string '), lines
        engine.send('setoption', 'setoption Hash 3')
        same(len(engine.ready()), 2)
        engine.go()


@test
def several_threads_answer_like_one():
    with Engine() as engine:
        engine.send('setoption name Threads value 4', 'setoption name Hash value 4')
        for _ in range(5):
            engine.go('depth 6')
            engine.send('go infinite')
            time.sleep(0.01)
            engine.send('stop')
            engine.until('bestmove')
        engine.send('position fen 6k1/5ppp/Q7/8/8/8/5PPP/6K1 w - - 0 1')
        move, _ = engine.go('depth 6')
        assert move in ('a6a8', 'a6c8'), move


@test
def garbage_is_answered_by_an_info_string():
    with Engine() as engine:
        engine.send('', '   ', '\t', 'xyzzy', 'go-go', 'position', 'position nowhere',
                    'position fen', 'position fen 8/8/8', 'position startpos moves e2e5',
                    'position startpos moves e2e4 e7e5 e1e3', 'perft none', 'perft 0', 'bench 99',
                    'position fen 8/8/8/8/8/8/8/8 w - - 0 1', 'position fen ' + 'x' * 5000,
                    'position startpos e2e4', 'go depth', 'stop')
        lines = engine.until('bestmove')
        assert all(line.startswith(('info ', 'bestmove')) for line in lines), lines
        same(len([line for line in lines if line.startswith('info string')]), 15, lines)
        engine.ready()
        # Nothing has changed.
        engine.send('d')
        same(engine.until('info string FEN')[-1], 'info string FEN ' + START)


@test
def bytes_that_are_no_text_are_survived():
    with Engine() as engine:
        engine.process.stdin.write(b'\x00\x01\xff\xfe\x1b[31m\n' + bytes(range(128, 256)) + b'\n'
                                   + b'position fen \x1b\x07\n' + b'z' * 3000000 + b'\n'
                                   + b'setoption name \x1b[0m value \x9b\n')
        engine.process.stdin.flush()
        lines = engine.ready()
        assert all(line.startswith('info string') for line in lines), lines
        assert all(ord(c) >= 32 for line in lines for c in line), lines
        assert any('1048576' in line for line in lines), lines
        engine.go()


@test
def words_before_a_command_are_passed_over():
    with Engine() as engine:
        engine.send('well then isready')
        engine.until('readyok')
        engine.send('please go depth 2')
        engine.until('bestmove')


@test
def long_games_are_played_on():
    with Engine() as engine:
        shuffle = 'g1f3 g8f6 f3g1 f6g8 '
        engine.send('position startpos moves ' + shuffle * 2500)
        start = time.monotonic()
        move, lines = engine.go('depth 3')
        assert re.fullmatch('[a-h][1-8][a-h][1-8]', move), lines
        assert time.monotonic() - start < 10


@test
def repetition_counts_with_the_moves_of_the_game():
    # White is lost but can repeat for the third time.
    with Engine() as engine:
        engine.send('position fen 6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1 moves '
                    'h5e8 g8h7 e8h5 h7g8 h5e8 g8h7 e8h5 h7g8')
        _, lines = engine.go('depth 4')
        same(number(infos(lines)[-1], 'cp'), 0)


@test
def a_finished_game_has_no_move():
    with Engine() as engine:
        engine.send('position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1')
        same(engine.go()[1], ['info depth 0 score cp 0', 'bestmove 0000'])
        engine.send('position startpos moves f2f3 e7e5 g2g4 d8h4')
        same(engine.go()[1], ['info depth 0 score mate 0', 'bestmove 0000'])


@test
def castling_is_understood_and_said_as_the_kings_step():
    with Engine() as engine:
        for moves in ['e1g1', 'e1h1']:
            engine.send(f'position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves {moves}', 'd')
            line = engine.until('info string FEN')[-1]
            assert 'r3k2r/8/8/8/8/8/8/R4RK1 b kq' in line, line
        engine.send('position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1')
        same(engine.go('depth 2 searchmoves e1g1')[0], 'e1g1')


@test
def quit_ends_every_state_at_once():
    for before in [[], ['go infinite'], ['go ponder'], ['go depth 100'], ['go wtime 100000000'],
                   ['go infinite', 'stop'], ['setoption name Threads value 4', 'go infinite'],
                   ['setoption name UCI_Variant value dicechess',
                    f'position fen {START} PNB', 'go infinite']]:
        engine = Engine()
        engine.send(*before)
        engine.ready()
        start = time.monotonic()
        engine.send('quit')
        same(engine.process.wait(QUIET_S), 0, before)
        assert time.monotonic() - start < 5, before
        same(engine.end(), '', before)


@test
def quit_ends_a_long_perft_too():
    engine = Engine()
    engine.send('perft 12')
    engine.ready()
    engine.send('quit')
    same(engine.process.wait(QUIET_S), 0)
    engine.end()


@test
def the_end_of_the_lines_waits_for_what_ends_by_itself():
    for lines, last in [('go depth 5\n', 'bestmove'), ('go nodes 3000\n', 'bestmove'),
                        ('go infinite\n', 'bestmove'), ('go\n', 'bestmove'),
                        ('go ponder\n', 'bestmove'), ('perft 4\n', 'Nodes searched: 197281'),
                        ('perft 4\nquit\n', 'Nodes searched: 197281'),
                        ('bench 5\nquit', 'Nodes/second')]:
        done = subprocess.run([HAZARD, 'uci'], input=lines.encode(), capture_output=True,
                              timeout=QUIET_S, check=False)
        same(done.returncode, 0, lines)
        same(done.stderr, b'', lines)
        assert done.stdout.decode().splitlines()[-1].startswith(last), (lines, done.stdout[-300:])
    done = subprocess.run([HAZARD, 'uci'], input=b'go depth 7\n', capture_output=True,
                          timeout=QUIET_S, check=False)
    same(number(infos(done.stdout.decode().splitlines())[-1], 'depth'), 7)


@test
def a_reader_that_goes_away_ends_it():
    # At the end of the lines nothing is waited for that nobody will read.
    for lines in [b'go infinite\n', b'go depth 100\n', b'perft 12\n', b'isready\n']:
        read_end, write_end = os.pipe()
        process = subprocess.Popen([HAZARD, 'uci'], stdin=subprocess.PIPE, stdout=write_end,
                                   stderr=subprocess.PIPE)
        os.close(write_end)
        os.close(read_end)
        process.stdin.write(lines)
        process.stdin.close()
        same(process.wait(QUIET_S), 3, lines)
        same(process.stderr.read(), b'', lines)
        process.stderr.close()


@test
def output_that_cannot_be_written_is_an_error():
    done = subprocess.run(['sh', '-c', f'"{HAZARD}" uci >&-'], input=b'uci\ngo depth 3\n',
                          capture_output=True, timeout=QUIET_S, check=False)
    same(done.returncode, 3)
    if os.path.exists('/dev/full'):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([HAZARD, 'uci'], input=b'uci\ngo infinite\n', stdout=full,
                                  stderr=subprocess.PIPE, timeout=QUIET_S, check=False)
        same(done.returncode, 3)


@test
def the_bench_has_a_signature():
    with Engine() as engine:
        seen = set()
        for _ in range(2):
            engine.send('bench 6')
            lines = engine.until('Nodes/second')
            seen.add(lines[-2])
        same(len(seen), 1)
        # Neither games nor options change it.
        engine.send('setoption name Threads value 2', 'setoption name Hash value 1')
        engine.go('depth 6')
        engine.send('bench 6')
        same(engine.until('Nodes/second')[-2], seen.pop())


@test
def perft_is_listed_by_move():
    with Engine() as engine:
        engine.send(f'position fen {KIWIPETE}', 'go perft 3')
        lines = engine.until('Nodes searched')
        counts = [int(line.split(': ')[1]) for line in lines if re.match('[a-h][1-8]', line)]
        same(len(counts), 48)
        same((sum(counts), lines[-1]), (97862, 'Nodes searched: 97862'))
        engine.send('go perft 0')
        same(engine.until('Nodes searched')[-1], 'Nodes searched: 1')


@test
def a_file_that_is_no_model_is_said_and_no_move_made_up():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'no model.onnx')
        with open(path, 'w', encoding='ascii') as file:
            file.write('no model')
        with Engine() as engine:
            for name in [path, os.path.join(folder, 'missing'), folder]:
                engine.send('setoption name EvalFile value ' + name)
                engine.send('go depth 2')
                lines = engine.until('bestmove')
                same(lines[-1], 'bestmove 0000')
                assert lines[0].startswith('info string '), lines
            engine.send('setoption name EvalFile value <empty>')
            assert engine.go('depth 2')[0] != '0000'


@test
def models_of_both_kinds_judge_positions():
    with tempfile.TemporaryDirectory() as folder:
        for arch in ['dual:8,4', 'xattn8-4-v1']:
            path = os.path.join(folder, 'a model.onnx')
            subprocess.run([HAZARD, 'model', 'new', '--arch', arch, '--seed', '3', '--out', path],
                           check=True, capture_output=True)
            with Engine() as engine:
                engine.send('setoption name Threads value 2',
                            'setoption name EvalFile value ' + path)
                move, lines = engine.go('depth 3')
                assert re.fullmatch('[a-h][1-8][a-h][1-8]', move), lines
                engine.send('position fen 6k1/5ppp/Q7/8/8/8/5PPP/6K1 w - - 0 1')
                move, lines = engine.go('depth 2')
                assert 'score mate 1 ' in lines[-2], lines
                engine.send('position startpos', 'go infinite')
                time.sleep(0.1)
                engine.send('stop')
                engine.until('bestmove')
            with Engine('--model', path) as engine:
                engine.go('nodes 200')
            os.unlink(path)


@test
def the_unit_of_a_models_score_can_be_said():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'centipawns.onnx')
        subprocess.run([HAZARD, 'league', 'reference', 'handcrafted', '--out', path], check=True,
                       capture_output=True)
        with Engine() as engine:
            engine.send('position fen rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')
            engine.send('setoption name EvalFile value ' + path)
            for unit in [1, 10]:
                engine.send(f'setoption name EvalUnit value {unit}')
                same(engine.ready(), [])
                _, lines = engine.go('depth 1')
                assert 800 * unit < number(infos(lines)[-1], 'cp') < 1100 * unit, lines
            engine.send('setoption name EvalUnit value -1')
            same(len(engine.ready()), 1)


DICE = 'setoption name UCI_Variant value dicechess'


@test
def dice_chess_answers_whole_turns():
    with Engine() as engine:
        engine.send(DICE, 'setoption name Bot value greedy', 'setoption name Seed value 7')
        engine.send(f'position fen {START} PNN')
        turn, _ = engine.go('movetime 100')
        same(len(turn.split(',')), 3, turn)
        # The turn is legal: it can be played.
        engine.send(f'position fen {START} PNN moves {turn}', 'd')
        line = engine.until('info string DFEN')[-1]
        assert ' b ' in line, line
        # The roll before a turn, or with the go.
        engine.send(f'position startpos moves PNN:{turn} PPP:e7e5,d7d5,c7c5')
        same(engine.ready(), [])
        turn, _ = engine.go('dice PNB')
        assert turn.count(',') <= 2, turn


@test
def dice_chess_passes_when_nothing_moves():
    with Engine() as engine:
        engine.send(DICE, f'position fen {START} RRQ')
        same(engine.go()[0], '-')
        engine.send('position startpos moves RRQ:- PPP:e7e5,d7d5,c7c5')
        same(engine.ready(), [])


@test
def dice_chess_refuses_what_is_wrong():
    with Engine() as engine:
        engine.send(DICE)
        same(engine.go()[1][-1], 'bestmove 0000')  # no roll
        wrong = ['position startpos moves e2e5', 'position startpos moves PPP:e2e4',
                 'position startpos moves XYZ:e2e4', 'position startpos e2e4',
                 'position fen 8/8 w', 'position',
                 f'position fen {START} PNBQ', 'position fen ' + 'K' * 3000,
                 f'position fen {START} PNB moves e2e4,e4e5,e5e6', 'position elsewhere']
        for line in wrong:
            engine.send(line)
            lines = engine.ready()
            same(len(lines), 1, line)
            assert lines[0].startswith('info string position'), lines
        engine.send('setoption name Bot value no-such-bot')
        lines = engine.go('dice PNB')[1]
        same(lines[-1], 'bestmove 0000')
        engine.send('setoption name Bot value material')
        engine.go('dice PNB')


@test
def dice_chess_takes_the_king():
    with Engine() as engine:
        engine.send(DICE, 'position fen 7k/8/8/8/8/8/8/K6R w - - 0 1 RPP')
        turn, lines = engine.go()
        same(turn, 'h1h8')
        assert any('score mate 1' in line for line in lines), lines
        engine.send('position fen 7k/8/8/8/8/8/8/K6R w - - 0 1 RPP moves h1h8')
        same(engine.ready(), [])
        same(engine.go('dice PPP')[0], '0000')


@test
def dice_chess_holds_its_answer_and_changes_back():
    with Engine() as engine:
        engine.send(DICE, 'setoption name Bot value greedy', f'position fen {START} PNB')
        engine.send('go infinite')
        assert not any(line.startswith('bestmove') for line in engine.silent(0.2))
        engine.send('stop')
        engine.until('bestmove')
        engine.send('go ponder', 'ponderhit')
        engine.until('bestmove')
        engine.send('setoption name UCI_Variant value chess')
        move, _ = engine.go('depth 2')
        assert re.fullmatch('[a-h][1-8][a-h][1-8]', move), move
        # A bot chosen while chess was played is the one that plays.
        engine.send('setoption name Bot value no-such-bot', 'go depth 2')
        engine.until('bestmove')
        engine.send(DICE)
        same(engine.go('dice PNB')[0], '0000')


@test
def the_same_seed_gives_the_same_dice_chess():
    turns = []
    for _ in range(2):
        with Engine() as engine:
            engine.send(DICE, 'setoption name Bot value random', 'setoption name Seed value 12')
            engine.send('position startpos')
            turns.append([engine.go('dice PNN')[0] for _ in range(10)])
    same(turns[0], turns[1])
    assert len(set(turns[0])) > 1, turns


main()
