# Faults that are none of the program's: memory that is refused, disks that are full, processes that are killed
# (tests/faults/). `make faults` walks through all of them; the tests here through some.
set(fault_inputs ${CMAKE_SOURCE_DIR}/tests/faults/inputs)
add_library(fault_trials STATIC EXCLUDE_FROM_ALL tests/faults/trial.c)
target_include_directories(fault_trials PUBLIC tests)
add_custom_target(carom_faults DEPENDS carom_program)

# add_fault_walk(NAME ARGUMENT...): a program of tests/faults/ and its short run.
function(add_fault_walk name)
    add_executable(walk_${name} EXCLUDE_FROM_ALL tests/faults/walk_${name}.c)
    set_target_properties(walk_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(walk_${name} PRIVATE fault_trials)
    add_dependencies(carom_faults walk_${name})
    add_dependencies(carom_check_tests walk_${name})
    add_test(NAME faults.${name} COMMAND walk_${name} ${ARGN})
    set_tests_properties(faults.${name} PROPERTIES TIMEOUT 600)
endfunction()

add_fault_walk(disk $<TARGET_FILE:carom_program> ${fault_inputs} 41 7)
set_tests_properties(faults.disk PROPERTIES SKIP_RETURN_CODE 77)

# The address sanitizer has an allocator of its own, which is not to be replaced. The page of reports is in most cases.
if(CAROM_VIEWER AND NOT CAROM_SANITIZE AND NOT CAROM_FUZZ)
    add_library(refuse_allocations MODULE EXCLUDE_FROM_ALL tests/faults/refuse_allocations.c)
    set_target_properties(refuse_allocations PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests
                                                        C_VISIBILITY_PRESET default)
    add_fault_walk(allocations $<TARGET_FILE:refuse_allocations> $<TARGET_FILE:carom_program> ${fault_inputs} 307 101)
    add_dependencies(walk_allocations refuse_allocations)
endif()
