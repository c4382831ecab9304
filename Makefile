# make demo   run the embedded study and write demo/report.html
# make quick   lint of what changed and a few hundred tests of all rooms: less than a minute on 2 cores
# make test   lint, types, tests (a few minutes on 2 cores); make test-all adds the long versions
# make processors   the tests of numbers as other kinds of processors: same numbers, same prints
# make faults   the fault harness alone, its long version: 1000 signals at random moments
# make test-browser   the report page in headless Chromium (Debian: apt-get install chromium)
# make mutants ROOMS="planning inference/numbers" N=30 SEED=2   do the tests of a room bite? prints what no test notices
# make site   the pages of docs/ and papers/, and the API, as a site in site/; a warning fails it
# make gallery, make pictures   draw the pictures of the gallery, and of the README, anew
# Each does its own set-up in .venv, once.

PYTHON ?= python3
BIN := .venv/bin
unexport PYTHONDONTWRITEBYTECODE  # else each of some hundred processes compiles all of it anew

.PHONY: demo quick test processors test-all faults mutants test-browser lint bench site gallery pictures clean

.venv/made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Podium needs Python 3.11 or newer; say which: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv .venv
	touch $@

.venv/demo: .venv/made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[run,report]'
	touch $@

.venv/dev: .venv/demo lab/pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' --editable lab
	touch $@

demo: .venv/demo
	$(BIN)/podium demo

lint: .venv/dev
	$(BIN)/ruff check src tests benchmarks docs lab
	$(BIN)/ruff format --check src tests benchmarks docs lab
	$(BIN)/mypy

# scratch files in memory where it has room: hundreds of stores wait for the disk at every commit
SCRATCH := $(shell d=/dev/shm; [ -w $$d ] && [ "$$(df -Pk $$d | awk 'NR == 2 {print $$4}')" -gt 4000000 ] && echo TMPDIR=$$d)

quick: .venv/dev
	$(SCRATCH) $(BIN)/python tests/quick.py

test: lint
	$(SCRATCH) $(BIN)/pytest -n 2 -m 'not long and not browser' src tests lab

test-all: lint
	$(SCRATCH) PODIUM_THOROUGH=1 $(BIN)/pytest -n 2 -m 'not browser' src tests lab

processors: .venv/dev
	$(SCRATCH) $(BIN)/python tests/processors.py

faults: .venv/dev
	$(BIN)/pytest -m long tests/execution/test_faults.py

# a change of one sign or number at a time; which does no test of its room notice?
ROOMS ?= questions samplings store design orders verdicts robustness planning surveys synthesis gates timings factors fronts \
  items judges choices sequential boards predictions $(addprefix inference/,numbers bricks procedures comparing)
N ?= 10
SEED ?= 1
mutants: .venv/dev
	$(BIN)/python tests/mutants.py $(ROOMS) --number $(N) --seed $(SEED)

# in one process: its limits of time are those of a page that has the machine for itself
test-browser: .venv/dev
	$(BIN)/pytest -m browser tests/browser

.venv/docs: .venv/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

site: .venv/docs
	$(BIN)/python docs/make_reference.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

pictures: .venv/dev
	$(BIN)/python docs/make_pictures.py

gallery: .venv/dev
	$(BIN)/python docs/make_gallery.py

bench: .venv/dev
	$(BIN)/python benchmarks/table.py
	$(BIN)/python benchmarks/overhead.py
	$(BIN)/python benchmarks/million_scores.py
	$(BIN)/python benchmarks/inference.py
	$(BIN)/python benchmarks/consensus.py
	$(BIN)/python benchmarks/survey.py
	$(BIN)/python benchmarks/ten_million.py
	$(BIN)/python benchmarks/dask_overhead.py
	$(BIN)/python benchmarks/hothorn2005.py

clean:
	rm -rf .venv demo site build dist src/*.egg-info lab/src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
