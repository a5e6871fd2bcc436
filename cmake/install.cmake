# `cmake --install build`: library, headers, program, pkg-config file and CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS carom carom_plan EXPORT carom_targets)
install(TARGETS carom_program)
install(FILES ${CMAKE_BINARY_DIR}/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/carom)
install(DIRECTORY include/carom TYPE INCLUDE FILES_MATCHING PATTERN "*.h")

configure_file(cmake/carom.pc.in carom.pc @ONLY)
configure_file(cmake/carom_plan.pc.in carom_plan.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/carom.pc ${CMAKE_BINARY_DIR}/carom_plan.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
install(EXPORT carom_targets NAMESPACE carom:: DESTINATION ${package_dir})
configure_package_config_file(cmake/caromConfig.cmake.in caromConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(caromConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/caromConfig.cmake ${CMAKE_BINARY_DIR}/caromConfigVersion.cmake
        DESTINATION ${package_dir})
