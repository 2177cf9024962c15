# The source folders, in build order. A folder without .c files (or without existing) is passed over.
#
# sluice_room(FOLDER [KERNELS] [FAMILIES] [ARCH arch] [FLAGS flag...] [SMALL file...] [FAST file...]): compiles src/FOLDER/*.c to an object library.
#   KERNELS: adds the kernels' flags. FAMILIES: with the files of the folder's folders. ARCH: only when building for that architecture.
#   FLAGS: further flags.
#   SMALL: files (patterns) whose code is to be small: it runs once for a graph, or waits for files, text or other threads.
#   FAST: in a room whose FLAGS ask for small code, files (patterns) that are compiled as usual: each call of an eager op comes by.
#
# What SLUICE_IN_<companion> lists, patterns below src/, goes into that companion's objects and not into SLUICE_OBJECTS: the folder's flags
# hold for both.
set(SLUICE_COMPANIONS data images kernels net)
set(SLUICE_IN_data
    backends/any/auto_shard_any.c
    backends/any/dataset_*.c
    backends/any/iterator_any.c
    backends/any/lookup_dataset_any.c
    backends/any/map_defun_any.c
    backends/any/parse_example_graph.c
    backends/any/position_any.c
    backends/any/snapshot_settings.c
    companion/data_companion.c
    data/*.c)
set(SLUICE_IN_images backends/cpu/image/*.c companion/images_companion.c formats/image_*.c)
set(SLUICE_IN_kernels
    backends/cpu/isa/*/dense_table.c
    backends/cpu/isa/*/fft.c
    backends/cpu/isa/*/quantize.c
    backends/cpu/isa/*/triangle_rows.c
    backends/cpu/linalg/*.c
    backends/cpu/quant/*.c
    backends/cpu/signal/*.c
    backends/cpu/sparse/*.c
    companion/kernels_companion.c)
set(SLUICE_IN_net companion/net_companion.c dist/*.c net/*.c os/bounded_threads.c os/shared_block.c serving/*.c)

set(SLUICE_OBJECTS "") # of the library itself; SLUICE_OBJECTS_<companion>: of a companion
set(SLUICE_ROOMS "")   # the targets that compile them
foreach(companion ${SLUICE_COMPANIONS})
    set(SLUICE_OBJECTS_${companion} "")
    list(TRANSFORM SLUICE_IN_${companion} PREPEND ${CMAKE_SOURCE_DIR}/src/)
    file(GLOB SLUICE_IN_${companion} CONFIGURE_DEPENDS ${SLUICE_IN_${companion}})
endforeach()

# Compiles sources of a room to the object library `target`, and adds it to the list `objects`.
macro(sluice_room_objects target objects libraries)
    if(NOT "${ARGN}" STREQUAL "")
        add_library(${target} OBJECT ${ARGN})
        target_link_libraries(${target} PRIVATE sluice_flags sluice_private ${libraries})
        if(room_KERNELS)
            target_link_libraries(${target} PRIVATE sluice_kernel_flags)
        endif()
        target_compile_options(${target} PRIVATE ${room_FLAGS})
        list(APPEND ${objects} $<TARGET_OBJECTS:${target}>)
        list(APPEND SLUICE_ROOMS ${target})
    endif()
endmacro()

# Further flags for the files of a room that patterns name.
function(sluice_room_files folder flags)
    foreach(pattern ${ARGN})
        file(GLOB files ${CMAKE_SOURCE_DIR}/src/${folder}/${pattern})
        if(NOT files)
            message(FATAL_ERROR "src/${folder} has no ${pattern}")
        endif()
        set_source_files_properties(${files} PROPERTIES COMPILE_OPTIONS "${flags}")
    endforeach()
endfunction()

macro(sluice_room folder)
    cmake_parse_arguments(room "KERNELS;FAMILIES" "ARCH" "FLAGS;SMALL;FAST" ${ARGN})
    set(room_patterns ${CMAKE_SOURCE_DIR}/src/${folder}/*.c)
    if(room_FAMILIES)
        list(APPEND room_patterns ${CMAKE_SOURCE_DIR}/src/${folder}/*/*.c)
    endif()
    file(GLOB room_sources CONFIGURE_DEPENDS ${room_patterns})
    if(room_sources AND (NOT room_ARCH OR room_ARCH STREQUAL SLUICE_ARCH))
        string(REPLACE "/" "_" room_target "room_${folder}")
        foreach(companion ${SLUICE_COMPANIONS})
            set(room_companion "")
            foreach(source ${room_sources})
                if(source IN_LIST SLUICE_IN_${companion})
                    list(APPEND room_companion ${source})
                endif()
            endforeach()
            list(REMOVE_ITEM room_sources "" ${room_companion})
            sluice_room_objects(${room_target}_in_${companion} SLUICE_OBJECTS_${companion} sluice_libraries_${companion}
                                ${room_companion})
        endforeach()
        sluice_room_objects(${room_target} SLUICE_OBJECTS sluice_libraries ${room_sources})
        sluice_room_files(${folder} "${SLUICE_SMALL_CODE}" ${room_SMALL})
        sluice_room_files(${folder} "${SLUICE_USUAL_CODE}" ${room_FAST})
    endif()
