# SPDX-License-Identifier: MIT
"""`hazard bench`: the signature guards the behaviour; the figures have their form."""
import re

from harness import main, run, same, test

# Turn counts, results, odds and features over fixed positions (bench/items.c). A change of behaviour
# changes it: then say so in the change and put the new numbers here.
NODES = 315578
SIGNATURE = '0944250240d4f892'


@test
def behaviour_has_the_recorded_signature():
    found = run('bench', '--signature', '--json').json
    same((found['nodes'], found['signature']), (NODES, SIGNATURE))


@test
def behaviour_is_the_same_without_the_fast_bit_instructions():
    found = run('bench', '--signature', '--portable', '--json').json
    same((found['nodes'], found['signature']), (NODES, SIGNATURE))


@test
def portable_leaves_the_vector_kernels_out():
    report = run('bench', '--time', '1', '--no-twin', '--portable', '--filter', 'DFEN', '--json').json
    same((report['machine']['fast_bits'], report['machine']['kernels']), (False, 'portable'))


@test
def routines_agree_with_their_slow_twins():
    report = run('bench', '--time', '1', '--filter', 'endgame', '--json').json
    compared = [item for item in report['items'] if 'agrees' in item]
    assert len(compared) >= 3, report
    for item in compared:
        assert item['agrees'], item


@test
def figures_have_their_form():
    report = run('bench', '--time', '1', '--no-twin', '--filter', 'DFEN', '--json').json
    same(report['signature'], SIGNATURE)
    same(sorted(report['machine']), ['cores', 'cpu', 'fast_bits', 'kernels'])
    assert report['items'], report
    for item in report['items']:
        assert 0 < item['best'] <= item['median'], item


@test
def every_item_has_its_name_and_every_group_is_explained():
    items = run('bench', '--list', '--json').json
    names = [(item['group'], item['name']) for item in items]
    assert len(names) > 80, len(names)
    same(len(set(names)), len(names), 'two items have one name')
    about = ' '.join(run('help', 'bench', '--json').json['about'])
    listed = re.search(r'Groups: (.*?)\. ', about)[1]
    same(sorted({group for group, _ in names}), sorted(re.findall(r'\w+', re.sub(r'\(.*?\)', '', listed))))
    same(run('bench', '--list', '--filter', 'DFEN').out.splitlines(),
         [f'{group}: {name}' for group, name in names if 'DFEN' in name])


@test
def a_filter_that_fits_nothing_is_refused():
    result = run('bench', '--filter', 'no such thing', code=2)
    assert 'no such thing' in result.err, result.err
    same(result.out, '')


if __name__ == '__main__':
    main()
