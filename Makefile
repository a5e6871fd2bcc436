# The front door. `make run` and `make test` are all a newcomer needs; CMake does the work.
#   NATIVE=1   compile for this machine's processor only
#   JOBS=n     how many compilations and tests run at once

NATIVE ?= 0
JOBS ?= $(shell nproc)
# Some tests mostly wait, for signals and disks.
TESTS = $(shell expr $(JOBS) + 1)

# The stamp carries the choice in its name, so that a changed NATIVE configures again and nothing else does.
RELEASE := build/.configured-native-$(NATIVE)
SANITIZE := build-sanitize/.configured
CONFIGURED_FROM := CMakeLists.txt Makefile scripts/setup

run: build
	@build/carom run scenes/five-link-chain.json --force -o build/five-link-chain.carom

build: $(RELEASE)
	@cmake --build build -j $(JOBS) -- --no-print-directory

test: $(RELEASE) $(SANITIZE)
	@scripts/setup test
	@cmake --build build -j $(JOBS) --target carom_all_tests -- --no-print-directory
	@cmake --build build-sanitize -j $(JOBS) --target carom_all_tests -- --no-print-directory
	@ctest --test-dir build-sanitize -j $(TESTS) --output-on-failure --progress --no-tests=error
	@ctest --test-dir build -j $(TESTS) --output-on-failure --progress --no-tests=error

bench: build
	@scripts/setup bench
	@cmake -S . -B build -DCAROM_PEERS=1 > build.log 2>&1 || { cat build.log; rm -f build.log; exit 2; }
	@rm -f build.log
	@cmake --build build -j $(JOBS) --target carom_all_peers -- --no-print-directory
	@build/carom bench all

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
	rm -rf build build-sanitize

$(RELEASE): $(CONFIGURED_FROM)
	@scripts/setup build
	@rm -f build/.configured*
	@cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCAROM_NATIVE=$(NATIVE) > build.log 2>&1 || { cat build.log; rm -f build.log; exit 2; }
	@rm -f build.log
	@touch $@

$(SANITIZE): $(CONFIGURED_FROM)
	@scripts/setup build
	@cmake -S . -B build-sanitize -DCMAKE_BUILD_TYPE=Release -DCAROM_SANITIZE=1 > build.log 2>&1 || { cat build.log; rm -f build.log; exit 2; }
	@rm -f build.log
	@touch $@

# `make -j` must not configure, or install packages, twice at once; JOBS is for the compilations.
.NOTPARALLEL:
.PHONY: run build test bench gallery pictures format clean
