#pragma once

#include <cstdint>
#include <vector>

#include "facts/call.h"
#include "facts/message.h"
#include "link/activities/critical_path.h"
#include "link/calls/link.h"

namespace xtrace {

class Graph;
class CallSizeMeter;

/// What the result of a tool brought into a conversation, and how often it was paid for: with each
/// later call, until a summary represents what was said before or some of it is left out.
///
///     before   sent 70k   put out 1k   asked to read a file
///     reader   sent 101k               the file brought 30k in: paid for once, as written
///     later    sent 102k               paid again, as read from the cache
///
/// The tokens are the difference of what the two calls sent, less the answer in between.
struct CarriedResult {
  CallId reader;       ///< the call that was told it first
  ToolUseId use;       ///< of the tool
  int64_t tokens = 0;  ///< that it brought in
  /// By lengths of texts: several things came at once, or the log has no count of the answer.
  bool is_estimated = false;
  int64_t again = 0;              ///< later calls that sent it too, of those that are shown
  CallId last;                    ///< of these, the last one; else the reader
  int64_t first_cost = kNoCount;  ///< what the reader paid for it, in billionths of a dollar, …
  int64_t again_cost = kNoCount;  ///< … and what the later ones paid; -1: a price is not known
};

/// All results of tools whose tokens can be told, in the order in which they were read. A token is
/// paid for at the price of the place where it is: what a call read from a cache is the beginning
/// of its prompt, what it wrote follows that.
///
/// `said`: how long texts are, where several things came at once; of what is not known all are as
/// long. `shown`: whose sending counts; if it shows nothing, all of them.
std::vector<CarriedResult> find_carried(const Graph& graph, CallSizeMeter& said,
                                        const ShownCalls& shown = {});

}  // namespace xtrace
