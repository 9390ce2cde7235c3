# Sequential MUMPS brings no CMake package of its own: its header and library for doubles as the target MUMPS::dmumps.
# The library with MPI would not do: the sequential one has stubs of MPI inside.
find_path(MUMPS_INCLUDE_DIR dmumps_c.h PATH_SUFFIXES mumps_seq)
find_library(MUMPS_LIBRARY dmumps_seq)
mark_as_advanced(MUMPS_INCLUDE_DIR MUMPS_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MUMPS REQUIRED_VARS MUMPS_LIBRARY MUMPS_INCLUDE_DIR)
if(MUMPS_FOUND AND NOT TARGET MUMPS::dmumps)
  add_library(MUMPS::dmumps UNKNOWN IMPORTED)
  set_target_properties(MUMPS::dmumps PROPERTIES
    IMPORTED_LOCATION ${MUMPS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${MUMPS_INCLUDE_DIR})
endif()
