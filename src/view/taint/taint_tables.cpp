#include "view/common/evidence.h"
#include "view/common/field.h"
#include "view/taint/taint_report.h"

namespace xtrace {

namespace {

Cell count_of(size_t number) {
  return static_cast<int64_t>(number);
}

constexpr Field<TaintReport> kHead[] = {
    {{"verdict",
      "trifecta: an outbound sink has untrusted and private text from different tool uses; flow: "
      "untrusted text is in a sink; exposed: untrusted text was read before a sink was used; none",
      CellKind::text, true},
     [](const TaintReport& r) -> Cell { return Door::own(word(r.found.verdict)); }},
    {{"rules.from", "built-in or the path of the rules", CellKind::text, true},
     [](const TaintReport& r) -> Cell { return r.scene.names.text(r.rules.from); }},
    {{"rules.sha256", "digest of the rules", CellKind::text, true},
     [](const TaintReport& r) -> Cell { return r.scene.names.text(r.rules.digest); }},
};

constexpr Field<TaintReport> kLegs[] = {
    {{"untrusted", "tool results that a rule of sources names", CellKind::integer, true},
     [](const TaintReport& r) -> Cell { return count_of(r.found.sources.size()); }},
    {{"private", "tool results that a rule of private names", CellKind::integer, true},
     [](const TaintReport& r) -> Cell { return count_of(r.found.secret); }},
    {{"outbound",
      "tool uses by which text can leave: network, mail, message, transfer, shell and "
      "files outside the project",
      CellKind::integer, true},
     [](const TaintReport& r) -> Cell { return count_of(r.found.outbound); }},
    {{"sinks", "all tool uses that a rule of sinks names", CellKind::integer, true},
     [](const TaintReport& r) -> Cell { return count_of(r.found.sinks); }},
};

constexpr Field<TaintReport> kUnread[] = {
    {{"results", "results of sources that the log does not contain", CellKind::integer, true},
     [](const TaintReport& r) -> Cell { return count_of(r.found.lost.results); }},
    {{"arguments", "sinks whose arguments or reply the log does not contain", CellKind::integer,
      true},
     [](const TaintReport& r) -> Cell { return count_of(r.found.lost.arguments); }},
    {{"subagents", "subagents whose calls the log does not contain", CellKind::integer, true},
     [](const TaintReport& r) -> Cell { return count_of(r.found.lost.subagents); }},
    {{"spans", "spans of tools in an input with model calls, of which only these are searched",
      CellKind::integer, true},
     [](const TaintReport& r) -> Cell { return count_of(r.found.lost.spans); }},
    {{"why", "reason why they were not searched", CellKind::text},
     [](const TaintReport& r) -> Cell {
       TaintLost lost = r.found.lost;
       lost.spans = 0;
       if (!lost_words(lost).empty()) return Text("not in the log");
       return r.found.lost.spans > 0 ? Cell(Text("next to model calls")) : Cell();
     }},
    {{"not_detectable", "what no answer can find", CellKind::text, true},
     [](const TaintReport& r) -> Cell { return r.door().composed(not_seen_words(r.options)); }},
};

struct FlowRow {
  const TaintReport& report;
  const TaintFlow& flow;
  CellArena& arena;

