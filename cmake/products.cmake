# What is built from the rooms' objects, and where it is installed.
include(GNUInstallDirs)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# The system's libraries, for whoever links the objects.
add_library(sluice_system INTERFACE)
target_link_libraries(sluice_system INTERFACE sluice_libraries Threads::Threads m ${CMAKE_DL_LIBS})

# ---- the shared library and its companions: shared objects beside it, loaded when first used (src/companion)
option(SLUICE_WITH_COMPANIONS "Companions beside the shared library; OFF: all in one file" ON)
if(SLUICE_ARCH STREQUAL other) # imports.h does not know how to jump
    set(SLUICE_WITH_COMPANIONS OFF)
endif()

set(maps ${CMAKE_BINARY_DIR}/maps) # what the linker put where: tools/list_sizes
file(MAKE_DIRECTORY ${maps})
set(shared_options -Wl,--gc-sections -Wl,--as-needed)
if(NOT SLUICE_SANITIZE) # the sanitizers' own symbols come from the program
    list(APPEND shared_options -Wl,-z,defs)
endif()

add_library(tensorflow SHARED ${SLUICE_OBJECTS} cmake/wheel_names.c)
target_include_directories(tensorflow PRIVATE src)
set_target_properties(tensorflow PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION 2
                                            LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/exports.map)
target_link_libraries(tensorflow PRIVATE sluice_flags sluice_system)
# -Bsymbolic: the library calls its own functions even when another copy was loaded before it. nodelete: its threads
# live as long as the program, whoever closes the library.
target_link_options(tensorflow PRIVATE ${shared_options} -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/exports.map
                    -Wl,-Bsymbolic -Wl,-z,nodelete -Wl,-Map=${maps}/tensorflow.map)

if(SLUICE_WITH_COMPANIONS)
    set(binding ${CMAKE_BINARY_DIR}/binding) # what binds companions to the library, made of all their object files
    file(GENERATE OUTPUT ${binding}/core.list CONTENT "$<JOIN:${SLUICE_OBJECTS},\n>\n")
    set(all_objects ${SLUICE_OBJECTS})
    set(companion_lists "")
    foreach(companion ${SLUICE_COMPANIONS})
        file(GENERATE OUTPUT ${binding}/${companion}.list CONTENT "$<JOIN:${SLUICE_OBJECTS_${companion}},\n>\n")
        list(APPEND companion_lists ${binding}/${companion}.list)
        list(APPEND all_objects ${SLUICE_OBJECTS_${companion}})
    endforeach()
    add_custom_command(
        OUTPUT ${binding}/core_build.h ${binding}/core_table.c ${binding}/imports.c
        COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DCORE=${binding}/core.list "-DCOMPANIONS=${companion_lists}" -DOUT=${binding} -P
                ${CMAKE_SOURCE_DIR}/cmake/core_table.cmake
        DEPENDS ${all_objects} ${companion_lists} ${binding}/core.list ${CMAKE_SOURCE_DIR}/cmake/core_table.cmake
        VERBATIM)
    add_library(core_table OBJECT ${binding}/core_table.c)
    add_library(companion_imports OBJECT ${binding}/imports.c)
    foreach(target core_table companion_imports)
        target_link_libraries(${target} PRIVATE sluice_flags sluice_private)
    endforeach()
    add_dependencies(core_table ${SLUICE_ROOMS})
    add_dependencies(companion_imports core_table) # so that one of them makes the files
    target_sources(tensorflow PRIVATE $<TARGET_OBJECTS:core_table>)
    foreach(companion ${SLUICE_COMPANIONS})
        set(target companion_${companion})
        add_library(${target} MODULE ${SLUICE_OBJECTS_${companion}} $<TARGET_OBJECTS:companion_imports> cmake/companion_entry.c)
        add_dependencies(${target} core_table)
        set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME sluice_${companion}
                                                   LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/companion.map)
        target_include_directories(${target} PRIVATE ${binding})
        target_compile_definitions(${target} PRIVATE SL_COMPANION=sl_companion_${companion})
        target_link_libraries(${target} PRIVATE sluice_flags sluice_private sluice_libraries_${companion} m)
        target_link_options(${target} PRIVATE ${shared_options} -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/companion.map
                            -Wl,-Map=${maps}/${target}.map)
        list(APPEND companion_files ${target})
    endforeach()
