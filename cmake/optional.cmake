# Optional libraries. Each has an option SLUICE_WITH_<NAME> (ON: use it when found), and when it is used the definition
# SL_HAVE_<NAME>=1. An op whose library is missing answers UNIMPLEMENTED with the library's name.
add_library(sluice_libraries INTERFACE)
add_library(sluice_libraries_images INTERFACE)  # of the companions
add_library(sluice_libraries_kernels INTERFACE)
add_library(sluice_have INTERFACE) # the definitions, for everything that is built here
target_link_libraries(sluice_private INTERFACE sluice_have)
set(SLUICE_OPTIONAL_TABLE "")
set(SLUICE_CONFIG_DEPENDENCIES "")
list(APPEND CMAKE_MODULE_PATH ${CMAKE_SOURCE_DIR}/cmake) # FindWebP, FindZstd
option(SLUICE_WITH_ALL "Default of every SLUICE_WITH_* option" ON)

set(SLUICE_PC_LIBRARIES "")

# sluice_optional(NAME PACKAGE TARGET FOR ARCHIVES WHAT): PACKAGE for find_package, TARGET to link FOR the library itself (sluice_libraries)
# or for a companion, ARCHIVES that a static program names, in their order, WHAT it gives.
function(sluice_optional name package target for archives what)
    option(SLUICE_WITH_${name} "${what}, by ${package}" ${SLUICE_WITH_ALL})
    set(state "off")
    if(SLUICE_WITH_${name})
        find_package(${package} QUIET)
        set(state "not found")
        if(TARGET ${target})
            set(state "yes")
            target_link_libraries(${for} INTERFACE ${target})
            target_compile_definitions(sluice_have INTERFACE SL_HAVE_${name}=1)
            set(SLUICE_PC_LIBRARIES "${SLUICE_PC_LIBRARIES} ${archives}" PARENT_SCOPE)
            string(APPEND SLUICE_CONFIG_DEPENDENCIES "find_dependency(${package})\n")
            set(SLUICE_CONFIG_DEPENDENCIES ${SLUICE_CONFIG_DEPENDENCIES} PARENT_SCOPE)
        endif()
    endif()
    string(SUBSTRING "${name}          " 0 10 padded)
    string(SUBSTRING "${state}           " 0 11 state)
    set(SLUICE_OPTIONAL_TABLE "${SLUICE_OPTIONAL_TABLE}--   ${padded}${state}${what}\n" PARENT_SCOPE)
endfunction()

# libwebp is in two archives since 1.3.
find_library(SLUICE_SHARPYUV sharpyuv)
mark_as_advanced(SLUICE_SHARPYUV)
set(webp_archives "-lwebpdemux -lwebp")
if(SLUICE_SHARPYUV)
    string(APPEND webp_archives " -lsharpyuv")
endif()
sluice_optional(PNG PNG PNG::PNG sluice_libraries_images "-lpng" "DecodePng, EncodePng")
sluice_optional(JPEG JPEG JPEG::JPEG sluice_libraries_images "-ljpeg" "DecodeJpeg, EncodeJpeg")
sluice_optional(GIF GIF GIF::GIF sluice_libraries_images "-lgif" "DecodeGif")
sluice_optional(WEBP WebP WebP::webpdemux sluice_libraries_images "${webp_archives}" "DecodeWebP")
sluice_optional(ZSTD Zstd Zstd::zstd sluice_libraries "-lzstd" "DecodeCompressed of ZSTD")
sluice_optional(ZLIB ZLIB ZLIB::ZLIB sluice_libraries "-lz" "compressed record files, zip archives") # libpng needs it: last

# oneDNN is looked for when the program runs: only its header is wanted here, of version 2 (that of 3 says other things). The thread
# sanitizer does not understand its threads.
option(SLUICE_WITH_ONEDNN "Convolutions and products by oneDNN" ${SLUICE_WITH_ALL})
set(state "off")
if(SLUICE_WITH_ONEDNN AND NOT SLUICE_SANITIZE MATCHES thread)
    find_path(ONEDNN_INCLUDE_DIR dnnl.h)
    mark_as_advanced(ONEDNN_INCLUDE_DIR)
    set(state "not found")
    if(ONEDNN_INCLUDE_DIR AND EXISTS ${ONEDNN_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h)
        file(STRINGS ${ONEDNN_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h version REGEX "define DNNL_VERSION_MAJOR +2$")
        if(version)
            set(state "yes")
            set(SLUICE_HAVE_ONEDNN ON)
            target_include_directories(sluice_have SYSTEM INTERFACE ${ONEDNN_INCLUDE_DIR})
            target_compile_definitions(sluice_have INTERFACE SL_HAVE_ONEDNN=1)
        endif()
    endif()
endif()
string(SUBSTRING "${state}           " 0 11 state)
string(APPEND SLUICE_OPTIONAL_TABLE "--   ONEDNN    ${state}matrix products and convolutions with SLUICE_ONEDNN=on\n")

# ICU is looked for when a graph names an encoding: only its headers are wanted here.
option(SLUICE_WITH_ICU "Encodings of text by ICU" ${SLUICE_WITH_ALL})
set(state "off")
if(SLUICE_WITH_ICU)
    find_path(ICU_INCLUDE_DIR unicode/ucnv.h)
    mark_as_advanced(ICU_INCLUDE_DIR)
    set(state "not found")
    if(ICU_INCLUDE_DIR)
        set(state "yes")
        target_include_directories(sluice_have SYSTEM INTERFACE ${ICU_INCLUDE_DIR})
        target_compile_definitions(sluice_have INTERFACE SL_HAVE_ICU=1)
    endif()
endif()
string(SUBSTRING "${state}           " 0 11 state)
string(APPEND SLUICE_OPTIONAL_TABLE "--   ICU       ${state}UnicodeDecode, UnicodeTranscode of any encoding\n")

function(sluice_print_optional)
    message(STATUS "Sluice ${SLUICE_VERSION} (TensorFlow C API ${PROJECT_VERSION}), ${CMAKE_BUILD_TYPE}, "
                   "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}, ${SLUICE_ARCH}\n"
                   "-- Optional libraries:\n${SLUICE_OPTIONAL_TABLE}")
endfunction()
