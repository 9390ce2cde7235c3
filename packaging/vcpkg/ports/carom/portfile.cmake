# An overlay port that builds the tree it stands in:
#   vcpkg install carom --overlay-ports=packaging/vcpkg/ports
# For the registry, SOURCE_PATH comes from vcpkg_from_github instead.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
  program CAROM_PROGRAM
  threads CAROM_THREADS
  urdf CAROM_URDF
  yaml CAROM_YAML
  zlib CAROM_ZLIB)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${features} -DCAROM_MUMPS=OFF -DCAROM_TESTS=OFF -DCAROM_BENCHMARKS=OFF -DCAROM_WARNINGS_AS_ERRORS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/carom)
vcpkg_fixup_pkgconfig()
if("program" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES carom AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
