# SPDX-License-Identifier: MIT
"""`mpirun hazard arena`: the same report from any number of ranks, and what happens when one is gone."""
import json
import os
import random
import re
import signal
import subprocess
import time

from arena_runs import MATCH, Folder, items_in, json_of, lasting, processes, read
from harness import HAZARD, main, run, same, test
from ranks import ENVIRONMENT, mpi_is_there, mpirun, ranks_of, start_recovering


@test
def any_number_of_ranks_gives_the_same_report():
    mpi_is_there()
    command = [*MATCH, '--pairs', '400', '--sprt', '-20,20', '--luck', 'king', '--json']
    alone = run(*command)
    for count in (1, 2, 3):
        done = mpirun(count, *command)
        same(done.returncode, alone.code, done.stderr)
        same(lasting(json.loads(done.stdout)), lasting(alone.json))
    with Folder() as file:
        done = mpirun(2, *command, '--checkpoint', file('c'), '--games-log', file('log'))
        same(len(read(file('log')).splitlines()), alone.json['games'])
        again = run(*command, '--checkpoint', file('c'), '--games-log', file('log'), '--resume')
        same(lasting(again.json), lasting(alone.json))


@test
def the_pairs_of_a_lost_rank_are_played_by_others():
    mpi_is_there()
    command = ['arena', '--a', 'monte-carlo:rollouts=1,plies=2', '--b', 'greedy', '--pairs', '40',
               '--json', '--lost-after', '2']
    alone = json_of(*command[:-3])
    for lost in (1, 2):
        with Folder() as file:
            process = start_recovering(*command, '--checkpoint', file('c'))
            try:
                # the ranks have found each other when a pair is finished
                while items_in(file('c')) == 0:
                    assert process.poll() is None, process.communicate()
                    time.sleep(0.01)
                os.kill(ranks_of(process)[lost], signal.SIGKILL)
                out, err = process.communicate(timeout=150)
            finally:
                process.kill()
            same(process.returncode, 0, err)
            report = json.loads(out)
            same(lasting(report), lasting(alone))
            print('#', report['machine']['ranks_lost'], 'rank lost')
            same(processes(file('c')), [])


@test
def further_clocks_are_played_without_the_lost_rank():
    mpi_is_there()
    with Folder() as file:
        process = start_recovering('arena', '--a', 'monte-carlo:rollouts=1,plies=2', '--b', 'greedy',
                                   '--pairs', '4', '--tc', '0.4+0.01,0.2+0.01', '--lost-after', '2',
                                   '--json', '--checkpoint', file('c'))
        try:
            while items_in(file('c')) == 0:
                assert process.poll() is None, process.communicate()
                time.sleep(0.01)
            os.kill(ranks_of(process)[2], signal.SIGKILL)
            out, err = process.communicate(timeout=150)
        finally:
            process.kill()
        same(process.returncode, 0, err)
        same([json.loads(line)['games'] for line in out.splitlines()], [8, 8])


@test
def a_job_that_dies_with_one_of_its_ranks_goes_on():
    mpi_is_there()
    rng = random.Random(time.time_ns())
    command = [*MATCH, '--pairs', '4000', '--luck', 'king', '--json']
    alone = json_of(*command[:-1])
    with Folder() as file:
        for kill in (1, 0, None):
            process = subprocess.Popen(['mpirun', '--oversubscribe', '-n', '2', HAZARD, *command,
                                        '--checkpoint', file('c'), '--resume'], env=ENVIRONMENT,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if kill is not None:
                before = items_in(file('c'))
                while items_in(file('c')) <= before and process.poll() is None:
                    time.sleep(0.01)
                time.sleep(rng.random() * 0.1)
                victim = ranks_of(process).get(kill)
                if victim and process.poll() is None:
                    os.kill(victim, signal.SIGKILL)
            out, err = process.communicate(timeout=150)
            print('#', items_in(file('c')), 'pairs after exit status', process.returncode)
            for _ in range(100):
                if not processes(file('c')):
                    break
                time.sleep(0.1)
            same(processes(file('c')), [])
        same(process.returncode, 0, err)
        same(lasting(json.loads(out)), lasting(alone))


@test
def ranks_complain_once_and_end_together():
    mpi_is_there()
    done = mpirun(3, 'arena', '--a', 'nobody', '--b', 'greedy')
    same(done.returncode, 2)
    same(done.stderr.count('no bot is called'), 1, done.stderr)
    done = mpirun(2, *MATCH, '--pairs', '0')
    same(done.returncode, 2)
    same(done.stderr.count('--pairs'), 1, done.stderr)
    for arguments, word in (([*MATCH, '--nonsense'], 'nonsense'), ([*MATCH, '--pairs'], '--pairs'),
                            (['arena', 'recall', '--limit', 'x'], '--limit'),
                            (['arena', 'tournament', '--pairs=', 'random', 'greedy'], '--pairs'),
                            (['selfplay', '--bots'], '--bots'), (['selfplay', 'extra'], 'extra')):
        done = mpirun(3, *arguments)
        same(done.returncode, 2)
        same(len(re.findall(f'hazard [a-z ]+: .*{word}', done.stderr)), 1, done.stderr)
    done = mpirun(3, 'selfplay', '--help')
    same((done.returncode, done.stdout), (0, run('selfplay', '--help').out))


main()
