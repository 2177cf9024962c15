# cmake -DNM=nm -DCORE=FILE -DCOMPANIONS=FILE;... -DOUT=FOLDER -P core_table.cmake: what binds companions to the library.
#
# CORE lists the library's object files, one a line, each of COMPANIONS those of one companion. Writes into FOLDER
#   core_build.h  SL_CORE_BUILD: a hash of all these object files; nothing else of the build has to be compared
#   core_table.c  the library's functions that companions call, by the names that their object files lack
#   imports.c     the companions' jumps to them, in the same order
cmake_minimum_required(VERSION 3.21)

# sluice_symbols(OUT KIND FILE...): names that the object files define (KIND: --defined-only) or lack (--undefined-only), sorted;
# <OUT>_data: those of data.
function(sluice_symbols out kind)
    execute_process(COMMAND ${NM} --extern-only --format=posix ${kind} ${ARGN} OUTPUT_VARIABLE lines RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "${NM} failed")
    endif()
    string(REGEX MATCHALL "[^\n]+ [A-Za-z]( [^\n]*)?\n" lines "${lines}")
    set(data ${lines})
    list(FILTER data INCLUDE REGEX "^[^ ]+ [BbDdRrVv]")
    foreach(list lines data)
        list(TRANSFORM ${list} REPLACE " .*" "")
        list(REMOVE_DUPLICATES ${list})
        list(SORT ${list})
    endforeach()
    set(${out} ${lines} PARENT_SCOPE)
    set(${out}_data ${data} PARENT_SCOPE)
endfunction()

file(STRINGS ${CORE} core)
sluice_symbols(in_core --defined-only ${core})
set(all ${core})
set(called "")
foreach(file ${COMPANIONS})
    file(STRINGS ${file} companion)
    list(APPEND all ${companion})
    sluice_symbols(lacking --undefined-only ${companion})
    list(APPEND called ${lacking})
endforeach()
list(REMOVE_DUPLICATES called)
list(SORT called)

set(hashes "")
foreach(object ${all})
    file(SHA256 ${object} hash)
    string(APPEND hashes ${hash})
endforeach()
string(SHA256 build "${hashes}")

set(declared "")
set(table "")
set(imports "")
set(offset 0)
foreach(name ${called})
    string(FIND ";${in_core_data};" ";${name};" data)
    string(FIND ";${in_core};" ";${name};" function)
    if(NOT data EQUAL -1)
        message(FATAL_ERROR "a companion reads ${name}: of the library it can only call functions")
    elseif(NOT function EQUAL -1)
        string(APPEND declared "void ${name}(void);\n")
        string(APPEND table "    ${name},\n")
        string(APPEND imports "SL_IMPORT(${name}, \"${offset}\")\n")
        math(EXPR offset "${offset} + 8")
    endif()
endforeach()
file(WRITE ${OUT}/core_build.h "#define SL_CORE_BUILD \"${build}\"\n")
file(WRITE ${OUT}/core_table.c "#include \"companion/core.h\"
#include \"core_build.h\"

${declared}
static void (*const functions[])(void) = {
${table}};
extern const struct sl_core sl_core;
const struct sl_core sl_core = {SL_CORE_BUILD, functions};
")
file(WRITE ${OUT}/imports.c "#include \"companion/imports.h\"

${imports}")
