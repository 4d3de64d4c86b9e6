#include "input/spans/join_spans.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "facts/token_sums.h"
#include "input/common/moments.h"
#include "input/common/raw_trace.h"
#include "input/spans/agent_telemetry.h"

namespace xtrace {

namespace {

/// What is recorded later counts before what was told.
void put(StringId more, StringId& into) {
  if (more) into = more;
}

void put_counts(const GenAi& more, GenAi& into) {
  if (more.tokens != Tokens{}) into.token_rule = more.token_rule;
  for (int64_t Tokens::*count : kTokenKinds)
    if (more.tokens.*count != kNoCount) into.tokens.*count = more.tokens.*count;
  if (more.cost >= 0) into.cost = more.cost;
}

/// Of what may have been read of a record that does not say what it tells of, what such a span has.
void take_as_it_is(const GenAi& more, GenAi& into) {
  if (into.role == GenAi::Role::model) {
    put_counts(more, into);
    put(more.model, into.model);
    put(more.provider, into.provider);
  }
  if (into.role == GenAi::Role::tool) {
    put(more.tool, into.tool);
    put(more.tool_call, into.tool_call);
    put(more.hands_to, into.hands_to);
    if (more.tool_error != ToolError::none) into.tool_error = more.tool_error;
  }
  if (into.role == GenAi::Role::agent) put(more.agent, into.agent);
  put(more.error, into.error);
}

/// By the id of what is told of, one for each trace that it may be of.
class SpanParts {
 public:
  explicit SpanParts(RawTrace& trace) : trace_(trace), is_told_(trace.spans.size(), false) {}

  void join() {
    for (bool has_begun : {true, false})
      for (size_t i = 0; i < trace_.spans.size(); ++i)
        if (may_stand_for_all(trace_.spans[i], has_begun) && find(trace_.spans[i]) == kNone) {
          Firsts& firsts = firsts_[trace_.spans[i].id.index];
          firsts.by_trace.emplace(trace_.spans[i].trace, i);
          if (firsts.any == kNone) firsts.any = i;
          is_first_.insert(i);
        }
    for (size_t i = 0; i < trace_.spans.size(); ++i)
      if (trace_.spans[i].part != SpanPart::whole && !is_first_.contains(i)) add(i);
    for (size_t first : is_first_) settle(trace_.spans[first]);
    for (const auto& [file, lost] : lost_) complain(lost.first, lost.count);
    size_t at = 0;
    std::erase_if(trace_.spans, [&](const Span&) { return is_told_[at++]; });
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;
  /// Of one id.
  struct Firsts {
    std::map<StringId, size_t> by_trace{};
    size_t any = kNone;
  };
  struct Lost {
    Extent first;
    uint64_t count = 0;
  };

  static bool may_stand_for_all(const Span& span, bool has_begun) {
    if (has_begun) return span.part == SpanPart::begun;
    return span.part == SpanPart::more && span.start != kNoTime;
  }

  /// Ids are unique, but a record need not tell the trace.
  size_t find(const Span& span) const {
    const auto known = firsts_.find(span.id.index);
    if (known == firsts_.end()) return kNone;
    if (!span.trace) return known->second.any;
    for (StringId trace : {span.trace, StringId()})
      if (const auto first = known->second.by_trace.find(trace);
          first != known->second.by_trace.end())
        return first->second;
    return kNone;
  }

  void add(size_t i) {
    is_told_[i] = true;
    const Span& more = trace_.spans[i];
    const size_t first = find(more);
    if (first != kNone) return take(more, trace_.spans[first]);
    Lost& lost = lost_[more.source.file];
    if (lost.count++ == 0) lost.first = more.source;
  }

  void take(const Span& more, Span& into) {
    into.outcome = joined(into.outcome, more.outcome);
    put(more.trace, into.trace);
    put(more.operation, into.operation);
    put(more.session, into.session);
    put(more.principal, into.principal);
    if (into.parents == 0) into.first_parent = more.first_parent, into.parents = more.parents;
    if (!into.task_step) into.task_step = more.task_step;
    take_times(more, into);
    if (!more.gen_ai) return;
    if (!into.gen_ai) {  // nothing that has a role; what else may be in `more` is none of it
      GenAi told;
      told.error = trace_[more.gen_ai].error;
      if (!told.error) return;
      trace_.gen_ai.push_back(told);
      into.gen_ai = GenAiId(trace_.gen_ai.size() - 1);
      return;
    }
    take_as_it_is(trace_[more.gen_ai], trace_.gen_ai[into.gen_ai.index]);
  }

  void take_times(const Span& more, Span& into) {
    Time ended = more.part == SpanPart::ended ? more.start : kNoTime;
    if (more.part != SpanPart::ended) {
      if (into.start == kNoTime) into.start = more.start;
      if (more.start != kNoTime && more.duration != kNoDuration)
        ended = after(more.start, more.duration);
    }
    if (ended == kNoTime || into.start == kNoTime) return;
    const Duration took = elapsed(into.start, ended);
    if (took >= Duration{0}) {
      into.duration = took;
      return;
    }
    trace_.complaints.push_back(
        {more.source, "negative duration; treated as unknown", Complaint::Kind::field});
  }

  /// What it is, is known now.
  void settle(Span& span) {
    span.part = SpanPart::whole;
    if (span.gen_ai && trace_[span.gen_ai].role != GenAi::Role::tool)
      trace_.gen_ai[span.gen_ai.index].tool_error = ToolError::none;
  }

  void complain(const Extent& at, uint64_t count) {
    Source& source = trace_.sources[at.file];
    source.records -= count, source.skipped += count;
    trace_.complaints.push_back(
        {at,
         fmt::format("{} of {} whose start is not recorded", count == 1 ? "an update" : "updates",
                     count == 1 ? "a span" : fmt::format("{} spans", count)),
         Complaint::Kind::unknown_record});
  }

  RawTrace& trace_;
  std::vector<bool> is_told_;
  std::unordered_map<uint32_t, Firsts> firsts_;  ///< by id
  std::set<size_t> is_first_;
  std::map<uint32_t, Lost> lost_;  ///< by file
};

/// Exporters write some spans while they run and again when they have ended. Those records are one
/// span: the latest end is the final one, and its counts win.
class Snapshots {
 public:
  explicit Snapshots(RawTrace& trace) : trace_(trace), is_joined_(trace.spans.size(), false) {}