else()
    foreach(companion ${SLUICE_COMPANIONS})
        target_sources(tensorflow PRIVATE ${SLUICE_OBJECTS_${companion}})
        target_link_libraries(tensorflow PRIVATE sluice_libraries_${companion})
    endforeach()
endif()

# The tables of kernels and ops hold some 8,000 pointers, 24 bytes of relocation each unless packed. A loader older than
# glibc 2.36 cannot read packed ones.
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
check_linker_flag(C -Wl,--fatal-warnings,-z,pack-relative-relocs SLUICE_LINKER_PACKS)
check_c_source_compiles("#include <features.h>
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 36)
#error the loader is older
#endif
int main(void) { return 0; }" SLUICE_LOADER_UNPACKS)
if(SLUICE_LINKER_PACKS AND SLUICE_LOADER_UNPACKS AND NOT SKBUILD) # wheels go to older loaders, too
    foreach(target tensorflow ${companion_files})
        target_link_options(${target} PRIVATE -Wl,-z,pack-relative-relocs)
    endforeach()
endif()

# The name by which programs linked against TensorFlow's wheel ask for it.
set(wheel_name libtensorflow_cc.so.2)
add_custom_command(TARGET tensorflow POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink libtensorflow.so.2
                   $<TARGET_FILE_DIR:tensorflow>/${wheel_name} VERBATIM)

add_library(tensorflow_framework SHARED cmake/framework.c)
set_target_properties(tensorflow_framework PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 2 INSTALL_RPATH "$ORIGIN")
target_link_libraries(tensorflow_framework PRIVATE sluice_flags -Wl,--no-as-needed tensorflow)
target_link_options(tensorflow_framework PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/framework.map)

# ---- the archives. A program takes the companions that it names; sluice_all takes all.
add_library(sluice_static STATIC ${SLUICE_OBJECTS})
set_target_properties(sluice_static PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME sluice EXPORT_NAME static)
target_link_libraries(sluice_static PUBLIC sluice_system)
add_library(sluice_all INTERFACE)
foreach(companion ${SLUICE_COMPANIONS})
    set(target sluice_${companion})
    add_library(${target} STATIC ${SLUICE_OBJECTS_${companion}})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C EXPORT_NAME ${companion})
    target_link_libraries(${target} PUBLIC sluice_static sluice_libraries_${companion})
    # The library asks for a companion by a weak name, which takes nothing out of an archive.
    target_link_options(${target} INTERFACE -Wl,-u,sl_companion_${companion})
    target_link_libraries(sluice_all INTERFACE ${target})
    list(APPEND companion_archives ${target} sluice_libraries_${companion})
endforeach()

