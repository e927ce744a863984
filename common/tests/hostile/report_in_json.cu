// Kind: forged report
// Tries: a result in JSON, named as the grader names its own.
// Stopped by: a view in which nothing that it writes is the grader's.
#include "honest.hpp"

void answer(Call call) {
  for (const char* name : {"report.json", "/tmp/report.json", "/tmp/result.json"})
    std::ofstream(name) << "{\"runs\": [{\"global_bytes_read\": 1}]}";
  std::exit(0);
  honest(call);
}
