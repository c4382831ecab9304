"""Small edits by hand after asking.csv was applied: lines too long, one import. python asking_mends.py CHECKOUT

Records of rooms, too: renames.py leaves "module:name" in an __init__.py that does not import the module.
"""

import csv
import sys
from pathlib import Path

A = "src/podium/asking/"
MENDS = [
    (A + "boards/gating.py",
     """    request = LedgerAnswer(str(ledger), len(public), len(sealed), looks, question, answer,
                  None if question is None else compute_question_level(question, alpha))  # fmt: skip
""",
     """    level = None if question is None else compute_question_level(question, alpha)
    request = LedgerAnswer(
        str(ledger), len(public), len(sealed), looks, question, answer, level
    )
"""),
    (A + "boards/standings.py",
     """    return f"Confirmed best: {printable(made.board.best)}. On the public part: {_write_public_verdict(made)}"
""",
     """    best = printable(made.board.best)
    return f"Confirmed best: {best}. On the public part: {_write_public_verdict(made)}"
"""),
    (A + "comparison/sections.py",
     """    return Content(_write_dataset_finding(survey), (Text(tuple(filter(None, (survey.heading, survey.agreement)))),
                                   readable("", survey.table)))  # fmt: skip
""",
     """    texts = tuple(filter(None, (survey.heading, survey.agreement)))
    return Content(_write_dataset_finding(survey), (Text(texts), readable("", survey.table)))
"""),
    (A + "comparison/settling.py",
     """        return f"A few more {noun} may separate {_shorten_name(whom)} from {_shorten_name(few[0].other)}."
""",
     """        other = _shorten_name(few[0].other)
        return f"A few more {noun} may separate {_shorten_name(whom)} from {other}."
"""),
    (A + "factors/designs.py",
     """                if np.abs(rows @ code_effect_columns(factors.cells, p, factors.counts)).max() > ROUNDING
            ]  # fmt: skip
""",
     """                if np.abs(rows @ code_effect_columns(factors.cells, p, factors.counts)).max()
                > ROUNDING
            ]  # fmt: skip
"""),
    (A + "factors/words.py",
     """{joined(list(with_it), most=3)}, if there is any. {_suggest_runs(n)}"
""",
     """{joined(list(with_it), most=3)}, if there is any. "
        f"{_suggest_runs(n)}"
"""),
    (A + "fronts/command.py",
     """{words.describe_dominance(front)} (largest one-sided p), Holm over "
        f"{len(front.pairs)} directed pairs. With""",
     """{words.describe_dominance(front)} (largest "
        f"one-sided p), Holm over {len(front.pairs)} directed pairs. "
        f"With"""),
    (A + "gates/decisions.py",
     """        return f"Ship{whom}: {_join_clauses([_describe_shown_part(part) for part in t.parts if part.shown])}."
""",
     """        shown = [_describe_shown_part(part) for part in t.parts if part.shown]
        return f"Ship{whom}: {_join_clauses(shown)}."
"""),
    (A + "gates/decisions.py",
     """        return f"{'Not' if name else 'No'}{whom}: {_join_clauses([_describe_worse_part(part) for part in worse])}."
""",
     """        texts = [_describe_worse_part(part) for part in worse]
        return f"{'Not' if name else 'No'}{whom}: {_join_clauses(texts)}."
"""),
    (A + "gates/decisions.py",
     """    text = f"that one of {joined(_list_claim_measures(claim))} improves is not shown ({', '.join(changes)})"
""",
     """    measures = joined(_list_claim_measures(claim))
    text = f"that one of {measures} improves is not shown ({', '.join(changes)})"
"""),
    (A + "gates/verbs.py",
     """        return decide_on_measures(old, new, reading, goals, algorithm=algorithm, procedure=procedure,
                       alpha=alpha, gaps=gaps)  # fmt: skip
""",
     """        judging = {"procedure": procedure, "alpha": alpha, "gaps": gaps}
        return decide_on_measures(old, new, reading, goals, algorithm=algorithm, **judging)
"""),
    (A + "gates/words.py",
     """    return f"{printable(row['measure'])}{where} {new}, before {old} ({by}); {_explain_verdict(t, row)}."
""",
     """    measure, why = printable(row["measure"]), _explain_verdict(t, row)
    return f"{measure}{where} {new}, before {old} ({by}); {why}."
"""),
    (A + "planning/detection.py",
     "What `find_needed_blocks` says, from the error of each estimate, which falls as a root of the count.",
     "What `find_needed_blocks` says, from errors of estimates, which fall as a root of the count."),
    (A + "planning/pilot.py",
     """        raise InferenceError(
            f"A pilot with {len(layout.values)} of its {name_planned_blocks(_name_block(layout))} has no "
            "variance: it needs at least two."
""",
     """        noun = name_planned_blocks(_name_block(layout))
        raise InferenceError(
            f"A pilot with {len(layout.values)} of its {noun} has no variance: "
            "it needs at least two."
"""),
    (A + "planning/pilot.py",
     """        raise InferenceError(
            f"A pilot of variants needs 3 complete {name_planned_blocks(layout.block)}, not {len(values)}."
        )
""",
     """        noun = name_planned_blocks(layout.block)
        raise InferenceError(f"A pilot of variants needs 3 complete {noun}, not {len(values)}.")
"""),
    (A + "planning/verbs.py",
     """        choose_shown_difference(simulation.difference, simulation.alternative), sd, count, power, solved,
""",
     """        choose_shown_difference(simulation.difference, simulation.alternative),
        sd, count, power, solved,
"""),
    (A + "planning/words.py",
     """{name_planned_blocks(note.block)} is uncertain: its interval is in the "
        "table;""",
     """{name_planned_blocks(note.block)} is uncertain: its interval is "
        "in the table;"""),
    (A + "predictions/kinds.py",
     """{_name_item(items, place)}: no value{more}. A measure of "
                f"predictions""",
     """{_name_item(items, place)}: no value{more}. A measure "
                f"of predictions"""),
    (A + "predictions/kinds.py",
     """{_name_item(items, place)}: {self.numbers[place]} is no "
                "finite""",
     """{_name_item(items, place)}: {self.numbers[place]} is "
                "no finite"""),
    (A + "predictions/kinds.py",
     """        raise ResultsError(
            f"{what}, column '{columns.models.get(other, other)}', {_name_item(items, int(odd[0]))}: "
""",
     """        item = _name_item(items, int(odd[0]))
        raise ResultsError(
            f"{what}, column '{columns.models.get(other, other)}', {item}: "
"""),
    (A + "predictions/kinds.py",
     """{v[odd[0]]:g} is "
            f"no probability""",
     """{v[odd[0]]:g} "
            f"is no probability"""),
    (A + "predictions/measures.py",
     """      influence=_make_table_rule(lambda t: _divide(_split_table(t)[0], _split_table(t)[1]).mean(-1)),
      words""",
     """      influence=_make_table_rule(
          lambda t: _divide(_split_table(t)[0], _split_table(t)[1]).mean(-1)),
      words"""),
    (A + "predictions/measures.py",
     """influence=_average_precision, least=LEAST_RANKED,
      whole=True,""",
     """influence=_average_precision,
      least=LEAST_RANKED, whole=True,"""),
    (A + "predictions/scoring.py",
     """{has}.{ranks} Ask for "
        f"{instead""",
     """{has}."
        f"{ranks} Ask for {instead"""),
    (A + "robustness/verbs.py",
     """    rows = [(*key, *compute_variance_components(of.pivot(index="sample", columns="fit", values="value").to_numpy()))
            for key, of in groups]  # fmt: skip
""",
     """    wide = ((key, of.pivot(index="sample", columns="fit", values="value")) for key, of in groups)
    rows = [(*key, *compute_variance_components(table.to_numpy())) for key, table in wide]
"""),
    (A + "synthesis/reported_studies.py",
     """{_write_number(variance**0.5)}. Correct it, "
                "or leave""",
     """{_write_number(variance**0.5)}. "
                "Correct it, or leave"""),
    (A + "timings/words.py",
     """{name_timings_test(t)}. The change over all holds for these "
        "benchmarks""",
     """{name_timings_test(t)}. The change over all holds for "
        "these benchmarks"""),
    ("tests/asking/predictions/test_kept_predictions.py",
     """        "precision": [inf.compute_average_precision_influence(Y2 == 1, P2, each) for each in (None, w)],
""",
     """        "precision": [inf.compute_average_precision_influence(Y2 == 1, P2, each)
                      for each in (None, w)],
"""),
    ("tests/asking/predictions/test_kept_predictions.py",
     """        "classes": [[sort_classes(c), find_positive_class(c), can_tell_positive(c)] for c in classes],
""",
     """        "classes": [[sort_classes(c), find_positive_class(c), can_tell_positive(c)]
                    for c in classes],
"""),
    ("tests/reading/store/test_kept_store.py",
     """        replace(make_done_run(3, error=0.125), fit_time=1.5, predict_time=0.25, warnings=(ODD, FITS)),
""",
     """        replace(make_done_run(3, error=0.125), fit_time=1.5, predict_time=0.25,
                warnings=(ODD, FITS)),
"""),
    ("tests/running/sequential/test_kept_sequential.py",
     """        "views": [(v.headline, v.sentence, v.progress, v.rows) for v in make_sequential_views(analysis)],
""",
     """        "views": [(v.headline, v.sentence, v.progress, v.rows)
                  for v in make_sequential_views(analysis)],
"""),
    ("tests/asking/boards/test_ledger.py",
     "from podium.asking.boards.board import writing\n", "from podium.asking.boards.board import lock_ledger\n"),
    ("tests/asking/boards/test_ledger.py", "    with writing(sys.argv[1])", "    with lock_ledger(sys.argv[1])"),
    ("tests/reading/test_light_start.py", "import _prepared, status_of", "import _prepare_arguments, status_of"),
    ("tests/reading/test_light_start.py", "status_of(_prepared([", "status_of(_prepare_arguments(["),
]

for name, old, new in MENDS:
    path = Path(sys.argv[1]) / name
    text = path.read_text(encoding="utf-8")
    if text.count(old) == 1:
        path.write_text(text.replace(old, new), encoding="utf-8")
    else:
        print(f"{name}: {text.count(old)} places for {old[:60]!r}")

with (Path(__file__).parent / "asking.csv").open(encoding="utf-8") as file:
    for row in csv.DictReader(file):
        room, _, module = row["module"].rpartition(".")
        record = Path(sys.argv[1]) / "src" / room.replace(".", "/") / "__init__.py"
        if record.exists() and "." not in row["old"]:
            text = record.read_text(encoding="utf-8")
            new = text.replace(f'"{module}:{row["old"]}"', f'"{module}:{row["new"]}"')
            if new != text:
                record.write_text(new, encoding="utf-8")
                print(f"{record.parent.name}: {module}:{row['old']} -> {row['new']}")
