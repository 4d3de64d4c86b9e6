#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "facts/trace.h"
#include "input/common/agent_relation.h"
#include "input/common/thought.h"
#include "input/common/tool_run.h"
#include "input/common/trace_session.h"
#include "input/common/utterance.h"

namespace xtrace {

/// Tables of rows that become facts when all of them are read. Each is in the order of the inputs.
/// A new one is a struct, its fields_of() (row_fields.h), a table here, and a mention in
/// kRawTables.
struct RawTables {
  std::vector<Utterance> utterances;
  std::vector<AgentRelation> relations;
  std::vector<ToolRun> tool_runs;
  std::vector<Thought> thoughts;
  std::vector<TraceSession> trace_sessions;
};

inline constexpr std::tuple kRawTables(&RawTables::utterances, &RawTables::relations,
                                       &RawTables::tool_runs, &RawTables::thoughts,
                                       &RawTables::trace_sessions);
inline constexpr std::string_view kRawTableNames[] = {"utterances", "relations", "tool_runs",
                                                      "thoughts", "trace_sessions"};

template <class Row>
inline constexpr bool kIsRaw = std::apply(
    [](auto... table) {
      return (std::is_same_v<decltype(table), std::vector<Row> RawTables::*> || ...);
    },
    kRawTables);

/// Calls `each(table)` with the members that hold these tables, in their order.
template <class Each>
constexpr void for_each_raw_table(Each each) {
  std::apply([&](auto... table) { (each(table), ...); }, kRawTables);
}

/// Everything that was read, before calls are made of transcripts and copies of a record are found.
struct RawTrace : Trace, RawTables {};

}  // namespace xtrace
