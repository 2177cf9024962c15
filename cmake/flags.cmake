# Compiler flags. `sluice_flags` goes to every target of ours; `sluice_private` to those that see src/ (rooms, unit tests,
# fuzz targets, benchmarks); `sluice_kernel_flags` to the kernels besides.
#
# Results must not depend on the optimiser: no -ffast-math, and no contraction of a*b+c unless the code asks for it.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

# Under sanitizers a program that holds the whole library takes 140 MB, and the tests are 290 programs: there they share one library, which
# gives all names (sluice_whole in products.cmake).
set(SLUICE_TESTS_SHARE OFF)
if(SLUICE_SANITIZE AND SLUICE_TESTS)
    set(SLUICE_TESTS_SHARE ON)
endif()

add_library(sluice_flags INTERFACE)
target_include_directories(sluice_flags INTERFACE ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(sluice_flags INTERFACE _GNU_SOURCE SL_VERSION="${SLUICE_VERSION}"
                                                  SL_TF_VERSION="${PROJECT_VERSION}")
target_compile_options(
    sluice_flags
    INTERFACE -Wall
              -Wextra
              -Wshadow
              -Wconversion
              -Wstrict-prototypes
              -Wmissing-prototypes
              -Wvla
              $<$<BOOL:${SLUICE_WERROR}>:-Werror>
              $<$<NOT:$<BOOL:${SLUICE_TESTS_SHARE}>>:-fvisibility=hidden>
              -ffunction-sections
              -fdata-sections
              -fno-math-errno
              -ffp-contract=off)

add_library(sluice_private INTERFACE)
target_include_directories(sluice_private INTERFACE ${CMAKE_SOURCE_DIR}/src)

# Kernel bodies are expanded for every number type: sign conversions there are the rule, not the slip. Nothing reads the
# floating-point exception flags, so comparisons may be vectorised.
add_library(sluice_kernel_flags INTERFACE)
target_compile_options(sluice_kernel_flags INTERFACE -Wno-sign-conversion -fno-trapping-math -fwrapv)

# How far loops are unfolded. Everywhere but in the files of an instruction set, loops become vector loops and no more: the
# library would be a quarter larger for kernels that wait for memory anyway.
set(optimised "$<CONFIG:Release,RelWithDebInfo>")
set(SLUICE_SMALL_LOOPS "$<$<AND:$<C_COMPILER_ID:GNU>,${optimised}>:-ftree-vectorize;-fvect-cost-model=dynamic>")
set(SLUICE_FAST_LOOPS "$<${optimised}:-O3>")
# Code that runs once for a graph, not once a step: small.
set(SLUICE_SMALL_CODE "$<${optimised}:-Os;-fno-tree-vectorize>")
set(SLUICE_USUAL_CODE "$<${optimised}:-O2>")

# Nothing is thrown through C: no tables for unwinding. Debuggers have their own in builds with -g.
target_compile_options(sluice_flags INTERFACE $<$<CONFIG:Release>:-fno-asynchronous-unwind-tables>)

if(SLUICE_SANITIZE)
    target_compile_options(sluice_flags INTERFACE -fsanitize=${SLUICE_SANITIZE} -fno-sanitize-recover=all -Wno-pass-failed
                                                  -fno-omit-frame-pointer)
    target_link_options(sluice_flags INTERFACE -fsanitize=${SLUICE_SANITIZE})
    # LLVM's linker makes a program that holds the whole library in a third of the time.
    include(CheckLinkerFlag)
    check_linker_flag(C -fuse-ld=lld SLUICE_HAS_LLD)
    if(SLUICE_HAS_LLD)
        target_link_options(sluice_flags INTERFACE -fuse-ld=lld)
    endif()
endif()
