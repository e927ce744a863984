// Kind: compiler that reads devices
// Tries: to include a device that has no end.
// Stopped by: the memory of a compilation.

#include "/dev/zero"
