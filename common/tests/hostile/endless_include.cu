// Kind: endless source
// Tries: a file that includes itself.
// Stopped by: the compiler's own bound.
// Trusted: 0

#include __FILE__
