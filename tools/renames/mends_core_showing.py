"""After renames.py (core_rest.csv, showing.csv), mend_exports.py, mend_long_strings.py and `ruff format`: what is left, by hand.

    python mends_core_showing.py CHECKOUT        what is not found is told, and nothing else is lost
"""
import sys
from pathlib import Path

root = Path(sys.argv[1])
MENDS = [
    ("tests/test_rooms.py", "    rooms.load(kind)\n", "    rooms.load_rooms(kind)\n"),  # in a program's text
    ("src/podium/core/orders/order.py", "see `relations.joints`), otherwise by `≿`. Within a layer `∥` stands\n        between", "see `relations.find_strict_joints`), otherwise by `≿`. Within a layer\n        `∥` stands\n        between"),
    ("src/podium/__init__.py", 'rooms").public()', 'rooms").list_public_names()'),
    ("src/podium/__init__.py", 'rooms").with_names()', 'rooms").list_public_rooms()'),
    ("src/podium/__init__.py", "optional.told_missing(", "optional.explain_missing_module("),
    ("src/podium/core/questions/targets.py", '    "claim",\n', '    "find_claim",\n'),
    ("src/podium/core/questions/targets.py", '    "defaults",\n', '    "list_default_procedures",\n'),
    ("src/podium/asking/predictions/format.py", "A long normalize_word CSV", "A long plain CSV"),
    ("src/podium/core/base/options.py", "The seed is a check_whole_number number", "The seed is a whole number"),
    ("src/podium/core/results/results.py", "None, {})._with_halvings(", "None, {})._add_halvings("),
    ("src/podium/core/verdicts/methods.py",
     "`write_methods_text` and `references` number their citations alike, in the order of first mention. Words\n"
     "for samplings are in `design_words.py`, for procedures in `analysis_words.py`, findings in\n`findings.py`.",
     "`write_methods_text` and `list_references` number their citations alike, in the order of first\n"
     "mention. Words for samplings are in `design_words.py`, for procedures in `analysis_words.py`,\nfindings in `findings.py`."),
    ("src/podium/asking/factors/command.py",
     """    texts = dict(zip(zip(means["factor"], means["level"], strict=True),
                     format_aligned(means["mean"].tolist(), spread / 10, 2), strict=True))  # fmt: skip
""",
     """    keys = zip(means["factor"], means["level"], strict=True)
    texts = dict(zip(keys, format_aligned(means["mean"].tolist(), spread / 10, 2), strict=True))
"""),
    ("src/podium/asking/gates/decisions.py",
     """        Line(escape_controls(" ".join(filter(None, (p.measure, p.benchmark)))), p.measure, p.old, p.new,
             *_ends(p)""",
     """        Line(escape_controls(" ".join(filter(None, (p.measure, p.benchmark)))), p.measure,
             p.old, p.new, *_ends(p)"""),
    ("src/podium/core/base/formatting.py",
     """    >>> [choose_text_or_digits(text, value, 1.0) for text, value in (("0.0", 0.0234), ("0.1", 0.0834))]
""",
     """    >>> texts = (("0.0", 0.0234), ("0.1", 0.0834))
    >>> [choose_text_or_digits(text, value, 1.0) for text, value in texts]
"""),
    ("src/podium/core/results/measure_names.py",
     """    >>> [is_resource(find_known_measure(name)) for name in ("output_tokens", "latency_p95", "error")]
""",
     """    >>> names = ("output_tokens", "latency_p95", "error")
    >>> [is_resource(find_known_measure(name)) for name in names]
"""),
    ("src/podium/core/results/measure_names.py",
     """    >>> choose_likeliest_measure(spent), choose_likeliest_measure({**spent, "accuracy": find_known_measure("accuracy")})
""",
     """    >>> also = {**spent, "accuracy": find_known_measure("accuracy")}
    >>> choose_likeliest_measure(spent), choose_likeliest_measure(also)
"""),
    ("src/podium/core/words/notes/of_results.py",
     """        yield f"unused: {join_names(names) if len(names) < 3 else write_count(len(names), 'column')}"
""",
     """        unused = join_names(names) if len(names) < 3 else write_count(len(names), "column")
        yield f"unused: {unused}"
"""),
    ("src/podium/core/words/phrases.py",
     """    >>> spell_count(1, "data set"), spell_count(2, "run"), spell_count(12, "repetition of cv", "repetitions")
    ('one data set', 'two runs', '12 repetitions')
""",
     """    >>> spell_count(1, "data set"), spell_count(2, "run")
    ('one data set', 'two runs')
    >>> spell_count(12, "repetition of cv", "repetitions")
    '12 repetitions'
"""),
    ("src/podium/core/words/phrases.py",
     """    >>> join_names(["a"]), join_names(["a", "b"]), join_names(["a", "b", "c"]), join_names("abcd", most=2)
    ('a', 'a and b', 'a, b and c', 'a, b and 2 others')
""",
     """    >>> join_names(["a"]), join_names(["a", "b"]), join_names(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    >>> join_names("abcd", most=2)
    'a, b and 2 others'
"""),
    ("src/podium/showing/reports/hero.py",
     """                make_element("span", escape_controls(shorten_name(p.name, 24)), class_=f"name {sides[p.name]}",
""",
     """                make_element("span", escape_controls(shorten_name(p.name, 24)),
                        class_=f"name {sides[p.name]}",
"""),
    ("tests/core/samplings/test_kept_samplings.py",
     """        "halves": [halvings.can_be_halved(s), outcome(halvings.check_halvings, s), outcome(halvings.make_identity, s)],
""",
     """        "halves": [
            halvings.can_be_halved(s),
            outcome(halvings.check_halvings, s),
            outcome(halvings.make_identity, s),
        ],
"""),
    ("tests/core/verdicts/test_kept_verdicts.py",
     """        "critical": [terminal.write_critical_values(1.25, other) for other in (1.25, 1.2505, 1.2508, 0.5)],
""",
     """        "critical": [
            terminal.write_critical_values(1.25, other) for other in (1.25, 1.2505, 1.2508, 0.5)
        ],
"""),
]
for path in (root / "src").rglob("*.py"):  # a word that mend_exports.py changed in a comment
    text = path.read_text(encoding="utf-8")
    if "which normalize_word readers" in text:
        path.write_text(text.replace("which normalize_word readers", "which plain readers"), encoding="utf-8")
for name, old, new in MENDS:
    path = root / name
    text = path.read_text(encoding="utf-8")
    if old in text:
        path.write_text(text.replace(old, new), encoding="utf-8")
    elif new not in text:
        print("not found:", name, old.strip()[:70])
