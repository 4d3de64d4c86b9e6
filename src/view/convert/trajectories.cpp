#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "settings/arguments.h"
#include "view/calls/call_words.h"
#include "view/common/shown_arguments.h"
#include "view/common/shown_targets.h"
#include "view/convert/convert.h"
#include "view/convert/spawns.h"

namespace xtrace {

namespace {

// ATIF-v1.7: a session is the trajectory of its first agent that nobody spawned, with those of the
// other agents below the step that started them, or below the first where that is not known. A call
// is a step of the agent, with the results of the tools it asked for in the same step; a step of
// the user precedes it if the call begins with one. `extra` holds our ids and links.

struct ToolCallRow {
  Text id, name;
  JsonText arguments;
  Cell extra;
};
constexpr Field<ToolCallRow> kCalls[] = {
    {{"tool_call_id", "", CellKind::text, true}, member<&ToolCallRow::id>},
    {{"function_name", "", CellKind::text, true}, member<&ToolCallRow::name>},
    {{"arguments", "", CellKind::entries, true}, member<&ToolCallRow::arguments>},
    {{"extra", "", CellKind::entries}, member<&ToolCallRow::extra>},
};

struct ReferenceRow {
  Text trajectory, session;
};
constexpr Field<ReferenceRow> kReferences[] = {
    {{"trajectory_id", "", CellKind::text, true}, member<&ReferenceRow::trajectory>},
    {{"session_id", "", CellKind::text}, member<&ReferenceRow::session>},
};

struct ResultRow {
  Cell call, content, subagents, extra;
};
constexpr Field<ResultRow> kResults[] = {
    {{"source_call_id", "", CellKind::text}, member<&ResultRow::call>},
    {{"content", "", CellKind::text}, member<&ResultRow::content>},
    {{"subagent_trajectory_ref", "", CellKind::rows, false, columns_of<kReferences>()},
     member<&ResultRow::subagents>},
    {{"extra", "", CellKind::entries}, member<&ResultRow::extra>},
};

struct StepRow {
  CellArena& arena;
  int64_t number;  ///< from 1
  Cell time{};
  Text source{};
  Cell model{};
  Text message{};
  Cell tool_calls{}, results{};
  Usage usage{};
  Cell calls{};  ///< of models, where that is not one
  Cell extra{};
};

Cell cache_creation(const StepRow& row) {
  const int64_t tokens = row.usage.tokens.cache_creation;
  if (tokens < 0) return {};
  Entries counted;
  counted.add("cache_creation_tokens", tokens);
  return row.arena.keep(std::move(counted));
}

constexpr Field<StepRow> kSteps[] = {
    {{"step_id", "", CellKind::integer, true}, member<&StepRow::number>},
    {{"timestamp", "", CellKind::moment}, member<&StepRow::time>},
    {{"source", "", CellKind::text, true}, member<&StepRow::source>},
    {{"model_name", "", CellKind::text}, member<&StepRow::model>},
    {{"message", "", CellKind::text, true}, member<&StepRow::message>},
    {{"tool_calls", "", CellKind::rows, false, columns_of<kCalls>()}, member<&StepRow::tool_calls>},
    {{"observation.results", "", CellKind::rows, false, columns_of<kResults>()},
     member<&StepRow::results>},
    {{"metrics.prompt_tokens", "", CellKind::integer},
     [](const StepRow& row) { return known(tokens_sent(row.usage.tokens)); }},
    {{"metrics.completion_tokens", "", CellKind::integer},
     [](const StepRow& row) { return known(row.usage.tokens.output); }},
    {{"metrics.cached_tokens", "", CellKind::integer},
     [](const StepRow& row) { return known(row.usage.tokens.cache_read); }},
    {{"metrics.cost_usd", "", CellKind::number},
     [](const StepRow& row) { return dollars(row.usage.cost); }},
    {{"metrics.extra", "", CellKind::entries}, cache_creation},
    {{"llm_call_count", "", CellKind::integer}, member<&StepRow::calls>},
    {{"extra", "", CellKind::entries}, member<&StepRow::extra>},
};

struct TrajectoryRow {
  const CallScene& scene;
  const Session& session;
  const Agent& agent;
  Text id;
  Cell model;
  Usage usage;
  int64_t total_steps;
  Cell steps, below, extra;
};
constexpr Field<TrajectoryRow> kTrajectory[] = {
    {{"schema_version", "", CellKind::text, true},
     [](const TrajectoryRow&) { return Cell(Text("ATIF-v1.7")); }},
    {{"session_id", "", CellKind::text, true},
     [](const TrajectoryRow& row) { return Cell(row.scene.names.session(row.session)); }},
    {{"trajectory_id", "", CellKind::text, true}, member<&TrajectoryRow::id>},
    {{"agent.name", "", CellKind::text, true},
     [](const TrajectoryRow& row) { return Cell(row.scene.names.text(row.agent.type)); }},
    {{"agent.version", "", CellKind::text, true},
     [](const TrajectoryRow&) { return Cell(Text("unknown")); }},
    {{"agent.model_name", "", CellKind::text}, member<&TrajectoryRow::model>},
    {{"steps", "", CellKind::rows, true, columns_of<kSteps>()}, member<&TrajectoryRow::steps>},
    {{"final_metrics.total_prompt_tokens", "", CellKind::integer},
     [](const TrajectoryRow& row) { return known(tokens_sent(row.usage.tokens)); }},
    {{"final_metrics.total_completion_tokens", "", CellKind::integer},
     [](const TrajectoryRow& row) { return known(row.usage.tokens.output); }},
    {{"final_metrics.total_cached_tokens", "", CellKind::integer},
     [](const TrajectoryRow& row) { return known(row.usage.tokens.cache_read); }},
    {{"final_metrics.total_cost_usd", "", CellKind::number},
     [](const TrajectoryRow& row) { return dollars(row.usage.cost); }},
    {{"final_metrics.total_steps", "", CellKind::integer}, member<&TrajectoryRow::total_steps>},
    {{"subagent_trajectories", "", CellKind::rows}, member<&TrajectoryRow::below>},
    {{"extra", "", CellKind::entries}, member<&TrajectoryRow::extra>},
};

class Trajectories {
 public:
  explicit Trajectories(const CallScene& scene) : scene_(scene) {}

