# A room is one library carom_<name> (static, or shared with BUILD_SHARED_LIBS) made of src/<name>/**/*.cpp, with its public headers in
# include/carom/<name>. Each room sees its own headers and those of the rooms it links to, and no others: a wrong
# include does not build. (The build tree holds one include root per room for that; the installed package has one.)
set(CAROM_ROOMS "" CACHE INTERNAL "")

add_library(carom_options INTERFACE)
target_compile_options(carom_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.  # the same bytes wherever it is built
  -ffp-contract=off  # the same bits whether or not the processor can fuse multiply and add
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>  # lets ccache see through precompiled headers
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>  # kB: it collects its garbage when there is some; a tenth faster
  # GCC 12 sees overlaps and overflows in "literal" + std::string (GCC bug 105651).
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>"
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>  # part of clang's -Wconversion, not of GCC's
  $<$<BOOL:${CAROM_WARNINGS_AS_ERRORS}>:-Werror>)
if(CAROM_SANITIZE)
  target_compile_options(carom_options INTERFACE -fsanitize=${CAROM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # With its instrumentation between them GCC no longer sees that a variant's alternative is the one that was made.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(carom_options INTERFACE -fsanitize=${CAROM_SANITIZE})
endif()

# Half of a build would be reading Eigen again: it is read once for the rooms that must be fast and once for the others, which
# need no more than light optimisation. Sources include what they use all the same: the asan-ubsan preset builds without.
function(carom_header_reader name)
  cmake_parse_arguments(ARG "" "" "HEADERS;OPTIONS;LINKS;PIC" ${ARGN})
  file(WRITE ${PROJECT_BINARY_DIR}/${name}.cpp "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ${ARG_PIC})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PRIVATE carom_options Eigen3::Eigen ${ARG_LINKS})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE <Eigen/Dense> <algorithm> <array> <cmath> <functional> <limits> <memory> <numbers>
                            <optional> <random> <span> <string> <string_view> <utility> <vector> ${ARG_HEADERS})
endfunction()
set(CAROM_LIGHT $<$<CONFIG:Release>:-O1>)
carom_header_reader(carom_fast_headers PIC ON)
carom_header_reader(carom_light_headers PIC ON OPTIONS ${CAROM_LIGHT} LINKS fmt::fmt
                    HEADERS <filesystem> <fmt/format.h> <map> <variant>)

# carom_light_program(<target>): a program that shares the headers read for the rooms without FAST. They were read with -fPIC
# and with fmt's definitions.
function(carom_light_program target)
  target_link_libraries(${target} PRIVATE carom_options fmt::fmt)
  target_compile_options(${target} PRIVATE ${CAROM_LIGHT} -fPIC)
  target_precompile_headers(${target} REUSE_FROM carom_light_headers)
endfunction()

# For tests and fuzz targets: "internal/<room>/<header>" is a header that users do not see.
add_library(carom_internal INTERFACE)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/internal)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/internal/internal SYMBOLIC)
target_include_directories(carom_internal INTERFACE ${PROJECT_BINARY_DIR}/internal)

# carom_room(<name> [FAST] LINKS <rooms and libraries> [PRIVATE <libraries>])
function(carom_room name)
  cmake_parse_arguments(ARG "FAST" "" "LINKS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(carom_${name} ${sources})
  add_library(carom::${name} ALIAS carom_${name})
  set_target_properties(carom_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH $ORIGIN)

  set(root ${PROJECT_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${root}/carom)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/carom/${name} ${root}/carom/${name} SYMBOLIC)
  target_include_directories(carom_${name} PUBLIC
    $<BUILD_INTERFACE:${root}> $<INSTALL_INTERFACE:include>)
  target_include_directories(carom_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src/${name})
  target_compile_features(carom_${name} PUBLIC cxx_std_20)
  target_link_libraries(carom_${name} PUBLIC ${ARG_LINKS}
    PRIVATE $<BUILD_INTERFACE:carom_options> ${ARG_PRIVATE})
  if(ARG_FAST)
    target_precompile_headers(carom_${name} REUSE_FROM carom_fast_headers)
  else()
    target_compile_options(carom_${name} PRIVATE ${CAROM_LIGHT})
    target_precompile_headers(carom_${name} REUSE_FROM carom_light_headers)
  endif()
  set(CAROM_ROOMS ${CAROM_ROOMS} carom_${name} CACHE INTERNAL "")
endfunction()

# carom_variant(<room> <source> <other> <condition>): one of two sources of a room that say the same, by what is there.
function(carom_variant room source other condition)
  if(condition)
    set(left_out ${other})
  else()
    set(left_out ${source})
  endif()
  set_source_files_properties(src/${room}/${left_out}.cpp PROPERTIES HEADER_FILE_ONLY ON)
endfunction()

# carom_one_piece(<target> <sources>...): compiled as one piece. Sources that use the same templates of Eigen instantiate them
# once then, which takes a quarter off their time; names in their anonymous namespaces must differ. The asan-ubsan preset
# compiles each alone, and so does -DCAROM_TOGETHER=OFF.
function(carom_one_piece target)
  list(GET ARGN 0 group)
  string(MAKE_C_IDENTIFIER ${group} group)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  if(CAROM_TOGETHER AND NOT CAROM_SANITIZE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()

# carom_together(<room> <sources>...): sources of a room as one piece.
function(carom_together room)
  list(TRANSFORM ARGN PREPEND src/${room}/)
  list(TRANSFORM ARGN APPEND .cpp)
  carom_one_piece(carom_${room} ${ARGN})
endfunction()

# carom::carom for users, and the installed package.
function(carom_bundle)
  include(CMakePackageConfigHelpers)
  add_library(carom INTERFACE)
  add_library(carom::carom ALIAS carom)
  target_link_libraries(carom INTERFACE ${CAROM_ROOMS})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/rooms/all/carom)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/carom/carom.hpp ${PROJECT_BINARY_DIR}/rooms/all/carom/carom.hpp SYMBOLIC)
  target_include_directories(carom INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/rooms/all>)
  set_target_properties(carom PROPERTIES EXPORT_NAME carom)

  install(TARGETS carom ${CAROM_ROOMS} EXPORT carom-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program NAMELINK_COMPONENT development)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/carom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
  install(EXPORT carom-targets NAMESPACE carom:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom COMPONENT development)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/carom-config.cmake.in
    ${PROJECT_BINARY_DIR}/carom-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/carom-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/carom-config.cmake ${PROJECT_BINARY_DIR}/carom-config-version.cmake
    ${PROJECT_SOURCE_DIR}/cmake/Findlibyaml.cmake ${PROJECT_SOURCE_DIR}/cmake/FindMUMPS.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom COMPONENT development)
endfunction()
