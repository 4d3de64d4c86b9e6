#include "view/audit/coverage.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/address.h"
#include "facts/tool_targets.h"
#include "link/activities/deed.h"
#include "link/graph/queries.h"
#include "view/audit/written_files.h"
#include "view/common/field.h"
#include "view/common/names.h"
#include "view/common/preface.h"

namespace xtrace {

namespace {

/// Where something is on record, and how often.
class Seen {
 public:
  void add(Time time, const Extent& at) {
    const Key key{time == kNoTime, time, at.file, at.offset};
    if (count_ == 0 || key < first_key_) first_ = at, first_key_ = key;
    if (count_ == 0 || last_key_ < key) last_ = at, last_key_ = key;
    ++count_;
  }
  int64_t count() const { return count_; }
  const Extent& first() const { return first_; }
  const Extent& last() const { return last_; }

 private:
  using Key = std::tuple<bool, Time, uint32_t, uint64_t>;
  int64_t count_ = 0;
  Extent first_, last_;
  Key first_key_, last_key_;
};

/// Everything that kinds are counted in.
struct OnRecord {
  const Question& question;
  const Graph& graph = question.graph;
  const Trace& trace = graph.trace();

  const Extent& place(const Activity& activity) const {
    return activity.call ? trace[activity.call].source : graph.hops()[activity.hop].at;
  }
  /// Once, however many records state it.
  template <class Match>
  void each_activity(Seen& seen, Match match) const {
    for (const Activity& one : graph.activities().all)
      if (!one.same_as && one.is_recorded() && (one.call || one.hop) && match(one))
        seen.add(one.start, place(one));
  }
  template <class Match>
  void each_call(Seen& seen, Match match) const {
    for (size_t i = 0; i < trace.calls.size(); ++i)
      if (const Call& call = trace.calls[i];
          call.outcome != Outcome::unrecorded && match(call, CallId(i)))
        seen.add(call.start, call.source);
  }
  template <class Match>
  void each_span(Seen& seen, Match match) const {
    for (const Span& span : trace.spans)
      if (match(span)) seen.add(span.start, span.source);
  }
  /// What spans of model calls record of what was said to the model.
  template <class Match>
  void each_prompt(Seen& seen, Match match) const {
    if (question.payloads == nullptr) return;
    each_span(seen, [&](const Span& span) {
      if (!span.gen_ai || trace[span.gen_ai].role != GenAi::Role::model) return false;
      std::vector<Quote> quotes = question.payloads->quotes(span);
      std::erase_if(quotes, [](const Quote& quote) { return quote.is_answer; });
      return match(quotes);
    });
  }
  template <class Match>
  void each_link(Seen& seen, Match match) const {
    for (const Link& link : graph.links())
      if (match(link)) seen.add(trace[link.to].start, trace[link.to].source);
  }
  /// Tool uses by what they work on.
  template <class Match>
  void each_target(Seen& seen, Match match) const {
    each_activity(seen, [&](const Activity& one) {
      if (one.use == nullptr) return false;
      const std::vector<StringId> targets = targets_of(trace, *one.use);
      return std::any_of(targets.begin(), targets.end(),
                         [&](StringId target) { return match(one, trace[target]); });
    });
  }
};

/// A kind of event that auditors ask for: how it is counted, and where there is none, what is not
/// on record and what would put it there.
struct EventKind {
  Text kind, counted, missing;
  void (*count)(const OnRecord& record, Seen& seen);
};
constexpr EventKind kEventKinds[] = {
    {"prompt", "model calls whose request is recorded",
     "no request with its messages is recorded; log the requests, or keep transcripts",
     [](const OnRecord& record, Seen& seen) {
       record.each_call(seen, [](const Call& call, CallId) { return bool(call.request); });
       record.each_prompt(seen, [](std::span<const Quote> prompt) { return !prompt.empty(); });
     }},
    {"model_call", "calls of models, failed ones among them",
     "no call of a model is recorded; log requests and replies, or spans of chat",
     [](const OnRecord& record, Seen& seen) {
       record.each_activity(
           seen, [](const Activity& one) { return one.kind == Activity::Kind::model_call; });
     }},
    {"tool_use", "uses of tools, refused ones among them",
     "no use of a tool is recorded; log replies with their tool uses, or tool spans",
     [](const OnRecord& record, Seen& seen) {
       record.each_activity(
           seen, [](const Activity& one) { return one.kind == Activity::Kind::tool_run; });
     }},
    {"tool_result", "uses of tools whose outcome is recorded",
     "no result of a tool is recorded; log the request that returns it, or the end of tool spans",
     [](const OnRecord& record, Seen& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.kind == Activity::Kind::tool_run && is_known(one.outcome);
       });
     }},
    {"error", "failed model calls, tool uses and other steps",
     "no failure is recorded; either nothing failed, or the log does not record failures",
     [](const OnRecord& record, Seen& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.outcome == Outcome::error && !one.same_failure;
       });
     }},
    {"approval_or_denial",
     "tool uses that the user refused, and questions and plans that the user answered",
     "no refusal and no answer of the user is recorded; log each decision with the id of the tool "
     "use (approvals that only let a tool run are not counted)",
     [](const OnRecord& record, Seen& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.tool_error == ToolError::denied ||
                (one.kind == Activity::Kind::tool_run && asks_a_person(one.tool) &&
                 is_known(one.outcome));
       });
     }},
    {"user_turn", "model calls that answer a new message of the user",
     "no message of the user is recorded; log requests with their messages, or keep transcripts",
     [](const OnRecord& record, Seen& seen) {
       record.each_call(seen, [&](const Call&, CallId id) {
         return begins_turn(record.graph, id) && answers_a_user(record.graph, id);
       });
       record.each_prompt(seen, [](std::span<const Quote> prompt) {
         return !prompt.empty() && prompt.back().kind == Quote::Kind::text;
       });
     }},
    {"subagent_start", "subagents that a tool use started",
     "no start of a subagent is recorded; either none was started, or its calls are logged "
     "elsewhere",
     [](const OnRecord& record, Seen& seen) {
       record.each_link(seen, [](const Link& one) { return one.kind == LinkKind::subagent_spawn; });
     }},
    {"subagent_report", "replies of subagents that the agent that started them received",
     "no report of a subagent is recorded; log the subagent's calls and the request that returns "
     "its answer",
     [](const OnRecord& record, Seen& seen) {
       record.each_link(seen,
                        [](const Link& one) { return one.kind == LinkKind::subagent_report; });
     }},
    {"retry", "repeated attempts after a failure",
     "no repeated attempt is recorded; either nothing was tried again, or failed attempts are not "
     "logged",
     [](const OnRecord& record, Seen& seen) {
       record.each_activity(seen, [](const Activity& one) { return bool(one.retry_of); });
     }},
    {"compaction", "summaries that replaced a history",
     "no summary that replaces a history is recorded; either there was none, or histories are not "
     "logged",
     [](const OnRecord& record, Seen& seen) {
       record.each_call(seen,
                        [](const Call& call, CallId) { return call.is_compacted || call.sums_up; });
     }},
    {"file_written",
     "tool uses that write or edit files, without those that failed or were refused",
     "no file written by a tool is recorded; log the arguments of tools, or their targets",
     [](const OnRecord& record, Seen& seen) {
       record.each_target(seen, [&](const Activity& tool, std::string_view target) {
         return host_of(target).empty() && may_have_written(record.trace, tool);
       });
     }},
    {"host_reached", "tool uses with the address of a host",
     "no address that a tool reached is recorded; log the arguments of tools, or their targets",
     [](const OnRecord& record, Seen& seen) {
       record.each_target(
           seen, [](const Activity&, std::string_view target) { return !host_of(target).empty(); });
     }},
    {"mcp_tool_use", "uses of tools whose names begin with `mcp__`",
     "no use of a tool of an MCP server is recorded; either there was none, or tools have names "
     "without `mcp__`",
     [](const OnRecord& record, Seen& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.kind == Activity::Kind::tool_run && one.tool.starts_with("mcp__");
       });
     }},
    {"system_prompt", "model calls with a recorded system prompt",
     "no system prompt was found; it is searched in logged requests and stored conversations only, "
     "not in transcripts of coding agents or spans",
     [](const OnRecord& record, Seen& seen) {
       record.each_call(seen, [](const Call& call, CallId) { return bool(call.system_prompt); });
     }},
    {"model_version", "model calls with the name of the model",
     "no model is named; log the model that answered, with its version",
     [](const OnRecord& record, Seen& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.kind == Activity::Kind::model_call && !one.model.empty();
       });
     }},
    {"cost", "model calls with a cost that the log states",
     "the log states no cost; costs in this pack are computed from tokens and a list of prices",
     [](const OnRecord& record, Seen& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.kind == Activity::Kind::model_call && one.cost_is_recorded;
       });
     }},
    {"run_id", "records with the id of a session, run or trace",
     "no record names its session, run or trace; log an id that all records of a run share",
     [](const OnRecord& record, Seen& seen) {
       record.each_call(seen, [](const Call& call, CallId) { return bool(call.session); });
       record.each_span(seen, [](const Span& span) {
         return bool(span.run) || bool(span.trace) || bool(span.query);
       });
     }},
    {"timestamp", "records with a time", "no record has a time; log when each call begins and ends",
     [](const OnRecord& record, Seen& seen) {
       record.each_call(seen, [](const Call& call, CallId) { return call.start != kNoTime; });
       record.each_span(seen, [](const Span& span) { return span.start != kNoTime; });
     }},
};

