# The tests of the rooms, and the campaign.
carom_header_reader(carom_test_headers PIC OFF HEADERS <gtest/gtest.h> OPTIONS ${CAROM_LIGHT} LINKS GTest::gtest)

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

carom_test(core LINKS fmt::fmt)
carom_test(schema)
carom_test(impact LINKS SUNDIALS::cvode_shared SUNDIALS::nvecserial_shared SUNDIALS::sunmatrixdense_shared
           SUNDIALS::sunlinsoldense_shared)
carom_test(elastic)
carom_test(motion)
carom_test(report LINKS nlohmann_json::nlohmann_json)
carom_test(scenario LINKS nlohmann_json::nlohmann_json)
target_include_directories(scenario_tests PRIVATE ${PROJECT_SOURCE_DIR}/src/scenario)  # private headers name each other from there

# Mutated rows of every model (tests/campaign): a short form for `./test --all`; a long one is
# `build/release/tests/campaign --rows 1000000 --seed 2`.
add_executable(campaign campaign/main.cpp campaign/seeds.cpp campaign/mutations.cpp campaign/checks.cpp)
target_link_libraries(campaign PRIVATE carom_scenario carom_options GTest::gtest nlohmann_json::nlohmann_json)
target_compile_options(campaign PRIVATE ${CAROM_LIGHT})
target_precompile_headers(campaign REUSE_FROM carom_test_headers)
add_test(NAME campaign.mutated_rows COMMAND campaign --rows 20000 --seed 1)
set_tests_properties(campaign.mutated_rows PROPERTIES LABELS slow)
