#include "link/activities/output_estimate.h"

#include <algorithm>

#include "link/activities/bill.h"
#include "link/activities/call_sizes.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

constexpr size_t kTenthsOfBytes = 33;  // a token
/// What frames a tool use beside its name and arguments: measured on 197 recorded answers of Claude
/// models, where this takes the usual error of an answer from 38 % to 9 %.
constexpr int64_t kTokensOfUse = 45;

}  // namespace

int64_t estimated_tokens(size_t bytes) {
  return static_cast<int64_t>((bytes * 10 + kTenthsOfBytes / 2) / kTenthsOfBytes);
}

int64_t estimated_answer(const CallSizes& said) {
  return estimated_tokens(said.answered);
}

OutputEstimate estimate_output(const Graph& graph, CallSizeMeter& said, CallId id) {
  OutputEstimate estimate;
  const size_t bytes = said[id].answered + said[id].thought;
  if (bytes == 0) return estimate;
  const Activity& done = graph.activities().of(id);
  const int64_t told = std::max<int64_t>(done.tokens.output, 0);
  const auto uses = static_cast<int64_t>(graph.activities().tools_of(id).size());
  estimate.tokens = std::max(told, estimated_tokens(bytes) + kTokensOfUse * uses);
  estimate.more = estimate.tokens - told;
  const std::optional<Price> price = Bill(graph).prices_of(done);
  if (!price || price->output < 0) return estimate;
  int64_t cost = 0;
  if (add_cost(cost, estimate.more, price->output)) estimate.cost = to_billionths(cost);
  return estimate;
}

}  // namespace xtrace
