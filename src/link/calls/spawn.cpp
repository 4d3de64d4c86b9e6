#include "link/calls/spawn.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/one_of.h"
#include "facts/agents.h"

namespace xtrace {

namespace {

/// Which tool uses start subagents: those of tools that are known to, and those that a subagent
/// names.
class SpawningTools {
 public:
  SpawningTools(const Timeline& timeline, const LinkOptions& linking)
      : timeline_(timeline), tools_(linking.spawn_tools) {
    for (CallId call : timeline.in_order())
      if (StringId id = timeline[call].spawned_by) named_.insert(id);
  }

  /// May it be one by what it does: does its prompt begin a conversation?
  bool may_be(const ToolUse& use) {
    if (!use.prompt) return false;
    if (!has_read_beginnings_) read_beginnings();
    return beginnings_.contains(use.prompt);
  }

  bool has(const ToolUse& use) const {
    const std::string_view name = timeline_.trace()[use.name];
    return is_one_of(name, tools_) || states_start(use, name) ||
           (use.id && named_.contains(use.id));
  }

 private:
  void read_beginnings() {
    has_read_beginnings_ = true;
    const Trace& trace = timeline_.trace();
    for (const Prompt& prompt : trace.prompts)
      if (!trace[prompt.message].before) beginnings_.insert(prompt.hash);
  }

  /// Is it of a tool that starts subagents if its arguments say so? Whether the others do is asked
  /// of `tools_`.
  static bool states_start(const ToolUse& use, std::string_view name) {
    using Starts = SpawnTool::Starts;
    const SpawnTool* const tool = find_spawn_tool(name);
    switch (tool == nullptr ? Starts::always : tool->starts) {
      case Starts::always: return false;
      case Starts::if_typed: return bool{use.subagent_type};
      case Starts::if_told: return bool{use.prompt};
      case Starts::if_resumed: return use.prompt && use.resume;
    }
    return false;
  }

  const Timeline& timeline_;
  const std::vector<std::string>& tools_;
  std::set<StringId> named_;
  std::set<StringId> beginnings_;  ///< what conversations begin with
  bool has_read_beginnings_ = false;
};

using SpawnsByUse = std::map<std::pair<CallId, ToolUseId>, Spawn>;

/// Leaves out what is no answer of a call: then the prompt alone is like that of a subagent.
void leave_out_unsaid(const Timeline& timeline,
                      const std::set<std::pair<CallId, ToolUseId>>& unproven, SpawnsByUse& spawns) {
  std::set<uint64_t> said;
  for (const Call& call : timeline.trace().calls)
    if (call.answer) said.insert(timeline[call.answer].said);
  for (const std::pair<CallId, ToolUseId>& key : unproven)
    if (const Spawn& spawn = spawns.at(key); spawn.said == 0 || !said.contains(spawn.said))
      spawns.erase(key);
}

}  // namespace

const ToolResult* result_of(const Timeline& timeline, const Link& result) {
  constexpr int kLooked = 64;  // a result is at the end of the first request that has it
  MessageId at = timeline[result.to].request;
  for (int i = 0; i < kLooked && at; ++i, at = timeline[at].before)
    for (const ToolResult& told : timeline.results_in(at))
      if (told.tool_use == result.key) return &told;
  return nullptr;
}

uint64_t text_of_result(const Timeline& timeline, const Link& result) {
  const ToolResult* const told = result_of(timeline, result);
  return told == nullptr ? 0 : told->said;
}

std::vector<Spawn> find_spawns(const Timeline& timeline, const LinkOptions& linking,
                               const Findings& findings) {
  SpawningTools spawning_tools(timeline, linking);
  SpawnsByUse spawns;
  std::set<std::pair<CallId, ToolUseId>> unproven;  // of tools that nobody knows to start subagents
  for (CallId call : timeline.in_order())
    if (MessageId answer = timeline[call].answer)
      for (const ToolUse& use : timeline.uses_in(answer))
        // Where ids were lost on the way, the history has them; a transcript has no other place.
        if (use.id || timeline[call].in_transcript) {
          const std::pair key(call, timeline.id_of(use));
          const bool is_known = spawning_tools.has(use);
          if (!is_known && !spawning_tools.may_be(use)) continue;
          spawns.emplace(key, Spawn{call, key.second});
          if (!is_known) unproven.insert(key);
        }
  for (const Link& link : findings.links) {
    if (link.kind != LinkKind::tool_result) continue;
    // An answer that lost its tool uses shows them in the next request's history.
    std::pair key(link.from, link.tool_use);
    if (link.rule == Rule::echoed_history &&
        spawning_tools.has(timeline.trace().tool_uses[link.tool_use.index]))
      spawns.emplace(key, Spawn{link.from, link.tool_use}).first->second.certainty =
          confidence(link);
    SpawnsByUse::iterator known = spawns.find(key);
    if (known == spawns.end() || known->second.answered != kNoTime) continue;
    known->second.answered = timeline[link.to].start;
    known->second.said = text_of_result(timeline, link);
    known->second.failed = link.is_error;
  }
  if (!unproven.empty()) leave_out_unsaid(timeline, unproven, spawns);
  std::vector<Spawn> in_order;
  in_order.reserve(spawns.size());
  for (const auto& [key, spawn] : spawns) in_order.push_back(spawn);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [&](const Spawn& a, const Spawn& b) { return timeline.before(a.call, b.call); });
  return in_order;
}

std::vector<bool> find_heads(const Timeline& timeline, const Findings& findings) {
  std::vector<bool> heads(timeline.trace().calls.size(), true);
  for (CallId id : timeline.in_order())
    if (timeline[id].is_converted) heads[id.index] = false;
  for (const Link& link : findings.links)
    if (link.kind != LinkKind::tool_result && link.kind != LinkKind::subagent_report)
      heads[link.to.index] = false;
  return heads;
}

bool in_time(const Timeline& timeline, const Spawn& spawn, CallId call) {
  if (spawn.call == call || !timeline.before(spawn.call, call)) return false;
  Time start = timeline[call].start;
  return spawn.answered == kNoTime || start == kNoTime || start <= spawn.answered;
}

Link spawn_link(const Timeline& timeline, const Spawn& spawn, CallId call, Rule rule) {
  Link link;
  link.from = spawn.call;
  link.to = call;
  link.kind = LinkKind::subagent_spawn;
  link.rule = rule;
  link.tool_use = spawn.use;
  link.key = timeline.trace().tool_uses[spawn.use.index].id;
  link.gap = timeline.gap(spawn.call, call);
  constexpr double kLostId = 0.95;  // as sure as Rule::echoed_history is without a rival
  if (spawn.certainty < kLostId) link.given_confidence = spawn.certainty;
  return link;
}

}  // namespace xtrace
