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

Cell cost_cell(const ReplayCost& cost, int64_t amount) {
  return cost.is_known() ? dollars(amount) : Cell();
}
/// Of a log without times, none.
Cell time_cell(const WhatIf& what, Duration length) {
  return what.has_times() ? Cell(length) : Cell();
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

template <ReplayPart kPart>
Cell part_time(Row row) {
  return time_cell(row.what, row.what.before.parts[static_cast<size_t>(kPart)]);
}
/// Parts that most logs do not have.
template <ReplayPart kPart>
Cell some_part(Row row) {
  const Duration took = row.what.before.parts[static_cast<size_t>(kPart)];
  return took == Duration{0} ? Cell() : Cell(took);
}

constexpr Field<PathRow> kBefore[] = {
    {{"wall_ms",
      "from the first start to the last end of each session or run, added up; absent: the "
      "log records no time",
      CellKind::milliseconds},
     [](Row row) { return time_cell(row.what, row.what.before.upper); }},
    {{"cost_usd", "absent: not known of any call", CellKind::number},
     [](Row row) { return cost_cell(row.what.before.cost, row.what.before.cost.upper); }},
    {{"unpriced_calls", "calls of unknown cost, which count as nothing", CellKind::integer},
     [](Row row) { return some(row.what.before.cost.unpriced); }},
    {{"low_cost_calls", "calls that cost more than is known", CellKind::integer},
     [](Row row) { return some(row.what.before.cost.low); }},
    {{"critical.person_ms", "waiting for your next message or your answer to a question",
      CellKind::milliseconds},
     part_time<ReplayPart::person>},
    {{"critical.permission_ms", "waiting for your approval of a tool, recorded or inferred",
      CellKind::milliseconds},
     some_part<ReplayPart::permission>},
    {{"critical.model_ms", "model calls", CellKind::milliseconds}, part_time<ReplayPart::model>},
    {{"critical.tool_ms", "tools", CellKind::milliseconds}, part_time<ReplayPart::tool>},
    {{"critical.background_ms", "waits for background work to end", CellKind::milliseconds},
     some_part<ReplayPart::background>},
    {{"critical.retry_wait_ms", "waits before failed calls were retried", CellKind::milliseconds},
     part_time<ReplayPart::retry_wait>},
    {{"critical.failed_ms", "model calls that failed", CellKind::milliseconds},
     part_time<ReplayPart::failed>},
    {{"critical.interrupted_ms", "model calls that you stopped", CellKind::milliseconds},
     some_part<ReplayPart::interrupted>},
    {{"critical.handover_ms",
      "from the call that starts a subagent to its first call, and from its last call to the call "
      "that reads its report",
      CellKind::milliseconds},
     part_time<ReplayPart::handover>},
    {{"critical.other_ms", "spans that are neither a model call nor a tool",
      CellKind::milliseconds},
     some_part<ReplayPart::other>},
    {{"critical.unexplained_ms",
      "gaps between calls or spans without an explanation in the log; all parts add up to wall_ms",
      CellKind::milliseconds},
     some_part<ReplayPart::unexplained>},
    {{"critical_path", "calls or spans on the critical path, in order", CellKind::texts},
     [](Row row) { return row.nodes(row.what.before.paths); }},
};

constexpr Field<PathRow> kAfter[] = {
    {{"wall_ms.lower", "as early as it can have ended with the changes", CellKind::milliseconds},
     [](Row row) { return time_cell(row.what, row.what.after.lower); }},
    {{"wall_ms.upper", "as late", CellKind::milliseconds},
     [](Row row) { return time_cell(row.what, row.what.after.upper); }},
    {{"cost_usd.lower", "absent: not known of any call", CellKind::number},
     [](Row row) { return cost_cell(row.what.after.cost, row.what.after.cost.lower); }},
    {{"cost_usd.upper", "", CellKind::number},
     [](Row row) { return cost_cell(row.what.after.cost, row.what.after.cost.upper); }},
    {{"unpriced_calls", "calls whose cost is still unknown with the changes", CellKind::integer},
     [](Row row) { return some(row.what.after.cost.unpriced); }},
    {{"critical_path", "of the upper bound", CellKind::texts},
     [](Row row) { return row.nodes(row.what.after.paths); }},
};

Cell share_cell(const WhatIf& what, Duration after) {
  const Duration whole = what.before.upper;
  if (!what.has_times()) return {};
  if (whole <= Duration{0}) return 0.0;
  return thousandths(static_cast<double>((whole - after).count()) /
                     static_cast<double>(whole.count()));
}

Cell saved_dollars(const WhatIf& what, int64_t after) {
  return what.is_saved_cost_known() ? Cell(Dollars{what.before.cost.upper - after}) : Cell();
}
constexpr Field<PathRow> kSaved[] = {
    {{"wall_ms.lower", "wall time that the changes save at least; negative: it gets longer",
      CellKind::milliseconds},
     [](Row row) { return time_cell(row.what, row.what.before.upper - row.what.after.upper); }},
    {{"wall_ms.upper", "and at most", CellKind::milliseconds},
     [](Row row) { return time_cell(row.what, row.what.before.upper - row.what.after.lower); }},
    {{"share.lower", "of the wall time", CellKind::number},
     [](Row row) { return share_cell(row.what, row.what.after.upper); }},
    {{"share.upper", "", CellKind::number},
     [](Row row) { return share_cell(row.what, row.what.after.lower); }},
    {{"cost_usd.lower",
      "absent: not known, as calls of unknown cost are removed or get another price",
      CellKind::number},
     [](Row row) { return saved_dollars(row.what, row.what.after.cost.upper); }},
    {{"cost_usd.upper", "", CellKind::number},
     [](Row row) { return saved_dollars(row.what, row.what.after.cost.lower); }},
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
    {{"on_path_ms", "its time on the critical path", CellKind::milliseconds},
     [](const TargetRow& row) { return time_cell(row.what, row.target.on_path); }},
    {{"saved_ms.lower", "wall time saved at least if it is removed", CellKind::milliseconds},
     [](const TargetRow& row) { return time_cell(row.what, row.target.lower); }},
    {{"saved_ms.upper", "and at most", CellKind::milliseconds},
     [](const TargetRow& row) { return time_cell(row.what, row.target.upper); }},
    {{"saved_usd.lower", "absent: not known of any call", CellKind::number},
     [](const TargetRow& row) { return cost_cell(row.target.saved, row.target.saved.lower); }},
    {{"saved_usd.upper", "", CellKind::number},
     [](const TargetRow& row) { return cost_cell(row.target.saved, row.target.saved.upper); }},
    {{"unpriced_calls", "its calls of unknown cost", CellKind::integer},
     [](const TargetRow& row) { return some(row.target.saved.unpriced); }},
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
    {{"beside_spans",
      "spans at the same time as models, tools or agents below the same span, of which no record "
      "shows whether they waited for these or worked",
      CellKind::integer},
     [](const UnknownRow& row) { return some(row.replay.beside); }},
    {{"undated", "calls or spans without a recorded time", CellKind::integer},
     [](const UnknownRow& row) { return some(row.replay.undated); }},
    {{"unlinked", "calls without a recorded cause, which follow what ended last before them",
      CellKind::integer},
     [](const UnknownRow& row) { return some(row.replay.unlinked); }},
};

constexpr Field<PathRow> kAssumptions[] = {
    {{"assumptions",
      "same_steps: the agent takes the same steps; same_tokens: calls use the same tokens; "
      "own_handover_kept: unexplained waits and those at a hand-over are kept; "
      "unlimited_workers: no limit on parallel work; other_tokenizer: another model may count "
      "tokens differently; "
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
