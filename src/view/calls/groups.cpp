#include "view/calls/groups.h"

#include <algorithm>
#include <numeric>

#include "link/calls/session_names.h"
#include "link/graph/queries.h"

namespace xtrace {

namespace {

// Rows of groups of calls have `sum`, of the calls themselves, and `in_all`, with all that they
// spawned.
template <class Row>
constexpr auto kGroupTokens = fields_in<&Row::sum, kTokensSum>;
template <class Row>
constexpr auto kGroupErrors = fields_in<&Row::sum, kErrorCount>;
constexpr auto kCostOfGroup = joined_fields(kCostSum, kLowOutput);
template <class Row>
constexpr auto kGroupCost = fields_in<&Row::sum, kCostOfGroup>;
template <class Row>
constexpr Field<Row> kSubtreeCost[] = {
    {{"subtree_cost_usd", "cost of its calls and everything they spawned, each counted once",
      CellKind::number},
     [](const Row& row) { return dollars(row.in_all.cost); }},
    {{"subtree_unpriced_calls",
      "calls without a known cost, which subtree_cost_usd does not include", CellKind::integer},
     [](const Row& row) { return some(row.in_all.unpriced); }},
    {{"subtree_partly_priced_calls",
      "calls whose cost is only partly known; subtree_cost_usd includes the known part",
      CellKind::integer},
     [](const Row& row) { return some(row.in_all.partly); }},
    {{"subtree_low_output_calls", "calls in the subtree whose real output is higher than recorded",
      CellKind::integer},
     [](const Row& row) { return some(row.in_all.low); }},
    {{"subtree_tokens.input", "input tokens of its calls and everything they spawned",
      CellKind::integer},
     [](const Row& row) { return known(row.in_all.tokens.input); }},
    {{"subtree_tokens.output", "", CellKind::integer},
     [](const Row& row) { return known(row.in_all.tokens.output); }},
    {{"subtree_tokens.total", "the sum of all four token counts", CellKind::integer},
     [](const Row& row) { return known(total_of(row.in_all.tokens)); }},
};
template <class Row>
constexpr auto kGroupSpending = joined_fields(kGroupCost<Row>, kSubtreeCost<Row>);

constexpr size_t kTitle = 60;  // characters: what a line of a list has room for

template <int64_t Metrics::OfSession::*kMetric>
Cell session_metric(const SessionRow& row) {
  const std::vector<Metrics::OfSession>& measured = row.scene.metrics.of_session;
  return measured.empty() ? Cell() : Cell(measured[row.session.number - 1].*kMetric);
}

constexpr Field<SessionRow> kSessionHead[] = {
    {{"id", "session id from the log, or s1, s2, …", CellKind::text, true},
     [](const SessionRow& row) { return Cell(row.scene.names.session(row.session)); }},
    {{"start", "", CellKind::moment},
     [](const SessionRow& row) {
       return known(Moment{row.sum.time.start, row.decimals});
     }},
    {{"end", "", CellKind::moment},
     [](const SessionRow& row) {
       return row.sum.took() == kNoDuration ? Cell()
                                            : known(Moment{row.sum.time.end, row.decimals});
     }},
    {{"duration_ms", "", Role::duration},
     [](const SessionRow& row) { return known(row.sum.took()); }},
    {{"calls", "", CellKind::integer, true},
     [](const SessionRow& row) { return Cell(row.sum.calls); }},
    {{"conversations", "", CellKind::integer, true},
     [](const SessionRow& row) { return Cell(static_cast<int64_t>(row.conversations.size())); }},
    {{"agents", "number of agent instances", CellKind::integer, true},
     [](const SessionRow& row) { return Cell(static_cast<int64_t>(row.agents.size())); }},
};
constexpr Field<SessionRow> kSessionWords[] = {
    {{"turns", "prompts of the user that led to calls", CellKind::integer},
     [](const SessionRow& row) { return Cell(static_cast<int64_t>(row.turns.size())); }},
    {{"subagents", "agent instances that another agent started", CellKind::integer},
     [](const SessionRow& row) { return Cell(row.subagents()); }},
    {{"user", "user id sent to the vendor", CellKind::text},
     [](const SessionRow& row) { return known(row.scene.names.text(row.session.user)); }},
    {{"project", "working folder", CellKind::text},
     [](const SessionRow& row) { return known(row.scene.names.project(row.session)); }},
    {{"title", "title from the log, at level full or with --words", CellKind::text},
     [](const SessionRow& row) {
       Door& door = row.scene.question.door;
       const std::string_view title = row.scene.graph.trace()[row.session.title];
       return known(door.level() == Door::Level::full ? door.payload(title)
                                                      : door.first_words(title, kTitle));
     }},
};
constexpr Field<SessionRow> kSessionMetrics[] = {
    {{"graph_depth", "number of edges in the longest chain, as in `dag`", CellKind::integer},
     session_metric<&Metrics::OfSession::depth>},
    {{"subagent_spawn_count", "subagents started by a tool use, as in `dag`", CellKind::integer},
     session_metric<&Metrics::OfSession::spawns>},
    {{"tool_dependency_count", "tool results that a call read, as in `dag`", CellKind::integer},
     session_metric<&Metrics::OfSession::tool_results>},
    {{"number", "number of the session among all local sessions, newest first: `xtrace dag 1`",
      CellKind::integer},
     member<&SessionRow::number>},
};
/// The source is of lists only: a graph that was converted and read again is the same.
constexpr Field<SessionRow> kSessionSource[] = {
    {{"source", "agent product that wrote the log, or the format of other logs", CellKind::text},
     [](const SessionRow& row) {
       return known(row.scene.question.door.composed(
           std::string(source_of(row.scene.graph.trace(), row.session))));
     }},
};
constexpr auto kSessions =
    joined_fields(kSessionHead, kGroupErrors<SessionRow>, kGroupTokens<SessionRow>, kSessionWords,
                  kGroupSpending<SessionRow>, kSessionMetrics);
constexpr auto kListedSessions = joined_fields(kSessions, kSessionSource);

/// By start, or in a list of all local sessions newest first.
std::vector<uint32_t> order_of_sessions(const CallScene& scene) {
  const std::vector<Session>& sessions = scene.graph.sessions();
  if (scene.question.lists_own) return newest_first(sessions);
  std::vector<uint32_t> order(sessions.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<SessionRow> session_rows(const CallScene& scene) {
  std::vector<SessionRow> rows;
  std::map<uint32_t, Usage> in_all =
      scene.spending.in_all_by([&](CallId id) { return scene.graph.session_of(id).number; });
  int64_t nth = 0;
  for (uint32_t i : order_of_sessions(scene)) {
    const Session& session = scene.graph.sessions()[i];
    SessionRow row{scene, session};
    ++nth;
    for (CallId id : session.calls) {
      if (!scene.selection.shows(id)) continue;
      row.sum.add(scene.timeline()[id], scene.spending.own(id));
      row.conversations.insert(scene.graph.conversation_of(id).number);
      row.agents.insert(scene.graph.agent_index_of(id));
      row.turns.insert(scene.graph.call_turns()[id.index]);
      row.decimals = std::max(row.decimals, scene.timeline()[id].decimals);
    }
    if (row.sum.records == 0) continue;
    if (scene.question.lists_own) row.number = nth;
    const Usage unplaced = scene.spending.unplaced_of(session);
    row.sum.usage.add(unplaced);
    row.in_all = in_all[session.number];
    row.in_all.add(unplaced);
    rows.push_back(std::move(row));
  }
  return rows;
}

constexpr Field<SessionTotals> kTotalCounts[] = {
    {{"sessions", "", CellKind::integer, true}, member<&SessionTotals::sessions>},
    {{"turns", "prompts of the user that led to calls", CellKind::integer, true},
     member<&SessionTotals::turns>},
    {{"calls", "", CellKind::integer, true},
     [](const SessionTotals& all) { return Cell(all.sum.calls); }},
};
constexpr auto kTotals = joined_fields(kTotalCounts, kGroupErrors<SessionTotals>,
                                       kGroupTokens<SessionTotals>, kGroupCost<SessionTotals>);

struct UsedTool {
  Text name;
  int64_t uses, errors;
};
constexpr Field<UsedTool> kUsedTools[] = {
    {{"name", "", CellKind::text, true}, member<&UsedTool::name>},
    {{"uses", "", CellKind::integer, true}, member<&UsedTool::uses>},
    {{"errors", "number of results that are errors", Role::errors, true},
     member<&UsedTool::errors>},
};

constexpr Field<AgentTypeRow> kAgentTypeHead[] = {
    {{"type", "", CellKind::text, true},
     [](const AgentTypeRow& row) { return Cell(row.scene.names.text(row.type)); }},
    {{"instances", "conversations of agents of this type", CellKind::integer, true},
     member<&AgentTypeRow::instances>},
    {{"spawned", "instances started by a tool use", CellKind::integer, true},
     member<&AgentTypeRow::spawned>},
    {{"calls", "", CellKind::integer, true},
     [](const AgentTypeRow& row) { return Cell(row.sum.calls); }},
};
constexpr auto kAgentTypeErrors = joined_fields(kErrorCount, kErrorRate);
constexpr Field<AgentTypeRow> kAgentTypeTime[] = {
    {{"mean_lifetime_ms", "mean time from an instance's first request to its last reply",
      Role::duration},
     [](const AgentTypeRow& row) { return row.mean_lifetime(); }},
};
constexpr Field<AgentTypeRow> kAgentTypeTools[] = {
    {{"tools", "tools that they used", CellKind::rows, false, columns_of<kUsedTools>()},
     member<&AgentTypeRow::used_tools>},
    {{"tool_error_rate", "share of error results among the recorded results", CellKind::number},
     [](const AgentTypeRow& row) { return rate(row.result_errors, row.results); }},
};
constexpr auto kAgentTypes =
    joined_fields(kAgentTypeHead, fields_in<&AgentTypeRow::sum, kAgentTypeErrors>, kAgentTypeTime,
                  kGroupTokens<AgentTypeRow>, kAgentTypeTools, kGroupSpending<AgentTypeRow>);

void add_instance(const Agent& agent, AgentTypeRow& type) {
  const CallScene& scene = type.scene;
  Sum own;
  for (CallId id : agent.calls) {
    if (!scene.selection.shows(id)) continue;
    own.add(scene.timeline()[id], scene.spending.own(id));
    type.sum.add(scene.timeline()[id], scene.spending.own(id));
    for (const Activity& tool : scene.graph.activities().tools_of(id)) {
      ++type.tools[tool.tool].uses;
      if (!is_known(tool.outcome)) continue;
      ++type.results;
      if (tool.outcome != Outcome::error) continue;
      ++type.result_errors;
      ++type.tools[tool.tool].errors;
    }
  }
  if (own.records == 0) return;
  ++type.instances;
  if (agent.spawned) ++type.spawned;
  if (Duration lived = own.took(); lived != kNoDuration) {
    type.lifetime = plus(type.lifetime, lived);
    ++type.lifetimes;
  }
}

Cell used_tools(const AgentTypeRow& row) {
  Table table = table_of<kUsedTools>({});
  for (const auto& [tool, sum] : row.most_used())
    add_fields(kUsedTools, {row.scene.names.text(tool), sum.uses, sum.errors}, table);
  return some(std::move(table), row.scene.arena);
}

}  // namespace

int64_t SessionRow::subagents() const {
  return std::ranges::count_if(agents, [&](uint32_t i) {
    return beginning_of(scene.graph, scene.graph.agents()[i]) != nullptr;
  });
}

std::vector<std::pair<std::string_view, ToolSum>> AgentTypeRow::most_used() const {
  std::vector<std::pair<std::string_view, ToolSum>> all(tools.begin(), tools.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second.uses > b.second.uses; });
  return all;
}

void Sum::add(const Call& call, const Usage& own) {
  ++records;
  CallSum one = CallSum::of(call.outcome);
  one.calls = call.outcome != Outcome::unrecorded && !call.is_dispatch;
  one.usage = own;
  add(one);
  time.include(call.start, call.duration);
  ended |= call.start != kNoTime && call.duration != kNoDuration;
}

std::span<const Column> listed_session_columns() {
  return columns_of<kListedSessions>();
}
std::span<const Column> session_columns() {
  return columns_of<kSessions>();
}
std::span<const Column> agent_columns() {
  return columns_of<kAgentTypes>();
}

Sum sum_of(const CallScene& scene, std::span<const CallId> calls) {
  Sum sum;
  for (CallId id : calls) sum.add(scene.timeline()[id], scene.spending.own(id));
  return sum;
}

Table session_table(const CallScene& scene) {
  Table table = table_of<kSessions>("sessions");
  for (const SessionRow& row : session_rows(scene)) add_fields(kSessions, row, table);
  return table;
}

ListedSessions collect_sessions(const CallScene& scene) {
  ListedSessions listed{table_of<kListedSessions>("sessions"), session_rows(scene), {}};
  SessionTotals& all = listed.totals;
  for (const SessionRow& row : listed.rows) {
    add_fields(kListedSessions, row, listed.table);
    ++all.sessions;
    all.turns += static_cast<int64_t>(row.turns.size());
    all.sum.add(row.sum);
  }
  return listed;
}

Record record_of_totals(const SessionTotals& all) {
  return record_of<kTotals>("totals", all);
}

std::span<const Column> session_total_columns() {
  return columns_of<kTotals>();
}

std::vector<AgentTypeRow> collect_agent_types(const CallScene& scene) {
  std::map<std::string_view, AgentTypeRow> types;
  for (const Agent& agent : scene.graph.agents())
    add_instance(agent,
                 types.try_emplace(agent.type, AgentTypeRow{scene, agent.type}).first->second);
  std::map<std::string_view, Usage> in_all = scene.spending.in_all_by(
      [&](CallId id) { return std::string_view(scene.graph.agent_of(id).type); });
  std::vector<AgentTypeRow> rows;
  for (auto& [name, type] : types) {
    if (type.instances == 0) continue;
    type.in_all = in_all[name];
    rows.push_back(std::move(type));
  }
  return rows;
}

Table agent_table(const CallScene& scene) {
  Table table = table_of<kAgentTypes>("agents");
  for (AgentTypeRow& type : collect_agent_types(scene)) {
    // The names of its tools pass the door before its own: replacements are numbered.
    type.used_tools = used_tools(type);
    add_fields(kAgentTypes, type, table);
  }
  return table;
}

}  // namespace xtrace
