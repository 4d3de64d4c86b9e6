#include "link/activities/output_estimate.h"

#include <algorithm>

#include "facts/payloads.h"
#include "link/activities/bill.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

constexpr size_t kTenthsOfBytes = 33;  // a token

size_t bytes_of_answer(const Payloads& payloads, const Call& call) {
  size_t bytes = 0;
  for (const Quote& said : payloads.quotes(call))
    if (said.is_answer) bytes += said.text.size() + said.tool.size();
  return bytes;
}

}  // namespace

int64_t estimated_tokens(size_t bytes) {
  return static_cast<int64_t>((bytes * 10 + kTenthsOfBytes / 2) / kTenthsOfBytes);
}

int64_t estimated_answer(const Payloads& payloads, const Call& call) {
  return estimated_tokens(bytes_of_answer(payloads, call));
}

OutputEstimate estimate_output(const Graph& graph, const Payloads& payloads, CallId id) {
  OutputEstimate estimate;
  const Call& call = graph.trace()[id];
  const size_t bytes = bytes_of_answer(payloads, call);
  if (bytes == 0) return estimate;
  const Activity& done = graph.activities().of(id);
  const int64_t told = std::max<int64_t>(done.tokens.output, 0);
  estimate.tokens = std::max(told, estimated_tokens(bytes));
  estimate.more = estimate.tokens - told;
  const Price* price = Bill(graph).prices_of(done);
  if (price == nullptr || price->output < 0) return estimate;
  Tokens more;
  more.input = 0;
  more.output = estimate.more;
  estimate.cost = price->of(more);
  return estimate;
}

}  // namespace xtrace
