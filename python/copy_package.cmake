# Lays the package's Python files into a build: cmake -DFROM=DIR -DTO=DIR -P copy_package.cmake
# What is in TO and no longer in FROM goes, but the extension.
file(GLOB_RECURSE have RELATIVE ${TO} ${TO}/*.py)
file(GLOB_RECURSE want RELATIVE ${FROM} ${FROM}/*.py)
if(have)
    list(REMOVE_ITEM have ${want})
endif()
foreach(file IN LISTS have)
    file(REMOVE ${TO}/${file})
endforeach()
foreach(file IN LISTS want)
    get_filename_component(folder ${TO}/${file} DIRECTORY)
    file(COPY ${FROM}/${file} DESTINATION ${folder})
endforeach()
