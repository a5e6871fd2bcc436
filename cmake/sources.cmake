# Source files by their names: sub-folders are the reader's order, and a file that moves between them needs no change here.

# named_sources(RESULT FOLDER STEM...): the files STEM.c somewhere below FOLDER. Each must be there once.
function(named_sources result folder)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c)
    set(sources)
    foreach(stem IN LISTS ARGN)
        set(matches ${found})
        list(FILTER matches INCLUDE REGEX "/${stem}\\.c$")
        list(LENGTH matches count)
        if(NOT count EQUAL 1)
            message(FATAL_ERROR "There are ${count} files ${stem}.c below ${folder}/; there must be one. ${matches}")
        endif()
        list(APPEND sources ${matches})
    endforeach()
    set(${result} ${sources} PARENT_SCOPE)
endfunction()

# add_named_sources(TARGET FOLDER STEM...): the same, for a target.
function(add_named_sources target folder)
    named_sources(sources ${folder} ${ARGN})
    target_sources(${target} PRIVATE ${sources})
endfunction()
