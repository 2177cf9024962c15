# The front door: every everyday action is one word. The building itself is CMake's; see CMakePresets.json.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
ifneq ($(shell command -v ninja 2>/dev/null),)
export CMAKE_GENERATOR ?= Ninja
endif

.PHONY: all clean help
all: build-release

# make build-debug, build-asan, ...: configures and builds one preset.
BUILDS := $(addprefix build-,release debug asan tsan minimal clang)
.PHONY: $(BUILDS)
$(BUILDS): build-%:
	@cmake --preset $* >/dev/null
	@cmake --build --preset $* -j $(JOBS)

clean:
	rm -rf build build-debug build-asan build-tsan build-minimal build-clang build-fuzz
