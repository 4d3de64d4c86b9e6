#include "view/calls/call_graph.h"

#include <set>
#include <utility>

#include "base/hash.h"
#include "view/calls/call_picture.h"
#include "view/calls/call_tree.h"
#include "view/calls/costs.h"
#include "view/calls/groups.h"
#include "view/calls/link_fields.h"
#include "view/calls/select_calls.h"
#include "view/calls/tool_flows.h"
#include "view/calls/unplaced.h"
#include "view/common/add_face.h"
#include "view/common/preface.h"

namespace xtrace {

namespace {

Cell critical_path(const CallScene& scene) {
  Texts path;
  for (CallId id : scene.selection.shown(scene.metrics.path.calls))
    path.push_back(scene.names.id(id));
  return scene.arena.keep(std::move(path));
}

template <PathPart kPart>
Cell part_of_path(const CallScene& scene) {
  const Duration took = scene.metrics.path.parts[static_cast<size_t>(kPart)];
  return took > Duration{0} ? Cell(took) : Cell();
}

constexpr Field<CallScene> kMetrics[] = {
    {{"total_nodes", "number of calls shown", CellKind::integer, true},
     [](const CallScene& scene) {
       return Cell(static_cast<int64_t>(scene.selection.calls.size()) -
                   scene.selection.hidden.nodes);
     }},
    {{"total_edges", "number of links shown", CellKind::integer, true},
     [](const CallScene& scene) {
       return Cell(
           static_cast<int64_t>(scene.selection.links.size() + scene.selection.adjusted.size()));
     }},
    {{"graph_depth", "number of links in the longest chain", CellKind::integer, true},
     [](const CallScene& scene) { return Cell(scene.metrics.depth); }},
    {{"branching_factor", "mean number of subagents started by a call that starts any",
      CellKind::number, true},
     [](const CallScene& scene) { return Cell(thousandths(scene.metrics.branching)); }},
    {{"subagent_spawn_count", "", CellKind::integer, true},
     [](const CallScene& scene) { return Cell(scene.metrics.spawns); }},
    {{"tool_dependency_count", "number of links of type tool_result", CellKind::integer, true},
     [](const CallScene& scene) { return Cell(scene.metrics.tool_results); }},
    {{"orphan_count", "tool results whose tool use is not in the input", CellKind::integer, true},
     [](const CallScene& scene) {
       return Cell(static_cast<int64_t>(scene.graph.orphans().size()));
     }},
    {{"critical_path",
      "calls that determined how long the longest session took, traced back from the end of the "
      "last call; hidden calls are omitted",
      CellKind::texts, true},
     critical_path},
    {{"critical_path_ms",
      "from the start of its first call to the end of its last, including hidden calls, without "
      "waits for the user",
      CellKind::milliseconds, true},
     [](const CallScene& scene) { return Cell(scene.metrics.path.took()); }},
    {{"critical_path_parts.model_ms", "part of critical_path_ms in which a model was running",
      CellKind::milliseconds},
     part_of_path<PathPart::model>},
    {{"critical_path_parts.tool_ms", "part of critical_path_ms in which a tool was running",
      CellKind::milliseconds},
     part_of_path<PathPart::tool>},
    {{"critical_path_parts.permission_ms",
      "waits for the user's approval to run a tool, recorded or inferred", CellKind::milliseconds},
     part_of_path<PathPart::permission>},
    {{"critical_path_parts.retry_wait_ms", "waits before a failed call was retried",
      CellKind::milliseconds},
     part_of_path<PathPart::retry_wait>},
    {{"critical_path_parts.background_ms", "waits for background work to end",
      CellKind::milliseconds},
     part_of_path<PathPart::background>},
    {{"critical_path_parts.person_ms",
      "waits for the user's next message; not part of critical_path_ms", CellKind::milliseconds},
     part_of_path<PathPart::person>},
    {{"critical_path_parts.unexplained_ms", "gaps between calls without an explanation in the log",
      CellKind::milliseconds},
     part_of_path<PathPart::unexplained>},
    {{"total_cost_usd",
      "cost of the calls shown plus usage that no recorded call accounts for (`unplaced`)",
      Role::cost},
     [](const CallScene& scene) { return dollars(scene.spending.total().cost); }},
    {{"unpriced_calls", "calls shown without a known cost; not included in the total",
      CellKind::integer, true},
     [](const CallScene& scene) { return Cell(scene.spending.total().unpriced); }},
    {{"partly_priced_calls",
      "calls shown whose cost is only partly known; the known part is included", CellKind::integer},
     [](const CallScene& scene) { return some(scene.spending.total().partly); }},
};

uint64_t digest(const Instructions& instructions) {
  uint64_t digest = hash_of(instructions.system_prompt);
  for (const DeclaredTool& tool : instructions.tools)
    digest = chain(chain(digest, hash_of(tool.name)), hash_of(tool.description));
  return digest;
}

/// What calls add to their conversations: a retry sends what was sent before.
class AddedMessages {
 public:
  explicit AddedMessages(const CallScene& scene) : scene_(scene) {}

