# SPDX-License-Identifier: MIT
"""What goes wrong is said once, on the standard error, with the right exit status."""
import os
import re
import subprocess
import tempfile

from harness import HAZARD, START, Skip, main, run, same, test
from locales import comma_locale

MILLION = 'Q6Q/3Q4/1Q5k/8/Q5Q1/8/8/K2Q2Q1 w - - 0 1 QQQ'
JSON_COMMANDS = [['best', START + ' PNB'], ['odds', START], ['turns', START + ' PNB'],
                 ['apply', START], ['position', START], ['perft', START], ['bots'],
                 ['features', '--list'], ['equity', '--rollouts', '3', START], ['version']]


@test
def bad_usage_exits_with_2_and_prints_nothing():
    for arguments in ([], ['nonsense'], ['best'], ['best', '--nonsense', START],
                      ['best', START], ['best', '--roll'], ['best', START + ' PNB', '--seed', '-1'],
                      ['best', START + ' PNB', '--seed', '18446744073709551616'],
                      ['best', START + ' PNB', '--seed', '1x'], ['best', START + ' P', '--seed='],
                      ['best', START + ' PNB', '--bot', 'nobody'],
                      ['best', START + ' PNB', '--bot', 'monte-carlo:x=1'],
                      ['best', START + ' PNB', '--bot', 'random', '--all'],
                      ['best', START + ' PNB', '--evaluator', 'gut'],
                      ['best', START, '--roll', 'PNBR'], ['best', START, '--roll', 'P,,N'],
                      ['best', START, '--roll', '-'], ['best', START, '--roll', '7'],
                      ['best', START + ' P', '--board', 'gold'],
                      ['odds'], ['odds', '--json=1', START], ['odds', START, 'extra'],
                      ['turns', START, '--limit', '0'], ['turns', '--first', '--tree', START],
                      ['turns', '--counts', '--played', 'e2e4', START + ' P'],
                      ['turns', START, '--roll', 'xyz'], ['turns', START + ' P', '-p', 'e2e5'],
                      ['apply'], ['apply', START + ' P', 'e2e5'], ['apply', START + ' N', 'e2e4'],
                      ['perft', START, '--depth', '65'], ['perft', START, '--depth', 'x'],
                      ['perft', START, '--depth', ''], ['perft', START, '--depth', '0', '-D'],
                      ['perft', START, '--turns', '--divide'],
                      ['features', START], ['features', '--schema', 'none', START],
                      ['features', '--columns', 'none'], ['features', '--list', 'x'],
                      ['features', '-s', 'kcp-13', '--color', 'red', START],
                      ['features', '-s', 'kcp-13', '--format', 'xml', START],
                      ['bots', 'x'], ['version', 'x'], ['query', 'x'], ['help', 'nonsense'],
                      ['help', 'best', 'odds'], ['equity', START, '--rollouts', '0'],
                      ['equity', START, '--error', 'nan'], ['equity', START, '--error', '0'],
                      ['play', '--side', 'middle'], ['play', '8/8/8/8/8/8/8/4K3 w - - 0 1']):
        result = run(*arguments, code=2)
        same(result.out, '', arguments)
        assert result.err.startswith(('hazard', 'Usage: hazard')), (arguments, result.err)


@test
def commands_with_verbs_name_them_all_when_none_fits():
    for command in ('league', 'model'):
        missing, wrong = run(command, code=2).err, run(command, 'nothing', code=2).err
        named = re.search(r'what to do\? (.*)', missing)[1]
        assert f"'nothing' is not {named}" in wrong, wrong
        verbs = re.split(', | or ', named)
        assert len(verbs) >= 8, named
        about = run('help', command, '--json').json['about']
        for verb in verbs:
            assert re.search(rf'\b{verb}\b', ' '.join(about)), f'hazard help {command} says nothing of {verb}'
        result = run(command, verbs[0], 'one', 'two', code=2)
        assert "what is 'two' for?" in result.err, result.err


@test
def options_may_be_clustered_and_repeated_without_end():
    same(run('turns', '-' + 'f' * 5000, START + ' NBK').out, run('turns', '-f', START + ' NBK').out)
    for command in ('turns', 'best', 'features', 'odds', 'apply', 'bench', 'query'):
        same(run(command, '-' + 'h' * 3000).out, run(command, '-h').out)
    assert 'ASCII' in run('turns', '-\u00e9', START, code=2).err


