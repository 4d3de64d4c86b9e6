#include <algorithm>
#include <cmath>

#include "view/common/field.h"
#include "view/whatif/whatif_answer.h"

namespace xtrace {

namespace {

struct ChangeRow {
  const WhatIf& what;
  size_t at;
  const ReplayChange& change() const { return what.changes[at]; }
};
constexpr Field<ChangeRow> kChanges[] = {
    {{"kind", "remove, speed, no_retries, no_waiting, parallel, price or cache", CellKind::text,
      true},
     [](const ChangeRow& row) -> Cell { return Door::own(word(row.change().kind)); }},
    {{"what", "tool, agent, model or node that is changed, as given", CellKind::text},
     [](const ChangeRow& row) -> Cell {
       return known(row.what.names.text(target_words(row.change())));
     }},
    {{"factor", "how many times faster (speed)", CellKind::number},
     [](const ChangeRow& row) -> Cell {
       const bool has_factor =
           row.change().kind == ReplayChange::Kind::speed && row.change().fixed == kNoDuration;
       return has_factor ? Cell(row.change().factor) : Cell();
     }},
    {{"takes_ms", "new length of each (speed)", CellKind::milliseconds},
     [](const ChangeRow& row) { return known(row.change().fixed); }},
    {{"to", "model whose prices are used (price)", CellKind::text},
     [](const ChangeRow& row) -> Cell { return known(row.what.names.text(row.change().to)); }},
    {{"matched", "number of calls, tool uses, agents or waits that it changes", CellKind::integer,
      true},
     [](const ChangeRow& row) -> Cell { return row.what.matched[row.at]; }},
};

Cell part_cell(const WhatIf& what, ReplayPart part) {
  return what.before.parts[static_cast<size_t>(part)];
}

struct PathRow {
  const WhatIf& what;
  CellArena& arena;