  Text id(const TaintStep& step) const { return report.id(step); }
  Text at(CallId call) const { return report.scene.names.at(call); }
};
using Row = const FlowRow&;

struct EvidenceRow {
  const TaintReport& report;
  const TaintFlow& flow;
  const TaintEvidence& evidence;
};
constexpr Field<EvidenceRow> kReused[] = {
    {{"kind",
      "url, host, mail, iban, card, phone, hash, code, number, path, value (a whole "
      "argument) or run (a passage of at least 40 characters)",
      CellKind::text, true},
     [](const EvidenceRow& row) -> Cell { return Door::own(word(row.evidence.kind)); }},
    {{"value", "[kind:n], equal for equal values; with --level full the value, redacted",
      CellKind::text, true},
     [](const EvidenceRow& row) -> Cell { return row.report.value(row.evidence); }},
    {{"length", "bytes as it is written in the sink", CellKind::integer, true},
     [](const EvidenceRow& row) -> Cell { return int64_t{row.evidence.length}; }},
    {{"at_source", "location of the call that read it first", CellKind::text, true},
     [](const EvidenceRow& row) -> Cell { return row.report.scene.names.at(row.flow.reader); }},
    {{"encoding", "how the sink writes it: none, json (escaped), percent, base64, hex or query",
      CellKind::text, true},
     [](const EvidenceRow& row) -> Cell { return Door::own(word(row.evidence.encoding)); }},
};

Table reused(Row row) {
  Table table = table_of<kReused>({});
  for (const TaintEvidence& evidence : row.flow.evidence)
    add_fields(kReused, {row.report, row.flow, evidence}, table);
  return table;
}

Cell ids_of(Row row, const std::vector<TaintStep>& steps) {
  Texts ids;
  for (const TaintStep& step : steps) ids.push_back(row.id(step));
  return row.arena.keep(std::move(ids));
}

constexpr Field<FlowRow> kFlows[] = {
    {{"label", "untrusted or private", CellKind::text, true},
     [](Row r) -> Cell { return Door::own(word(r.flow.label)); }},
    {{"source.id", "tool use that brought the text first", CellKind::text, true},
     [](Row r) -> Cell { return r.id(r.flow.source); }},
    {{"source.call", "call that asked for it", CellKind::text, true},
     [](Row r) -> Cell { return r.report.scene.names.id(r.flow.source.call); }},
    {{"source.at", "", CellKind::text, true},
     [](Row r) -> Cell { return r.at(r.flow.source.call); }},
    {{"source.kind", "kind of the rule of sources or private; a2a: marked by its sender",
      CellKind::text, true},
     [](Row r) -> Cell { return r.report.scene.names.text(r.flow.source_kind); }},
    {{"source.tool", "", CellKind::text},
     [](Row r) -> Cell { return known(r.report.tool(r.flow.source)); }},
    {{"source.marks", "labels of a dataTaint mark in the result", CellKind::texts},
     [](Row r) -> Cell {
       Texts marks;
       for (const std::string& mark : r.flow.marks)
         marks.push_back(r.report.scene.names.text(mark));
       return some(std::move(marks), r.arena);
     }},
    {{"sink.id", "tool use that got the text, or the call of a reply to the user", CellKind::text,
      true},
     [](Row r) -> Cell { return r.id(r.flow.sink); }},
    {{"sink.call", "call that asked for it", CellKind::text, true},
     [](Row r) -> Cell { return r.report.scene.names.id(r.flow.sink.call); }},
    {{"sink.at", "", CellKind::text, true}, [](Row r) -> Cell { return r.at(r.flow.sink.call); }},
    {{"sink.kind", "kind of the rule of sinks; answer: a reply to the user", CellKind::text, true},
     [](Row r) -> Cell { return r.report.scene.names.text(r.flow.sink_kind); }},
    {{"sink.tool", "", CellKind::text},
     [](Row r) -> Cell { return known(r.report.tool(r.flow.sink)); }},
    {{"sink.argument", "top-level name of the argument; *: it has no plain name", CellKind::text,
      true},
     [](Row r) -> Cell { return r.report.argument(r.flow); }},
    {{"evidence", "what is in both", CellKind::rows, true, columns_of<kReused>()},
     [](Row r) -> Cell { return r.arena.keep(reused(r)); }},
    {{"also_at", "further sources in the same conversation that brought one of these",
      CellKind::texts, true},
     [](Row r) -> Cell { return ids_of(r, r.flow.also_at); }},
    {{"path", "tool uses and calls from source to sink", CellKind::texts, true},
     [](Row r) -> Cell { return ids_of(r, r.flow.path); }},
    {{"crosses", "none, agent (a report, prompt or file of another agent) or session",
      CellKind::text, true},
     [](Row r) -> Cell { return Door::own(word(r.flow.crosses)); }},
    {{"confidence",
      "1 minus the chance that both have it by accident, times the confidence of links crossed",
      Role::confidence, true},
     [](Row r) -> Cell { return thousandths(r.flow.confidence); }},
    {{"asi", "entries of the OWASP list of agentic risks that such a flow is about",
      CellKind::texts, true},
     [](Row r) -> Cell { return r.arena.keep(r.report.risks(r.flow)); }},
    {{"agent", "agent that used the sink", Role::agent, true},
     [](Row r) -> Cell {
       return r.report.scene.names.agent(r.report.scene.graph.agent_of(r.flow.sink.call));
     }},
    {{"session", "session of the sink", Role::session, true},
     [](Row r) -> Cell {
       return r.report.scene.names.session(r.report.scene.graph.session_of(r.flow.sink.call));
     }},
};

struct SourceRow {
  const TaintReport& report;
  const TaintSource& source;
};
constexpr Field<SourceRow> kSources[] = {
    {{"id", "tool use that brought untrusted text", CellKind::text, true},
     [](const SourceRow& row) -> Cell { return row.report.id(row.source.step); }},
    {{"call", "call that asked for it", CellKind::text, true},
     [](const SourceRow& row) -> Cell { return row.report.scene.names.id(row.source.step.call); }},
    {{"at", "location of the call that read the result first", CellKind::text, true},
     [](const SourceRow& row) -> Cell { return row.report.scene.names.at(row.source.reader); }},
    {{"kind", "kind of the rule of sources; a2a: marked by its sender", CellKind::text, true},
     [](const SourceRow& row) -> Cell { return row.report.scene.names.text(row.source.kind); }},
    {{"tool", "", CellKind::text},
     [](const SourceRow& row) -> Cell { return known(row.report.tool(row.source.step)); }},
    {{"agent", "agent that used it", Role::agent, true},
     [](const SourceRow& row) -> Cell {
       return row.report.scene.names.agent(row.report.scene.graph.agent_of(row.source.step.call));
     }},
};

struct SessionRow {
  const TaintReport& report;
  const TaintSession& session;

