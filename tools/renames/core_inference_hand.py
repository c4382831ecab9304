"""Edits after the tool: lines that became too long, and names that it cannot reach."""
import pathlib,re,subprocess,sys
root=pathlib.Path(sys.argv[1]).resolve(); I=root/'src/podium/core/inference'
bad=[]
def sub(path,*pairs):
    t=path.read_text()
    for old,new in pairs:
        if old not in t: bad.append((str(path),old)); continue
        t=t.replace(old,new)
    path.write_text(t)
def rx(path,*pairs):
    t=path.read_text()
    for old,new in pairs:
        t,n=re.subn(old,new,t)
        if not n: bad.append((str(path),old))
    path.write_text(t)
sub(I/'comparing/request.py',('from podium.core.inference.bricks.contrasts import find_named_pairs as named_pairs\n',''),
    ('    check_algorithm_count,\n','    check_algorithm_count,\n    find_named_pairs,\n'))
sub(I/'procedures/covariates.py',('About `make_position_columns` it','About `position` it'),('alike in `make_position_columns`, `ties`','alike in `position`, `ties`'))
# lines
sub(root/'lab/src/podium_lab/calibration/rules.py',
 ('    options = Options(procedure=name_test_of_one_measure(layout), pairs=every, alpha=ALPHA, adjust="none",\n                      relevance=-margin)  # fmt: skip',
  '    options = Options(procedure=name_test_of_one_measure(layout), pairs=every, alpha=ALPHA,\n                      adjust="none", relevance=-margin)  # fmt: skip'))
sub(I/'bricks/adjustments.py',
 ('STRONGLY,\n     _adjust_related(shaffer), related=True, beyond=("shaffer-static", EXHAUSTIVE_UP_TO))  # fmt: skip',
  'STRONGLY, _adjust_related(shaffer),\n     related=True, beyond=("shaffer-static", EXHAUSTIVE_UP_TO))  # fmt: skip'),
 ('STRONGLY,\n     _adjust_related(bergmann_hommel), related=True, beyond=("shaffer", EXHAUSTIVE_UP_TO))  # fmt: skip',
  'STRONGLY,\n     _adjust_related(bergmann_hommel),\n     related=True, beyond=("shaffer", EXHAUSTIVE_UP_TO))  # fmt: skip'),
 ('    def adjusted(evidence: Statistics)','    def adjust(evidence: Statistics)'),('    return adjusted\n\n\ndef bonferroni','    return adjust\n\n\ndef bonferroni'),
 ('    return adjusted\n\n\n# -- of the joint','    return adjust\n\n\n# -- of the joint'))
sub(I/'bricks/scales.py',
 ('f"{own[row, column]:g} on {_name_dataset(layout, row)}: use the scale baseline:NAME, or best."',
  'f"{own[row, column]:g} on {_name_dataset(layout, row)}: use the scale "\n            "baseline:NAME, or best."'))
sub(I/'comparing/known.py',
 ('f"up to {_write_percent(worst_beyond.rate)} where it does not hold ({worst_beyond.where})"',
  'f"up to {_write_percent(worst_beyond.rate)} where it does not hold "\n            f"({worst_beyond.where})"'))
sub(I/'procedures/halves.py',
 ('f"The halves test needs two halvings with all scores; there {_write_count(self.count)}."',
  '"The halves test needs two halvings with all scores; there "\n                f"{_write_count(self.count)}."'))
sub(I/'words/design_words.py',
 ('f"{n.conditions} conditions tell little of others: the test has {_write_degrees(n.df)} of freedom "\n        f"in spite of {n.items} items, and errs',
  'f"{n.conditions} conditions tell little of others: the test has {_write_degrees(n.df)} of "\n        f"freedom in spite of {n.items} items, and errs'))
sub(I/'words/testing_words.py',
 ('left out. To use the others\' scores "\n        "there: -p','left out. To use the others\' "\n        "scores there: -p'),
 ('f"{_write_averaged_in_paper(n)}; those with {n.least} count as much as those with {n.most}, "\n            "which loses',
  'f"{_write_averaged_in_paper(n)}; those with {n.least} count as much as those with "\n            f"{n.most}, which loses'),
 ('({_write_counts(n.lacking)}): each "\n        f"mean uses','({_write_counts(n.lacking)}): "\n        f"each mean uses'),
 ('({_write_counts(n.samples)}); where scores "\n        "are missing','({_write_counts(n.samples)}); where "\n        "scores are missing'))
sub(root/'tests/core/inference/procedures/test_item_tests.py',
 ('    for x, drawn in zip((d, d - d.mean(axis=0)), draw_maxima(right, all_pairs(3), 9999, 0, True).drawn,\n                        strict=True):  # fmt: skip',
  '    laws = draw_maxima(right, all_pairs(3), 9999, 0, True).drawn\n    for x, drawn in zip((d, d - d.mean(axis=0)), laws, strict=True):') if 'draw_maxima(right, all_pairs' in (root/'tests/core/inference/procedures/test_item_tests.py').read_text() else
 ('    for x, drawn in zip((d, d - d.mean(axis=0)), draw_maxima(right, list_all_pairs(3), 9999, 0, True).drawn,\n                        strict=True):  # fmt: skip',
  '    laws = draw_maxima(right, list_all_pairs(3), 9999, 0, True).drawn\n    for x, drawn in zip((d, d - d.mean(axis=0)), laws, strict=True):'))
# names
rx(I/'procedures/stopping.py',(r'\bdef kept\(self, key','def compute_once(self, key'),(r'\.kept\(','.compute_once('))
rx(I/'numbers/preferences.py',(r'def expected\(self, chances','def compute_expected_features(self, chances'),(r'self\.expected\(','self.compute_expected_features('))
rx(I/'bricks/flips.py',(r'def observed\(self\)','def observed_statistics(self)'),(r'\._scaled_differences\[1\]\.observed\b','._scaled_differences[1].observed_statistics'))
rx(I/'bricks/estimates.py',(r'def filled\(self, turn','def fill_gaps(self, turn'))
rx(root/'tests/core/inference/bricks/test_estimates.py',(r'\[\(0, 1\)\]\)\.filled\(turn\)','[(0, 1)]).fill_gaps(turn)'))
rx(I/'procedures/block_tests.py',(r'self\.found\.filled\(','self.found.fill_gaps('))
rx(I/'numbers/nested.py',(r'\bdef profiled\(','def evaluate('),(r'minimize\(profiled,','minimize(evaluate,'))
rx(I/'numbers/tails.py',(r'\bdef sliced\(','def compute_slices('),(r'_apply_where_finite\(t, sliced,','_apply_where_finite(t, compute_slices,'))
for line in subprocess.run(['git','grep','-l','-E',r'Options\.said\('],cwd=root,capture_output=True,text=True).stdout.split():
    rx(root/line,(r'\bOptions\.said\(','Options.from_given('))
rx(I/'procedures/procedure.py',(r'def said\(cls','def from_given(cls'))
for b in bad: print('NOT FOUND',b)
