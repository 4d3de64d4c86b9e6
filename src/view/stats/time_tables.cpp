#include "view/stats/bill_sections.h"

namespace xtrace {

namespace {

constexpr Field<TimeAccount> kTime[] = {
    {{"total_ms",
      "sum over sessions, from the start of the first call to the end of the last; the parts below "
      "add up to it, and concurrent work is in only one part; with filters, only the calls shown "
      "and the waits for the user before them",
      Role::duration},
     total_time},
    {{"model_ms", "at least one model was running", CellKind::milliseconds},
     part_time<PathPart::model>},
    {{"tool_ms", "a tool was running, and no model", CellKind::milliseconds},
     part_time<PathPart::tool>},
    {{"permission_ms", "waits for the user's approval to run a tool, recorded or inferred",
      CellKind::milliseconds},
     part_time<PathPart::permission>},
    {{"retry_wait_ms", "waits before a failed call was retried", CellKind::milliseconds},
     part_time<PathPart::retry_wait>},
    {{"background_ms", "waits for background work to end", CellKind::milliseconds},
     part_time<PathPart::background>},
    {{"person_ms", "waits for the user's next message", CellKind::milliseconds},
     part_time<PathPart::person>},
    {{"unexplained_ms", "gaps without an explanation in the log", CellKind::milliseconds},
     part_time<PathPart::unexplained>},
    {{"undated_calls", "calls without a time or duration; not included in any part",
      CellKind::integer},
     [](const TimeAccount& time) { return some(time.undated); }},
};

struct WaitRow {
  const Stats& stats;
  const TimeAccount::Stretch& wait;
  const TimeAccount& time;
  const PermissionWait* permission;  ///< nullptr: it is no wait for leave

  const CallScene& scene() const { return *stats.calls; }
};

constexpr Field<WaitRow> kWaits[] = {
    {{"for", "person, permission, tool, retry_wait, background or unexplained", CellKind::text,
      true},
     [](const WaitRow& row) { return Cell(Door::own(word(row.wait.part))); }},
    {{"duration_ms", "", Role::duration, true},
     [](const WaitRow& row) { return Cell(row.wait.took()); }},
    {{"start", "", CellKind::moment, true},
     [](const WaitRow& row) {
       return Cell(Moment{row.wait.from, 3});
     }},
    {{"turn", "turn that contains it or that ended it", CellKind::text, true},
     [](const WaitRow& row) { return Cell(row.stats.turn(row.wait.turn)); }},
    {{"tool", "", CellKind::text},
     [](const WaitRow& row) {
       if (!row.wait.tool) return Cell();
       return known(row.stats.name(row.scene().graph.activities()[row.wait.tool].tool));
     }},
    {{"agent", "agent that requested the tool, or that retried", CellKind::text},
     [](const WaitRow& row) {
       if (!row.wait.call) return Cell();
       return known(row.scene().names.agent(row.scene().graph.agent_of(row.wait.call)));
     }},
    {{"call",
      "call that requested the tool or was retried; for person, the call that ended the wait",
      CellKind::text},
     [](const WaitRow& row) {
       const CallId call = row.wait.call ? row.wait.call : row.wait.next;
       return call ? Cell(row.scene().names.id(call)) : Cell();
     }},
    {{"at", "location of that call", CellKind::text},
     [](const WaitRow& row) {
       const CallId call = row.wait.call ? row.wait.call : row.wait.next;
       return call ? Cell(row.scene().names.at(call)) : Cell();
     }},
    {{"method",
      "for permission: turn_duration (excluded from the client's own duration of the turn), "
      "denied, measured_tool (the tool itself took much less time), instant_tool (the tool writes "
      "a file)",
      CellKind::text},
     [](const WaitRow& row) {
       return row.permission == nullptr ? Cell() : Cell(Door::own(word(row.permission->rule)));
     }},
    {{"confidence", "for permission: 0 to 1", CellKind::number},
     [](const WaitRow& row) {
       return row.permission == nullptr ? Cell() : Cell(row.permission->confidence);
     }},
    {{"may_be",
      "for a very long tool: permission, if a permission prompt may have been open and nothing "
      "shows that the tool was running; the log cannot confirm it",
      CellKind::text},
     [](const WaitRow& row) {
       return row.time.may_be_permission(row.wait) ? Cell(Door::own(word(PathPart::permission)))
                                                   : Cell();
     }},
};

}  // namespace

void add_time_tables(const Stats& stats, Document& document) {
  if (stats.account == nullptr) return;
  const TimeAccount& time = stats.account->time;
  document.add(record_of<kTime>("time", time));
  Table waits = table_of<kWaits>("waits");
  for (const TimeAccount::Stretch* wait : stats.account->waits)
    add_fields(kWaits, {stats, *wait, time, time.permission_of(*wait)}, waits);
  document.add(std::move(waits));
}

std::vector<Section> time_sections() {
  return {Record{table_of<kTime>("time")}, table_of<kWaits>("waits")};
}

}  // namespace xtrace
