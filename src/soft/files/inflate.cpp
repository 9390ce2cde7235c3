#include "inflate.hpp"

#include <limits>
#include <zlib.h>

namespace carom::soft {

bool can_inflate() { return true; }

bool inflate(std::string_view data, std::size_t size, std::string& out) {
  constexpr auto most = std::numeric_limits<uLong>::max() / 2;
  if (data.size() > most || size > most) return false;
  const std::size_t before = out.size();
  out.resize(before + size);
  auto made = uLongf(size);
  // (zlib reports success for a stream that ends early; a buffer of one byte stands for none.)
  Bytef none = 0;
  auto* const target = size == 0 ? &none : reinterpret_cast<Bytef*>(out.data() + before);
  return uncompress(target, &made, reinterpret_cast<const Bytef*>(data.data()), uLong(data.size())) == Z_OK &&
         made == size;
}

}  // namespace carom::soft
