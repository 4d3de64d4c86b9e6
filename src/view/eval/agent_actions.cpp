#include "view/eval/agent_actions.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/hash.h"
#include "facts/error_class.h"
#include "facts/tool_targets.h"
#include "link/activities/asked_tools.h"

namespace xtrace {

namespace {

/// The first number in there that a status of HTTP may be, and that is no part of a longer one.
int status_in(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9') continue;
    size_t end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    int status = 0;
    std::from_chars(text.data() + at, text.data() + end, status);
    bool is_fraction = (at > 0 && text[at - 1] == '.') ||
                       (end < text.size() && text[end] == '.' && end + 1 < text.size() &&
                        text[end + 1] >= '0' && text[end + 1] <= '9');
    if (end - at == 3 && status >= 400 && status < 600 && !is_fraction) return status;
    at = end;
  }
  return -1;
}

}  // namespace

AgentActions::AgentActions(const Question& question, const Hops& hops, const Paths& paths,
                           Readings& readings, Scope scope)
    : question_(question),
      graph_(question.graph),
      trace_(graph_.trace()),
      all_hops_(hops),
      paths_(paths),
      readings_(readings) {
  missing_ = std::move(scope.missing);
  if (!missing_.empty()) return;
  collect_calls(scope.calls);
  collect_spans(scope);
  if (scope.spans.empty()) collect_attempts(scope.calls);
  collect_hops(scope.calls, scope.spans);
  collect_unplaced(scope);
  spans_ = std::move(scope.spans);
}

/// Where spans are judged, a row belongs to the part that its span is in; where calls are, to one
/// that has all calls that it is about.
void AgentActions::collect_unplaced(const Scope& scope) {
  const Activities& activities = graph_.activities();
  if (!scope.calls.empty()) {
    Selection selection;
    selection.calls.resize(trace_.calls.size());
    for (CallId id : scope.calls) selection.calls[id.index] = true;
    unplaced_ = unplaced_in(graph_, selection);
    return;
  }
  if (activities.ledger.unplaced.empty()) return;
  std::set<HopId> hops;
  for (SpanId id : scope.spans) hops.insert(activities.of(id).hop);
  for (const UnplacedUsage& row : activities.ledger.unplaced)
    if (hops.contains(row.hop)) unplaced_.push_back({row});
}

void AgentActions::note_time(Time start, Time end) {
  if (start == kNoTime) return;
  if (start_ == kNoTime || start < start_) start_ = start;
  end_ = std::max({end_, start, end});
}

/// A tool's use lies between two calls: it begins with the answer that asks for it, and what became
/// of it is what the call says that reads its result. No reader, no outcome on record.
void AgentActions::collect_calls(const std::vector<CallId>& calls) {
  const Activities& activities = graph_.activities();
  for (CallId id : calls) {
    const Activity& done = activities.of(id);
    note_time(done.start, done.end());
    Action asked;
    asked.done = &done;
    asked.call = id;
    asked.name = done.model;
    asked.error = done.error;
    asked.thread = graph_.conversation_of(id).number;
    asked.outcome = done.outcome;
    asked.start = done.start;
    asked.end = done.end();
    asked.at = trace_[id].source;
    // A subagent that only a report tells of made no call that is on record.
    if (done.outcome != Outcome::unrecorded) models_.push_back(asked);
    for (const Activity& run : activities.tools_of(id)) {
      Action used = asked;
      used.done = &run;
      used.use = run.use;
      used.name = run.tool;
      used.target = trace_[run.use->target];
      used.error = {};
      used.outcome = run.outcome;
      used.start = run.start;
      used.reader = run.reader;
      used.end = run.reader ? trace_[run.reader].start : kNoTime;
      tools_.push_back(used);
    }
  }
}

std::vector<std::string_view> AgentActions::targets(const Action& tool) const {
  std::vector<std::string_view> names;
  if (tool.use != nullptr)
    for (StringId target : targets_of(trace_, *tool.use)) names.push_back(trace_[target]);
  if (tool.span && tool.asked == nullptr) {
    const std::vector<std::string>& told = record(tool.span).targets;
    names.assign(told.begin(), told.end());
  }
  if (tool.asked != nullptr) names.assign(tool.asked->targets.begin(), tool.asked->targets.end());
  if (names.empty()) names.push_back(tool.target);
  return names;
}