  void join() {
    std::vector<uint32_t> spans_of_id(trace_.strings.size(), 0);
    for (const Span& span : trace_.spans)
      if (span.id) ++spans_of_id[span.id.index];
    std::map<Key, std::vector<size_t>> states;
    for (size_t i = 0; i < trace_.spans.size(); ++i)
      if (const Span& span = trace_.spans[i];
          span.id && spans_of_id[span.id.index] > 1 && !span.converted)
        states[key_of(span)].push_back(i);
    bool any = false;
    for (const auto& [key, same] : states) {
      if (!are_of_two_sides(same)) {
        any |= join(same);
        continue;
      }
      std::map<SpanKind, std::vector<size_t>> sides;
      for (const size_t i : same) sides[trace_.spans[i].kind].push_back(i);
      for (const auto& [kind, side] : sides) any |= join(side);
    }
    size_t at = 0;
    if (any) std::erase_if(trace_.spans, [&](const Span&) { return is_joined_[at++]; });
  }

 private:
  using Key =
      std::tuple<StringId, StringId, Time, bool, StringId, StringId, StringId, StringId, StringId>;

  /// Two sides of a call may share an id, and some programs give one to all their spans. Snapshots
  /// of one span share its start and its side of the call as well.
  static Key key_of(const Span& span) {
    return {span.trace,     span.id,   span.start, span.inbound, span.service,
            span.operation, span.from, span.to,    span.run};
  }

  /// Both sides of a call in one service differ in nothing but their kind.
  bool are_of_two_sides(const std::vector<size_t>& states) const {
    SpanKind known = SpanKind::unknown;
    for (const size_t i : states) {
      const SpanKind kind = trace_.spans[i].kind;
      if (kind != known && kind != SpanKind::unknown && known != SpanKind::unknown) return true;
      if (kind != SpanKind::unknown) known = kind;
    }
    return false;
  }

  std::pair<Duration, int64_t> progress_of(const Span& span) const {
    return {span.duration, span.gen_ai ? trace_[span.gen_ai].tokens.output : kNoCount};
  }

  bool differ(const Span& a, const Span& b) const {
    if (a.duration != b.duration || !a.gen_ai != !b.gen_ai) return true;
    if (!a.gen_ai) return false;
    const GenAi &one = trace_[a.gen_ai], &other = trace_[b.gen_ai];
    return one.tokens != other.tokens || one.cost != other.cost;
  }