@test
def wrong_dfen_is_shown_with_a_caret_under_the_byte():
    for dfen, name, caret in (
            ('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1', 'COLOR', 44),
            ('rnbqkbnr/pppp.ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'BOARD_CHAR', 13),
            ('8/8/8/8/8/8/8/8 w - - 0 1 PNX', 'DICE', 28),
            ('8/8/8/8 w', 'FIELD_COUNT', 9)):
        lines = run('position', dfen, code=2).err.splitlines()
        assert lines[0].startswith(f'hazard position: {name}: '), lines
        same(lines[1], '  ' + dfen)
        same(lines[2], ' ' * (2 + caret) + '^')


@test
def control_bytes_never_reach_the_terminal():
    evil = b'rnbqkbnr\x1b[2J\x07/8/8/8/8/8/8/\xff\x80\x9b w - -'
    done = subprocess.run([HAZARD.encode(), b'position', evil], capture_output=True, check=False)
    same(done.returncode, 2)
    assert b'\\x1b' in done.stderr
    assert all(byte >= 32 or byte == 10 for byte in done.stderr), done.stderr
    for arguments in ([b'best', b'--bot', b'\x1b[31m', b'start', b'--roll', b'P'],
                      [b'--\x1b]0;x\x07'], [b'\x1b'], [b'help', b'\x1b[2J'],
                      [b'best', b'--\x1b[2J'], [b'features', b'--schema', b'\x1b[2J', b'start'],
                      [b'play', b'--side', b'\x1b[2J'], [b'turns', b'start', b'--roll', b'\x1b']):
        done = subprocess.run([HAZARD.encode(), *arguments], capture_output=True, check=False)
        same(done.returncode, 2, arguments)
        assert b'\x1b' not in done.stderr and b'\x07' not in done.stderr, (arguments, done.stderr)
    played = run('play', stdin='\x1b[2J e2e4\x07 \x9b\n').out
    assert '\x1b' not in played and '\x07' not in played


@test
def huge_arguments_are_refused_in_a_few_lines():
    for text in ('8/' * 40000, 'x' * 100000, 'a' * 99999 + ' w - -', '8/8/8/8/8/8/8/8 w - - ' + '9' * 90000):
        result = run('position', text, code=2)
        assert len(result.err) < 1000, len(result.err)
    run('best', '--bot', 'b' * 100000, START + ' P', code=2)
    run('best', '--roll', 'P,' * 20000 + 'X', START, code=2)
    run('apply', START + ' P', ','.join(['e2e4'] * 20000), code=2)


@test
def closed_pipe_ends_quietly_with_3():
    for arguments in (['turns', MILLION], ['turns', '--tree', MILLION], ['turns', '--json', MILLION],
                      ['best', '--all', '--json', MILLION], ['help'], ['help', '--json'],
                      ['play', '--side', 'none'], ['play', '--json', '--side', 'none']):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([HAZARD, *arguments], stdout=writer, stderr=subprocess.PIPE,
                              check=False, timeout=60)
        os.close(writer)
        same((done.returncode, done.stderr), (3, b''), arguments)


@test
def reader_that_leaves_early_stops_a_long_list():
    with subprocess.Popen([HAZARD, 'turns', MILLION], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as child:
        assert child.stdout.readline()
        child.stdout.close()
        same(child.wait(timeout=60), 3)
        same(child.stderr.read(), b'')


@test
def full_disk_is_reported():
    if not os.path.exists('/dev/full'):
        raise Skip('no /dev/full')
    for arguments in (['help'], ['turns', MILLION]):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([HAZARD, *arguments], stdout=full, stderr=subprocess.PIPE,
                                  check=False)
        same(done.returncode, 3)
        assert b'writing failed' in done.stderr


@test
def closed_standard_output_never_reaches_a_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'game.txt')
        done = subprocess.run(['sh', '-c', f"'{HAZARD}' play --side none --seed 1 --record '{path}' >&-"],
                              capture_output=True, check=False)
        same(done.returncode, 3)
        if os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                assert 'Turn 1' not in file.read()
    done = subprocess.run(['sh', '-c', f"'{HAZARD}' query <&-"], capture_output=True, check=False)
    same((done.returncode, done.stdout), (0, b''))


@test
def missing_files_are_the_environments_fault():
    assert 'No such file' in run('best', '--book', '/nonexistent/book', START + ' P', code=3).err
    assert 'No such file' in run('play', '--record', '/nonexistent/game', code=3).err


@test
def a_million_turns_need_little_memory():
    import resource

    def small():
        resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))

    if not ordinary_memory():
        raise Skip('this build reserves memory of its own')
    for arguments in (['turns', '--counts', '--json', MILLION], ['best', '--json', MILLION]):
        done = subprocess.run([HAZARD, *arguments], capture_output=True, check=False,
                              preexec_fn=small, timeout=100)
        same(done.returncode, 0, done.stderr)
    done = subprocess.run(f"'{HAZARD}' turns '{MILLION}' | wc -l", shell=True, check=True,
                          capture_output=True, preexec_fn=small)
    same(done.stdout.strip(), b'2000219')


def ordinary_memory():
    """Whether the command runs within a limited address space at all (sanitizers do not)."""
    import resource
    done = subprocess.run([HAZARD, 'version'], capture_output=True, check=False, preexec_fn=lambda:
                          resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20)))
    return done.returncode == 0


@test
def every_result_command_prints_one_line_of_json():
    for arguments in JSON_COMMANDS:
        result = run(*arguments, '--json')
        assert isinstance(result.json, (dict, list)), arguments
        same(result.err, '', arguments)


@test
def numbers_keep_their_point_in_every_locale():
    with tempfile.TemporaryDirectory() as folder:
        look_at_numbers(comma_locale(folder))


def look_at_numbers(environment):
    row = run('features', '--schema', 'rich-pdi-11-v1', START.replace('Q', '1', 1), env=environment).out
    assert '.8' in row or '.6' in row, row
    same(len(row.split(',')), 11)
    reply = run('equity', '--json', '--seed', '1', '--rollouts', '5', START, env=environment)
    assert 0 < reply.json['white_win'] < 1
    run('equity', '--json', '--seed', '1', '--error', '0.25', START, env=environment)


@test
def boards_have_colours_only_where_they_can_be_shown():
    assert '\x1b' not in run('odds', START, env={'TERM': 'xterm-256color'}).out
    assert '\x1b' in run('odds', '--board', 'color', START).out
    unicode = run('odds', '--board', 'unicode', START).out
    assert '♚' in unicode and '\x1b' not in unicode


@test
def options_may_stand_anywhere_and_a_double_dash_ends_them():
    same(run('best', START + ' P', '--json', '--seed', '1').json['seed'], 1)
    same(run('best', '--json', '-s1', '--', START + ' P').json['seed'], 1)
    same(run('position', '--json', '--', START).json['dfen'], START)


main()
