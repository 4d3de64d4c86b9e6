#include "link/attribution/attribution.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "facts/hook_runs.h"
#include "facts/rows.h"
#include "link/graph/queries.h"

namespace xtrace {

namespace {

/// A prior, no measurement: a log without stamps does not show when a skill is done. Its
/// instructions stay in the context, but the user's next words usually turn to something else.
constexpr double kUntilTurnEnd = 0.6;

/// Attributes each call as a whole: to what is said of itself, else to what had begun in its
/// conversation, else as the call that started its subagent.
class WholeCalls {
 public:
  WholeCalls(const Graph& graph, AttributedBy by)
      : graph_(graph), trace_(graph.trace()), by_(by), found_(trace_.calls.size()) {
    switch (by) {
      case AttributedBy::skill: find_skills(); break;
      case AttributedBy::command: find_commands(); break;
      case AttributedBy::hook: find_hooks(); break;
      default: break;
    }
  }

  std::vector<AttributedPart> find() && {
    std::vector<const Link*> spawns(graph_.conversations().size());
    std::vector<Span> spans(graph_.conversations().size());
    for (CallId id : graph_.timeline().in_order()) {
      const uint32_t conversation = graph_.conversation_of(id).number - 1;
      const Link*& spawn = spawns[conversation];
      for (uint32_t i : graph_.causes_of(id)) {
        const Link& link = graph_.links()[i];
        if (link.kind == LinkKind::subagent_spawn && graph_.timeline().before(link.from, id))
          spawn = &link;
      }
      AttributedPart& part = found_[id.index];
      if (by_ == AttributedBy::spawner)
        part = spawner_of(spawn);
      else
        part = part_of(id, spawn, spans[conversation]);
      part.through_subagent |= by_ != AttributedBy::spawner && graph_.agent_of(id).spawned;
    }
    return std::move(found_);
  }

 private:
  /// What began in a conversation, and in which turn.
  struct Span {
    AttributedPart part{};
    CallTurn turn;
  };

  AttributedPart part_of(CallId id, const Link* spawn, Span& span) const {
    if (const StringId skill = trace_[id].skill; by_ == AttributedBy::skill && skill)
      return {trace_[skill]};
    const CallTurn turn = graph_.call_turns()[id.index];
    if (const auto begun = begun_.find(id.index); begun != begun_.end())
      span = {begun->second, turn};
    const bool is_stamped = stamped_.contains(graph_.session_of(id).number);
    if (!span.part.name.empty() && span.turn == turn && !is_stamped) return span.part;
    return spawn == nullptr ? AttributedPart{} : inherited(found_[spawn->from.index], *spawn);
  }

  /// What a subagent has of the call that started it.
  static AttributedPart inherited(AttributedPart part, const Link& spawn) {
    const double sure = confidence(spawn);
    if (!part.name.empty() && sure < part.confidence) {
      part.confidence = sure;
      part.rule = spawn.rule;
    }
    return part;
  }

  /// What subagents of subagents do was begun by the first of these.
  AttributedPart spawner_of(const Link* spawn) const {
    if (spawn == nullptr) return {};
    if (const AttributedPart& outer = found_[spawn->from.index]; !outer.name.empty()) {
      AttributedPart part = inherited(outer, *spawn);
      part.through_subagent = true;
      return part;
    }
    std::string_view name;
    if (spawn->tool_use) name = trace_[trace_.tool_uses[spawn->tool_use.index].subagent_type];
    if (name.empty()) name = graph_.agent_of(spawn->to).type;
    return {name, 1, spawn->rule, confidence(*spawn), false};
  }

  /// Sessions with stamps show where a skill ends. In others it begins with the call that reads
  /// its instructions.
  void find_skills() {
    for (size_t i = 0; i < trace_.calls.size(); ++i)
      if (trace_.calls[i].skill) stamped_.insert(graph_.session_of(CallId(i)).number);
    for (const Activity& tool : graph_.activities().all)
      if (tool.use != nullptr && tool.use->skill && tool.reader && tool.outcome != Outcome::error)
        begun_[tool.reader.index] = {trace_[tool.use->skill], 1, Rule::until_turn_end,
                                     kUntilTurnEnd};
  }

