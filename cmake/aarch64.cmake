# Toolchain file: Linux on 64-bit ARM, built on another machine; tests run under QEMU. On Debian it needs
#
#   dpkg --add-architecture arm64 && apt-get update
#   apt-get install gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user libcmocka-dev:arm64
#
# and, where they are wanted, the arm64 packages of the optional libraries. `make build-aarch64`, then `tests/run_tests
# build-aarch64 -LE slow`. QEMU does not limit memory, and tests that fork with threads or start themselves anew fail under it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
