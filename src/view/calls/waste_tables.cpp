#include "view/calls/waste_tables.h"

#include "view/calls/advice.h"
#include "view/calls/waste_words.h"
#include "view/common/evidence.h"

namespace xtrace {

namespace {

struct WasteTotal {
  size_t findings;
  WasteSum sum;
};
constexpr Field<WasteTotal> kWasteTotal[] = {
    {{"findings", "number of findings; `advise` lists all, `stats` the first three",
      CellKind::integer, true},
     [](const WasteTotal& row) { return Cell(static_cast<int64_t>(row.findings)); }},
    {{"cost_usd", "cost of the findings whose cost is known", Role::cost},
     [](const WasteTotal& row) { return dollars(row.sum.cost); }},
    {{"time_ms", "time of the tools and models in these findings; overlapping time is counted once",
      CellKind::milliseconds},
     [](const WasteTotal& row) { return known(row.sum.time); }},
    {{"is_estimated", "true if some costs are estimated from text lengths", CellKind::boolean},
     [](const WasteTotal& row) { return if_true(row.sum.is_estimated); }},
};

struct FindingRow {
  const CallScene& scene;
  const Waste& waste;

  Cell name(std::string_view text) const { return known(scene.names.text(text)); }
};
using Row = const FindingRow&;

Table evidence_of(Row r) {
  std::vector<Verdicts::Evidence> evidence;
  const Trace& trace = r.scene.graph.trace();
  for (const WasteEvidence& one : r.waste.evidence) {
    evidence.push_back(evidence_of(r.scene.names, trace, trace[one.call].source, one.use, one.call,
                                   Door::own(one.what)));
  }
  return evidence_table(evidence);
}

constexpr Field<FindingRow> kFindings[] = {
    {{"kind",
      "loop, failing_retry, reread, repeated_call, redone_work, unused_result, cache_rebuild, "
      "full_context or unused_tools",
      CellKind::text, true},
     [](Row r) -> Cell { return Door::own(word(r.waste.kind)); }},
    {{"finding", "description of the waste", CellKind::text, true},
     [](Row r) -> Cell { return waste_title(r.scene, r.waste); }},
    {{"advice", "how to avoid it", CellKind::text, true},
     [](Row r) -> Cell { return Door::own(advice_for(r.waste).words); }},
    {{"tried", "what the agent tried already; of loops, failing retries and repeated calls",
      CellKind::text},
     [](Row r) -> Cell { return known(tried_words(r.scene, r.waste)); }},
    {{"instruction", "text to paste into CLAUDE.md or AGENTS.md", CellKind::text},
     [](Row r) -> Cell { return known(instruction_for(r.scene, r.waste)); }},
    {{"setting", "setting to change", CellKind::text},
     [](Row r) -> Cell { return known(setting_for(r.scene, r.waste, SIZE_MAX)); }},
    {{"confidence", "share of such findings that are right, 0 to 1", CellKind::number, true},
     [](Row r) -> Cell { return thousandths(r.waste.confidence); }},
    {{"times",
      "number of wasted repetitions, without the first use; loop: number of rounds; full_context: "
      "calls that filled the context; unused_tools: requests that offered the tools",
      CellKind::integer, true},
     [](Row r) -> Cell { return r.waste.times; }},
    {{"tokens", "tokens wasted, counted each time they were sent to a model", Role::tokens},
     [](Row r) -> Cell { return known(r.waste.tokens); }},
    {{"cost_usd",
      "cost of unnecessary calls and of these tokens in later requests; absent: unknown",
      Role::cost},
     [](Row r) -> Cell { return dollars(r.waste.cost); }},
    {{"is_estimated", "true if tokens and cost are estimated from text lengths", CellKind::boolean},
     [](Row r) -> Cell { return if_true(r.waste.is_estimated); }},
    {{"time_ms", "time spent in tools and in unnecessary calls", CellKind::milliseconds},
     [](Row r) -> Cell { return known(r.waste.time); }},
    {{"tool", "name of the tool; absent: several or none", CellKind::text},
     [](Row r) -> Cell { return r.name(r.waste.tool); }},
    {{"target", "file or URL", CellKind::text},
     [](Row r) -> Cell {
       return r.waste.target ? r.name(r.scene.graph.trace()[r.waste.target]) : Cell();
     }},
    {{"period", "number of steps in one round of a loop", CellKind::integer},
     [](Row r) -> Cell {
       return r.waste.kind == WasteKind::loop ? Cell(int64_t{r.waste.period}) : Cell();
     }},
    {{"is_polling", "true if the tool polls the status of a long operation", CellKind::boolean},
     [](Row r) -> Cell { return if_true(r.waste.is_polling); }},
    {{"cause", "cause of a cache rebuild, as in `stats`", CellKind::text},
     [](Row r) -> Cell {
       return r.waste.kind == WasteKind::cache_rebuild ? Cell(Door::own(word(r.waste.cause)))
                                                       : Cell();
     }},
    {{"share", "share of the context window in use at its fullest", CellKind::number},
     [](Row r) -> Cell { return r.waste.share > 0 ? Cell(thousandths(r.waste.share)) : Cell(); }},
    {{"tools", "tools that were never used", CellKind::texts},
     [](Row r) -> Cell {
       Texts tools;
       for (const std::string& tool : r.waste.tools) tools.push_back(r.scene.names.text(tool));
       return some(std::move(tools), r.scene.arena);
     }},
    {{"agent", "", CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.agent(r.scene.graph.agent_of(r.waste.at())); }},
    {{"session", "", CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.session(r.scene.graph.session_of(r.waste.at())); }},
    {{"at", "location where it began", CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.at(r.waste.at()); }},
    {{"evidence", "records that show it, in order of time", CellKind::rows, true, kEvidence},
     [](Row r) -> Cell { return some(evidence_of(r), r.scene.arena); }},
};

}  // namespace

Record waste_sum(std::string_view name, std::span<const Waste> found) {
  return record_of<kWasteTotal>(name, {found.size(), sum_of(found)});
}

Table waste_table(const CallScene& scene, std::span<const Waste> found) {
  Table findings = table_of<kFindings>("findings");
  for (const Waste& waste : found) add_fields(kFindings, {scene, waste}, findings);
  return findings;
}

std::vector<Section> waste_sections(std::string_view name_of_sum) {
  return {Record{table_of<kWasteTotal>(name_of_sum)}, table_of<kFindings>("findings")};
}

}  // namespace xtrace