  std::vector<Quote> of(CallId id, const Call& call) {
    std::vector<Quote> added = scene_.question.payloads->quotes(call);
    const uint32_t conversation = scene_.graph.conversation_of(id).number;
    if (call.request && !requests_.emplace(conversation, call.request.index).second)
      std::erase_if(added, [](const Quote& said) { return !said.is_answer; });
    return added;
  }

 private:
  const CallScene& scene_;
  std::set<std::pair<uint32_t, uint32_t>> requests_;  ///< by conversation
};

void write_nodes(const CallScene& scene, const Stream::Write& write) {
  Rows<CallRow> rows(call_fields(), scene.question.door, write);
  const std::vector<Waited> waits = waits_before_calls(
      account_for_time(scene.graph, scene.shown_calls()), scene.graph.trace().calls.size());
  std::set<uint64_t> told;  // requests repeat what they tell the model
  ErrorWords errors(scene.question, scene.names);
  AddedMessages messages(scene);
  for (CallId id : scene.timeline().in_order()) {
    if (!scene.selection.shows(id)) continue;
    const Call& call = scene.timeline()[id];
    Excerpt payload;
    Instructions instructions;
    std::vector<Quote> added;
    if (scene.question.shows_payload()) {
      payload = scene.question.payloads->read(call);
      instructions = scene.question.payloads->instructions(call);
      if (!told.insert(digest(instructions)).second) instructions = {};
      added = messages.of(id, call);
    }
    rows.write({scene, id, call, std::move(payload), rows.arena(), std::move(instructions),
                waits[id.index], &errors, std::move(added)});
  }
}

void write_edges(const CallScene& scene, const Stream::Write& write) {
  Rows<LinkRow> rows(link_fields(), scene.question.door, write);
  for (uint32_t i : scene.selection.links) rows.write({scene, scene.links()[i], rows.arena()});
  for (const Link& link : scene.selection.adjusted) rows.write({scene, link, rows.arena()});
}

void add_tables(const std::shared_ptr<const CallScene>& scene, Document& document) {
  add_preface("xtrace.dag/1", scene->question, scene->names, scene->selection.hidden, document,
              Meanings::on_request, Covers::calls);
  document.add(costs_record(*scene));
  document.add(session_table(*scene));
  document.add(record_of<kMetrics>("metrics", *scene));
  document.add(agent_table(*scene));
  document.add(unplaced_table(scene->spending.unplaced(), scene->graph, scene->names));
  document.add(tool_flows(*scene));
  document.add(Stream{"nodes", call_columns(),
                      [scene](const Stream::Write& write) { write_nodes(*scene, write); }});
  document.add(Stream{"edges", link_columns(),
                      [scene](const Stream::Write& write) { write_edges(*scene, write); }});
}

}  // namespace

Result<Document> graph_of_calls(const Question& question, const Filter& filter, bool unfold) {
  Result<Selection> selection = select_calls(filter, question.graph, question.door.zone());
  if (!selection) return tl::unexpected(selection.error());
  Metrics metrics = measure(question.graph, *selection);
  Spending spending(question.graph, *selection);
  Document document("dag");
  // The streams of the answer go on looking at it.
  std::shared_ptr<const CallScene> scene = std::make_shared<CallScene>(
      CallScene{question, question.graph, *std::move(selection), std::move(metrics),
                Names(question.graph, question.door), document.arena(), std::move(spending)});
  add_face(
      question.face, document, [&] { add_tables(scene, document); },
      [&] { return call_picture(*scene, unfold); }, [&] { return call_tree(*scene, unfold); });
  return document;
}

Shape shape_of_calls() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{{"costs", costs_columns()}}, Table{"sessions", session_columns()},
       Record{table_of<kMetrics>("metrics")}, Table{"agents", agent_columns()},
       Table{"unplaced", unplaced_columns()}, Table{"tool_flows", tool_flow_columns()},
       Table{"nodes", call_columns()}, Table{"edges", link_columns()}});
  return kShape;
}

}  // namespace xtrace
