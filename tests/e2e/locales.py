# SPDX-License-Identifier: MIT
"""A locale with a decimal comma for tests: one of the system, or one compiled for them."""
import os
import subprocess

from harness import Skip


def comma_locale(folder):
    """The environment of a locale with decimal comma: one that is there, or made for this test."""
    known = subprocess.run(['locale', '-a'], capture_output=True, text=True, check=False).stdout.split()
    found = [name for name in known if name.startswith(('de_', 'fr_', 'nl_', 'ru_'))]
    env = {'LC_ALL': found[0] if found else 'de_DE.UTF-8'}
    if not found:
        made = os.path.join(folder, 'de_DE.UTF-8')
        try:
            subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', made], capture_output=True, check=False)
        except FileNotFoundError:
            pass
        env['LOCPATH'] = folder
        # The C library keeps the parts of LOCPATH: no leak of ours.
        env['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'
    shown = subprocess.run(['locale', 'decimal_point'], env={**os.environ, **env}, capture_output=True,
                           text=True, check=False).stdout
    if shown.strip() != ',':
        raise Skip('no locale with a decimal comma, and none can be made')
    return env