  void write(const Stream::Write& write) {
    size_t mark = door().composed_so_far();
    for (const Session& session : scene_.graph.sessions()) {
      std::vector<CallId> shown = scene_.selection.shown(session.calls);
      if (shown.empty()) continue;
      sort_out(shown);
      Table rows = table_of<kTrajectory>({});
      add_trajectory(session, top_, true, rows);
      write(rows.row(0));
      arena_.clear();
      door().forget_composed(mark);
    }
  }

 private:
  Door& door() const { return scene_.question.door; }
  Text name(StringId id) const { return scene_.names.text(id); }
  uint32_t run_of(CallId id) const { return scene_.graph.conversation_of(id).number; }
  bool shows(uint32_t link) const {
    const std::vector<uint32_t>& shown = scene_.selection.links;
    return std::binary_search(shown.begin(), shown.end(), link);
  }

  /// Which calls belong to which agent, and which agent was started by which.
  void sort_out(const std::vector<CallId>& calls) {
    calls_of_.clear();
    below_.clear();
    spawned_by_ = spawns_among(calls, scene_.graph, scene_.selection);
    for (CallId id : calls) calls_of_[run_of(id)].push_back(id);
    auto unspawned =
        std::ranges::find_if(calls, [&](CallId id) { return !spawned_by_.contains(run_of(id)); });
    top_ = run_of(unspawned == calls.end() ? calls.front() : *unspawned);
    // Runs are numbered by when they began, so a spawner's depth is known before the spawned one's.
    constexpr int kDeepest = 100;  // readers of JSON give up somewhere
    std::map<uint32_t, int> depth;
    for (const auto& [run, own] : calls_of_) {
      if (run == top_) continue;
      auto spawn = spawned_by_.find(run);
      uint32_t above = spawn == spawned_by_.end() ? top_ : run_of(spawn->second->from);
      if (depth[above] == kDeepest) above = top_;
      depth[run] = depth[above] + 1;
      below_[above].push_back(run);
    }
  }

