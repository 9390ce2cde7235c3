// Scenario files: whatever the bytes, reading ends soon with a scenario or with mistakes that say what is wrong.
#include <cstdlib>

#include "carom/scenario/scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    carom::scenario::parse(text, "fuzz.yaml");
  } catch (const carom::scenario::BadScenario& error) {
    if (error.mistakes().empty()) std::abort();
    for (const auto& mistake : error.mistakes())
      if (mistake.line < 0 || mistake.message.empty()) std::abort();
  }
  return 0;
}
