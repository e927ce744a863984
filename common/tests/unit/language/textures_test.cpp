// What texture objects give on the executor, against the programming guide's formulas.
#include "textures.hpp"

using namespace nbody;

namespace {

std::vector<float> coordinates(float first, float last, int count) {
  std::vector<float> result;
  for (int i = 0; i <= count; ++i) result.push_back(first + (last - first) * i / count);
  return result;
}

/// Texel \p i of \p texels as the guide has it for coordinates outside; 0 is the border.
float texel(const std::vector<float>& texels, long i, cudaTextureAddressMode mode) {
  const long n = static_cast<long>(texels.size());
  if (mode == cudaAddressModeBorder && (i < 0 || i >= n)) return 0;
  if (mode == cudaAddressModeClamp) return texels[std::clamp(i, 0L, n - 1)];
  if (mode == cudaAddressModeMirror) {
    const long period = ((i % (2 * n)) + 2 * n) % (2 * n);
    return texels[period < n ? period : 2 * n - 1 - period];
  }
  return texels[((i % n) + n) % n];
}

/// 1 - a and a between two texels, a with eight bits behind the point.
float filtered(const std::vector<float>& texels, double x, cudaTextureAddressMode mode) {
  const double shifted = x - 0.5;
  const long i = static_cast<long>(std::floor(shifted));
  const double a = std::nearbyint((shifted - i) * 256) / 256;
  return static_cast<float>((1 - a) * texel(texels, i, mode) + a * texel(texels, i + 1, mode));
}

}  // namespace

TEST_CASE("one dimension: the nearest texel and the filtered ones in every address mode") {
  for (auto mode :
       {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder})
    for (bool isNormalized : {false, true}) {
      const float scale = isNormalized ? 7 : 1;
      // Without normalised coordinates wrapping and mirroring are clamping.
      const auto effective =
          isNormalized || mode == cudaAddressModeBorder ? mode : cudaAddressModeClamp;
      const auto x = coordinates(-16 / scale, 23 / scale, 800);
      const Picture nearest(kTexels, 7, 0, reading(mode, cudaFilterModePoint, isNormalized));
      const Picture linear(kTexels, 7, 0, reading(mode, cudaFilterModeLinear, isNormalized));
      const auto points = fetched(x, [&](float c) { return tex1D<float>(nearest, c); });
      const auto sums = fetched(x, [&](float c) { return tex1D<float>(linear, c); });
      int wrong = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double c = double{x[k]} * scale;
        wrong += points[k] != texel(kTexels, static_cast<long>(std::floor(c)), effective);
        // A tie of a weight may go either way: one step of 1/256 times the largest difference.
        wrong += !(std::fabs(sums[k] - filtered(kTexels, c, effective)) < 14.5f / 256);
        wrong += k % 8 == 0 && !(std::fabs(sums[k] - filtered(kTexels, c, effective)) < 1e-4f) &&
                 std::fabs(std::remainder((c - 0.5) * 256, 1.0)) < 0.49;
      }
      CHECK(wrong == 0);
    }
}

TEST_CASE("two dimensions: products of the axes' weights") {
  std::vector<float2> flat(5 * 3);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x)
      flat[y * 5 + x] = {static_cast<float>(x), static_cast<float>(10 * y)};
  const Picture picture(flat, 5, 3, reading(cudaAddressModeClamp, cudaFilterModeLinear, false));
  float2 inside, corner;
  inKernel(1, 1, [&] {
    inside = tex2D<float2>(picture, 2.25f, 1.75f);
    tex2D(&corner, picture, 100, -100);
  });
  CHECK(inside.x == 1.75f);
  CHECK(inside.y == 12.5f);
  CHECK(corner.x == 4);
  CHECK(corner.y == 0);
}

TEST_CASE("weights have eight bits behind the point") {
  const Picture step(
      std::vector<float>{0, 256}, 2, 0, reading(cudaAddressModeClamp, cudaFilterModeLinear, false));
  const auto x = fetched({0.5f, 0.5f + 1 / 256.0f, 0.5f + 1.4f / 256, 0.5f + 1.6f / 256, 1.4999f},
                         [&](float c) { return tex1D<float>(step, c); });
  CHECK(x == std::vector<float>{0, 1, 1, 2, 256});
}

TEST_CASE("integers are read as they are, or as fractions") {
  const std::vector<uchar4> colours = {{0, 51, 102, 255}, {255, 0, 255, 0}};
  const std::vector<short2> heights = {{32767, -32768}, {-32767, 0}};
  const Picture raw(colours, 2, 1, reading(cudaAddressModeClamp, cudaFilterModePoint, false));
  const Picture fractions(
      colours,
      2,
      1,
      reading(cudaAddressModeClamp, cudaFilterModeLinear, true, cudaReadModeNormalizedFloat));
  const Picture heightFractions(
      heights,
      2,
      1,
      reading(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat));
  uchar4 colour;
  float4 between;
  float2 height;
  inKernel(1, 1, [&] {
    colour = tex2D<uchar4>(raw, 0.5f, 0.5f);
    between = tex2D<float4>(fractions, 0.5f, 0.5f);
    height = tex2D<float2>(heightFractions, 0, 0);
  });
  CHECK(colour.w == 255);
  CHECK(colour.y == 51);
  CHECK(between.x == 0.5f);
  CHECK(between.y == Approx(0.1f));
  CHECK(height.x == 1);
  CHECK(height.y == -1);
}
