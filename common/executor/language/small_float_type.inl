// The type of one 16-bit format and its pair. Included with NBODY_SMALL, NBODY_SMALL2,
// NBODY_SMALL_RAW, NBODY_SMALL2_RAW and NBODY_FORMAT defined: by half.hpp and bfloat16.hpp.

struct alignas(2) NBODY_SMALL_RAW {
  unsigned short x;
};
struct alignas(4) NBODY_SMALL2_RAW {
  unsigned short x, y;
};

struct alignas(2) NBODY_SMALL : nbody::executor::SmallFloat<nbody::executor::NBODY_FORMAT> {
  using Format = nbody::executor::NBODY_FORMAT;
  using SmallFloat::SmallFloat;
  NBODY_SMALL() = default;
  NBODY_SMALL(const NBODY_SMALL_RAW& raw) { setBits(raw.x); }
  operator NBODY_SMALL_RAW() const { return {bits()}; }
  template <class T>
  std::enable_if_t<std::is_arithmetic_v<T>, NBODY_SMALL&> operator=(T x) {
    return *this = NBODY_SMALL(x);
  }
  static NBODY_SMALL ofBits(std::uint16_t bits) { return NBODY_SMALL_RAW{bits}; }
  static NBODY_SMALL rounded(
      double x,
      nbody::executor::Rounding rounding = nbody::executor::Rounding::nearestEven) {
    return ofBits(nbody::executor::roundToSmall<Format>(x, rounding));
  }
};

struct alignas(4) NBODY_SMALL2 {
  NBODY_SMALL x, y;
  NBODY_SMALL2() = default;
  NBODY_SMALL2(NBODY_SMALL x, NBODY_SMALL y) : x(x), y(y) {}
  NBODY_SMALL2(const NBODY_SMALL2_RAW& raw)
      : x(NBODY_SMALL::ofBits(raw.x)), y(NBODY_SMALL::ofBits(raw.y)) {}
  operator NBODY_SMALL2_RAW() const { return {x.bits(), y.bits()}; }
};
