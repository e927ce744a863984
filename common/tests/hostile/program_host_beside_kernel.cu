// Kind: work of the host
// Task: 0.1
// Tries: a whole program whose kernel reads as much as the sum does, and whose host computes what it
//   prints.
// Stopped by: the words that kernels have written, among which none of the printed ones is.
#include "program_sum.hpp"

int main(int, char** argv) {
  const Program program(argv);
  program.readAll();
  print(program.hostSum());
}
