# make demo   environment, build, and the main job on the campaign that ships with Tercet
# make test   environment, build, ruff, mypy, all tests, documentation
# make bench  the table of ratios against the programs that people use (needs ../shared)
# make replicate  the published tables of human evaluation again from raw judgements (needs ../shared)
# make big    ten million lines through tercet score: peak memory, and the same score as in one piece
# make sanitize  the kernels' tests under AddressSanitizer and UBSan

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check -q
NATIVE := $(wildcard native/* CMakeLists.txt pyproject.toml)

.PHONY: demo test bench replicate big sanitize clean

demo: $(VENV)/.installed
	$(BIN)/tercet demo -o tercet-demo

test: $(VENV)/.developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist worksteal
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site

bench: $(VENV)/.developed
	$(PIP) install -e ".[bench]"
	$(BIN)/python -m benchmarks

replicate: $(VENV)/.developed
	$(BIN)/python -m replication

big: $(VENV)/.developed
	$(BIN)/python -m benchmarks.big

# A second build of the kernels, beside the first. Without site (-S) no editable install can slip in before it; the
# first command fails if one does.
SANITIZED = PYTHONPATH="build/sanitized:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" \
    LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libubsan.so)" \
    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 $(BIN)/python -S

sanitize: $(VENV)/.developed
	$(PIP) install scikit-build-core nanobind
	$(PIP) install --no-build-isolation --no-deps --target build/sanitized --upgrade . \
	    -C build-dir=build/sanitize -C cmake.define.TERCET_SANITIZE=ON -C cmake.build-type=Debug
	$(SANITIZED) -c 'import tercet.kernels._native as n; assert "build/sanitized" in n.__file__, n.__file__'
	$(SANITIZED) -m pytest -q -p no:cacheprovider tests/kernels tests/text

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "Tercet needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo not there): name another with 'make PYTHON=...'." >&2; exit 1; }
	@command -v "$${CXX:-c++}" >/dev/null || { \
	    echo "Tercet needs a C++ compiler, and $${CXX:-c++} is not there: install one (Debian: apt install g++) or name it with 'CXX=...'." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.created $(NATIVE)
	$(PIP) install -e .
	touch $@

$(VENV)/.developed: $(VENV)/.created $(NATIVE)
	$(PIP) install -e '.[test]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build tercet-demo
