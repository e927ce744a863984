// Tries: to include a device that has no end.
// Stopped by: the memory of a compilation.
// Most: 0

#include "/dev/zero"
