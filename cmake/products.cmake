# What is built from the rooms' objects, and where it is installed.
include(GNUInstallDirs)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# The system's libraries, for whoever links the objects.
add_library(sluice_system INTERFACE)
target_link_libraries(sluice_system INTERFACE sluice_libraries Threads::Threads m ${CMAKE_DL_LIBS})

add_library(tensorflow SHARED ${SLUICE_OBJECTS} cmake/wheel_names.c)
target_include_directories(tensorflow PRIVATE src)
set_target_properties(tensorflow PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION 2
                                            LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/exports.map)
target_link_libraries(tensorflow PRIVATE sluice_flags sluice_system)
# -Bsymbolic: the library calls its own functions even when another copy was loaded before it.
target_link_options(tensorflow PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/exports.map -Wl,--gc-sections
                    -Wl,-Bsymbolic -Wl,--as-needed)
if(NOT SLUICE_SANITIZE) # the sanitizers' own symbols come from the program
    target_link_options(tensorflow PRIVATE -Wl,-z,defs)
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
if(SLUICE_LINKER_PACKS AND SLUICE_LOADER_UNPACKS)
    target_link_options(tensorflow PRIVATE -Wl,-z,pack-relative-relocs)
endif()

# The name by which programs linked against TensorFlow's wheel ask for it.
set(wheel_name libtensorflow_cc.so.2)
add_custom_command(TARGET tensorflow POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink libtensorflow.so.2
                   $<TARGET_FILE_DIR:tensorflow>/${wheel_name} VERBATIM)

add_library(tensorflow_framework SHARED cmake/framework.c)
set_target_properties(tensorflow_framework PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 2 INSTALL_RPATH "$ORIGIN")
target_link_libraries(tensorflow_framework PRIVATE sluice_flags -Wl,--no-as-needed tensorflow)
target_link_options(tensorflow_framework PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/framework.map)

add_library(sluice_static STATIC ${SLUICE_OBJECTS})
set_target_properties(sluice_static PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME sluice EXPORT_NAME static)
target_link_libraries(sluice_static PUBLIC sluice_system)

# The command is on the public headers only.
file(GLOB cli_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cli/*.c)
if(cli_sources)
    add_executable(sluice ${cli_sources})
    target_link_libraries(sluice PRIVATE sluice_flags sluice_have sluice_static)
    target_link_options(sluice PRIVATE -Wl,--gc-sections)
endif()

# What `make` builds; the tests come with `make test`.
add_custom_target(products DEPENDS tensorflow tensorflow_framework sluice_static)
if(TARGET sluice)
    add_dependencies(products sluice)
endif()

# Public include folder for whoever links these targets, here or installed.
foreach(target tensorflow sluice_static)
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)
install(TARGETS tensorflow tensorflow_framework sluice_static sluice_system sluice_libraries EXPORT sluice-targets)
install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${wheel_name} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT sluice-targets NAMESPACE sluice:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sluice-config.cmake.in ${CMAKE_BINARY_DIR}/sluice-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/sluice-config-version.cmake VERSION ${SLUICE_VERSION}
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/sluice-config.cmake ${CMAKE_BINARY_DIR}/sluice-config-version.cmake
              ${CMAKE_SOURCE_DIR}/cmake/FindWebP.cmake ${CMAKE_SOURCE_DIR}/cmake/FindZstd.cmake
        DESTINATION ${package_dir})
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
