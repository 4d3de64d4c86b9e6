#include "view/calls/groups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "link/calls/session_names.h"

namespace xtrace {

namespace {

constexpr Column kSessions[] = {
    {"id", "session id from the log, or s1, s2, …", CellKind::text, true},
    {"start", "", CellKind::moment},
    {"end", "", CellKind::moment},
    {"duration_ms", "", CellKind::milliseconds},
    {"calls", "", CellKind::integer, true},
    {"conversations", "", CellKind::integer, true},
    {"agents", "number of agent instances", CellKind::integer, true},
    {"errors", "failed calls", CellKind::integer, true},
    {"tokens.input", "", CellKind::integer},
    {"tokens.output", "", CellKind::integer},
    {"tokens.total", "the sum of all four token counts", CellKind::integer},
    {"tokens.cache_read", "", CellKind::integer},
    {"tokens.cache_creation", "", CellKind::integer},
    {"user", "user id sent to the vendor", CellKind::text},
    {"project", "working folder", CellKind::text},
    {"title", "title from the log, at level full", CellKind::text},
    {"cost_usd", "cost of its calls", CellKind::number},
    {"unpriced_calls", "calls without a known cost; not included in the sum", CellKind::integer},
    {"partly_priced_calls", "calls whose cost is only partly known; the known part is included",
     CellKind::integer},
    {"low_output_calls",
     "calls for which the log kept only the output count from the start of the reply; the real "
     "count is higher",
     CellKind::integer},
    {"subtree_cost_usd", "cost of its calls and everything they spawned, each counted once",
     CellKind::number},
    {"subtree_unpriced_calls",
     "calls without a known cost, which subtree_cost_usd does not include", CellKind::integer},
    {"subtree_partly_priced_calls",
     "calls whose cost is only partly known; subtree_cost_usd includes the known part",
     CellKind::integer},
    {"subtree_low_output_calls", "calls in the subtree whose real output is higher than recorded",
     CellKind::integer},
    {"subtree_tokens.input", "input tokens of its calls and everything they spawned",
     CellKind::integer},
    {"subtree_tokens.output", "", CellKind::integer},
    {"subtree_tokens.total", "the sum of all four token counts", CellKind::integer},
    {"graph_depth", "number of edges in the longest chain, as in `dag`", CellKind::integer},
    {"subagent_spawn_count", "subagents started by a tool use, as in `dag`", CellKind::integer},
    {"tool_dependency_count", "tool results that a call read, as in `dag`", CellKind::integer},
    {"number", "number of the session among all local sessions, newest first: `xtrace dag 1`",
     CellKind::integer},
};

constexpr Column kTools[] = {
    {"name", "", CellKind::text, true},
    {"uses", "", CellKind::integer, true},
    {"errors", "number of results that are errors", CellKind::integer, true},
};

constexpr Column kAgents[] = {
    {"type", "", CellKind::text, true},
    {"instances", "conversations of agents of this type", CellKind::integer, true},
    {"spawned", "instances started by a tool use", CellKind::integer, true},
    {"calls", "", CellKind::integer, true},
    {"errors", "failed calls", CellKind::integer, true},
    {"error_rate", "share of failed calls among the calls with a recorded outcome",
     CellKind::number},
    {"mean_lifetime_ms", "mean time from an instance's first request to its last reply",
     CellKind::milliseconds},
    {"tokens.input", "", CellKind::integer},
    {"tokens.output", "", CellKind::integer},
    {"tokens.total", "the sum of all four token counts", CellKind::integer},
    {"tokens.cache_read", "", CellKind::integer},
    {"tokens.cache_creation", "", CellKind::integer},
    {"tools", "tools that they used", CellKind::rows, false, kTools},
    {"tool_error_rate", "share of error results among the recorded results", CellKind::number},
    {"cost_usd", "cost of its calls", CellKind::number},
    {"unpriced_calls", "calls without a known cost; not included in the sum", CellKind::integer},
    {"partly_priced_calls", "calls whose cost is only partly known; the known part is included",
     CellKind::integer},
    {"low_output_calls",
     "calls for which the log kept only the output count from the start of the reply; the real "
     "count is higher",
     CellKind::integer},
    {"subtree_cost_usd", "cost of its calls and everything they spawned, each counted once",
     CellKind::number},
    {"subtree_unpriced_calls",
     "calls without a known cost, which subtree_cost_usd does not include", CellKind::integer},
    {"subtree_partly_priced_calls",
     "calls whose cost is only partly known; subtree_cost_usd includes the known part",
     CellKind::integer},
    {"subtree_low_output_calls", "calls in the subtree whose real output is higher than recorded",
     CellKind::integer},
    {"subtree_tokens.input", "input tokens of its calls and everything they spawned",
     CellKind::integer},
    {"subtree_tokens.output", "", CellKind::integer},
    {"subtree_tokens.total", "the sum of all four token counts", CellKind::integer},
};

/// Rates with four digits: more would be noise in a diff. Unknown of nothing.
Cell rate(int64_t part, int64_t whole) {
  if (whole <= 0) return {};
  double parts = static_cast<double>(part) / static_cast<double>(whole);
  return static_cast<double>(std::llround(parts * 10000)) / 10000;
}

struct ToolSum {
  int64_t uses = 0, errors = 0;
};

struct TypeSum {
  Sum sum;
  int64_t instances = 0, spawned = 0, results = 0, result_errors = 0;
  Duration lifetime{0};
  int64_t lifetimes = 0;
  std::map<std::string_view, ToolSum> tools;
};

void add_instance(const CallScene& scene, const Agent& agent, TypeSum& type) {
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

/// What a group's calls cost, and with them all that they spawned: the last columns of both tables.
void add_spending(const Usage& own, const Usage& in_all, Table& table) {
  for (const Cell& cell :
       {dollars(own.cost), some(own.unpriced), some(own.partly), some(own.low),
        dollars(in_all.cost), some(in_all.unpriced), some(in_all.partly), some(in_all.low),
        known(in_all.tokens.input), known(in_all.tokens.output), known(total_of(in_all.tokens))})
    table.cells.push_back(cell);
}

}  // namespace

void Sum::add(const Call& call, const Usage& own) {
  ++records;
  if (call.outcome != Outcome::unrecorded) ++calls;
  if (call.outcome == Outcome::error) ++errors;
  known += is_known(call.outcome);
  usage.add(own);
  if (call.start == kNoTime) return;
  start = start == kNoTime ? call.start : std::min(start, call.start);
  end = std::max(end, call.end());
  ended |= call.duration != kNoDuration;
}

std::span<const Column> session_columns() {
  return kSessions;
}
std::span<const Column> agent_columns() {
  return kAgents;
}

Sum sum_of(const CallScene& scene, std::span<const CallId> calls) {
  Sum sum;
  for (CallId id : calls) sum.add(scene.timeline()[id], scene.spending.own(id));
  return sum;
}

Table session_table(const CallScene& scene) {
  Table table{"sessions", kSessions};
  std::map<uint32_t, Usage> in_all =
      scene.spending.in_all_by([&](CallId id) { return scene.graph.session_of(id).number; });
  const std::vector<Session>& sessions = scene.graph.sessions();
  std::vector<uint32_t> order(sessions.size());
  std::iota(order.begin(), order.end(), 0);
  if (scene.question.lists_own) order = newest_first(sessions);
  for (size_t nth = 0; nth < order.size(); ++nth) {
    const Session& session = sessions[order[nth]];
    Sum sum;
    std::set<uint32_t> conversations, agents;
    uint8_t decimals = 0;
    for (CallId id : session.calls) {
      if (!scene.selection.shows(id)) continue;
      sum.add(scene.timeline()[id], scene.spending.own(id));
      conversations.insert(scene.graph.conversation_of(id).number);
      agents.insert(scene.graph.agent_index_of(id));
      decimals = std::max(decimals, scene.timeline()[id].decimals);
    }
    if (sum.records == 0) continue;
    const Usage unplaced = scene.spending.unplaced_of(session);
    sum.usage.add(unplaced);
    in_all[session.number].add(unplaced);
    table.add({scene.names.session(session), known(Moment{sum.start, decimals}),
               sum.took() == kNoDuration ? Cell() : known(Moment{sum.end, decimals}),
               known(sum.took()), sum.calls, static_cast<int64_t>(conversations.size()),
               static_cast<int64_t>(agents.size()), sum.errors, known(sum.usage.tokens.input),
               known(sum.usage.tokens.output), known(total_of(sum.usage.tokens)),
               known(sum.usage.tokens.cache_read), known(sum.usage.tokens.cache_creation),
               known(scene.names.text(session.user)), known(scene.names.project(session)),
               known(scene.question.door.payload(scene.graph.trace()[session.title]))});
    add_spending(sum.usage, in_all[session.number], table);
    if (scene.metrics.of_session.empty()) {  // nobody measured
      table.cells.insert(table.cells.end(), 3, Cell());
    } else {
      const Metrics::OfSession& of = scene.metrics.of_session[session.number - 1];
      table.cells.insert(table.cells.end(), {of.depth, of.spawns, of.tool_results});
    }
    table.cells.push_back(scene.question.lists_own ? Cell(static_cast<int64_t>(nth) + 1) : Cell());
  }
  return table;
}

Table agent_table(const CallScene& scene) {
  std::map<std::string_view, TypeSum> types;
  for (const Agent& agent : scene.graph.agents()) add_instance(scene, agent, types[agent.type]);

  Table table{"agents", kAgents};
  std::map<std::string_view, Usage> in_all = scene.spending.in_all_by(
      [&](CallId id) { return std::string_view(scene.graph.agent_of(id).type); });
  for (const auto& [name, type] : types) {
    if (type.instances == 0) continue;
    Table tools{{}, kTools};
    std::vector<std::pair<std::string_view, ToolSum>> most_used(type.tools.begin(),
                                                                type.tools.end());
    std::stable_sort(most_used.begin(), most_used.end(),
                     [](const auto& a, const auto& b) { return a.second.uses > b.second.uses; });
    for (const auto& [tool, sum] : most_used)
      tools.add({scene.names.text(tool), sum.uses, sum.errors});
    Cell lifetime = type.lifetimes > 0 ? Cell(type.lifetime / type.lifetimes) : Cell();
    table.add({scene.names.text(name), type.instances, type.spawned, type.sum.calls,
               type.sum.errors, rate(type.sum.errors, type.sum.known), lifetime,
               known(type.sum.usage.tokens.input), known(type.sum.usage.tokens.output),
               known(total_of(type.sum.usage.tokens)), known(type.sum.usage.tokens.cache_read),
               known(type.sum.usage.tokens.cache_creation), some(std::move(tools), scene.arena),
               rate(type.result_errors, type.results)});
    add_spending(type.sum.usage, in_all[name], table);
  }
  return table;
}

}  // namespace xtrace
