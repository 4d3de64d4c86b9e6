#include "view/eval/agent_actions.h"

#include <algorithm>
#include <set>

#include "base/number.h"
#include "facts/error_class.h"
#include "facts/tool_targets.h"
#include "link/activities/asked_tools.h"

namespace xtrace {

namespace {

/// The first number in there that a status of HTTP may be, and that is no part of a longer one.
int status_in(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  for (size_t at = text.find_first_of(kDigits); at < text.size();) {
    const size_t end = std::min(text.find_first_not_of(kDigits, at), text.size());
    const size_t next = text.find_first_of(kDigits, end);
    const int status = end - at == 3 ? number_of<int>(text.substr(at, 3)).value_or(0) : 0;
    const bool is_fraction = (at > 0 && text[at - 1] == '.') ||
                             (end < text.size() && text[end] == '.' && next == end + 1);
    if (status >= 400 && status < 600 && !is_fraction) return status;
    at = next;
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
  collect_attempts(scope);
  collect_hops(scope.calls, scope.spans);
  collect_unplaced(scope);
  spans_ = std::move(scope.spans);
}

/// A row belongs to the part that contains its span; a row of a session, or of spans that calls
/// cover, to a part that contains all calls of the row.
void AgentActions::collect_unplaced(const Scope& scope) {
  std::set<HopId> hops;
  for (SpanId id : scope.spans) hops.insert(graph_.activities().of(id).hop);
  if (!scope.calls.empty()) {
    Selection selection;
    selection.calls.resize(trace_.calls.size());
    for (CallId id : scope.calls) selection.calls[id.index] = true;
    unplaced_ = unplaced_in(graph_, selection);
    std::erase_if(unplaced_, [&](const UnplacedRow& row) {
      return hops.contains(row.usage.hop) || is_of_uncovered_run(row.usage, graph_);
    });
  }
  for (const UnplacedUsage& row : graph_.activities().ledger.unplaced)
    if (hops.contains(row.hop)) unplaced_.push_back({row});
}

void AgentActions::note_time(Time start, Time end) {
  if (start == kNoTime) return;
  if (start_ == kNoTime || start < start_) start_ = start;
  end_ = std::max({end_, start, end});
}

void AgentActions::collect_calls(const std::vector<CallId>& calls) {
  const Activities& activities = graph_.activities();
  for (CallId id : calls) {
    const Activity& done = activities.of(id);
    note_time(done.start, done.end());
    // A subagent that only a report tells of made no call that is on record.
    if (done.is_recorded()) models_.push_back({&done});
    for (const Activity& run : activities.tools_of(id)) tools_.push_back({&run});
  }
}

AgentActions::Doer AgentActions::doer_of(const Action& action) const {
  if (action.done->call) return {graph_.conversation_of(action.done->call).number, {}, {}};
  return {0, trace_[action.span].trace, action.done->agent.name};
}

/// A tool's use lies between two calls: it begins with the answer that asks for it, and what became
/// of it is what the call says that reads its result.
Time AgentActions::end_of(const Action& action) const {
  const Activity& done = *action.done;
  if (done.reader) return trace_[done.reader].start;
  return done.use != nullptr || action.asked != nullptr ? kNoTime : done.end();
}

/// Some steps name an error that their Activity does not have.
std::string_view AgentActions::error_of(const Action& action) const {
  if (!action.span || action.whole != nullptr) return action.done->error;
  return action.done->outcome == Outcome::error ? std::string_view(record(action.span).error) : "";
}

Extent AgentActions::source_of(const Action& action) const {
  return action.span ? trace_[action.span].source : trace_[action.done->call].source;
}

std::vector<std::string_view> AgentActions::targets(const Action& tool) const {
  std::vector<std::string_view> names;
  if (tool.done->use != nullptr) {
    for (StringId target : targets_of(trace_, *tool.done->use)) names.push_back(trace_[target]);
  } else {
    const std::vector<std::string>& told =
        tool.asked != nullptr ? tool.asked->targets : record(tool.span).targets;
    names.assign(told.begin(), told.end());
  }
  if (names.empty()) names.emplace_back();
  return names;
}

void AgentActions::collect_spans(const Scope& scope) {
  const Activities& activities = graph_.activities();
  for (SpanId id : scope.spans) {
    const Span& span = trace_[id];
    note_time(span.start, after(span.start, span.duration));
  }
  const DistinctSpans distinct = distinct_spans(graph_, scope.spans, scope.calls);
  for (SpanId id : distinct.models) models_.push_back({&activities.of(id), id});
  for (SpanId id : distinct.tools) tools_.push_back({&activities.of(id), id});
  collect_asked_tools(distinct);
}

/// What was tried again within a call, its log may not say; spans of the same run do.
void AgentActions::collect_attempts(const Scope& scope) {
  const Activities& activities = graph_.activities();
  const Hops& hops = graph_.hops();
  std::set<uint32_t> runs;
  for (CallId id : scope.calls)
    if (const HopId hop = graph_.partners().of_call[id.index].hop) runs.insert(hops[hop].run);
  std::set<HopId> seen;
  const auto collect = [&](HopId id) {
    if (const Activity& done = activities.of(id); done.attempt_at && seen.insert(id).second)
      attempts_.push_back(
          {.done = &done, .span = hops[id].span, .whole = &activities[done.attempt_at]});
  };
  for (SpanId id : scope.spans)
    if (const HopId hop = activities.of(id).hop; hops[hop].span == id) collect(hop);
  for (uint32_t run : runs) std::ranges::for_each(hops.runs[run].hops, collect);
}

void AgentActions::collect_asked_tools(const DistinctSpans& distinct) {
  auto quotes_of = [&](SpanId id) -> const std::vector<Quote>& { return pieces(id); };
  auto quote_at = [&](const QuotePlace& at) { return &pieces(at.span)[at.piece]; };
  const std::vector<AskedTool> asked = find_asked_tools(graph_, distinct, quotes_of);
  for (const AskedTool& tool : asked) {
    const Quote* asks = quote_at(tool.asked);
    Activity& used = asked_.emplace_back(graph_.activities().of(tool.asked.span));
    used.kind = Activity::Kind::tool_run;
    used.tool = asks->tool;
    used.outcome = tool.result ? Outcome::ok : Outcome::unknown;
    used.error = {};
    used.start = used.end();
    used.duration = kNoDuration;
    tools_.push_back({.done = &used,
                      .span = tool.asked.span,
                      .asked = asks,
                      .brought = tool.result ? quote_at(*tool.result) : nullptr});
  }
  if (!asked.empty())
    std::ranges::stable_sort(tools_, {}, [](const Action& tool) { return tool.done->start; });
}

bool AgentActions::has_unfinished() const {
  const auto is_open = [](const Action& one) { return one.done->outcome == Outcome::unfinished; };
  return std::ranges::any_of(models_, is_open) || std::ranges::any_of(tools_, is_open);
}

void AgentActions::collect_hops(const std::vector<CallId>& calls,
                                const std::vector<SpanId>& spans) {
  auto collect = [&](auto id) {
    const std::span<const HopId> found = readings_.hops_of(id);
    hops_.insert(hops_.end(), found.begin(), found.end());
  };
  std::ranges::for_each(calls, collect);
  std::ranges::for_each(spans, collect);
  // Calls of one record have its hops in common.
  std::ranges::sort(hops_);
  hops_.erase(std::unique(hops_.begin(), hops_.end()), hops_.end());
}

const Action* AgentActions::torn() const {
  const Action* last = nullptr;
  for (const Action& model : models_)
    if (last == nullptr || model.done->start >= last->done->start) last = &model;
  bool is_torn = last != nullptr && last->done->call && last->done->outcome == Outcome::unanswered;
  return is_torn ? last : nullptr;
}

int AgentActions::status_of(const Action& action) const {
  if (action.span && question_.payloads != nullptr)
    if (int64_t status = question_.payloads->appraisal(trace_[action.span]).status; status >= 400)
      return static_cast<int>(status);
  if (int status = status_named(error_of(action)); status > 0) return status;
  if (int status = status_in(error_of(action)); status > 0) return status;
  if (action.done->use == nullptr && action.done->call) return -1;
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
  const std::vector<const ToolUse*> uses = graph_.tool_uses_of(tool.done->call);
  size_t nth =
      static_cast<size_t>(std::find(uses.begin(), uses.end(), tool.done->use) - uses.begin());
  for (const Quote& piece : pieces(tool.done->call)) {
    if (!piece.is_answer || piece.kind != Quote::Kind::tool_use) continue;
    bool is_it = tool.done->use->id ? piece.tool_use == trace_[tool.done->use->id] : nth == 0;
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
  if (!tool.done->reader) return std::nullopt;
  for (const Quote& piece : pieces(tool.done->reader))
    if (piece.kind == Quote::Kind::tool_result && piece.tool_use == trace_[tool.done->use->id] &&
        !piece.text.empty())
      return piece.text;
  return std::nullopt;
}

std::optional<std::string> AgentActions::declared(const Action& tool) const {
  if (!tool.done->call) return std::nullopt;
  for (const DeclaredTool& one : readings_.declared(tool.done->call))
    if (one.name == tool.done->tool && !one.schema.empty()) return one.schema;
  return std::nullopt;
}

std::set<std::string> AgentActions::declared_names() const {
  std::set<std::string> names;
  for (const Action& model : models_)
    if (model.done->call)
      for (const DeclaredTool& one : readings_.declared(model.done->call)) names.insert(one.name);
  return names;
}

std::vector<std::string> AgentActions::told_before(const Action& action) const {
  std::vector<std::string> told;
  auto tell = [&](const std::string& piece) {
    if (!piece.empty()) told.push_back(piece);
  };
  if (const CallId call = action.done->call) {
    for (const Action& model : models_) {
      if (!model.done->call || graph_.timeline().before(call, model.done->call)) continue;
      for (const Quote& piece : pieces(model.done->call))
        if (!piece.is_answer) tell(piece.text);
    }
    return told;
  }
  for (const Action& tool : tools_)
    if (tool.span && end_of(tool) <= action.done->start) tell(record(tool.span).outputs);
  for (const Action& model : models_)
    if (model.span && model.done->start <= action.done->start) tell(record(model.span).inputs);
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

std::vector<const ReplyClaim*> AgentActions::claims() const {
  std::set<CallId> replies;
  for (const Action& model : models_)
    if (!model.span) replies.insert(model.done->call);
  std::vector<const ReplyClaim*> claims;
  for (const ReplyClaim& one : readings_.claims())
    if (replies.contains(one.reply)) claims.push_back(&one);
  return claims;
}

std::optional<std::string> AgentActions::answer(const Action*& of) const {
  of = nullptr;
  for (const Action& model : models_)
    if (model.done->outcome == Outcome::ok &&
        (of == nullptr || model.done->start >= of->done->start))
      of = &model;
  if (of == nullptr) return std::nullopt;
  const std::vector<Quote>& said = of->span ? pieces(of->span) : pieces(of->done->call);
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
