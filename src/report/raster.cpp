#include "raster.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace carom::report {

namespace {

void append_be(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFFU);
}

std::uint32_t crc32(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> all{};
    for (std::uint32_t n = 0; n < 256; ++n) {
      std::uint32_t c = n;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
      all[n] = c;
    }
    return all;
  }();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (crc >> 8U);
  return ~crc;
}

std::uint32_t adler32(const std::vector<std::uint8_t>& bytes) {
  std::uint32_t a = 1, b = 0;
  for (const std::uint8_t byte : bytes) {
    a = (a + byte) % 65521U;
    b = (b + a) % 65521U;
  }
  return b << 16U | a;
}

/// Deflate (RFC 1951) with its fixed codes. What repeats in a map stands one byte or one row earlier, so only there is
/// looked for it.
class Deflate {
public:
  Deflate(const std::vector<std::uint8_t>& bytes, std::size_t row) : bytes_(bytes), row_(row) {
    put(1, 1);  // the last block
    put(1, 2);  // of fixed codes
    for (std::size_t i = 0; i < bytes_.size();) i += step(i);
    symbol(256);
    if (count_ > 0) out_ += static_cast<char>(bits_ & 0xFFU);
  }
  std::string take() { return std::move(out_); }

private:
  static constexpr std::size_t shortest = 3, longest = 258, farthest = 32768;

  std::size_t repeated(std::size_t at, std::size_t distance) const {
    if (distance > at || distance > farthest) return 0;
    std::size_t n = 0;
    while (n < longest && at + n < bytes_.size() && bytes_[at + n] == bytes_[at + n - distance]) ++n;
    return n;
  }

  /// Writes what stands at `at` and says how many bytes that was.
  std::size_t step(std::size_t at) {
    std::size_t length = 0, distance = 0;
    for (const std::size_t d : {std::size_t{1}, row_, row_ - 1, row_ + 1}) {
      if (d == 0) continue;
      if (const std::size_t n = repeated(at, d); n > length) length = n, distance = d;
    }
    if (length < shortest) {
      symbol(bytes_[at]);
      return 1;
    }
    write_length(length);
    write_distance(distance);
    return length;
  }

  void write_length(std::size_t length) {
    if (length == longest) return symbol(285);
    // Codes 257 to 264 stand for one length each; then four share each number of extra bits.
    std::size_t base = 3, code = 257;
    for (unsigned extra = 0;; ++extra) {
      const std::size_t codes = extra == 0 ? 8 : 4, each = std::size_t{1} << extra;
      if (length < base + codes * each) {
        symbol(static_cast<unsigned>(code + (length - base) / each));
        return put(static_cast<std::uint32_t>((length - base) % each), extra);
      }
      base += codes * each, code += codes;
    }
  }

  void write_distance(std::size_t distance) {
    std::size_t base = 1, code = 0;
    for (unsigned extra = 0;; ++extra) {
      const std::size_t codes = extra == 0 ? 4 : 2, each = std::size_t{1} << extra;
      if (distance < base + codes * each) {
        huffman(static_cast<std::uint32_t>(code + (distance - base) / each), 5);
        return put(static_cast<std::uint32_t>((distance - base) % each), extra);
      }
      base += codes * each, code += codes;
    }
  }

  void symbol(unsigned s) {
    if (s < 144) return huffman(0x30 + s, 8);
    if (s < 256) return huffman(0x190 + s - 144, 9);
    if (s < 280) return huffman(s - 256, 7);
    huffman(0xC0 + s - 280, 8);
  }

  /// Codes go out from their highest bit, everything else from its lowest.
  void huffman(std::uint32_t code, unsigned length) {
    for (unsigned i = length; i-- > 0;) put(code >> i & 1U, 1);
  }

  void put(std::uint32_t value, unsigned length) {
    bits_ |= value << count_;
    for (count_ += length; count_ >= 8; count_ -= 8, bits_ >>= 8U) out_ += static_cast<char>(bits_ & 0xFFU);
  }

  const std::vector<std::uint8_t>& bytes_;
  std::size_t row_;
  std::string out_;
  std::uint32_t bits_ = 0;
  unsigned count_ = 0;
};

void append_chunk(std::string& png, std::string_view type, std::string_view data) {
  append_be(png, static_cast<std::uint32_t>(data.size()));
  std::string body(type);
  body += data;
  png += body;
  append_be(png, crc32(body));
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 0x3FU] : '=';
  }
  return out;
}

}  // namespace

std::string png_data(const Raster& raster) {
  const auto transparent = static_cast<std::uint8_t>(raster.colors.size());
  const std::size_t row = raster.width + 1;  // each begins with its filter: none
  std::vector<std::uint8_t> bytes(row * raster.height, 0);
  for (std::size_t y = 0; y < raster.height; ++y)
    for (std::size_t x = 0; x < raster.width; ++x)
      bytes[y * row + 1 + x] = std::min(raster.pixels[y * raster.width + x], transparent);

  std::string header, palette, alpha(raster.colors.size(), '\xFF'), data = "\x78\x01";
  append_be(header, static_cast<std::uint32_t>(raster.width));
  append_be(header, static_cast<std::uint32_t>(raster.height));
  header += std::string("\x08\x03\x00\x00\x00", 5);  // eight bits a pixel, from a palette
  for (const Rgb& color : raster.colors) palette.append({char(color[0]), char(color[1]), char(color[2])});
  palette.append(3, '\0');
  alpha += '\0';
  data += Deflate(bytes, row).take();
  append_be(data, adler32(bytes));

  std::string png = "\x89PNG\r\n\x1A\n";
  append_chunk(png, "IHDR", header);
  append_chunk(png, "PLTE", palette);
  append_chunk(png, "tRNS", alpha);
  append_chunk(png, "IDAT", data);
  append_chunk(png, "IEND", "");
  return "data:image/png;base64," + base64(png);
}

}  // namespace carom::report
