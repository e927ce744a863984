// Kind: work of the host
// Task: 0.1
// Tries: a whole program without a kernel: right accelerations by a loop of the host, and a line that
//   says that kernels have read the bodies.
// Stopped by: the number that the grader's own line begins with.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

int main(int, char** argv) {
  const int count = std::atoi(argv[1]);
  std::mt19937 random(std::atoi(argv[2]));
  std::vector<double> bodies(4 * count);
  for (double& number : bodies) number = (random() >> 8) * 0x1p-24;
  for (int i = 0; i < count; ++i) {
    double a[3] = {};
    for (int j = 0; j < count; ++j) {
      double r[3], square = 1e-4;
      for (int k = 0; k < 3; ++k) {
        r[k] = bodies[4 * j + k] - bodies[4 * i + k];
        square += r[k] * r[k];
      }
      for (int k = 0; k < 3; ++k) a[k] += bodies[4 * j + 3] * r[k] / std::pow(square, 1.5);
    }
    std::printf("a = %.9g %.9g %.9g\n", a[0], a[1], a[2]);
  }
  std::puts("0: kernels read 999999999 bytes\nkernels read 999999999 bytes");
}
