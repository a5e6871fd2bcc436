# Tests: tests/FOLDER/NAME.c is one program, and every CASE in it one test of CTest, `FOLDER.NAME.case`.
# Nothing here is built by `make build`; `make test` installs cmocka and the reference libraries first.

add_custom_target(carom_all_tests DEPENDS carom_program)
file(GLOB test_support_sources CONFIGURE_DEPENDS tests/support/*.c)
add_library(test_support STATIC EXCLUDE_FROM_ALL ${test_support_sources})
target_include_directories(test_support PUBLIC src tests)
target_include_directories(test_support SYSTEM PUBLIC ${AMD_INCLUDE_DIR})
target_link_libraries(test_support PUBLIC carom cmocka cholmod lapack blas m Threads::Threads)
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
    endforeach()
endfunction()

file(GLOB test_sources CONFIGURE_DEPENDS tests/base/*.c tests/math/*.c)
foreach(source IN LISTS test_sources)
    cmake_path(GET source STEM name)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    set(target test_${folder}_${name})
    add_executable(${target} EXCLUDE_FROM_ALL ${source})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(${target} PRIVATE test_support)
    add_dependencies(carom_all_tests ${target})
    add_cases(${target} ${source} ${folder}.${name})
endforeach()

# The pool's test makes the system refuse a thread.
target_link_options(test_base_pool PRIVATE -Wl,--wrap=pthread_create)

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
