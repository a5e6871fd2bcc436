# The page of reports: bundled by node from viewer/ whenever something there has changed, and built into the program.
add_executable(carom_embed cmake/embed.c)
set(page_source ${CMAKE_BINARY_DIR}/report_page.c)
if(CAROM_VIEWER)
    find_program(NODE_PROGRAM NAMES node nodejs)
    if(NOT NODE_PROGRAM OR NOT EXISTS ${CMAKE_SOURCE_DIR}/viewer/node_modules/esbuild)
        message(FATAL_ERROR "The page of reports needs node 18 or newer and its packages: run scripts/setup build, which "
                            "installs both, or configure with -DCAROM_VIEWER=OFF to leave reports out of the program.")
    endif()
    file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS viewer/src/*)
    set(page ${CMAKE_SOURCE_DIR}/viewer/dist/report.html)
    add_custom_command(OUTPUT ${page} COMMAND ${NODE_PROGRAM} build.mjs > ${CMAKE_BINARY_DIR}/viewer.log
                       DEPENDS ${viewer_sources} viewer/build.mjs viewer/package-lock.json
                       WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/viewer COMMENT "Bundling the page of reports" VERBATIM)
endif()
add_custom_command(OUTPUT ${page_source} COMMAND carom_embed report_page ${page_source} ${page}
                   DEPENDS carom_embed ${page} VERBATIM)
add_library(report_page OBJECT ${page_source})
target_include_directories(report_page PUBLIC cli PRIVATE cli/report)
target_link_libraries(carom_program PRIVATE report_page)
