# What is built from the rooms' objects, and where it is installed.
include(GNUInstallDirs)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# The system's libraries, for whoever links the objects.
add_library(sluice_system INTERFACE)
target_link_libraries(sluice_system INTERFACE sluice_libraries Threads::Threads m ${CMAKE_DL_LIBS})

add_library(tensorflow SHARED ${SLUICE_OBJECTS})
set_target_properties(tensorflow PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION 2
                                            LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/exports.map)
target_link_libraries(tensorflow PRIVATE sluice_flags sluice_system)
# -Bsymbolic: the library calls its own functions even when another copy was loaded before it.
target_link_options(tensorflow PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/exports.map -Wl,--gc-sections
                    -Wl,-Bsymbolic)
if(NOT SLUICE_SANITIZE) # the sanitizers' own symbols come from the program
    target_link_options(tensorflow PRIVATE -Wl,-z,defs)
endif()

add_library(tensorflow_framework SHARED cmake/framework.c)
set_target_properties(tensorflow_framework PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 2)
target_link_libraries(tensorflow_framework PRIVATE sluice_flags -Wl,--no-as-needed tensorflow)
target_link_options(tensorflow_framework PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/framework.map)

add_library(sluice_static STATIC ${SLUICE_OBJECTS})
set_target_properties(sluice_static PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME sluice)
target_link_libraries(sluice_static PUBLIC sluice_system)

# The command is on the public headers only.
file(GLOB cli_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cli/*.c)
if(cli_sources)
    add_executable(sluice ${cli_sources})
    target_link_libraries(sluice PRIVATE sluice_flags sluice_static)
    target_link_options(sluice PRIVATE -Wl,--gc-sections)
endif()
