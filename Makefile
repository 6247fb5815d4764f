# A newcomer's two commands: `make serve` and `make test`. Each sets up everything it needs.
.DEFAULT_GOAL := help
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
NATIVE := CMakeLists.txt $(shell find cpp -name '*.cc' -o -name '*.h' -o -name CMakeLists.txt)
SANITIZED := build/sanitized
RIVALS := rivals rivals-triton rivals-torch

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help serve test test-all test-native lint format bench rivals guard guard-baseline wheel clean
help: ## Show the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

serve: $(VENV)/.installed ## Serve the embedded model on 127.0.0.1:8000 (ARGS="--port 9000" for more)
	@exec $(BIN)/photic serve $(ARGS)

test: $(VENV)/.test test-native ## Run the tests (the slow ones excepted)
	$(BIN)/pytest $(ARGS)

test-all: $(VENV)/.test test-native ## Run all tests, those marked `slow` included
	$(BIN)/pytest -m "slow or not slow" $(ARGS)

lint: $(VENV)/.lint ## Check format, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	find cpp tests -name '*.cc' -o -name '*.h' | xargs $(BIN)/clang-format --dry-run --Werror

format: $(VENV)/.lint ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	find cpp tests -name '*.cc' -o -name '*.h' | xargs $(BIN)/clang-format -i

bench: $(VENV)/.bench $(if $(filter micro report,$(ARGS)),,rivals) ## Measure Photic beside its rivals (ARGS="--photos DIR --quick", "micro -k preprocess")
	@$(BIN)/python -m bench $(ARGS)

rivals: $(RIVALS:%=build/%/.installed)

guard: $(VENV)/.test ## Count the native path's instructions, beside their baseline
	$(BIN)/python -m bench.guard

guard-baseline: $(VENV)/.test ## Make the counts of now the baseline
	$(BIN)/python -m bench.guard --write

wheel: $(VENV)/.build ## Build the wheel into dist/
	$(BIN)/pip wheel -q --no-deps --no-build-isolation -w dist .

clean: ## Remove everything that was built
	rm -rf $(VENV) build dist bench/results .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .benchmarks .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# The stamps below make a second run start in seconds: each set-up step runs again only when its inputs change.
$(VENV)/.build: pyproject.toml .ci/system-packages
	@python=$$(.ci/find-python) && .ci/system-packages "$$python" && \
		echo "setting up $(VENV) with $$python" && "$$python" -m venv $(VENV)
	@$(BIN)/pip install -q "scikit-build-core>=1.1" "pybind11>=3.0" "cmake>=3.22" ninja
	@touch $@

$(VENV)/.installed: $(VENV)/.build $(NATIVE)
	@echo "building and installing photic"
	@$(BIN)/pip install -q --no-build-isolation -e .
	@touch $@

$(VENV)/.test: $(VENV)/.installed
	@.ci/system-packages $(BIN)/python tests
	@echo "installing what the tests need"
	@$(BIN)/pip install -q --no-build-isolation -e ".[test]"
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	@echo "installing the linters"
	@$(BIN)/pip install -q --no-build-isolation -e ".[lint,test]"
	@touch $@

$(VENV)/.bench: $(VENV)/.installed
	@echo "installing what the benchmarks need"
	@$(BIN)/pip install -q --no-build-isolation -e ".[bench,test]"
	@touch $@

# The rivals' environments. One that cannot be set up is left out of the comparison, and tried again next time.
build/rivals/.installed: bench/peers/requirements.txt
build/rivals-torch/.installed: bench/peers/requirements-torch.txt
build/rivals-triton/.installed: bench/peers/requirements-triton.txt
$(RIVALS:%=build/%/.installed): build/%/.installed: bench/set-up-rivals | $(VENV)/.build
	@bench/set-up-rivals $(BIN)/python $(@D)

test-native: $(VENV)/.build ## Run the C++ tests under ASan and UBSan
	@$(BIN)/cmake -S cpp -B $(SANITIZED) -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
		-DCMAKE_BUILD_TYPE=RelWithDebInfo -DPHOTIC_SANITIZE=ON -DPHOTIC_PYTHON=OFF -DPHOTIC_TESTS=ON >/dev/null
	$(BIN)/cmake --build $(SANITIZED)
	$(BIN)/ctest --test-dir $(SANITIZED) --output-on-failure
