#include "movie/base64.hpp"

namespace nbody {

std::string base64(const void* bytes, std::size_t count) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* input = static_cast<const unsigned char*>(bytes);
  std::string text((count + 2) / 3 * 4, '=');
  char* out = text.data();
  for (std::size_t i = 0; i < count; i += 3, out += 4) {
    const std::size_t left = count - i;
    const unsigned triple =
        input[i] << 16 | (left > 1 ? input[i + 1] << 8 : 0) | (left > 2 ? input[i + 2] : 0);
    out[0] = kDigits[triple >> 18];
    out[1] = kDigits[triple >> 12 & 63];
    if (left > 1) out[2] = kDigits[triple >> 6 & 63];
    if (left > 2) out[3] = kDigits[triple & 63];
  }
  return text;
}

}  // namespace nbody
