// What zlib made small, as it was.
#pragma once

#include <string>
#include <string_view>

namespace carom::soft {

/// Whether this build has zlib.
bool can_inflate();

/// Appends exactly `size` bytes to `out`: false if `data` are not the zlib stream of as many.
bool inflate(std::string_view data, std::size_t size, std::string& out);

}  // namespace carom::soft