void AgentActions::collect_spans(const Scope& scope) {
  const Activities& activities = graph_.activities();
  for (SpanId id : scope.spans) {
    const Span& span = trace_[id];
    note_time(span.start, after(span.start, span.duration));
    const Activity& done = activities.of(id);
    if (done.attempt_at && graph_.hops()[done.hop].span == id)
      add_attempt(id, done, activities[done.attempt_at]);
  }
  const DistinctSpans distinct = distinct_spans(graph_, scope.spans, scope.calls);
  for (SpanId id : distinct.models) models_.push_back(told_by(id, &GenAi::model));
  for (SpanId id : distinct.tools) tools_.push_back(told_by(id, &GenAi::tool));
  collect_asked_tools(distinct);
}

/// What was tried again within a call, its log may not say; spans of the same run do.
void AgentActions::collect_attempts(const std::vector<CallId>& calls) {
  const Activities& activities = graph_.activities();
  std::set<uint32_t> runs;
  for (CallId id : calls)
    if (const HopId hop = graph_.partners().of_call[id.index].hop)
      runs.insert(graph_.hops()[hop].run);
  for (uint32_t run : runs)
    for (HopId id : graph_.hops().runs[run].hops)
      if (const Activity& done = activities.of(id); done.attempt_at)
        add_attempt(graph_.hops()[id].span, done, activities[done.attempt_at]);
}

Action AgentActions::told_by(SpanId id, StringId GenAi::*name) const {
  const Span& span = trace_[id];
  Action one;
  one.done = &graph_.activities().of(id);
  one.span = id;
  one.name = trace_[trace_[span.gen_ai].*name];
  one.service = trace_[span.service];
  one.thread = chain(hash_of(trace_[span.trace]), hash_of(one.done->agent.name));
  one.outcome = span.outcome;
  one.start = span.start;
  one.end = after(span.start, span.duration);
  one.at = span.source;
  if (one.outcome == Outcome::error) one.error = record(id).error;
  return one;
}

void AgentActions::collect_asked_tools(const DistinctSpans& distinct) {
  auto quotes_of = [&](SpanId id) -> const std::vector<Quote>& { return pieces(id); };
  auto quote_at = [&](const QuotePlace& at) { return &pieces(at.span)[at.piece]; };
  const std::vector<AskedTool> asked = find_asked_tools(graph_, distinct, quotes_of);
  for (const AskedTool& tool : asked) {
    Action used = told_by(tool.asked.span, &GenAi::tool);
    used.asked = quote_at(tool.asked);
    used.name = used.asked->tool;
    if (!used.asked->targets.empty()) used.target = used.asked->targets.front();
    if (tool.result) used.brought = quote_at(*tool.result);
    used.outcome = tool.result ? Outcome::ok : Outcome::unknown;
    used.error = {};
    used.start = used.end;
    used.end = kNoTime;
    tools_.push_back(used);
  }
  if (!asked.empty()) std::ranges::stable_sort(tools_, {}, &Action::start);
}

/// An attempt bears the name of what it is an attempt at.
void AgentActions::add_attempt(SpanId id, const Activity& done, const Activity& whole) {
  Action one;
  one.done = &done;
  one.span = id;
  one.name = whole.tool.empty() ? whole.model : whole.tool;
  one.error = done.error;
  one.service = trace_[trace_[id].service];
  one.thread = done.attempt_at.index;
  one.outcome = done.outcome;
  one.start = done.start;
  one.end = done.end();
  one.at = trace_[id].source;
  attempts_.push_back(one);
}

void AgentActions::collect_hops(const std::vector<CallId>& calls,
                                const std::vector<SpanId>& spans) {
  std::set<std::pair<uint32_t, uint64_t>> places;
  for (CallId id : calls) places.emplace(trace_[id].source.file, trace_[id].source.offset);
  std::set<SpanId> chosen(spans.begin(), spans.end());
  for (size_t i = 0; i < all_hops_.all.size(); ++i) {
    const Hop& hop = all_hops_.all[i];
    if (hop.span ? chosen.contains(hop.span) : places.contains({hop.at.file, hop.at.offset}))
      hops_.emplace_back(i);
  }
}

