// Kind: made-up answer
// Task: 0.1
// Tries: numbers of a million digits, hexadecimal ones and none.
// Stopped by: what is no number of a line's length is none.

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int, char** argv) {
  const std::string much(3000, '9');
  for (int i = 0; i < std::atoi(argv[1]); ++i)
    std::printf("a = %s 0x1p3 1e999\n", i % 9 == 0 ? much.c_str() : "nan");
}
