#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <tuple>

#include "base/lower.h"
#include "view/eval/agent_actions.h"
#include "view/eval/same_use.h"

namespace xtrace {

// Many traces have spans of models alone: which tools were used, only their answers tell. Such a
// tool is a use like any other, unless a span of its own tells of it as well.

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

/// The tools that have spans. Each tells of one use.
class ToolSpans {
 public:
  explicit ToolSpans(const Trace& trace) : trace_(trace) {}

  /// In order of time.
  void add(const Span& span) {
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
  /// Of the tools that are asked for, those with an id that a span has take that. Ids come again in
  /// some logs, so that each takes one; but of two models' spans that overlap in time, which tell
  /// of one call, the second takes what the first has.
  bool take_by_id(const Span& model, std::string_view id) {
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
  /// Others take the next of their name that nobody asked for by its id. Whoever asks comes in
  /// order of time.
  bool take_by_name(const Span& model, std::string_view name) {
    return take_first(model, {queue(by_name_, model, folded_name(name))});
  }
  /// Likewise where one of the names has more before it.
  bool take_by_ending(const Span& model, std::string_view name) {
    const std::string folded = folded_name(name);
    std::vector<Queue*> queues = {queue(by_ending_, model, folded)};
    for (std::string_view ending : endings(folded))
      queues.push_back(queue(by_name_, model, std::string(ending)));
    return take_first(model, queues);
  }

 private:
  struct ToolSpan {
    const Span* span;
    bool is_taken = false;
  };
  using Queue = std::deque<size_t>;
  struct Asked {
    Queue spans, early;          ///< nobody asked for; and began before whoever asks next
    const Span* last = nullptr;  ///< that asked for one of them
  };
  using Queues = std::map<std::pair<StringId, std::string>, Queue>;  // by trace and name

  Queue* queue(Queues& queues, const Span& model, const std::string& name) {
    auto found = queues.find({model.trace, name});
    return found == queues.end() ? nullptr : &found->second;
  }
  bool take_first(const Span& model, const std::vector<Queue*>& queues) {
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

  const Trace& trace_;
  std::vector<ToolSpan> spans_;
  std::map<std::pair<StringId, std::string_view>, Asked> by_id_;
  Queues by_name_, by_ending_;
};

/// What models are told of the results of tools, in order of time.
class ToldResults {
 public:
  void add(const Span& model, const Quote& piece, size_t order) {
    std::vector<Told>& all = told_[{model.trace, piece.tool_use}];
    // A request tells all there were of an id that came again; the last is what is new.
    if (!all.empty() && all.back().order == order)
      all.back().piece = &piece;
    else
      all.push_back({order, &piece});
  }
  /// The first behind that model's span; nullptr: none.
  const Quote* find(const Span& model, std::string_view id, size_t order) const {
    auto found = id.empty() ? told_.end() : told_.find({model.trace, id});
    if (found == told_.end()) return nullptr;
    auto at = std::ranges::upper_bound(found->second, order, {}, &Told::order);
    return at == found->second.end() ? nullptr : at->piece;
  }

 private:
  struct Told {
    size_t order;
    const Quote* piece;
  };
  std::map<std::pair<StringId, std::string_view>, std::vector<Told>> told_;
};

}  // namespace

void AgentActions::collect_asked_tools() {
  ToolSpans told(trace_);
  for (const Action& used : tools_)
    if (used.span) told.add(trace_[used.span]);
  // A call that several spans tell of asks once.
  std::map<std::tuple<StringId, std::string_view, std::string_view, std::string_view>, SameUse>
      seen;
  ToldResults results;
  struct Left {
    Action used;
    size_t order;  ///< of the model's span that asks
  };
  std::vector<Left> left;
  for (size_t order = 0; order < models_.size(); ++order) {
    const Action& model = models_[order];
    if (!model.span) continue;
    const Span& span = trace_[model.span];
    for (const Quote& piece : pieces(model.span)) {
      const bool is_result = !piece.is_answer && piece.kind == Quote::Kind::tool_result;
      if (is_result && !piece.text.empty()) results.add(span, piece, order);
      if (!piece.is_answer || piece.kind != Quote::Kind::tool_use || piece.tool.empty()) continue;
      if (!piece.tool_use.empty()) {
        auto [at, is_new] =
            seen.try_emplace({span.trace, piece.tool_use, piece.tool, piece.text}, span);
        if (!is_new && at->second.is_joined_by(span)) continue;
      }
      if (told.take_by_id(span, piece.tool_use)) continue;
      Action used = model;
      used.asked = &piece;
      used.name = piece.tool;
      used.target = piece.targets.empty() ? std::string_view() : piece.targets.front();
      used.error = {};
      used.outcome = Outcome::unknown;
      used.start = model.end;
      used.end = kNoTime;
      left.push_back({used, order});
    }
  }
  std::erase_if(left, [&](const Left& one) {
    return told.take_by_name(trace_[one.used.span], one.used.name);
  });
  for (Left& one : left) {
    if (told.take_by_ending(trace_[one.used.span], one.used.name)) continue;
    one.used.brought = results.find(trace_[one.used.span], one.used.asked->tool_use, one.order);
    if (one.used.brought != nullptr) one.used.outcome = Outcome::ok;
    tools_.push_back(one.used);
  }
  if (!left.empty())
    std::stable_sort(tools_.begin(), tools_.end(),
                     [](const Action& a, const Action& b) { return a.start < b.start; });
}

}  // namespace xtrace