# ---- one library with every name of the rooms, for the tests under sanitizers
if(SLUICE_TESTS_SHARE)
    add_library(sluice_whole SHARED EXCLUDE_FROM_ALL ${SLUICE_OBJECTS})
    set_target_properties(sluice_whole PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(sluice_whole PRIVATE sluice_flags PUBLIC sluice_system)
    foreach(companion ${SLUICE_COMPANIONS})
        target_sources(sluice_whole PRIVATE ${SLUICE_OBJECTS_${companion}})
        target_link_libraries(sluice_whole PRIVATE sluice_libraries_${companion})
    endforeach()
endif()

# ---- the plug-in for MPI: no companion, since programs that link the archives load it, too. It takes what it needs of the
# archive, and nothing of the library that loads it.
if(TARGET MPI::MPI_C)
    add_library(sluice_mpi MODULE src/mpi/mpi_plugin.c)
    set_target_properties(sluice_mpi PROPERTIES PREFIX lib LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/mpi.map)
    target_link_libraries(sluice_mpi PRIVATE sluice_flags sluice_private sluice_static MPI::MPI_C)
    target_link_options(sluice_mpi PRIVATE ${shared_options} -Wl,-z,nodelete
                        -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/mpi.map)
endif()

# The command is on the public headers only.
file(GLOB cli_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cli/*.c)
if(cli_sources)
    file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cli/pages/*.html)
    string(REPLACE ";" "," page_list "${pages}")
    add_custom_command(
        OUTPUT ${CMAKE_BINARY_DIR}/pages.c VERBATIM
        COMMAND ${CMAKE_COMMAND} -DPAGES=${page_list} -DOUT=${CMAKE_BINARY_DIR}/pages.c -P ${CMAKE_SOURCE_DIR}/cmake/embed_pages.cmake
        DEPENDS ${pages} ${CMAKE_SOURCE_DIR}/cmake/embed_pages.cmake)
    add_executable(sluice ${cli_sources} ${CMAKE_BINARY_DIR}/pages.c)
    target_include_directories(sluice PRIVATE ${CMAKE_SOURCE_DIR}/cli)
    target_link_libraries(sluice PRIVATE sluice_flags sluice_have sluice_all)
    target_link_options(sluice PRIVATE -Wl,--gc-sections)
endif()

# What `make` builds; the tests come with `make test`.
add_custom_target(products DEPENDS tensorflow tensorflow_framework sluice_static)
add_dependencies(products ${companion_files} sluice_data sluice_images sluice_kernels sluice_net)
if(TARGET sluice)
    add_dependencies(products sluice)
endif()
if(TARGET sluice_mpi)
    add_dependencies(products sluice_mpi)
endif()

# Public include folder for whoever links these targets, here or installed.
foreach(target tensorflow sluice_static)
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)
install(TARGETS tensorflow tensorflow_framework sluice_static sluice_system sluice_libraries ${companion_archives}
        EXPORT sluice-targets)
if(companion_files)
    install(TARGETS ${companion_files} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET sluice_mpi)
    install(TARGETS sluice_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${wheel_name} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT sluice-targets NAMESPACE sluice:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sluice-config.cmake.in ${CMAKE_BINARY_DIR}/sluice-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/sluice-config-version.cmake VERSION ${SLUICE_VERSION}
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/sluice-config.cmake ${CMAKE_BINARY_DIR}/sluice-config-version.cmake
              ${CMAKE_SOURCE_DIR}/cmake/FindNghttp2.cmake ${CMAKE_SOURCE_DIR}/cmake/FindWebP.cmake ${CMAKE_SOURCE_DIR}/cmake/FindZstd.cmake
        DESTINATION ${package_dir})
# cc -static finds the archives under the names of the shared libraries: these are scripts for the linker.
set(CMAKE_DL_LIBS_FLAGS "")
if(CMAKE_DL_LIBS)
    set(CMAKE_DL_LIBS_FLAGS "-l${CMAKE_DL_LIBS} ")
endif()
set(externs "")
set(archives "")
foreach(companion ${SLUICE_COMPANIONS})
    string(APPEND externs " sl_companion_${companion}")
    string(APPEND archives " -lsluice_${companion}")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/archives/libtensorflow.a @ONLY
     CONTENT "/* The library and all companions, for cc -static. */\nEXTERN(@externs@ )\nGROUP(@archives@ -lsluice )\n")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/archives/libtensorflow_framework.a @ONLY
     CONTENT "/* It holds no code, as the shared one. */\nGROUP( -lsluice )\n")
install(DIRECTORY ${CMAKE_BINARY_DIR}/archives/ DESTINATION ${CMAKE_INSTALL_LIBDIR} FILES_MATCHING PATTERN "*.a")
file(RELATIVE_PATH SLUICE_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/tensorflow.pc.in ${CMAKE_BINARY_DIR}/tensorflow.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/tensorflow.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(EXISTS ${CMAKE_SOURCE_DIR}/include)
    install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
endif()
if(TARGET sluice)
    install(TARGETS sluice)
    file(GLOB man_pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/man/*.1)
    install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    if(NOT CMAKE_CROSSCOMPILING) # the command prints its completions
        set(completions ${CMAKE_BINARY_DIR}/completions)
        file(MAKE_DIRECTORY ${completions})
        add_custom_command(TARGET sluice POST_BUILD VERBATIM
                           COMMAND sluice completion bash > ${completions}/sluice
                           COMMAND sluice completion zsh > ${completions}/_sluice)
        install(FILES ${completions}/sluice DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
        install(FILES ${completions}/_sluice DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    endif()
endif()
