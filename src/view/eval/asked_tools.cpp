#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "view/eval/agent_actions.h"

namespace xtrace {

// Many traces have spans of models alone: which tools were used, only their answers tell. Such a
// tool is a use like any other, unless a span of its own tells of it as well.

namespace {

/// Servers of tools put their names before those of their tools: `mcp__github__search`.
bool is_name_of(std::string_view span, std::string_view asked) {
  if (span.empty() || !asked.ends_with(span)) return false;
  asked.remove_suffix(span.size());
  return asked.empty() || std::string_view("_.-/:").find(asked.back()) != std::string_view::npos;
}

/// The last part of such a name.
std::string_view last_part(std::string_view name) {
  const size_t mark = name.find_last_of("_.-/:");
  return mark == name.npos ? name : name.substr(mark + 1);
}

/// The tools that have spans. Each tells of one use.
class ToolSpans {
 public:
  explicit ToolSpans(const Trace& trace) : trace_(trace) {}

  /// In order of time.
  void add(const Span& span) {
    const GenAi& told = trace_[span.gen_ai];
    const std::string_view name = trace_[told.tool];
    by_name_[{span.trace, last_part(name)}].push_back({&span, name, told.tool_call});
    if (told.tool_call) ids_.emplace(std::pair(span.trace, trace_[told.tool_call]), false);
  }
  /// Of the tools that are asked for, those with an id that a span has take that.
  bool take_by_id(const Span& model, std::string_view id) {
    auto found = id.empty() ? ids_.end() : ids_.find({model.trace, id});
    if (found == ids_.end()) return false;
    return found->second = true;
  }
  /// Others take the next of their name that nobody asked for by its id.
  bool take_by_name(const Span& model, std::string_view name) {
    auto found = by_name_.find({model.trace, last_part(name)});
    if (found == by_name_.end()) return false;
    std::deque<ToolSpan>& spans = found->second;
    // Whoever asks comes in order of time, so that what is passed over here nobody asks for later.
    while (!spans.empty() && (spans.front().span->start < model.start || is_taken(spans.front())))
      spans.pop_front();
    for (auto at = spans.begin(); at != spans.end(); ++at) {
      if (is_taken(*at) || !is_name_of(at->name, name)) continue;
      spans.erase(at);
      return true;
    }
    return false;
  }

 private:
  struct ToolSpan {
    const Span* span;
    std::string_view name;
    StringId id;
  };
  using Key = std::pair<StringId, std::string_view>;  // with the trace

  bool is_taken(const ToolSpan& one) const {
    return one.id && ids_.at({one.span->trace, trace_[one.id]});
  }

  const Trace& trace_;
  std::map<Key, std::deque<ToolSpan>> by_name_;
  std::map<Key, bool> ids_;  ///< did somebody ask for it?
};

}  // namespace

const std::vector<Quote>& AgentActions::pieces(SpanId span) const {
  auto [at, is_new] = quotes_.try_emplace(span);
  if (is_new && question_.payloads != nullptr)
    at->second = question_.payloads->quotes(trace_[span]);
  return at->second;
}

void AgentActions::collect_asked_tools(const std::vector<SpanId>& spans) {
  ToolSpans told(trace_);
  for (SpanId id : spans)
    if (trace_[id].gen_ai && trace_[trace_[id].gen_ai].role == GenAi::Role::tool)
      told.add(trace_[id]);
  // A call that several spans tell of asks once.
  std::set<std::tuple<StringId, std::string_view, std::string_view, std::string_view>> seen;
  std::map<std::pair<StringId, std::string_view>, const Quote*> results;  // the first of each use
  std::vector<Action> left;
  for (const Action& model : models_) {
    if (!model.span) continue;
    const Span& span = trace_[model.span];
    for (const Quote& piece : pieces(model.span)) {
      const bool is_result = !piece.is_answer && piece.kind == Quote::Kind::tool_result;
      if (is_result && !piece.text.empty())
        results.try_emplace({span.trace, piece.tool_use}, &piece);
      if (!piece.is_answer || piece.kind != Quote::Kind::tool_use) continue;
      if (!piece.tool_use.empty() &&
          !seen.insert({span.trace, piece.tool_use, piece.tool, piece.text}).second)
        continue;
      if (told.take_by_id(span, piece.tool_use)) continue;
      Action used = model;
      used.asked = &piece;
      used.name = piece.tool;
      used.target = piece.targets.empty() ? std::string_view() : piece.targets.front();
      used.error = {};
      used.outcome = Outcome::unknown;
      used.start = model.end;
      used.end = kNoTime;
      left.push_back(used);
    }
  }
  for (Action& used : left) {
    if (told.take_by_name(trace_[used.span], used.name)) continue;
    auto told_result = results.find({trace_[used.span].trace, used.asked->tool_use});
    if (!used.asked->tool_use.empty() && told_result != results.end()) {
      used.brought = told_result->second;
      used.outcome = Outcome::ok;
    }
    tools_.push_back(used);
  }
  if (!left.empty())
    std::stable_sort(tools_.begin(), tools_.end(),
                     [](const Action& a, const Action& b) { return a.start < b.start; });
}

}  // namespace xtrace