  Text trajectory_id(uint32_t run) const {
    CallId first = calls_of_.at(run).front();
    return door().say("{}/{}", session_of(first).view(),
                      scene_.names.agent(scene_.graph.agent_of(first)).view());
  }
  Text session_of(CallId id) const { return scene_.names.session(scene_.graph.session_of(id)); }

  void add_trajectory(const Session& session, uint32_t run, bool is_top, Table& rows) {
    const std::vector<CallId>& calls = calls_of_.at(run);
    Usage usage;
    Table steps = table_of<kSteps>({});
    CallId before;
    for (CallId id : calls) {
      add_steps(id, before, steps);
      usage.add(scene_.spending.own(id));
      before = id;
    }
    // Agents start agents in order of time, so this ends.
    Table below = table_of<kTrajectory>({});
    for (uint32_t other : below_[run]) add_trajectory(session, other, false, below);
    Entries extra;
    const Agent& agent = scene_.graph.agent_of(calls.front());
    extra.add("xtrace.agent.id", scene_.names.agent(agent));
    if (is_top) extra.add("xtrace.user", known(name(session.user)));
    const int64_t total_steps = static_cast<int64_t>(steps.rows());
    add_fields(kTrajectory,
               {.scene = scene_,
                .session = session,
                .agent = agent,
                .id = trajectory_id(run),
                .model = model_of(calls),
                .usage = usage,
                .total_steps = total_steps,
                .steps = arena_.keep(std::move(steps)),
                .below = some(std::move(below), arena_),
                .extra = arena_.keep(std::move(extra))},
               rows);
  }

  /// Steps that name no model are read as of this one, so there is none where such a step is.
  Cell model_of(const std::vector<CallId>& calls) const {
    const bool all_known = std::ranges::all_of(
        calls, [&](CallId id) { return static_cast<bool>(scene_.timeline()[id].model); });
    return all_known ? known(name(scene_.timeline()[calls.front()].model)) : Cell();
  }

  /// `before`: the agent's call before it; nowhere: there is none.
  void add_steps(CallId id, CallId before, Table& steps) {
    const Call& call = scene_.timeline()[id];
    Door::At at(door(), scene_.names.place(id));
    Excerpt payload;
    if (scene_.question.shows_payload()) payload = scene_.question.payloads->read(call);
    Cell time = known(Moment{call.start, call.decimals});
    const bool is_behind_tools = answers_tools(id);
    // Its retry follows an attempt that failed, unless something was said in between.
    const bool is_behind_failure = before && scene_.timeline()[before].outcome == Outcome::error;
    if (!is_retry(id) && (!is_behind_tools || is_behind_failure)) {
      StepRow step{
          .arena = arena_,
          .number = next_number(steps),
          .time = time,
          .source = "user",
          .message = is_behind_tools ? words_beside_results(call) : door().payload(payload.prompt)};
      if (call.start == kNoTime) {  // nothing else distinguishes it from one of another agent
        Entries extra;
        extra.add("xtrace.call", scene_.names.id(id));
        step.extra = arena_.keep(std::move(extra));
      }
      add_fields(kSteps, step, steps);
    }
    add_fields(kSteps,
               {.arena = arena_,
                .number = next_number(steps),
                .time = time,
                .source = "agent",
                .model = known(name(call.model)),
                .message = door().payload(payload.answer),
                .tool_calls = tool_calls(id, payload),
                .results = results(id),
                .usage = scene_.spending.own(id),
                .calls = call.is_dispatch ? Cell(int64_t{0}) : Cell(),
                .extra = extra_of(id)},
               steps);
  }
  static int64_t next_number(const Table& steps) { return static_cast<int64_t>(steps.rows()) + 1; }

  /// What the request contains in addition to the outputs of tools, which are in their step.
  Text words_beside_results(const Call& call) const {
    std::string words;
    if (!scene_.question.shows_payload()) return door().payload(words);
    for (const Quote& quote : scene_.question.payloads->quotes(call)) {
      if (quote.is_answer || quote.kind != Quote::Kind::text) continue;
      if (!words.empty()) words += '\n';
      words += quote.text;
    }
    return door().payload(words);
  }

