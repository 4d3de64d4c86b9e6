#include "link/activities/said_sizes.h"

#include <algorithm>

#include "base/hash.h"
#include "facts/payloads.h"
#include "facts/trace.h"

namespace xtrace {

size_t SaidSizes::of_result(std::string_view tool_use) const {
  const uint64_t wanted = hash_of(tool_use);
  const auto result = std::find_if(results.begin(), results.end(),
                                   [&](const Result& one) { return one.tool_use == wanted; });
  return result == results.end() ? 0 : result->bytes;
}

const SaidSizes& SaidSizesOf::operator[](CallId call) {
  const auto [place, is_new] = known_.try_emplace(call.index);
  SaidSizes& sizes = place->second;
  if (!is_new || payloads_ == nullptr) return sizes;
  for (const Quote& said : payloads_->quotes(trace_[call])) {
    if (said.is_answer) {
      (said.kind == Quote::Kind::thought ? sizes.thought : sizes.answered) +=
          said.text.size() + said.tool.size();
      continue;
    }
    sizes.asked += said.text.size();
    if (said.kind != Quote::Kind::tool_result) continue;
    const uint64_t use = hash_of(said.tool_use);
    const auto known = std::find_if(sizes.results.begin(), sizes.results.end(),
                                    [&](const auto& one) { return one.tool_use == use; });
    if (known == sizes.results.end())
      sizes.results.push_back({use, said.text.size()});
    else
      known->bytes += said.text.size();
  }
  return sizes;
}

}  // namespace xtrace
