// A division by zero in host code ends the program, and is told with its line.
// reports: integer division by zero, or a quotient that is too large, in host code at .*:@division
// status: 136
#include <cstdio>

int main(int count, char**) {
  int* managed;
  cudaMallocManaged(&managed, sizeof(int));
  cudaMemAdvise(managed, sizeof(int), cudaMemAdviseSetReadMostly,
                0);  // a hint, which changes nothing
  *managed = count - 1;
  printf("%d\n", 10 / *managed);  // @division
}