  Cell nodes(const ReplayPaths& paths) const {
    Texts ids;
    for (const ReplayPath& path : paths.of_run)
      for (uint32_t node : path.nodes) ids.push_back(what.id(what.replay.nodes[node]));
    return some(std::move(ids), arena);
  }
};
using Row = const PathRow&;

constexpr Field<PathRow> kBefore[] = {
    {{"wall_ms", "from the first start to the last end of each session or run, added up",
      CellKind::milliseconds, true},
     [](Row row) -> Cell { return row.what.before.upper; }},
    {{"cost_usd", "", CellKind::number, true},
     [](Row row) { return dollars(row.what.before.cost.upper); }},
    {{"unpriced_calls", "calls of unknown cost, which count as nothing", CellKind::integer},
     [](Row row) { return some(row.what.unpriced); }},
    {{"critical.person_ms", "waiting for you", CellKind::milliseconds, true},
     [](Row row) { return part_cell(row.what, ReplayPart::person); }},
    {{"critical.model_ms", "model calls", CellKind::milliseconds, true},
     [](Row row) { return part_cell(row.what, ReplayPart::model); }},
    {{"critical.tool_ms", "tools", CellKind::milliseconds, true},
     [](Row row) { return part_cell(row.what, ReplayPart::tool); }},
    {{"critical.retry_wait_ms", "waits before failed calls were retried", CellKind::milliseconds,
      true},
     [](Row row) { return part_cell(row.what, ReplayPart::retry_wait); }},
    {{"critical.failed_ms", "model calls that failed", CellKind::milliseconds, true},
     [](Row row) { return part_cell(row.what, ReplayPart::failed); }},
    {{"critical.handover_ms",
      "between these: to subagents and back, and time that no record explains; the six parts add "
      "up to wall_ms",
      CellKind::milliseconds, true},
     [](Row row) { return part_cell(row.what, ReplayPart::handover); }},
    {{"critical_path", "calls or spans on the critical path, in order", CellKind::texts},
     [](Row row) { return row.nodes(row.what.before.paths); }},
};

constexpr Field<PathRow> kAfter[] = {
    {{"wall_ms.lower", "as early as it can have ended with the changes", CellKind::milliseconds,
      true},
     [](Row row) -> Cell { return row.what.after.lower; }},
    {{"wall_ms.upper", "as late", CellKind::milliseconds, true},
     [](Row row) -> Cell { return row.what.after.upper; }},
    {{"cost_usd.lower", "", CellKind::number, true},
     [](Row row) { return dollars(row.what.after.cost.lower); }},
    {{"cost_usd.upper", "", CellKind::number, true},
     [](Row row) { return dollars(row.what.after.cost.upper); }},
    {{"critical_path", "of the upper bound", CellKind::texts},
     [](Row row) { return row.nodes(row.what.after.paths); }},
};

double share_of(Duration part, Duration whole) {
  if (whole <= Duration{0}) return 0;
  return thousandths(static_cast<double>(part.count()) / static_cast<double>(whole.count()));
}

constexpr Field<PathRow> kSaved[] = {
    {{"wall_ms.lower", "wall time that the changes save at least; negative: it gets longer",
      CellKind::milliseconds, true},
     [](Row row) -> Cell { return row.what.before.upper - row.what.after.upper; }},
    {{"wall_ms.upper", "and at most", CellKind::milliseconds, true},
     [](Row row) -> Cell { return row.what.before.upper - row.what.after.lower; }},
    {{"share.lower", "of the wall time", CellKind::number, true},
     [](Row row) -> Cell {
       return share_of(row.what.before.upper - row.what.after.upper, row.what.before.upper);
     }},
    {{"share.upper", "", CellKind::number, true},
     [](Row row) -> Cell {
       return share_of(row.what.before.upper - row.what.after.lower, row.what.before.upper);
     }},
    {{"cost_usd.lower", "", CellKind::number, true},
     [](Row row) -> Cell {
       return Dollars{row.what.before.cost.upper - row.what.after.cost.upper};
     }},
    {{"cost_usd.upper", "", CellKind::number, true},
     [](Row row) -> Cell {
       return Dollars{row.what.before.cost.upper - row.what.after.cost.lower};
     }},
};

struct TargetRow {
  const WhatIf& what;
  const RemovedTarget& target;
};
constexpr Field<TargetRow> kTargets[] = {
    {{"what", "tool, model or agent, as --remove takes it", CellKind::text, true},
     [](const TargetRow& row) -> Cell {
       return row.what.names.text(target_words(row.target.change));
     }},
    {{"matched", "number of calls, tool uses or agents", CellKind::integer, true},
     [](const TargetRow& row) -> Cell { return row.target.matched; }},
    {{"on_path_ms", "its time on the critical path", CellKind::milliseconds, true},
     [](const TargetRow& row) -> Cell { return row.target.on_path; }},
    {{"saved_ms.lower", "wall time saved at least if it is removed", CellKind::milliseconds, true},
     [](const TargetRow& row) -> Cell { return row.target.lower; }},
    {{"saved_ms.upper", "and at most", CellKind::milliseconds, true},
     [](const TargetRow& row) -> Cell { return row.target.upper; }},
    {{"saved_usd.lower", "", CellKind::number, true},
     [](const TargetRow& row) { return dollars(row.target.saved.lower); }},
    {{"saved_usd.upper", "", CellKind::number, true},
     [](const TargetRow& row) { return dollars(row.target.saved.upper); }},
    {{"then", "tool or model that is on the critical path longest without it", CellKind::text},
     [](const TargetRow& row) -> Cell { return known(row.what.names.text(row.target.then)); }},
};

struct StepRow {
  const WhatIf& what;
  size_t node;
  Duration slack;
};
constexpr Field<StepRow> kSteps[] = {
    {{"id", "call or span", Role::node, true},
     [](const StepRow& row) -> Cell { return row.what.id(row.what.replay.nodes[row.node]); }},
    {{"at", "where it is recorded", CellKind::text, true},
     [](const StepRow& row) -> Cell { return row.what.at(row.what.replay.nodes[row.node]); }},
    {{"agent", "", CellKind::text},
     [](const StepRow& row) -> Cell {
       return known(row.what.agent(row.what.replay.nodes[row.node]));
     }},
    {{"slack_ms", "how much later it could have ended without any delay of the end",
      CellKind::milliseconds},
     [](const StepRow& row) { return known(row.slack); }},
    {{"on_critical_path", "", CellKind::boolean},
     [](const StepRow& row) { return if_true(row.what.before.paths.has_node[row.node]); }},
};

struct UnknownRow {
  const Replay& replay;
};
constexpr Field<UnknownRow> kUnknown[] = {
    {{"parallel_tools", "groups of tools requested together of which only the last result is dated",
      CellKind::integer, true},
     [](const UnknownRow& row) -> Cell { return row.replay.unknown_groups; }},
    {{"unanswered", "tool uses without a recorded result", CellKind::integer, true},
     [](const UnknownRow& row) -> Cell { return row.replay.unanswered; }},
    {{"undated", "calls or spans without a recorded time", CellKind::integer},
     [](const UnknownRow& row) { return some(row.replay.undated); }},
    {{"unlinked", "calls without a recorded cause, which follow what ended last before them",
      CellKind::integer},
     [](const UnknownRow& row) { return some(row.replay.unlinked); }},
};

constexpr Field<PathRow> kAssumptions[] = {
    {{"assumptions",
      "same_steps: the agent takes the same steps; same_tokens: calls use the same tokens; "
      "own_handover_kept: waits that no record explains stay; unlimited_workers: as many run at "
      "once as are started; other_tokenizer: another model may count tokens differently; "
      "same_speed: cached prompts are not answered faster",
      CellKind::texts, true},
     [](Row row) -> Cell {
       Texts words{"same_steps", "same_tokens", "own_handover_kept"};
       const auto has = [&](ReplayChange::Kind kind) {
         return std::ranges::any_of(
             row.what.changes, [&](const ReplayChange& change) { return change.kind == kind; });
       };
       if (has(ReplayChange::Kind::parallel)) words.push_back("unlimited_workers");
       if (has(ReplayChange::Kind::price)) words.push_back("other_tokenizer");
       if (has(ReplayChange::Kind::cache)) words.push_back("same_speed");
       return row.arena.keep(std::move(words));
     }},
};

}  // namespace

void add_whatif_tables(const std::shared_ptr<const WhatIf>& what, Document& document) {
  const PathRow row{*what, document.arena()};
  Table changes = table_of<kChanges>("changes");
  for (size_t i = 0; i < what->changes.size(); ++i) add_fields(kChanges, {*what, i}, changes);
  document.add(std::move(changes));
  document.add(record_of<kBefore>("before", row));
  document.add(record_of<kAfter>("after", row));
  document.add(record_of<kSaved>("saved", row));
  Table targets = table_of<kTargets>("removable");
  for (const RemovedTarget& target : what->targets) add_fields(kTargets, {*what, target}, targets);
  document.add(std::move(targets));
  document.add(record_of<kAssumptions>("", row));
  document.add(record_of<kUnknown>("unknown", {what->replay}));
  document.add(Stream{"steps", columns_of<kSteps>(), [what](const Stream::Write& write) {
                        const std::vector<Duration> slack = find_slack(what->replay);
                        Rows<StepRow> rows(kSteps, what->question.door, write);
                        for (size_t i = 0; i < slack.size(); ++i) rows.write({*what, i, slack[i]});
                      }});
}

std::vector<Section> whatif_sections() {
  return {
      Section(table_of<kChanges>("changes")),         Section(Record{table_of<kBefore>("before")}),
      Section(Record{table_of<kAfter>("after")}),     Section(Record{table_of<kSaved>("saved")}),
      Section(table_of<kTargets>("removable")),       Section(Record{table_of<kAssumptions>("")}),
      Section(Record{table_of<kUnknown>("unknown")}), Section(table_of<kSteps>("steps"))};
}

}  // namespace xtrace
