# The front door: every everyday action is one word. The building itself is CMake's; see CMakePresets.json.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 20
PREFIX ?= /usr/local
DESTDIR ?=
ifneq ($(shell command -v ninja 2>/dev/null),)
export CMAKE_GENERATOR ?= Ninja
endif

BUILDS := $(addprefix build-,release debug asan tsan minimal clang aarch64 fuzz)
CHECKS := format layers names headers symbols absent ops list beyond wrappers env sizes readme

.PHONY: all help test demo bench bench-parts bench-instructions scaling asan tsan minimal clang fuzz mutate pictures format check install clean deps $(BUILDS)

all:
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target products -j $(JOBS)

help:
	@echo 'make             build the libraries and the command into build/'
	@echo 'make test        build and run the test-suite'
	@echo 'make demo        build and run the examples'
	@echo 'make bench       time the same graphs through Sluice and TensorFlow; BENCH=REGEX on group/name;'
	@echo '                 OTHERS=jax,onnxruntime,tflite also through these'
	@echo 'make bench-parts time parts of the library alone; BENCH=REGEX on program names'
	@echo 'make scaling     simulate loops over up to 1,000 devices and write docs/scaling.md'
	@echo 'make bench-instructions  count what steps cost, exactly, and compare with bench/instructions.tsv'
	@echo 'make asan tsan   the quick tests under address+undefined, thread sanitizers'
	@echo 'make minimal     the tests without optional libraries;  make clang: with clang'
	@echo 'make fuzz        every fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS) seconds'
	@echo 'make mutate      put small faults into the library, see which of them the tests notice, write docs/mutations.md; ROOM=NAME'
	@echo 'make pictures    draw the pictures of docs/ anew'
	@echo 'make format      format the sources'
	@echo 'make check       $(CHECKS)'
	@echo 'make install     into PREFIX=$(PREFIX) (DESTDIR is honoured); says how programs find it there'
	@echo 'make clean       remove the build folders'
	@echo
	@echo 'JOBS=N sets the number of parallel jobs (now $(JOBS)); TESTS=REGEX runs some tests only.'

# make build-debug, build-asan, ...: configures and builds one preset. What build-aarch64 needs stands in cmake/aarch64.cmake.
# BUILD_TYPE=None compiles without optimising, a fifth of the time where only warnings are wanted.
$(BUILDS): build-%:
	@cmake --preset $* $(if $(BUILD_TYPE),-DCMAKE_BUILD_TYPE=$(BUILD_TYPE)) >/dev/null
	@cmake --build --preset $* -j $(JOBS)

deps:
	@tools/install_deps build test

SELECTED := $(if $(TESTS),-R '$(TESTS)')

test: deps
	@$(MAKE) --no-print-directory build-release
	@tests/run_tests build -j $(JOBS) $(SELECTED)

asan tsan minimal clang: deps
	@$(MAKE) --no-print-directory build-$@
	@tests/run_tests build-$@ -j $(JOBS) -LE slow $(SELECTED)

demo: deps
	@$(MAKE) --no-print-directory build-release
	@cmake --build build --target examples -j $(JOBS)
	@examples/run_all build

bench: deps
	@$(MAKE) --no-print-directory build-release
	@cmake --build build --target bench_graph bench_eager bench_steps -j $(JOBS)
	@bench/compare/run build $(if $(BENCH),'$(BENCH)') $(if $(OTHERS),--others $(OTHERS))

bench-parts: deps
	@$(MAKE) --no-print-directory build-release
	@cmake --build build --target benchmarks -j $(JOBS)
	@bench/run_all build $(BENCH)

bench-instructions:
	@tools/install_deps build count
	@$(MAKE) --no-print-directory build-release
	@cmake --build build --target step_instructions -j $(JOBS)
	@bench/count_instructions build

scaling: deps
	@$(MAKE) --no-print-directory build-release
	@cmake --build build --target scaling cluster_simulation cluster_processes -j $(JOBS)
	@bench/scaling/write_page build
	@bench/cluster_simulation/write_tables build

fuzz:
	@tools/install_deps build fuzz
	@$(MAKE) --no-print-directory build-fuzz
	@fuzz/run_all build-fuzz $(FUZZ_SECONDS) $(FUZZ_SEED)

mutate: deps
	@JOBS=$(JOBS) tools/mutate --write $(ROOM)

pictures: all
	@build/bin/sluice show tests/data/plans/spread_loop.pbtxt --partition --svg >docs/devices.svg

format:
	@tools/format

# Each of CHECKS is a program that prints what is wrong and where. One line each when all is well.
CHECK_format  := tools/format --check
CHECK_layers  := tools/check_layers
CHECK_names   := tools/check_names
CHECK_headers := tools/check_headers
CHECK_symbols := tools/check_exports.py
CHECK_absent  := tools/list_absent
CHECK_ops     := tools/check_ops.py
CHECK_list    := tools/list_ops
CHECK_beyond  := tools/list_beyond
CHECK_wrappers := tools/gen_ops.py --check
CHECK_env     := tools/check_env
CHECK_sizes   := tools/list_sizes
CHECK_readme  := tools/check_readme
check:
	@tools/install_deps build test check
	@$(MAKE) --no-print-directory build-release >/dev/null
	@tools/run_checks $(foreach check,$(CHECKS),'$(check)=$(CHECK_$(check))')

install:
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target products -j $(JOBS)
	cmake --install build --prefix '$(PREFIX)' --strip
	@DESTDIR='$(DESTDIR)' tools/after_install '$(abspath $(PREFIX))/$(shell sed -n s/^CMAKE_INSTALL_LIBDIR:PATH=//p build/CMakeCache.txt)'

clean:
	rm -rf build build-debug build-asan build-tsan build-minimal build-clang build-aarch64 build-fuzz build-mutate
