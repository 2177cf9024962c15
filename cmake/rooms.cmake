# The source folders, in build order. A folder without .c files (or without existing) is passed over.
#
# sluice_room(FOLDER [KERNELS] [ARCH arch] [FLAGS flag...]): compiles src/FOLDER/*.c to an object library.
#   KERNELS: adds the kernels' flags. ARCH: only when building for that architecture. FLAGS: further flags.
set(SLUICE_OBJECTS "")
macro(sluice_room folder)
    cmake_parse_arguments(room "KERNELS" "ARCH" "FLAGS" ${ARGN})
    file(GLOB room_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.c)
    if(room_sources AND (NOT room_ARCH OR room_ARCH STREQUAL SLUICE_ARCH))
        string(REPLACE "/" "_" room_target "room_${folder}")
        add_library(${room_target} OBJECT ${room_sources})
        target_link_libraries(${room_target} PRIVATE sluice_flags sluice_private sluice_libraries)
        if(room_KERNELS)
            target_link_libraries(${room_target} PRIVATE sluice_kernel_flags)
        endif()
        target_compile_options(${room_target} PRIVATE ${room_FLAGS})
        list(APPEND SLUICE_OBJECTS $<TARGET_OBJECTS:${room_target}>)
    endif()
endmacro()

sluice_room(base)
sluice_room(os)
sluice_room(proto)
sluice_room(proto/gen)
sluice_room(tensor)
sluice_room(ops)
sluice_room(device)
sluice_room(ckpt)
sluice_room(graph)
sluice_room(kernel)
sluice_room(grad FLAGS ${SLUICE_SMALL_CODE})
sluice_room(passes)
sluice_room(passes/optimise)
sluice_room(program)
sluice_room(exec)
sluice_room(backends/any KERNELS)
sluice_room(backends/null KERNELS)
sluice_room(backends/cpu KERNELS FLAGS ${SLUICE_SMALL_LOOPS})
# The same bodies compiled again for each instruction set; SL_ISA names the one.
sluice_room(backends/cpu/isa/base KERNELS FLAGS -DSL_ISA=base ${SLUICE_SMALL_LOOPS})
sluice_room(backends/cpu/isa/avx2 KERNELS ARCH x86_64 FLAGS -DSL_ISA=avx2 -mavx2 -mfma -mf16c ${SLUICE_FAST_LOOPS})
sluice_room(
    backends/cpu/isa/avx512 KERNELS
    ARCH x86_64
    FLAGS -DSL_ISA=avx512
          -mavx2
          -mfma
          -mf16c
          -mavx512f
          -mavx512dq
          -mavx512bw
          -mavx512vl
          -mprefer-vector-width=512
          ${SLUICE_FAST_LOOPS})
sluice_room(backends/cpu/isa/neon KERNELS ARCH aarch64 FLAGS -DSL_ISA=neon ${SLUICE_FAST_LOOPS})
sluice_room(session)
sluice_room(eager)
sluice_room(net)
sluice_room(dist)
sluice_room(capi FLAGS ${SLUICE_SMALL_CODE})