  /// Returns whether any was joined. Equal copies of the final state remain: they show where else
  /// it was observed.
  bool join(const std::vector<size_t>& states) {
    size_t last = states.front();
    for (const size_t i : states)
      if (progress_of(trace_.spans[i]) >= progress_of(trace_.spans[last])) last = i;
    std::vector<size_t> earlier;
    for (const size_t i : states)
      if (differ(trace_.spans[i], trace_.spans[last])) earlier.push_back(i);
    for (const size_t i : earlier) {
      fill_in(trace_.spans[i], trace_.spans[last]);
      is_joined_[i] = true;
    }
    return !earlier.empty();
  }

  /// Keeps what only the earlier state has.
  void fill_in(const Span& first, Span& last) {
    if (last.outcome == Outcome::unknown) last.outcome = first.outcome;
    if (last.kind == SpanKind::unknown) last.kind = first.kind;
    if (!last.session) last.session = first.session;
    if (!last.principal) last.principal = first.principal;
    if (!last.task_step) last.task_step = first.task_step;
    if (last.parents == 0) last.first_parent = first.first_parent, last.parents = first.parents;
    if (!first.gen_ai) return;
    if (!last.gen_ai) {
      last.gen_ai = first.gen_ai;
      return;
    }
    GenAi joined = trace_[first.gen_ai];
    const GenAi& final = trace_[last.gen_ai];
    for (StringId GenAi::*name :
         {&GenAi::agent, &GenAi::caller, &GenAi::tool, &GenAi::tool_call, &GenAi::hands_to,
          &GenAi::model, &GenAi::provider, &GenAi::searched, &GenAi::error})
      put(final.*name, joined.*name);
    put_counts(final, joined);
    if (final.role != GenAi::Role::other) joined.role = final.role;
    if (final.context_limit >= 0) joined.context_limit = final.context_limit;
    if (final.tool_error != ToolError::none) joined.tool_error = final.tool_error;
    joined.retries = std::max(joined.retries, final.retries);
    trace_.gen_ai[last.gen_ai.index] = joined;
  }

  RawTrace& trace_;
  std::vector<bool> is_joined_;
};

}  // namespace

void join_span_parts(RawTrace& trace) {
  const bool has_parts = std::ranges::any_of(
      trace.spans, [](const Span& span) { return span.part != SpanPart::whole; });
  if (has_parts) SpanParts(trace).join();
  Snapshots(trace).join();
}

namespace {

/// What both a log and a trace call it by: the request that a model was asked with, or the use of a
/// tool; of a log record that has neither, its id, as Codex writes each record twice.
struct SharedName {
  enum class Of : uint8_t { request, tool_use, record };
  Of of = Of::record;
  StringId name;