  const ProjectFolder& project() const { return report.tools.project(session.session); }
};
constexpr Field<SessionRow> kSessionVerdicts[] = {
    {{"session", "", CellKind::text, true},
     [](const SessionRow& row) -> Cell {
       return row.report.scene.names.session(
           row.report.scene.graph.sessions()[row.session.session]);
     }},
    {{"verdict", "of this session", CellKind::text, true},
     [](const SessionRow& row) -> Cell { return Door::own(word(row.session.verdict)); }},
    {{"flows", "flows of untrusted text", CellKind::integer, true},
     [](const SessionRow& row) -> Cell { return count_of(row.session.flows); }},
    {{"project", "folder outside of which files are outside the project", CellKind::text},
     [](const SessionRow& row) -> Cell {
       return row.project().folder.empty() ? Cell()
                                           : Cell(row.report.door().path(row.project().folder));
     }},
    {{"project_from",
      "log: the log states it; files: the folder that all files read share; unknown",
      CellKind::text, true},
     [](const SessionRow& row) -> Cell { return Door::own(word(row.project().from)); }},
};

}  // namespace

void add_tables(const TaintReport& report, Document& document) {
  document.add(record_of<kHead>({}, report));
  Table flows = table_of<kFlows>("flows");
  for (const TaintFlow& flow : report.found.flows) {
    Door::At at(report.door(), report.scene.names.place(flow.sink.call));
    add_fields(kFlows, {report, flow, document.arena()}, flows);
  }
  document.add(std::move(flows));
  Table sources = table_of<kSources>("sources");
  for (const TaintSource& source : report.found.sources)
    add_fields(kSources, {report, source}, sources);
  document.add(std::move(sources));
  Table sessions = table_of<kSessionVerdicts>("sessions");
  for (const TaintSession& session : report.found.sessions)
    add_fields(kSessionVerdicts, {report, session}, sessions);
  document.add(std::move(sessions));
  document.add(record_of<kLegs>("legs", report));
  document.add(record_of<kUnread>("unread", report));
}

std::vector<Section> taint_sections() {
  return {Record{table_of<kHead>({})},     table_of<kFlows>("flows"),
          table_of<kSources>("sources"),   table_of<kSessionVerdicts>("sessions"),
          Record{table_of<kLegs>("legs")}, Record{table_of<kUnread>("unread")}};
}

}  // namespace xtrace
