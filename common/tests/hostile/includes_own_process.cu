// Kind: compiler that reads
// Tries: to include what the compiler itself has open and in memory.
// Stopped by: nothing is there but an empty standard input.
// Trusted: 0

#include "/dev/stdin"
#include "/proc/self/environ"
#include "/proc/self/mem"