  auto operator<=>(const SharedName&) const = default;
};

SharedName find_shared_name(const RawTrace& trace, const Span& span, bool is_of_log) {
  if (!span.gen_ai) return {};
  const GenAi& told = trace[span.gen_ai];
  if (told.role == GenAi::Role::tool && told.tool_call)
    return {SharedName::Of::tool_use, told.tool_call};
  if (told.role == GenAi::Role::model && span.task_step && trace[span.task_step].request)
    return {SharedName::Of::request, trace[span.task_step].request};
  return is_of_log ? SharedName{SharedName::Of::record, span.id} : SharedName{};
}

/// Fills in what `into` leaves open.
void take(const GenAi& more, GenAi& into) {
  for (StringId GenAi::*name : {&GenAi::agent, &GenAi::tool, &GenAi::tool_call, &GenAi::model,
                                &GenAi::provider, &GenAi::error})
    if (!(into.*name)) into.*name = more.*name;
  if (into.tokens == Tokens{}) into.tokens = more.tokens, into.token_rule = more.token_rule;
  if (into.cost < 0) into.cost = more.cost;
  if (into.tool_error == ToolError::none) into.tool_error = more.tool_error;
  into.retries = std::max(into.retries, more.retries);
}

void take(RawTrace& trace, const Span& more, Span& into) {
  take(trace[more.gen_ai], trace.gen_ai[into.gen_ai.index]);
  into.outcome = joined(into.outcome, more.outcome);
  if (into.duration == kNoDuration) into.duration = more.duration;
  if (!into.session) into.session = more.session;
  if (!into.principal) into.principal = more.principal;
}

bool are_of_one_session(const Span& a, const Span& b) {
  return !a.session || !b.session || a.session == b.session;
}

void join_logs(RawTrace& trace, const std::vector<bool>& is_of_log) {
  std::map<SharedName, size_t> known;  // those of traces before those of logs, else the first
  std::vector<bool> is_told(trace.spans.size());
  for (bool of_log : {false, true})
    for (size_t i = 0; i < trace.spans.size(); ++i) {
      const Span& span = trace.spans[i];
      if (is_of_log[i] != of_log) continue;
      const SharedName name = find_shared_name(trace, span, of_log);
      if (!name.name) continue;
      const auto [first, is_new] = known.try_emplace(name, i);
      if (is_new || !of_log || !are_of_one_session(span, trace.spans[first->second])) continue;
      take(trace, span, trace.spans[first->second]);
      is_told[i] = true;
    }
  size_t at = 0;
  std::erase_if(trace.spans, [&](const Span&) { return is_told[at++]; });
}

void fail_with_execution(RawTrace& trace) {
  auto is_failed_execution = [&](const Span& span) {
    return span.outcome == Outcome::error && is_tool_execution(trace[span.operation]);
  };
  if (std::none_of(trace.spans.begin(), trace.spans.end(), is_failed_execution)) return;
  std::map<std::pair<StringId, StringId>, size_t> uses;  // by trace and id
  for (size_t i = 0; i < trace.spans.size(); ++i)
    if (const Span& span = trace.spans[i];
        span.gen_ai && trace[span.gen_ai].role == GenAi::Role::tool)
      uses.emplace(std::pair(span.trace, span.id), i);
  for (const Span& span : trace.spans) {
    if (!is_failed_execution(span)) continue;
    for (uint32_t i = 0; i < span.parents; ++i) {
      const SpanParent& parent = trace.span_parents[span.first_parent + i];
      auto use = uses.find({parent.trace ? parent.trace : span.trace, parent.span});
      if (use == uses.end()) continue;
      Span& tool = trace.spans[use->second];
      tool.outcome = Outcome::error;
      if (span.gen_ai) take(trace[span.gen_ai], trace.gen_ai[tool.gen_ai.index]);
    }
  }
}

}  // namespace

bool is_tool_execution(std::string_view operation) {
  return operation == "claude_code.tool.execution";
}

void join_agent_spans(RawTrace& trace) {
  fail_with_execution(trace);
  std::vector<bool> is_of_log;
  for (const Span& span : trace.spans)
    is_of_log.push_back(span.gen_ai && is_of_agent_log(trace[span.operation]));
  if (std::find(is_of_log.begin(), is_of_log.end(), true) != is_of_log.end())
    join_logs(trace, is_of_log);
}

namespace {

void forget_traces_of_one_call(RawTrace& trace) {
  std::unordered_map<uint32_t, size_t> calls_of;  // traces that represent sessions
  for (const TraceSession& told : trace.trace_sessions)
    if (told.trace == told.session) calls_of.emplace(told.trace.index, 0);
  if (calls_of.empty()) return;
  const auto count_of = [&](const Call& call) -> size_t* {
    const auto found = call.session ? calls_of.find(call.session.index) : calls_of.end();
    return found == calls_of.end() ? nullptr : &found->second;
  };
  for (const Call& call : trace.calls)
    if (size_t* count = count_of(call)) ++*count;
  for (Call& call : trace.calls)
    if (const size_t* count = count_of(call); count != nullptr && *count == 1) call.session = {};
}

}  // namespace

void name_sessions_of_traces(RawTrace& trace) {
  forget_traces_of_one_call(trace);
  std::unordered_map<uint32_t, StringId> sessions, users;  // by trace; what is told first counts
  for (const TraceSession& told : trace.trace_sessions) {
    if (told.session) sessions.emplace(told.trace.index, told.session);
    if (told.user) users.emplace(told.trace.index, told.user);
  }
  if (sessions.empty() && users.empty()) return;
  auto fill_in = [](StringId& name, StringId of, const auto& told) {
    if (name) return;
    if (auto found = told.find(of.index); found != told.end()) name = found->second;
  };
  for (Span& span : trace.spans) {
    fill_in(span.session, span.trace, sessions);
    fill_in(span.principal, span.trace, users);
  }
}

}  // namespace xtrace
