# The front door. `make run` and `make test` are all a newcomer needs; CMake does the work.
#   CC=clang   another compiler, in folders of its own: build-clang beside build
#   NATIVE=1   compile for this machine's processor only
#   JOBS=n     how many compilations and tests run at once

NATIVE ?= 0
JOBS ?= $(shell nproc)
# Some tests mostly wait, for signals and disks.
TESTS = $(shell expr $(JOBS) + 1)

# CMake takes CC from the environment. Unless it is the usual one, its name is part of the folders' names.
ifneq ($(origin CC),default)
export CC
ifeq ($(filter cc gcc,$(notdir $(CC))),)
SUFFIX := -$(notdir $(CC))
endif
endif
BUILD := build$(SUFFIX)
SANITIZED := $(BUILD)-sanitize
FUZZED := build-fuzz

# The stamp carries the choice in its name, so that a changed NATIVE configures again and nothing else does.
RELEASE := $(BUILD)/.configured-native-$(NATIVE)
SANITIZE := $(SANITIZED)/.configured
CONFIGURED_FROM := CMakeLists.txt Makefile scripts/setup
# configure FOLDER OPTIONS: quietly, unless it fails
configure = @mkdir -p $(1) && { cmake -S . -B $(1) -DCMAKE_BUILD_TYPE=Release $(2) > $(1)/configure.log 2>&1 || { cat $(1)/configure.log; exit 2; }; }
CTEST := ctest -j $(TESTS) --output-on-failure --progress --no-tests=error

run: build
	@$(BUILD)/carom run scenes/dominoes.json --force -o $(BUILD)/dominoes.carom

build: $(RELEASE)
	@cmake --build $(BUILD) -j $(JOBS) -- --no-print-directory

# Everything: the release build, and that of the address and undefined-behaviour sanitizers.
test: $(RELEASE) $(SANITIZE)
	@scripts/setup test
	@cmake --build $(BUILD) -j $(JOBS) --target carom_all_tests -- --no-print-directory
	@cmake --build $(SANITIZED) -j $(JOBS) --target carom_all_tests -- --no-print-directory
	@$(CTEST) --test-dir $(SANITIZED)
	@$(CTEST) --test-dir $(BUILD)

# The release build without its long cases, and without a browser: a few minutes, for while one works.
check: $(RELEASE)
	@scripts/setup check
	@cmake --build $(BUILD) -j $(JOBS) --target carom_check_tests -- --no-print-directory
	@$(CTEST) --test-dir $(BUILD) -LE 'long|browser|tsan'

# Some thousand runs, wrong and right ones, whose verdicts are held against computations of their own: a few minutes.
verdicts: $(RELEASE)
	@scripts/setup check
	@cmake --build $(BUILD) -j $(JOBS) --target test_verdict_campaign -- --no-print-directory
	@$(BUILD)/tests/test_verdict_campaign no_wrong_run_is_green; wrong=$$?; \
	    $(BUILD)/tests/test_verdict_campaign right_runs_are_green && exit $$wrong

bench: build
	@scripts/setup bench
	$(call configure,$(BUILD),-DCAROM_PEERS=1)
	@cmake --build $(BUILD) -j $(JOBS) --target carom_all_peers -- --no-print-directory
	@$(BUILD)/carom bench all

# Mutated inputs of every kind for MINUTES each, by clang's fuzzer. What it finds is kept in build-fuzz/found/.
MINUTES ?= 10
fuzz:
	@CC=clang scripts/setup build
	@CC=clang cmake -S . -B $(FUZZED) -DCMAKE_BUILD_TYPE=Release -DCAROM_FUZZ=1 -DCAROM_VIEWER=0 > /dev/null
	@cmake --build $(FUZZED) -j $(JOBS) --target carom_fuzz -- --no-print-directory
	@scripts/fuzz $(FUZZED) $(MINUTES) $(JOBS)

# Memory that is refused, disks that are full, processes that are killed: every place, some ten minutes a core.
faults: $(RELEASE)
	@scripts/setup check
	@cmake --build $(BUILD) -j $(JOBS) --target carom_faults -- --no-print-directory
	@scripts/faults $(BUILD) $(JOBS)

gallery: build
	@scripts/setup test
	@scripts/gallery

# The pictures of README.md, anew.
pictures: build
	@scripts/setup test
	@scripts/pictures

format:
	@git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf $(BUILD) $(SANITIZED) $(FUZZED)

$(RELEASE): $(CONFIGURED_FROM)
	@scripts/setup build
	@rm -f $(BUILD)/.configured*
	$(call configure,$(BUILD),-DCAROM_NATIVE=$(NATIVE))
	@touch $@

$(SANITIZE): $(CONFIGURED_FROM)
	@scripts/setup build
	$(call configure,$(SANITIZED),-DCAROM_SANITIZE=1)
	@touch $@

# `make -j` must not configure, or install packages, twice at once; JOBS is for the compilations.
.NOTPARALLEL:
.PHONY: run build test check verdicts bench fuzz faults gallery pictures format clean