  /// Then the same was said before.
  bool is_retry(CallId id) const {
    std::span<const uint32_t> causes = scene_.graph.causes_of(id);
    return std::any_of(causes.begin(), causes.end(), [&](uint32_t i) {
      return shows(i) && scene_.links()[i].kind == LinkKind::retry;
    });
  }

  /// Does the request contain only tool outputs? These are in the step of the call that asked for
  /// them.
  bool answers_tools(CallId id) const {
    std::span<const uint32_t> causes = scene_.graph.causes_of(id);
    return std::any_of(causes.begin(), causes.end(), [&](uint32_t i) {
      return shows(i) && scene_.links()[i].kind == LinkKind::tool_result &&
             run_of(scene_.links()[i].from) == run_of(id);
    });
  }

  /// One that has no id is named by its call and its place in it, so that its output is distinct
  /// from that of others without an id.
  Text name_of(CallId call, ToolUseId id) const {
    const std::vector<ToolUse>& uses = scene_.graph.trace().tool_uses;
    if (uses[id.index].id) return name(uses[id.index].id);
    uint32_t first = id.index;
    while (first > 0 && uses[first - 1].message == uses[id.index].message) --first;
    return door().say("{}/tool-{}", scene_.names.id(call).view(), id.index - first + 1);
  }

  /// Readers expect an object. Where there is none to write, because texts are not shown or were
  /// cut, `xtrace.arguments` says so: an empty object would mean that the tool was given nothing.
  Cell tool_calls(CallId id, const Excerpt& said) {
    Table table = table_of<kCalls>({});
    size_t nth = 0;
    for (const ToolUse* use : scene_.graph.tool_uses_of(id)) {
      std::string_view given =
          arguments_of(said.tool_arguments, scene_.graph.trace()[use->id], nth++);
      const Text shown = shown_arguments(door(), std::string(given));
      const bool is_object = is_json_object(shown.view());
      Entries extra;
      if (has_target(*use))
        extra.add("xtrace.target", known(shown_target(door(), scene_.names, *use)));
      if (Cell all = several_targets(scene_.graph.trace(), scene_.names, *use, arena_);
          !std::holds_alternative<std::monostate>(all))
        extra.add("xtrace.targets", all);
      if (use->subagent_type) extra.add("xtrace.subagent_type", name(use->subagent_type));
      if (!is_object) extra.add("xtrace.arguments", shown.empty() ? Text("not shown") : shown);
      const ToolUseId at(static_cast<size_t>(use - scene_.graph.trace().tool_uses.data()));
      add_fields(kCalls,
                 {.id = name_of(id, at),
                  .name = name(use->name),
                  .arguments = {is_object ? shown : Text("{}")},
                  .extra = extra.items.empty() ? Cell() : Cell(arena_.keep(std::move(extra)))},
                 table);
    }
    return some(std::move(table), arena_);
  }