const Action* AgentActions::torn() const {
  const Action* last = nullptr;
  for (const Action& model : models_)
    if (last == nullptr || model.start >= last->start) last = &model;
  bool is_torn = last != nullptr && last->call && last->outcome == Outcome::unanswered;
  return is_torn ? last : nullptr;
}

int AgentActions::status_of(const Action& action) const {
  if (action.span && question_.payloads != nullptr)
    if (int64_t status = question_.payloads->appraisal(trace_[action.span]).status; status >= 400)
      return static_cast<int>(status);
  if (int status = status_named(action.error); status > 0) return status;
  if (int status = status_in(action.error); status > 0) return status;
  if (action.use == nullptr && action.call) return -1;
  std::optional<std::string> said = result(action);
  return said ? status_in(*said) : -1;
}

std::optional<std::string> AgentActions::arguments(const Action& tool) const {
  if (tool.asked != nullptr)
    return tool.asked->text.empty() ? std::nullopt : std::optional(tool.asked->text);
  if (tool.span) {
    const std::string& inputs = record(tool.span).inputs;
    return inputs.empty() ? std::nullopt : std::optional(inputs);
  }
  const std::vector<const ToolUse*> uses = graph_.tool_uses_of(tool.call);
  size_t nth = static_cast<size_t>(std::find(uses.begin(), uses.end(), tool.use) - uses.begin());
  for (const Quote& piece : pieces(tool.call)) {
    if (!piece.is_answer || piece.kind != Quote::Kind::tool_use) continue;
    bool is_it = tool.use->id ? piece.tool_use == trace_[tool.use->id] : nth == 0;
    if (nth > 0) --nth;
    if (is_it) return piece.text.empty() ? std::nullopt : std::optional(piece.text);
  }
  return std::nullopt;
}

std::optional<std::string> AgentActions::result(const Action& tool) const {
  if (tool.asked != nullptr)
    return tool.brought == nullptr ? std::nullopt : std::optional(tool.brought->text);
  if (tool.span) {
    const StepRecord& step = record(tool.span);
    return step.outputs.empty() ? std::nullopt : std::optional(step.outputs);
  }
  if (!tool.reader || tool.use == nullptr) return std::nullopt;
  for (const Quote& piece : pieces(tool.reader))
    if (piece.kind == Quote::Kind::tool_result && piece.tool_use == trace_[tool.use->id] &&
        !piece.text.empty())
      return piece.text;
  return std::nullopt;
}

std::vector<std::string> AgentActions::told_before(const Action& action) const {
  std::vector<std::string> told;
  auto tell = [&](const std::string& piece) {
    if (!piece.empty()) told.push_back(piece);
  };
  if (action.call) {
    for (const Action& model : models_) {
      if (!model.call || graph_.timeline().before(action.call, model.call)) continue;
      for (const Quote& piece : pieces(model.call))
        if (!piece.is_answer) tell(piece.text);
    }
    return told;
  }
  for (const Action& tool : tools_)
    if (tool.span && tool.end <= action.start) tell(record(tool.span).outputs);
  for (const Action& model : models_)
    if (model.span && model.start <= action.start) tell(record(model.span).inputs);
  return told;
}

std::vector<std::pair<SpanId, Evaluation>> AgentActions::evaluations() const {
  std::vector<std::pair<SpanId, Evaluation>> all;
  if (question_.payloads == nullptr) return all;
  for (SpanId id : spans_)
    for (Evaluation& one : question_.payloads->appraisal(trace_[id]).evaluations)
      all.emplace_back(id, std::move(one));
  return all;
}

std::optional<std::string> AgentActions::answer(const Action*& of) const {
  of = nullptr;
  for (const Action& model : models_)
    if (model.outcome == Outcome::ok && (of == nullptr || model.start >= of->start)) of = &model;
  if (of == nullptr) return std::nullopt;
  const std::vector<Quote>& said = of->span ? pieces(of->span) : pieces(of->call);
  std::string text;
  bool is_told = false;
  for (const Quote& piece : said) {
    is_told |= piece.is_answer;
    if (!piece.is_answer || piece.kind != Quote::Kind::text || piece.text.empty()) continue;
    if (!text.empty()) text += '\n';
    text += piece.text;
  }
  // A span may have an answer that is no message: a text, or what a schema asks for.
  if (of->span && !is_told) text = record(of->span).outputs;
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace xtrace
