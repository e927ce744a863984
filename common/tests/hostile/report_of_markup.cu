// Kind: markup in a report
// Tries: markup and a script in what the report says.
// Stopped by: texts that are given as texts.
#include "honest.hpp"

void answer(Call call) {
  throw std::runtime_error("</pre><script>alert(1)</script>![x](http://x/y)|`*_{{7*7}}");
  honest(call);
}
