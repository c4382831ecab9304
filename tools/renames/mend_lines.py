"""Lines that the renames of reading.csv and running.csv make too long, and one test that reads source text.

    python mend_lines.py CHECKOUT       after renames.py; says what it did not find
"""

import sys
from pathlib import Path

root = Path(sys.argv[1])
EDITS = {
    "src/podium/asking/gates/verbs.py": [(
        "has no '{request.name}', and the other one has: add it, or leave \"\n            f\"'{request.name}' out",
        "has no '{request.name}', and the other one has: add it, or \"\n            f\"leave '{request.name}' out",
    )],
    "src/podium/asking/predictions/format.py": [(
        "({', '.join(truths[:3])}): give a \"\n            \"row per item and label, with columns",
        "({', '.join(truths[:3])}): \"\n            \"give a row per item and label, with columns",
    )],
    "src/podium/asking/predictions/recognising.py": [(
        "or do they say who was \"\n            f\"right?",
        "or do they say who \"\n            f\"was right?",
    )],
    "src/podium/reading/files/averaged_tables.py": [(
        "f\"which columns name them, {write_roles(text, dataset='COLUMN', algorithm='COLUMN')}, or \"\n            \"give fewer",
        "f\"which columns name them, {write_roles(text, dataset='COLUMN', algorithm='COLUMN')}, \"\n            \"or give fewer",
    )],
    "src/podium/reading/cells/vocabulary.py": [(
        ">>> is_summary_label(\"Avg. Rank\"), is_summary_label(\"W/T/L\"), is_summary_label(\"Mean over 10 tasks\")",
        ">>> [is_summary_label(label) for label in (\"Avg. Rank\", \"W/T/L\", \"Mean over 10 tasks\")]",
    ), (
        "    (True, True, True)\n    >>> is_summary_label(\"meander\")",
        "    [True, True, True]\n    >>> is_summary_label(\"meander\")",
    )],
    "src/podium/reading/cells/words.py": [(
        ">>> [extract_last_part(name) for name in (\"params.yaml:model\",",
        ">>> [extract_last_part(n) for n in (\"params.yaml:model\",",
    )],
    "src/podium/reading/tables/wide_tables.py": [(
        "        return f\"If '{names[0]}' names the data sets: {table.write_roles(dataset=names[0], **messages)}\"\n",
        "        way = table.write_roles(dataset=names[0], **messages)\n        return f\"If '{names[0]}' names the data sets: {way}\"\n",
    )],
    "src/podium/reading/store/records.py": [(
        "whole numbers have room to be computed with again.\"",
        "whole numbers have room to be computed with.\"",
    )],
    "src/podium/reading/tables/from_sheets.py": [(
        "If every algorithm has samples of its own, \"\n            \"say so:",
        "If every algorithm has samples of its \"\n            \"own, say so:",
    )],
    "src/podium/reading/tables/sheet_measures.py": [(
        "{_write_quantile_hint(text)}Name what one row holds, as in --measure \"\n        f\"time; if",
        "{_write_quantile_hint(text)}Name what one row holds, as in \"\n        f\"--measure time; if",
    )],
    "src/podium/running/execution/machine.py": [
        (
            "is too low: Python and its packages alone take \"\n            f\"more than",
            "is too low: Python and its packages alone \"\n            f\"take more than",
        ),
        (
            "    message = f\"The run's process held {write_size(held)} when the machine had only {write_size(left)} left.\"\n",
            "    had = f\"the machine had only {write_size(left)} left\"\n"
            "    message = f\"The run's process held {write_size(held)} when {had}.\"\n",
        ),
    ],
    "src/podium/running/sequential/words.py": [
        (
            "The error over all looks and comparisons is at most \"\n        f\"{100",
            "The error over all looks and comparisons is \"\n        f\"at most {100",
        ),
        (
            "% confidence {best}. Nothing is \"\n        \"claimed about",
            "% confidence \"\n        f\"{best}. Nothing is claimed about",
        ),
    ],
    "src/podium/running/studies/store_commands.py": [(
        "    say(\n        f\"Study '{results.name}', {results.sampling}: {len(runs)} runs, {describe_run_counts(runs)}.\"\n    )\n",
        "    counts = describe_run_counts(runs)\n"
        "    say(f\"Study '{results.name}', {results.sampling}: {len(runs)} runs, {counts}.\")\n",
    )],
    "tests/reading/store/test_kept_store.py": [(
        "    value = {\n        \"sums\": [shown(s) for s in (many, other, details, noted, digests.compute_detail_digests([]))],\n",
        "    none = digests.compute_detail_digests([])\n    value = {\n        \"sums\": [shown(s) for s in (many, other, details, noted, none)],\n",
    )],
    "tests/running/execution/test_runner.py": [
        ("from test_runner import ALGORITHMS, execute, study", "from test_runner import ALGORITHMS, execute_study, study"),
        ("\nexecute(study(algorithms=ALGORITHMS", "\nexecute_study(study(algorithms=ALGORITHMS"),
    ],
    "tests/reading/test_proposals.py": [('name == "way_out"', 'name == "write_roles"')],
}
for path, pairs in EDITS.items():
    text = (root / path).read_text(encoding="utf-8")
    for old, new in pairs:
        if old not in text:
            print(f"{path}: not found: {old[:70]!r}")
        text = text.replace(old, new)
    (root / path).write_text(text, encoding="utf-8")
