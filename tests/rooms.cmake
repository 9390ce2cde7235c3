# The tests of the rooms, and the campaign.
carom_header_reader(carom_test_headers PIC OFF HEADERS <gtest/gtest.h> <nlohmann/json.hpp> OPTIONS ${CAROM_LIGHT} LINKS GTest::gtest nlohmann_json::nlohmann_json)

# carom_test(<room> [LINKS ...]): one program from tests/<room>/*_test.cpp, registered test by test.
# Tests whose suite name starts with Slow get the label `slow`, which `./test` leaves out and `./test --all` runs.
function(carom_test room)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*_test.cpp)
  add_executable(${room}_tests ${sources})
  target_link_libraries(${room}_tests PRIVATE carom_${room} carom_options carom_internal GTest::gtest_main ${ARG_LINKS})
  target_include_directories(${room}_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(${room}_tests PRIVATE ${CAROM_LIGHT})
  target_precompile_headers(${room}_tests REUSE_FROM carom_test_headers)
  target_compile_definitions(${room}_tests PRIVATE CAROM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${room}_tests TEST_PREFIX "${room}." TEST_FILTER "-Slow*" NO_PRETTY_TYPES NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60)
  gtest_discover_tests(${room}_tests TEST_PREFIX "${room}." TEST_FILTER "Slow*" NO_PRETTY_TYPES NO_PRETTY_VALUES TEST_LIST ${room}_slow
    PROPERTIES LABELS slow DISCOVERY_TIMEOUT 60)
endfunction()

# carom_tests_together(<room> <tests>...): tests/<room>/<test>_test.cpp compiled as one piece, as carom_together does for rooms.
function(carom_tests_together room)
  list(TRANSFORM ARGN PREPEND ${room}/)
  list(TRANSFORM ARGN APPEND _test.cpp)
  carom_one_piece(${room}_tests ${ARGN})
endfunction()

carom_test(core LINKS fmt::fmt)
carom_tests_together(core contact_space contact_space_validation)
carom_tests_together(core inertia shape)
carom_tests_together(core body contact_graph text)
carom_tests_together(core contact integrator)
carom_test(schema)
carom_tests_together(schema fields settings)
carom_test(impact LINKS SUNDIALS::cvode_shared SUNDIALS::nvecserial_shared SUNDIALS::sunmatrixdense_shared
           SUNDIALS::sunlinsoldense_shared)
carom_tests_together(impact multipoint_cases multipoint_compliant multipoint_law)
carom_tests_together(impact many_contacts_properties multipoint)
carom_tests_together(impact simultaneous_comparison simultaneous_path simultaneous_random simultaneous_system)
carom_tests_together(impact simultaneous simultaneous_extremes simultaneous_growth simultaneous_resources)
carom_tests_together(impact spatial spatial_accuracy spatial_derivatives spatial_lanes spatial_planar_comparison
                     spatial_properties)
carom_tests_together(impact compliant compliant_property compliant_sundials)
carom_tests_together(impact contact_force other_methods planar_modes slip_diagram)
carom_tests_together(impact collide impulse_space planar_properties sequential spatial_slender)
carom_test(contact)
carom_test(elastic)
carom_tests_together(elastic rod_dissipation rod_numbers)
carom_tests_together(elastic rod_flight rod_property)
carom_test(soft)
target_include_directories(soft_tests PRIVATE ${PROJECT_SOURCE_DIR}/src/soft)  # private headers name each other from there
carom_test(motion LINKS SUNDIALS::cvode_shared SUNDIALS::nvecserial_shared SUNDIALS::sunmatrixdense_shared
           SUNDIALS::sunlinsoldense_shared)
carom_tests_together(motion ball_on_plane swing)
carom_tests_together(motion time_of_impact time_of_touch)
carom_tests_together(motion world world_numbers)
carom_test(plan)
carom_test(report LINKS nlohmann_json::nlohmann_json)
carom_tests_together(report files parts svg)
carom_test(scenario LINKS nlohmann_json::nlohmann_json)
carom_tests_together(scenario collide golden solve_first_mistake)
carom_tests_together(scenario impact_compliant scenario solve_models)
carom_tests_together(scenario energy impact_spatial solve_reader)
carom_tests_together(scenario malformed rod solve)
carom_tests_together(scenario solve_extremes sweep)
carom_tests_together(scenario fit_kind fit_rows glossary)
carom_tests_together(scenario batting mesh)
carom_tests_together(scenario corner impact_planar)
target_include_directories(scenario_tests PRIVATE ${PROJECT_SOURCE_DIR}/src/scenario)  # private headers name each other from there

# An engine run with the parameters that carom finds for it.
find_path(MUJOCO_INCLUDE mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
if(MUJOCO_INCLUDE AND MUJOCO_LIBRARY)
  add_executable(mujoco_tests compare/mujoco_test.cpp)
  target_link_libraries(mujoco_tests PRIVATE carom_contact carom_options ${MUJOCO_LIBRARY} GTest::gtest_main)
  target_compile_options(mujoco_tests PRIVATE ${CAROM_LIGHT})
  gtest_discover_tests(mujoco_tests TEST_PREFIX "compare." PROPERTIES LABELS slow DISCOVERY_TIMEOUT 60)
else()
  message(STATUS "MuJoCo (libmujoco-dev) not found: contact parameters are not tried in it")
endif()

# Mutated rows of every model (tests/campaign): a short form for `./test --all`; a long one is
# `build/release/tests/campaign --rows 1000000 --seed 2`.
set(campaign campaign/main.cpp campaign/seeds.cpp campaign/mutations.cpp campaign/checks.cpp)
add_executable(campaign ${campaign})
carom_one_piece(campaign ${campaign})
target_link_libraries(campaign PRIVATE carom_scenario carom_options GTest::gtest nlohmann_json::nlohmann_json)
target_compile_options(campaign PRIVATE ${CAROM_LIGHT})
target_precompile_headers(campaign REUSE_FROM carom_test_headers)
add_test(NAME campaign.mutated_rows COMMAND campaign --rows 20000 --seed 1)
set_tests_properties(campaign.mutated_rows PROPERTIES LABELS slow)
