// Tries: to include what the compiler itself has open and in memory.
// Stopped by: nothing is there but an empty standard input.
// Most: 0
// Trusted: 0

#include "/dev/stdin"
#include "/proc/self/environ"
#include "/proc/self/mem"
