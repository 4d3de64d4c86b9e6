#include "run/linked_runs.h"

#include <algorithm>
#include <array>

#include "facts/payloads.h"
#include "run/complaints.h"

namespace xtrace {

std::vector<const Trace*> LinkedRuns::traces() const {
  std::vector<const Trace*> all = {&now->graph.trace()};
  if (before != nullptr) all.insert(all.begin(), &before->graph.trace());
  return all;
}

std::vector<std::string> LinkedRuns::inputs() const {
  std::vector<std::string> paths;
  for (const Trace* trace : traces())
    for (const Source& source : trace->sources) paths.push_back(source.path);
  return paths;
}

Moment LinkedRuns::newest() const {
  Moment newest;
  for (const Call& call : now->graph.trace().calls)
    if (call.start > newest.time) newest = {call.start, call.decimals};
  // Spans record nanoseconds, and are written with as many decimals as necessary.
  for (const Span& span : now->graph.trace().spans)
    if (span.start > newest.time) newest = {span.start, 9};
  return newest;
}

uint64_t LinkedRuns::records() const {
  uint64_t records = 0;
  for (const Trace* trace : traces())
    for (const Source& source : trace->sources) records += source.records;
  return records;
}

void LinkedRuns::print_changed() const {
  for (const std::unique_ptr<const LinkedRun>* run : {&before, &now})
    if (*run != nullptr) xtrace::print_changed((*run)->payloads.get());
}

bool LinkedRuns::has_changed() const {
  return std::ranges::any_of(std::array{&before, &now}, [](const auto* run) {
    return *run != nullptr && (*run)->payloads != nullptr && !(*run)->payloads->changed().empty();
  });
}

bool LinkedRuns::met_errors() const {
  for (const Trace* trace : traces()) {
    for (const Source& source : trace->sources)
      if (source.skipped > 0) return true;
    for (const Unread& unread : trace->unread)
      if (unread.may_hold_records) return true;
  }
  return false;
}

LinkedRuns link_runs(std::vector<Trace> traces, const LinkOptions& options) {
  LinkedRuns runs;
  for (Trace& trace : traces) {
    runs.before = std::move(runs.now);
    runs.now = std::make_unique<const LinkedRun>(link(std::move(trace), options));
  }
  return runs;
}

}  // namespace xtrace
