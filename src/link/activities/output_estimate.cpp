#include "link/activities/output_estimate.h"

#include <algorithm>

#include "facts/payloads.h"
#include "link/activities/bill.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

constexpr size_t kTenthsOfBytes = 33;  // a token

struct AnswerBytes {
  size_t said = 0, thought = 0;
};

AnswerBytes bytes_of_answer(const Payloads& payloads, const Call& call) {
  AnswerBytes bytes;
  for (const Quote& said : payloads.quotes(call)) {
    if (!said.is_answer) continue;
    const bool is_thought = said.kind == Quote::Kind::thought;
    (is_thought ? bytes.thought : bytes.said) += said.text.size() + said.tool.size();
  }
  return bytes;
}

}  // namespace

int64_t estimated_tokens(size_t bytes) {
  return static_cast<int64_t>((bytes * 10 + kTenthsOfBytes / 2) / kTenthsOfBytes);
}

int64_t estimated_answer(const Payloads& payloads, const Call& call) {
  return estimated_tokens(bytes_of_answer(payloads, call).said);
}

OutputEstimate estimate_output(const Graph& graph, const Payloads& payloads, CallId id) {
  OutputEstimate estimate;
  const Call& call = graph.trace()[id];
  const AnswerBytes answer = bytes_of_answer(payloads, call);
  const size_t bytes = answer.said + answer.thought;
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
