#include "link/activities/tool_spans.h"

#include <algorithm>

#include "base/lower.h"
#include "link/activities/same_use.h"

namespace xtrace {

namespace {

/// Names of one tool differ in form: `Search Tool`, `search_tool`; and servers of tools put their
/// names before it: `mcp__github__search`, `github.search`.
std::string folded_name(std::string_view name) {
  std::string folded;
  for (char c : lower(name)) {
    const bool is_mark = std::string_view(" _.-/:").find(c) != std::string_view::npos;
    if (!is_mark)
      folded += c;
    else if (!folded.empty() && folded.back() != '_')
      folded += '_';
  }
  if (folded.ends_with('_')) folded.pop_back();
  return folded;
}

/// What such a name may be without what servers put before it, the longest first; without itself.
std::vector<std::string_view> endings(std::string_view folded) {
  constexpr size_t kMost = 6;  // servers and folders before a name
  std::vector<std::string_view> all;
  for (size_t at = folded.find('_'); at != folded.npos && all.size() < kMost;
       at = folded.find('_', at + 1))
    all.push_back(folded.substr(at + 1));
  return all;
}

}  // namespace

void ToolSpans::add(const Span& span) {
  const GenAi& told = trace_[span.gen_ai];
  const std::string name = folded_name(trace_[told.tool]);
  const size_t at = spans_.size();
  spans_.push_back({&span});
  if (told.tool_call) by_id_[{span.trace, trace_[told.tool_call]}].spans.push_back(at);
  if (name.empty()) return;
  by_name_[{span.trace, name}].push_back(at);
  for (std::string_view ending : endings(name))
    by_ending_[{span.trace, std::string(ending)}].push_back(at);
}

bool ToolSpans::take_by_id(const Span& model, std::string_view id) {
  auto found = id.empty() ? by_id_.end() : by_id_.find({model.trace, id});
  if (found == by_id_.end()) return false;
  Asked& asked = found->second;
  if (asked.last != nullptr && asked.last != &model && SameUse(*asked.last).overlaps(model))
    return true;
  while (!asked.spans.empty() && spans_[asked.spans.front()].span->start < model.start) {
    asked.early.push_back(asked.spans.front());
    asked.spans.pop_front();
  }
  Queue& queue = asked.spans.empty() ? asked.early : asked.spans;  // early: clocks differ
  if (queue.empty()) return false;
  spans_[queue.front()].is_taken = true;
  queue.pop_front();
  asked.last = &model;
  return true;
}

bool ToolSpans::take_by_name(const Span& model, std::string_view name) {
  return take_first(model, {queue(by_name_, model, folded_name(name))});
}

bool ToolSpans::take_by_ending(const Span& model, std::string_view name) {
  const std::string folded = folded_name(name);
  std::vector<Queue*> queues = {queue(by_ending_, model, folded)};
  for (std::string_view ending : endings(folded))
    queues.push_back(queue(by_name_, model, std::string(ending)));
  return take_first(model, queues);
}

ToolSpans::Queue* ToolSpans::queue(Queues& queues, const Span& model, const std::string& name) {
  auto found = queues.find({model.trace, name});
  return found == queues.end() ? nullptr : &found->second;
}

bool ToolSpans::take_first(const Span& model, const std::vector<Queue*>& queues) {
  size_t first = spans_.size();
  for (Queue* one : queues) {
    if (one == nullptr) continue;
    while (!one->empty() &&
           (spans_[one->front()].is_taken || spans_[one->front()].span->start < model.start))
      one->pop_front();
    if (!one->empty()) first = std::min(first, one->front());
  }
  if (first == spans_.size()) return false;
  return spans_[first].is_taken = true;
}

}  // namespace xtrace
