#include "facts/merge_calls.h"

#include "facts/trace.h"

namespace xtrace {

std::vector<CallId> merge_calls(Trace& trace, std::span<const CallId> stands_for) {
  auto stays = [&](CallId id) { return stands_for[id.index] == id; };
  size_t kept = 0;
  std::vector<CallId> moved(trace.calls.size());
  for (size_t i = 0; i < trace.calls.size(); ++i) {
    if (!stays(CallId(i))) continue;
    moved[i] = CallId(kept);
    trace.calls[kept++] = trace.calls[i];
  }
  for (size_t i = 0; i < moved.size(); ++i) moved[i] = moved[stands_for[i].index];
  trace.calls.resize(kept);
  for (Call& call : trace.calls)
    if (call.previous) call.previous = moved[call.previous.index];
  std::erase_if(trace.converted_links, [&](const ConvertedLink& link) {
    return !stays(link.to) || (link.from && !stays(link.from));
  });
  for (ConvertedLink& link : trace.converted_links) {
    link.to = moved[link.to.index];
    if (link.from) link.from = moved[link.from.index];
  }
  return moved;
}

}  // namespace xtrace
