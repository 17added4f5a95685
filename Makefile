# SPDX-License-Identifier: Apache-2.0
#
# A front door: each target does what comes before it by itself, on a machine
# that has nothing but make and bash. The build is CMake's and Ninja's.
#
#   make demo      install packages, build, run the examples, print a table
#   make test      the same set-up, then all tests
#   make           the build alone
#   make install PREFIX=/usr/local
#   make bench     CUDA programs beside the same algorithms with OpenMP
#   make docs      the lists of what is supported, in build/docs
#   make asan      all tests with address and undefined-behaviour checks
#   make tsan      all tests with checks for data races
#   make soak      what the tests try parts of, as a whole: an hour or two
#   make fuzz      random kernels on both engines and random input, SECONDS=60
BUILD        ?= build
PREFIX       ?= /usr/local
JOBS         ?= $(shell nproc)
CMAKE_FLAGS  ?=
SECONDS      ?= 60
SHELL        := /bin/bash

.PHONY: all deps build demo test soak bench install docs asan tsan fuzz clean
all: build

deps:
	@scripts/install-deps

build: deps
	@scripts/build $(BUILD) $(JOBS) $(CMAKE_FLAGS)

demo: build
	@scripts/demo $(BUILD) $(JOBS)

test soak asan tsan fuzz: export WEFT_VERIFY = 1
test: build
	@ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure --no-tests=error

soak: build
	@ctest --test-dir $(BUILD) -C soak -L '^soak$$' -j $(JOBS) \
	    --output-on-failure --no-tests=error

bench: build
	@bench/run $(BUILD)
	@bench/math $(BUILD)

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

docs: deps
	@scripts/docs $(BUILD)

asan: deps
	@scripts/build build-asan $(JOBS) "-DWEFT_SANITIZE=address;undefined" $(CMAKE_FLAGS)
	@ctest --test-dir build-asan -j $(JOBS) --output-on-failure

tsan: deps
	@scripts/build build-tsan $(JOBS) -DWEFT_SANITIZE=thread $(CMAKE_FLAGS)
	@TSAN_OPTIONS=suppressions=$(CURDIR)/tests/tsan.supp \
	    ctest --test-dir build-tsan -j $(JOBS) --output-on-failure

fuzz: build
	@scripts/fuzz $(SECONDS) $(BUILD)

clean:
	rm -rf build build-asan build-tsan build-fuzz