endmacro()

sluice_room(base)
sluice_room(os SMALL address.c directory.c file_system.c glob.c)
sluice_room(jit FLAGS ${SLUICE_SMALL_CODE})
sluice_room(proto SMALL text_*.c)
sluice_room(proto/gen)
sluice_room(tensor)
sluice_room(ops SMALL *_shape.c op_row.c op_spec.c op_summary.c)
sluice_room(device)
sluice_room(
    formats KERNELS
    FLAGS ${SLUICE_SMALL_LOOPS}
    SMALL encoding.c image_*.c json_example.c message_type.c regex_parse.c unicode.c wav.c)
sluice_room(ckpt SMALL bundle_reader.c checkpoint_state.c object_graph.c snapshot_*.c v1_*.c)
sluice_room(graph SMALL function.c to_function.c)
sluice_room(kernel)
sluice_room(data FLAGS ${SLUICE_SMALL_CODE} FAST iterator.c shuffle_data.c)
sluice_room(grad FLAGS ${SLUICE_SMALL_CODE} FAST emission.c math_grad.c sums.c)
sluice_room(grad/graph FLAGS ${SLUICE_SMALL_CODE})
sluice_room(passes FLAGS ${SLUICE_SMALL_CODE})
sluice_room(passes/optimise)
sluice_room(program SMALL linear_code.c print.c)
sluice_room(exec SMALL step_record.c trace.c)
sluice_room(
    backends/any KERNELS
    SMALL accumulator_any.c
          barrier_any.c
          batch*.c
          checkpoint_any.c
          collective_any.c
          collective_groups.c
          dataset_any.c
          file_reader.c
          io_any.c
          iterator_any.c
          list_message.c
          lookup_any.c
          map_any.c
          map_stage_any.c
          mutex_any.c
          path_input.c
          position_any.c
          print_any.c
          queue*.c
          reader_any.c
          record_input_any.c
          remap_any.c
          snapshot_settings.c
          stage_any.c
          staging.c
          table_file.c)
sluice_room(backends/null KERNELS)
sluice_room(
    backends/cpu KERNELS FAMILIES
    FLAGS ${SLUICE_SMALL_LOOPS}
    SMALL debug/*.c
          image/box_cpu.c
          image/image_*.c
          nn/clustering_cpu.c
          nn/isotonic_cpu.c
          parse/message_*.c
          pool/fractional_pool_cpu.c
          quant/quantized_image_cpu.c
          quant/uniform_quant_cpu.c
          random/candidate_*.c
          random/sobol_cpu.c
          signal/audio_cpu.c
          sparse/csr_*.c
          sparse/edit_distance_cpu.c
          sparse/ragged_variant_cpu.c
          sparse/set_cpu.c
          sparse/sparse_count_cpu.c
          sparse/sparse_serial_cpu.c
          string/unicode_cpu.c)
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
# Loops that check the processor themselves.
sluice_room(
    backends/cpu/isa/tiles KERNELS
    ARCH x86_64
    FLAGS -mavx2
          -mfma
          -mf16c
          -mavx512f
          -mavx512dq
          -mavx512bw
          -mavx512vl
          -mavx512bf16
          -mavx512vnni
          -mamx-tile
          -mamx-bf16
          -mamx-int8
          ${SLUICE_SMALL_LOOPS})
sluice_room(backends/cpu/isa/neon KERNELS ARCH aarch64 FLAGS -DSL_ISA=neon ${SLUICE_FAST_LOOPS})
sluice_room(runtime)
sluice_room(companion FLAGS ${SLUICE_SMALL_CODE})
sluice_room(session SMALL freeze_*.c saved_model.c saver_nodes.c variable_values.c)
sluice_room(eager)
sluice_room(tape)
sluice_room(net)
sluice_room(dist)
sluice_room(serving FLAGS ${SLUICE_SMALL_CODE} FAST json.c json_tensors.c)
sluice_room(root FLAGS ${SLUICE_SMALL_CODE})
sluice_room(capi FLAGS ${SLUICE_SMALL_CODE} FAST capi_status.c)
sluice_room(capi/eager)
sluice_room(capi/unified FLAGS ${SLUICE_SMALL_CODE})
sluice_room(capi/saved_model FLAGS ${SLUICE_SMALL_CODE})
sluice_room(plugin FLAGS ${SLUICE_SMALL_CODE})
sluice_room(front FLAGS ${SLUICE_SMALL_CODE})
