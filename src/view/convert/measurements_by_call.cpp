#include <algorithm>
#include <map>
#include <utility>

#include "facts/client_measurements.h"
#include "view/convert/convert.h"

namespace xtrace {

std::vector<std::vector<uint32_t>> client_measurements_by_call(const Graph& graph) {
  const Trace& trace = graph.trace();
  std::vector<std::vector<uint32_t>> by_call(trace.calls.size());
  std::map<StringId, std::vector<CallId>> by_session;  // in order of time
  std::map<uint32_t, StringId> session_in;             // of a file whose lines name none
  for (CallId id : graph.timeline().in_order()) {
    if (trace[id].start == kNoTime) continue;
    by_session[trace[id].session].push_back(id);
    session_in.emplace(trace[id].source.file, trace[id].session);
  }
  for (uint32_t i = 0; i < trace.measurements.size(); ++i) {
    const Measurement& one = trace.measurements[i];
    if (!is_client_measurement(one) || one.time == kNoTime) continue;
    const auto in_file = session_in.find(one.source.file);
    const StringId session = one.service                   ? one.service
                             : in_file != session_in.end() ? in_file->second
                                                           : StringId();
    const auto calls = by_session.find(session);
    if (calls == by_session.end()) continue;
    auto behind = std::partition_point(calls->second.begin(), calls->second.end(),
                                       [&](CallId id) { return trace[id].start <= one.time; });
    if (behind != calls->second.begin()) --behind;
    by_call[behind->index].push_back(i);
  }
  return by_call;
}

}  // namespace xtrace
