#pragma once

#include <cstdint>
#include <string_view>

#include "facts/call.h"

namespace xtrace {

class Graph;
class CallSizeMeter;
struct CallSizes;

/// About how many tokens a text is: what models of several vendors were recorded to put out for
/// their answers, on average over an answer of words, code and the arguments of tools.
int64_t estimated_tokens(size_t bytes);

/// What a call put out of which the log kept only the first count (Call::output_is_low), by the
/// length of its answer and of what it thought before, as far as the log has that.
struct OutputEstimate {
  int64_t tokens = kNoCount;  ///< all that it put out; kNoCount: the answer cannot be read again
  int64_t more = 0;           ///< of these, what the log's count misses
  int64_t cost = kNoCount;    ///< of these, in billionths of a dollar; kNoCount: no price is known
};
OutputEstimate estimate_output(const Graph& graph, CallSizeMeter& said, CallId call);

/// About how many tokens a call's answer is in a later request, by its length; most of what a model
/// thought is sent no more.
int64_t estimated_answer(const CallSizes& said);

}  // namespace xtrace
