// A build without zlib.
#include "inflate.hpp"

namespace carom::soft {

bool can_inflate() { return false; }

bool inflate(std::string_view, std::size_t, std::string&) { return false; }

}  // namespace carom::soft