struct EventRow {
  const EventKind& kind;
  const Seen& seen;
  const Names& names;

  Cell place(const Extent& at) const { return seen.count() == 0 ? Cell() : Cell(names.at(at)); }
};
constexpr Field<EventRow> kEvents[] = {
    {{"kind", "", CellKind::text, true}, [](const EventRow& row) { return Cell(row.kind.kind); }},
    {{"counted", "what the number counts", CellKind::text, true},
     [](const EventRow& row) { return Cell(row.kind.counted); }},
    {{"count", "number recorded, each once", CellKind::integer, true},
     [](const EventRow& row) { return Cell(row.seen.count()); }},
    {{"first", "location of the first", CellKind::text},
     [](const EventRow& row) { return row.place(row.seen.first()); }},
    {{"last", "location of the last", CellKind::text},
     [](const EventRow& row) { return row.place(row.seen.last()); }},
    {{"missing", "if there is none: what is not recorded, and what would record it",
      CellKind::text},
     [](const EventRow& row) { return row.seen.count() > 0 ? Cell() : Cell(row.kind.missing); }},
};

/// Longer pauses are listed: shorter ones are common while a person reads or a test runs.
constexpr std::chrono::minutes kLongestPause{10};

struct Gap {
  Moment from, to;
  Duration length;
  Text before, after;
};
constexpr Field<Gap> kGaps[] = {
    {{"from", "end of the last event before the gap", CellKind::moment, true}, member<&Gap::from>},
    {{"to", "start of the next event", CellKind::moment, true}, member<&Gap::to>},
    {{"gap_ms", "", CellKind::milliseconds, true}, member<&Gap::length>},
    {{"before", "location of the last event before the gap", CellKind::text, true},
     member<&Gap::before>},
    {{"after", "location of the next event", CellKind::text, true}, member<&Gap::after>},
};

