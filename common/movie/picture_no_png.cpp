// Built where stb's headers are missing.
#include <stdexcept>

#include "movie/picture.hpp"

namespace nbody {

bool canWritePng() { return false; }

std::string pngPicture(const Bodies&, const std::string&) {
  throw std::logic_error("this build writes no PNG");
}

}  // namespace nbody
