# Mutated inputs (tests/fuzz/): clang's fuzzer takes the entries as they are (make fuzz); elsewhere a driver runs them over
# seeds and a fixed number of changes of them.
set(fuzz_seeds ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds)
set(fuzz_scenes ${CMAKE_SOURCE_DIR}/scenes ${CMAKE_SOURCE_DIR}/tests/scene/good ${CMAKE_SOURCE_DIR}/tests/scene/broken)
add_custom_target(carom_fuzz)

# add_fuzz_target(NAME MUTATOR ROUNDS FOLDER...): the entry NAME_fuzz.c, changed by MUTATOR_mutate.c. Seeds are all files
# of tests/fuzz/seeds/NAME; mutations take words from the JSON of the folders.
function(add_fuzz_target name mutator rounds)
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL tests/fuzz/${name}_fuzz.c tests/fuzz/mutate/${mutator}_mutate.c tests/fuzz/fuzz.c
                                                 tests/fuzz/mutate/pool.c)
    set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_include_directories(fuzz_${name} PRIVATE tests src)
    list(JOIN ARGN ":" folders)
    target_compile_definitions(fuzz_${name} PRIVATE FUZZ_FOLDERS="${folders}" CAROM_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    target_link_libraries(fuzz_${name} PRIVATE carom jansson)
    if(CAROM_FUZZ)
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    else()
        target_sources(fuzz_${name} PRIVATE tests/fuzz/driver.c)
    endif()
    add_dependencies(carom_fuzz fuzz_${name})
    add_dependencies(carom_check_tests fuzz_${name})
    add_test(NAME fuzz.${name} COMMAND fuzz_${name} ${rounds} ${fuzz_seeds}/${name})
    set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT 600)
endfunction()

add_fuzz_target(scene json 300 ${fuzz_scenes})
add_fuzz_target(set text 1000 ${fuzz_scenes})
add_fuzz_target(pair json 1000 ${CMAKE_SOURCE_DIR}/scenes/distance-2-8 ${fuzz_seeds}/pair)
add_fuzz_target(impact json 2000 ${CMAKE_SOURCE_DIR}/scenes/pair-collisions)
add_fuzz_target(problem json 500 ${fuzz_seeds}/problem)
add_fuzz_target(mesh text 2000)
add_fuzz_target(checkpoint text 200)
add_fuzz_target(recording text 60)
foreach(name scene set pair impact problem)
    target_sources(fuzz_${name} PRIVATE tests/fuzz/reading.c)
endforeach()
target_sources(fuzz_checkpoint PRIVATE tests/fuzz/saved_bytes.c)
target_sources(fuzz_recording PRIVATE tests/fuzz/recording_edit.c)
target_link_libraries(fuzz_recording PRIVATE sqlite3)
# All scenes that are there, as they are.
add_test(NAME fuzz.scenes COMMAND fuzz_scene 0 ${fuzz_scenes})

# Command lines, of the program itself.
add_executable(fuzz_commands EXCLUDE_FROM_ALL tests/fuzz/commands.c tests/fuzz/fuzz.c tests/fuzz/mutate/pool.c)
set_target_properties(fuzz_commands PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_include_directories(fuzz_commands PRIVATE tests src)
list(JOIN fuzz_scenes ":" folders)
target_compile_definitions(fuzz_commands PRIVATE FUZZ_FOLDERS="${folders}" CAROM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                 _XOPEN_SOURCE=700)
target_link_libraries(fuzz_commands PRIVATE carom fault_trials jansson)
add_dependencies(fuzz_commands carom_program)
add_dependencies(carom_fuzz fuzz_commands)
add_dependencies(carom_check_tests fuzz_commands)
add_test(NAME fuzz.commands COMMAND fuzz_commands $<TARGET_FILE:carom_program> ${CMAKE_SOURCE_DIR}/tests/faults/inputs 120 1)
set_tests_properties(fuzz.commands PROPERTIES TIMEOUT 600)