/// What happened when, by start.
std::vector<const Activity*> timed_activities(const Graph& graph) {
  std::vector<const Activity*> timed;
  for (const Activity& one : graph.activities().all)
    if (one.start != kNoTime && one.is_recorded() && (one.call || one.hop)) timed.push_back(&one);
  std::stable_sort(timed.begin(), timed.end(),
                   [](const Activity* a, const Activity* b) { return a->start < b->start; });
  return timed;
}

Table gaps_of(const OnRecord& record, const std::vector<const Activity*>& timed,
              const Names& names) {
  Table gaps = table_of<kGaps>("gaps");
  const Activity* last = nullptr;  // the one that ended last
  for (const Activity* one : timed) {
    if (last != nullptr && one->start - last->end() > kLongestPause)
      add_fields(kGaps,
                 Gap{{last->end(), 3},
                     {one->start, 3},
                     one->start - last->end(),
                     names.at(record.place(*last)),
                     names.at(record.place(*one))},
                 gaps);
    if (last == nullptr || last->end() < one->end()) last = one;
  }
  return gaps;
}

struct Totals {
  Moment first, last;
  int64_t skipped = 0, orphans = 0, unanswered = 0, clock_warnings = 0;
};
constexpr Field<Totals> kTotals[] = {
    {{"span.first", "start of the first event", CellKind::moment},
     [](const Totals& row) { return known(row.first); }},
    {{"span.last", "end of the last event", CellKind::moment},
     [](const Totals& row) { return known(row.last); }},
    {{"skipped", "records that are damaged or of an unknown form", CellKind::integer, true},
     member<&Totals::skipped>},
    {{"orphans", "results of tools whose use is not recorded", CellKind::integer, true},
     member<&Totals::orphans>},
    {{"unanswered", "model calls and tool uses whose outcome is not recorded", CellKind::integer,
      true},
     member<&Totals::unanswered>},
    {{"clock_warnings", "events that start before their cause", CellKind::integer, true},
     member<&Totals::clock_warnings>},
};