  Cell results(CallId id) {
    // A result, and the subagents whose work it is, by tool use.
    struct Result {
      bool is_error = false, in_answer = false;
      CallId reader;
      Outcome unread = Outcome::unknown;  ///< of a result that no call read
      std::vector<const Link*> spawned;
    };
    struct Use {
      StringId id;
      ToolUseId unnamed;  ///< that has no id
      auto operator<=>(const Use&) const = default;
    };
    std::vector<std::pair<Use, Result>> found;
    std::map<Use, size_t> places;
    auto of = [&](const Link& link) -> Result& {
      const Use use{link.key, link.key ? ToolUseId() : link.tool_use};
      auto [place, is_new] = places.emplace(use, found.size());
      if (is_new) found.emplace_back(use, Result());
      return found[place->second].second;
    };
    for (uint32_t i : scene_.graph.effects_of(id)) {
      const Link& link = scene_.links()[i];
      if (!shows(i)) continue;
      if (link.kind == LinkKind::tool_result) {
        of(link).reader = link.to;
        of(link).is_error |= link.is_error;
        of(link).in_answer |= link.ran.is_inside;
      }
      auto spawned = spawned_by_.find(run_of(link.to));
      if (spawned != spawned_by_.end() && spawned->second == &link)
        of(link).spawned.push_back(&link);
    }
    for (const Activity& tool : scene_.graph.activities().tools_of(id)) {
      const bool is_told = tool.reader && tool.outcome != Outcome::unfinished;
      if (tool.use == nullptr || is_told || tool.outcome == Outcome::unanswered) continue;
      const ToolUseId at(static_cast<size_t>(tool.use - scene_.graph.trace().tool_uses.data()));
      const Use use{tool.use->id, tool.use->id ? ToolUseId() : at};
      auto [place, is_new] = places.emplace(use, found.size());
      if (is_new) found.emplace_back(use, Result());
      Result& result = found[place->second].second;
      if (!result.reader || tool.outcome == Outcome::unfinished) result.unread = tool.outcome;
    }
    Table table = table_of<kResults>({});
    for (auto& [use, result] : found) {
      Table references = table_of<kReferences>({});
      Entries extra;
      if (result.is_error || result.unread == Outcome::error) extra.add("is_error", true);
      if (result.in_answer) extra.add("xtrace.in_answer", true);
      // It is here only for its subagents, or for the outcome of the tool.
      if (!result.reader) extra.add("xtrace.is_unread", true);
      if (result.unread != Outcome::unknown)
        extra.add("xtrace.status", Door::own(word(result.unread)));
      for (const Link* link : result.spawned) {
        add_fields(kReferences, {trajectory_id(run_of(link->to)), session_of(link->to)},
                   references);
        extra.add("xtrace.link.method", Door::own(word(link->rule)));
        extra.add("xtrace.link.confidence", confidence(*link));
      }
      bool has_more = !extra.items.empty();
      add_fields(kResults,
                 {.call = use.unnamed ? Cell(name_of(id, use.unnamed)) : known(name(use.id)),
                  .content = content(result.reader, found.size()),
                  .subagents = some(std::move(references), arena_),
                  .extra = has_more ? Cell(arena_.keep(std::move(extra))) : Cell()},
                 table);
    }
    return some(std::move(table), arena_);
  }

  /// What the reader received, if that is the output of one tool.
  Cell content(CallId reader, size_t results) const {
    if (!scene_.question.shows_payload() || !reader || results != 1) return {};
    Door::At at(door(), scene_.names.place(reader));
    const Call& call = scene_.timeline()[reader];
    return known(door().payload(scene_.question.payloads->read(call).prompt));
  }

  Cell extra_of(CallId id) {
    const Call& call = scene_.timeline()[id];
    Entries extra;
    extra.add("xtrace.id", scene_.names.id(id));
    extra.add("xtrace.at", scene_.names.at(id));
    extra.add("xtrace.status", Door::own(word(call.outcome)));
    extra.add("xtrace.error", known(name(scene_.timeline()[id].error)));
    extra.add("xtrace.stop_reason", known(name(scene_.timeline()[id].stop_reason)));
    extra.add("xtrace.duration_ms", known(call.duration));
    extra.add("xtrace.is_compacted", if_true(call.is_compacted));
    extra.add("xtrace.is_pruned", if_true(call.is_pruned));
    extra.add("xtrace.sums_up", if_true(call.sums_up));
    extra.add("xtrace.output_is_low", if_true(call.output_is_low));
    add_terms(call.tokens, extra);
    std::erase_if(extra.items, [](const std::pair<Text, Cell>& item) {
      return std::holds_alternative<std::monostate>(item.second);
    });
    return arena_.keep(std::move(extra));
  }

  const CallScene& scene_;
  CellArena arena_;
  // Of the session at hand; agents go by the number of their conversation:
  std::map<uint32_t, std::vector<CallId>> calls_of_;
  std::map<uint32_t, std::vector<uint32_t>> below_;
  std::map<uint32_t, const Link*> spawned_by_;
  uint32_t top_ = 0;
};

}  // namespace

Stream trajectories_of(std::shared_ptr<const CallScene> scene) {
  return {"trajectories", columns_of<kTrajectory>(),
          [scene = std::move(scene)](const Stream::Write& write) {
            Trajectories(*scene).write(write);
          }};
}

}  // namespace xtrace
