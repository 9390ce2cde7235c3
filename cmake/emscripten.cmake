# For WebAssembly: the libraries that are headers only, without the rest of the system's headers, which are not those of
# Emscripten. Threads and YAML stay outside (core/parallel runs on one thread, a page reads YAML itself).
foreach(header boost/version.hpp fmt/format.h)
  get_filename_component(library ${header} DIRECTORY)
  find_path(${library}_headers ${header} PATHS /usr/local/include /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
  file(CREATE_LINK ${${library}_headers}/${library} ${PROJECT_BINARY_DIR}/headers/${library} SYMBOLIC)
endforeach()
find_path(eigen_headers Eigen/Core PATH_SUFFIXES eigen3 PATHS /usr/local/include /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)

add_library(Eigen3::Eigen INTERFACE IMPORTED)
target_include_directories(Eigen3::Eigen SYSTEM INTERFACE ${eigen_headers})
add_library(Boost::headers INTERFACE IMPORTED)
target_include_directories(Boost::headers SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/headers)
add_library(fmt::fmt INTERFACE IMPORTED)
target_include_directories(fmt::fmt SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/headers)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
set(CAROM_THREADS OFF)
set(CAROM_YAML OFF)
