# SPDX-License-Identifier: MIT
"""Starting the command as several ranks of Open MPI."""
import os
import re
import shutil
import subprocess

from harness import HAZARD, Skip

# As root, too. Open MPI keeps memory until the process ends: no leak of ours, so nobody counts it.
ENVIRONMENT = {
    **os.environ,
    'OMPI_ALLOW_RUN_AS_ROOT': '1',
    'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
    'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0',
}


def mpi_is_there():
    """Skips the test on a machine without MPI, and with a command that was built without it."""
    linked = subprocess.run(['ldd', HAZARD], capture_output=True, text=True, check=False).stdout
    if not shutil.which('mpirun') or 'libmpi' not in linked:
        raise Skip('no MPI here')


def mpirun(count, *arguments):
    """Runs the command as `count` ranks; the finished process."""
    return subprocess.run(['mpirun', '--oversubscribe', '-n', str(count), HAZARD, *arguments],
                          env=ENVIRONMENT, capture_output=True, text=True, timeout=250, check=False)


def start_recovering(*arguments):
    """Three ranks that outlive one another."""
    return subprocess.Popen(['mpirun', '--enable-recovery', '--oversubscribe', '-n', '3', HAZARD,
                             *arguments], env=ENVIRONMENT, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def ranks_of(process):
    """Process numbers of the ranks below an mpirun, by rank."""
    found = {}
    children = subprocess.run(['pgrep', '-P', str(process.pid)], capture_output=True, text=True,
                              check=False).stdout.split()
    for child in children:
        try:
            with open(f'/proc/{child}/environ', encoding='utf-8', errors='replace') as file:
                rank = re.search(r'\0OMPI_COMM_WORLD_RANK=(\d+)\0', '\0' + file.read())
        except OSError:
            continue  # it has just ended
        if rank:
            found[int(rank[1])] = int(child)
    return found
