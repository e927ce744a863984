// The maps of step 05: bijections onto their domains, at the ends of their ranges and for every
// size up to hundreds.
#include "05_triangular_map/block_maps.cuh"
#include "05_triangular_map/study/exactness.hpp"
#include "catch.hpp"

using namespace nbody;
using namespace nbody::triangular;

namespace {

unsigned long long placesOf(dim3 grid) {
  return static_cast<unsigned long long>(grid.x) * grid.y * grid.z;
}

void requireLaunchable(dim3 grid) {
  REQUIRE(grid.x <= 0x7fffffffu);
  REQUIRE(grid.y <= 65535);
  REQUIRE(grid.z <= 65535);
}

/// Every tile of the lower triangle of m tiles a side comes from one block of the map's grid.
template <class Map>
void requireBijection(int m) {
  const Map map(m);
  const dim3 grid = map.grid();
  requireLaunchable(grid);
  std::vector<int> visits(trianglePlaces(m), 0);
  for (unsigned row = 0; row < grid.y * grid.z; ++row) {
    for (unsigned x = 0; x < grid.x; ++x) {
      const Tile tile = map(x, row);
      if (tile.row < 0) continue;
      if (tile.row >= m || tile.column < 0 || tile.column > tile.row)
        FAIL("m = " << m << ": tile " << tile.row << ", " << tile.column);
      ++visits[trianglePlaces(tile.row) + tile.column];
    }
  }
  INFO("m = " << m);
  REQUIRE(std::all_of(visits.begin(), visits.end(), [](int count) { return count == 1; }));
}

void requireTile(Tile tile, unsigned long long row, unsigned long long column) {
  if (tile.row != static_cast<int>(row) || tile.column != static_cast<int>(column))
    FAIL("tile " << row << ", " << column << " is " << tile.row << ", " << tile.column);
}

}  // namespace

TEST_CASE("each block-space map gives every tile once") {
  for (int m = 1; m <= 260; ++m) {
    requireBijection<BoxMap>(m);
    requireBijection<LambdaMap>(m);
    requireBijection<BasicLambdaMap<unsigned>>(m);
    requireBijection<RectangleMap>(m);
    requireBijection<RecursiveMap>(m);
    requireBijection<BasicRecursiveMap<unsigned>>(m);
  }
  for (int m : {1023, 1024, 1025, 2047}) {
    requireBijection<LambdaMap>(m);
    requireBijection<RectangleMap>(m);
    requireBijection<RecursiveMap>(m);
  }
}

TEST_CASE("the rectangle has no block to spare, be the tiles even or odd in number") {
  for (int m = 1; m <= 300; ++m) {
    const RectangleMap map(m);
    REQUIRE(placesOf(map.grid()) == trianglePlaces(m));
    REQUIRE(map.grid().x == static_cast<unsigned>(m + 1) / 2);
  }
}

TEST_CASE("the balanced grid leaves less than a row of blocks idle") {
  for (int m : {1, 2, 3, 100, 4607, 65535}) {
    const dim3 grid = LambdaMap(m).grid();
    REQUIRE(placesOf(grid) >= trianglePlaces(m));
    REQUIRE(placesOf(grid) - trianglePlaces(m) < grid.x);
  }
}

TEST_CASE("grids stay launchable and reach the last tile for any number of tiles") {
  for (int m : {65535, 65536, 65537, 100001, 1 << 20, (1 << 22) + 1}) {
    for (BlockMap name :
         {BlockMap::box, BlockMap::lambda, BlockMap::rectangle, BlockMap::recursive}) {
      const dim3 grid = AnyMap(name, m).grid();
      requireLaunchable(grid);
      REQUIRE(placesOf(grid) >= trianglePlaces(m));
    }
    const unsigned long long last = trianglePlaces(m) - 1;
    const LambdaMap lambdaMap(m);
    requireTile(lambdaMap(last % lambdaMap.side, last / lambdaMap.side), m - 1, m - 1);
    const RecursiveMap recursiveMap(m);
    requireTile(recursiveMap(last % recursiveMap.side, last / recursiveMap.side), m - 1, m - 1);
    requireTile(BoxMap(m)(m - 1, m - 1), m - 1, m - 1);
  }
}

TEST_CASE("lambda is exact for every index below 2^31, and beyond in 64 bits") {
  for (unsigned long long row = 0; row <= 65535; ++row) {
    const unsigned long long start = row * (row + 1) / 2;
    for (unsigned long long column : {0ull, row / 2, row}) {
      if (start + column >= 1ull << 31) continue;
      requireTile(lambdaExact(static_cast<unsigned>(start + column)), row, column);
      requireTile(lambdaExactBelowDiagonal(static_cast<unsigned>(start + column)), row + 1, column);
    }
  }
  for (unsigned long long row = 1; row < 1ull << 30; row += 1 + row / 1000) {
    const unsigned long long start = row * (row + 1) / 2;
    for (unsigned long long column : {0ull, row / 2, row})
      requireTile(lambdaExact(start + column), row, column);
  }
}

TEST_CASE("the levels of the recursive partition hold the triangle without its diagonal") {
  for (int m = 1; m <= 130; ++m) {
    std::vector<int> visits(trianglePlaces(m), 0);
    for (int level = 0; (m - 1) >> level != 0; ++level)
      for (int row = 0; row < recursiveRows(m, level); ++row)
        for (int x = 0; x < 1 << level; ++x) {
          const Tile tile = recursiveLevel(x, row, level);
          REQUIRE(tile.row < m);
          REQUIRE(tile.column < tile.row);
          ++visits[trianglePlaces(tile.row) + tile.column];
        }
    for (int row = 0; row < m; ++row)
      for (int column = 0; column <= row; ++column)
        if (visits[trianglePlaces(row) + column] != (column < row))
          FAIL("m = " << m << ": tile " << row << ", " << column);
  }
}

TEST_CASE("the exact upper-triangular map gives both ends of each row of many") {
  for (int n : {4098, 32768, 65536, 1 << 20}) {
    for (unsigned long long row = 0; row + 1 < static_cast<unsigned long long>(n); ++row) {
      const unsigned long long start = row * (2ull * n - row - 1) / 2;
      requireTile(upperTriangularExact(start, n), row, row + 1);
      requireTile(upperTriangularExact(start + n - row - 2, n), row, n - 1);
    }
  }
}

TEST_CASE("the search finds how far each map is exact") {
  for (const Exactness& found : findExactness()) {
    INFO(found.map << ", " << found.unit << ": " << found.exactUpTo);
    if (found.map == "lambda" || found.map == "lambda, no diagonal" || found.map == "utm-exact" ||
        found.map == "tetrahedron")
      CHECK(found.exactUpTo == found.searchedUpTo);
    else CHECK(found.exactUpTo < found.searchedUpTo);
    // sqrtf is rounded correctly everywhere: on every device the same row is the first to fail.
    if (found.map == "lambda-x") CHECK(found.exactUpTo == 4607);
    if (found.map == "lambda-n") CHECK(found.exactUpTo >= 1000);
    if (found.map == "lambda-r") CHECK(found.exactUpTo >= 400);
    if (found.map == "utm") CHECK(found.exactUpTo == 4097);
  }
  CHECK(exactUpTo("lambda-x", 5000) == 4607);
  CHECK(exactUpTo("lambda-x", 100) == 100);
  CHECK(exactUpTo("utm", 100) == 100);
}
