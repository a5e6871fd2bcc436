# Tests: tests/FOLDER/NAME.c is one program, and every CASE in it one test of CTest, `FOLDER.NAME.case`.
# Nothing here is built by `make build`; `make test` installs cmocka and the reference libraries first.

add_custom_target(carom_all_tests DEPENDS carom_program)
file(GLOB test_support_sources CONFIGURE_DEPENDS tests/support/*.c)
add_library(test_support STATIC EXCLUDE_FROM_ALL ${test_support_sources})
target_include_directories(test_support PUBLIC src tests)
target_compile_definitions(test_support PUBLIC CAROM_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_include_directories(test_support SYSTEM PUBLIC ${AMD_INCLUDE_DIR})
target_link_libraries(test_support PUBLIC carom sqlite3 cmocka cholmod lapack blas m Threads::Threads)
add_dependencies(carom_all_tests test_support)

function(add_cases target source prefix)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} lines REGEX "CASE\\([a-z]")
    string(REGEX MATCHALL "(LONG_)?CASE\\([a-zA-Z0-9_]+\\)" cases "${lines}")
    foreach(case IN LISTS cases)
        string(REGEX REPLACE "(LONG_)?CASE\\(([a-zA-Z0-9_]+)\\)" "\\2" name ${case})
        if(case MATCHES "^LONG_" AND CAROM_SANITIZE)
            continue()
        endif()
        add_test(NAME ${prefix}.${name} COMMAND ${target} ${name})
        set_tests_properties(${prefix}.${name} PROPERTIES TIMEOUT 600)
        # Long ones first, so that no core is idle at the end.
        if(case MATCHES "^LONG_")
            set_tests_properties(${prefix}.${name} PROPERTIES COST 100)
        endif()
    endforeach()
endfunction()

# Slow, independent algorithms that judge the fast ones. Their own tests lie beside them, as NAME_test.c.
file(GLOB reference_sources CONFIGURE_DEPENDS tests/reference/*.c)
set(reference_tests ${reference_sources})
list(FILTER reference_sources EXCLUDE REGEX "_test\\.c$")
list(FILTER reference_tests INCLUDE REGEX "_test\\.c$")
list(TRANSFORM reference_programs PREPEND "${CMAKE_SOURCE_DIR}/" OUTPUT_VARIABLE in_properties)
list(REMOVE_ITEM reference_sources ${in_properties})
add_library(test_reference STATIC EXCLUDE_FROM_ALL ${reference_sources})
target_compile_definitions(test_reference PRIVATE TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
target_link_libraries(test_reference PUBLIC properties test_support jansson)
add_dependencies(carom_all_tests test_reference)

file(GLOB test_sources CONFIGURE_DEPENDS tests/base/*.c tests/math/*.c tests/shape/*.c tests/model/*.c tests/step/*.c tests/scene/*.c
     tests/record/*.c tests/contact/*.c tests/verify/*.c tests/cli/*.c tests/distance/*.c tests/solve/*.c tests/impact/*.c)
foreach(source IN LISTS test_sources reference_tests)
    cmake_path(GET source STEM name)
    string(REGEX REPLACE "_test$" "" name ${name})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    set(target test_${folder}_${name})
    add_executable(${target} EXCLUDE_FROM_ALL ${source})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(${target} PRIVATE test_reference)
    add_dependencies(carom_all_tests ${target})
    add_cases(${target} ${source} ${folder}.${name})
endforeach()

# Parts of the program are tested alone, too.
target_sources(test_cli_json PRIVATE cli/json.c)
target_include_directories(test_cli_json PRIVATE cli)
target_link_libraries(test_cli_json PRIVATE jansson)

target_sources(test_cli_convergence PRIVATE cli/convergence.c)
target_include_directories(test_cli_convergence PRIVATE cli)
target_sources(test_cli_difference PRIVATE cli/difference.c)
target_include_directories(test_cli_difference PRIVATE cli)
target_sources(test_cli_compare_runs PRIVATE cli/compare_runs.c cli/difference.c cli/difference_curve.c cli/refuse.c cli/text.c)
target_include_directories(test_cli_compare_runs PRIVATE cli)

# The pool's test makes the system refuse a thread.
target_link_options(test_base_pool PRIVATE -Wl,--wrap=pthread_create)

# That of the distance kernel counts what the library allocates.
target_link_options(test_distance_kernel PRIVATE -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc)

# The same test under the thread sanitizer, which does not mix with the address sanitizer: in the release build, with
# sources of its own, as every file has to be compiled for it.
if(NOT CAROM_SANITIZE)
    file(GLOB tsan_sources CONFIGURE_DEPENDS src/base/*.c)
    add_executable(test_base_pool_tsan EXCLUDE_FROM_ALL tests/base/pool.c tests/support/check.c
                   tests/support/probe_allocator.c ${tsan_sources})
    set_target_properties(test_base_pool_tsan PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_include_directories(test_base_pool_tsan PRIVATE include src tests)
    target_compile_options(test_base_pool_tsan PRIVATE -fsanitize=thread -g -O1)
    target_link_options(test_base_pool_tsan PRIVATE -fsanitize=thread -Wl,--wrap=pthread_create)
    target_link_libraries(test_base_pool_tsan PRIVATE cmocka m Threads::Threads)
    add_dependencies(carom_all_tests test_base_pool_tsan)
    add_cases(test_base_pool_tsan tests/base/pool.c base.pool_tsan)
endif()

# The entries of the fuzzers, run over the scenes at hand; clang's fuzzer takes the same entries without the driver.
add_executable(fuzz_scene EXCLUDE_FROM_ALL tests/fuzz/scene_fuzz.c tests/fuzz/driver.c)
set_target_properties(fuzz_scene PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_include_directories(fuzz_scene PRIVATE tests)
target_link_libraries(fuzz_scene PRIVATE carom)
add_dependencies(carom_all_tests fuzz_scene)
file(GLOB fuzz_scenes CONFIGURE_DEPENDS scenes/*.json tests/scene/good/*.json tests/scene/broken/*.json)
add_test(NAME fuzz.scene COMMAND fuzz_scene ${fuzz_scenes})

# ---- the order of the house, and the program as a user meets it
find_program(CXX_COMPILER NAMES c++ g++ clang++)
function(add_script_test name script)
    add_test(NAME ${name} COMMAND bash ${CMAKE_SOURCE_DIR}/tests/${script} ${ARGN})
endfunction()
add_script_test(house.includes house/includes.sh ${CMAKE_SOURCE_DIR})
add_script_test(house.includes_can_fail house/includes_can_fail.sh)
add_script_test(house.headers_alone house/headers_alone.sh ${CMAKE_SOURCE_DIR} ${CMAKE_C_COMPILER} ${CXX_COMPILER})
add_script_test(house.format house/format.sh ${CMAKE_SOURCE_DIR})

# A strict reader of what --json prints.
add_executable(json_lines EXCLUDE_FROM_ALL tests/tools/json_lines.c)
set_target_properties(json_lines PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_link_libraries(json_lines PRIVATE jansson)
add_dependencies(carom_all_tests json_lines)

add_script_test(cli.verbs cli/verbs.sh $<TARGET_FILE:carom_program>)
set(verb_tests run files check json look interrupt distance impact pairs verify solve converge compare)
if(CAROM_VIEWER)
    list(APPEND verb_tests report gallery)
endif()
foreach(name IN LISTS verb_tests)
    add_script_test(cli.${name} cli/${name}.sh $<TARGET_FILE:carom_program> ${CMAKE_SOURCE_DIR} $<TARGET_FILE:json_lines>)
endforeach()
# The sanitizers make a run ten times slower.
set(kill_steps 1000000)
if(CAROM_SANITIZE)
    set(kill_steps 100000)
endif()
add_script_test(cli.kill cli/kill.sh $<TARGET_FILE:carom_program> ${CMAKE_SOURCE_DIR} ${kill_steps})
# The page itself: its own tests, and reports in a browser. Neither is any of the sanitizers' business.
if(CAROM_VIEWER AND NOT CAROM_SANITIZE)
    file(GLOB viewer_tests CONFIGURE_DEPENDS viewer/test/*.test.mjs)
    add_test(NAME viewer.units COMMAND ${NODE_PROGRAM} --test ${viewer_tests} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/viewer)
    add_script_test(cli.viewer cli/viewer.sh $<TARGET_FILE:carom_program> ${CMAKE_SOURCE_DIR} ${NODE_PROGRAM})
endif()
if(NOT CAROM_SANITIZE)
    add_script_test(cli.readme cli/readme.sh $<TARGET_FILE:carom_program> ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}
                    ${CMAKE_C_COMPILER})
    add_script_test(house.symbols house/symbols.sh $<TARGET_FILE:carom> ${CMAKE_C_COMPILER})
    add_script_test(house.install house/install.sh ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
endif()
foreach(source IN LISTS bench_sources)
    cmake_path(GET source STEM name)
    add_dependencies(carom_all_tests bench_${name})
endforeach()