  /// A command is the prompt that begins a turn, unless the client ran it by itself.
  void find_commands() {
    std::vector<bool> read(trace_.messages.size());
    for (CallId id : graph_.timeline().in_order()) {
      StringId command;
      for (MessageId message : graph_.timeline().read_new(id, read))
        for (const Prompt& prompt : rows_of(trace_.prompts, message)) {
          if (prompt.slash_command) command = prompt.slash_command;
          if (prompt.is_command_output) command = {};
        }
      if (command) begun_[id.index] = {trace_[command], 1, Rule::turn, 1};
    }
  }

  /// The first call of its file after the hook goes on because of it.
  void find_hooks() {
    std::unordered_map<uint32_t, std::vector<CallId>> by_file;  // in order of time
    for (CallId id : graph_.timeline().in_order())
      if (trace_[id].start != kNoTime) by_file[trace_[id].source.file].push_back(id);
    for (auto& [file, calls] : by_file)
      std::ranges::stable_sort(calls, {}, [&](CallId id) { return trace_[id].start; });
    for (const Measurement& told : trace_.measurements) {
      if (told.key != kHookBlocks || told.time == kNoTime) continue;
      const auto calls = by_file.find(told.source.file);
      if (calls == by_file.end()) continue;
      const auto next = std::ranges::lower_bound(calls->second, told.time, {},
                                                 [&](CallId id) { return trace_[id].start; });
      if (next != calls->second.end())
        begun_[next->index] = {trace_[told.component], 1, Rule::trigger, 1};
    }
  }

  const Graph& graph_;
  const Trace& trace_;
  AttributedBy by_;
  std::vector<AttributedPart> found_;                   ///< by call
  std::unordered_map<uint32_t, AttributedPart> begun_;  ///< by the call with which it begins
  std::unordered_set<uint32_t> stamped_;                ///< numbers of sessions
};

}  // namespace

Attribution::Attribution(const Graph& graph, AttributedBy by) : trace_(&graph.trace()), by_(by) {
  const size_t calls = graph.trace().calls.size();
  begins_.reserve(calls + 1);
  if (by > AttributedBy::file) {
    parts_ = WholeCalls(graph, by).find();
    for (uint32_t i = 0; i <= calls; ++i) begins_.push_back(i);
    return;
  }
  std::map<std::string_view, uint32_t> uses;
  for (size_t i = 0; i < calls; ++i) {
    const CallId call(i);
    begins_.push_back(static_cast<uint32_t>(parts_.size()));
    uses.clear();
    for (const Activity& tool : graph.activities().tools_of(call))
      ++uses[tool.use == nullptr ? std::string_view() : name_of(*tool.use)];
    if (uses.empty()) uses[{}] = 1;
    for (const auto& [name, count] : uses)
      parts_.push_back({name, count, Rule::tool_use_id, 1, graph.agent_of(call).spawned});
  }
  begins_.push_back(static_cast<uint32_t>(parts_.size()));
}

std::string_view Attribution::name_of(const ToolUse& use) const {
  switch (by_) {
    case AttributedBy::tool: return (*trace_)[use.name];
    case AttributedBy::mcp: return mcp_server_of((*trace_)[use.name]);
    case AttributedBy::file: return (*trace_)[use.target];
    default: return {};
  }
}

std::string_view mcp_server_of(std::string_view tool) {
  constexpr std::string_view kBegin = "mcp__", kEnd = "__";
  if (!tool.starts_with(kBegin)) return {};
  tool.remove_prefix(kBegin.size());
  const size_t end = tool.find(kEnd);
  return end == std::string_view::npos ? std::string_view() : tool.substr(0, end);
}

int64_t part_of_amount(int64_t amount, uint32_t before, uint32_t parts, uint32_t whole) {
  if (amount < 0 || parts == whole) return amount;
  // The amount times the parts may be larger than 64 bits.
  const auto until = [&](int64_t nth) {
    return amount / whole * nth + amount % whole * nth / whole;
  };
  return until(before + parts) - until(before);
}

}  // namespace xtrace
