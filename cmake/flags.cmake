# Compiler flags. `sluice_flags` goes to every target of ours; `sluice_private` to those that see src/ (rooms, unit tests,
# fuzz targets, benchmarks); `sluice_kernel_flags` to the kernels besides.
#
# Results must not depend on the optimiser: no -ffast-math, and no contraction of a*b+c unless the code asks for it.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

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
              -fvisibility=hidden
              -ffunction-sections
              -fdata-sections
              -fno-math-errno
              -ffp-contract=off)

add_library(sluice_private INTERFACE)
target_include_directories(sluice_private INTERFACE ${CMAKE_SOURCE_DIR}/src)

# Kernel bodies are expanded for every number type: sign conversions there are the rule, not the slip. Nothing reads the
# floating-point exception flags, so comparisons may be vectorised.
add_library(sluice_kernel_flags INTERFACE)
target_compile_options(sluice_kernel_flags INTERFACE -Wno-sign-conversion -fno-trapping-math -fwrapv
                                                     $<$<CONFIG:Release,RelWithDebInfo>:-O3>)

if(SLUICE_SANITIZE)
    target_compile_options(sluice_flags INTERFACE -fsanitize=${SLUICE_SANITIZE} -fno-sanitize-recover=all -Wno-pass-failed
                                                  -fno-omit-frame-pointer)
    target_link_options(sluice_flags INTERFACE -fsanitize=${SLUICE_SANITIZE})
endif()