Totals totals_of(const Graph& graph, const std::vector<const Activity*>& timed) {
  Totals totals;
  for (const Activity* one : timed) {
    if (totals.first.time == kNoTime) totals.first = {one->start, 3};
    if (totals.last.time == kNoTime || totals.last.time < one->end()) totals.last = {one->end(), 3};
  }
  for (const Source& source : graph.trace().sources)
    totals.skipped += static_cast<int64_t>(source.skipped);
  totals.orphans = static_cast<int64_t>(graph.orphans().size());
  for (const Activity& one : graph.activities().all) {
    const bool asks =
        one.kind == Activity::Kind::model_call || one.kind == Activity::Kind::tool_run;
    totals.unanswered += asks && !one.same_as && one.is_recorded() && !is_known(one.outcome);
  }
  for (const Link& link : graph.links()) totals.clock_warnings += graph.starts_before_cause(link);
  for (const Hop& hop : graph.hops().all)
    totals.clock_warnings += starts_before_cause(graph.hops(), hop);
  return totals;
}

struct ChainRow {
  const HashChain& chain;
  const Graph& graph;
  const Names& names;

  Cell place(const Extent& at) const { return at.line == 0 ? Cell() : Cell(names.at(at)); }
};
constexpr Field<ChainRow> kChains[] = {
    {{"input", "", CellKind::text, true},
     [](const ChainRow& row) {
       return Cell(row.names.text(row.graph.trace().sources[row.chain.source].path));
     }},
    {{"digest", "key of a record's own digest; absent: the digest is that of its line",
      CellKind::text},
     [](const ChainRow& row) { return known(row.names.text(row.chain.digest)); }},
    {{"previous", "key of the digest of the record before", CellKind::text, true},
     [](const ChainRow& row) { return Cell(row.names.text(row.chain.previous)); }},
    {{"records", "records with these keys", CellKind::integer, true},
     [](const ChainRow& row) { return Cell(row.chain.records); }},
    {{"linked", "records that name the digest of the record before them", CellKind::integer, true},
     [](const ChainRow& row) { return Cell(row.chain.linked); }},
    {{"broken_at", "location of the first record that names another digest", CellKind::text},
     [](const ChainRow& row) { return row.place(row.chain.broken); }},
    {{"made_of",
      "what the digests are computed from; absent: unknown, so that only the links were checked",
      CellKind::text},
     [](const ChainRow& row) { return known(Door::own(row.chain.made_of)); }},
    {{"recomputed", "records whose digest was computed again and is equal", CellKind::integer},
     [](const ChainRow& row) {
       return row.chain.made_of.empty() ? Cell() : Cell(row.chain.recomputed);
     }},
    {{"altered_at", "location of the first record whose digest is not equal", CellKind::text},
     [](const ChainRow& row) { return row.place(row.chain.altered); }},
    {{"holds", "true if no record was found changed, removed or put in", CellKind::boolean, true},
     [](const ChainRow& row) { return Cell(row.chain.holds()); }},
};

}  // namespace

Document coverage_of(const Question& question, std::span<const HashChain> chains) {
  const Names names(question.graph, question.door);
  const OnRecord record{question};
  Document document("audit");
  add_preface("xtrace.coverage/1", question, names, Hidden(), document, Meanings::always);
  const std::vector<const Activity*> timed = timed_activities(question.graph);
  document.add(record_of<kTotals>({}, totals_of(question.graph, timed)));
  Table events = table_of<kEvents>("events");
  for (const EventKind& kind : kEventKinds) {
    Seen seen;
    kind.count(record, seen);
    add_fields(kEvents, EventRow{kind, seen, names}, events);
  }
  document.add(std::move(events));
  document.add(gaps_of(record, timed, names));
  Table table = table_of<kChains>("hash_chains");
  for (const HashChain& chain : chains)
    add_fields(kChains, ChainRow{chain, question.graph, names}, table);
  document.add(std::move(table));
  return document;
}

}  // namespace xtrace
