/* Two bodies at a distance of 1 attract each other. */
#include <nbody_ladder.h>
#include <stdio.h>

int main(void) {
  const float positions[] = {-0.5f, 0, 0, 0.5f, 0, 0}, masses[] = {0.5f, 0.5f};
  float accelerations[6];
  nbody_method* method = nbody_new("simd", NBODY_FP32, 0.01, NULL);
  if (method == NULL ||
      nbody_accelerations(method, 2, positions, masses, accelerations, NULL, NULL) != NBODY_OK) {
    fprintf(stderr, "%s\n", nbody_last_error());
    return 1;
  }
  printf("%.4f %.4f\n", accelerations[0], accelerations[3]);
  nbody_free(method);
  return 0;
}
