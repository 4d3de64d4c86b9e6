#include <algorithm>
#include <unordered_map>

#include "link/calls/linkers.h"
#include "link/calls/spawn_match.h"

namespace xtrace {

namespace {

/// How likely a subagent is that of a tool use which was answered before it began, as one that
/// works in the background is.
constexpr double kOfAnswered = 0.8;
/// The same where the client added lines behind the prompt.
constexpr double kOfBeginning = 0.9;

/// Connects tool uses that start subagents with the calls that began by saying their prompt. Every
/// tool use starts one subagent and every subagent was started once.
class SpawnsByPrompt {
 public:
  SpawnsByPrompt(const Timeline& timeline, const LinkOptions& linking, Findings& out)
      : timeline_(timeline),
        out_(out),
        match_(timeline, find_spawns(timeline, linking, out), out),
        heads_(find_heads(timeline, out)),
        spawned_(timeline.trace().calls.size()) {
    for (size_t i = 0; i < match_.size(); ++i) {
      const ToolUse& use = use_of(match_[i]);
      if (use.prompt) by_prompt_[use.prompt.index].spawns.push_back(i);
      if (use.id) by_id_[use.id.index].uses.spawns.push_back(i);
    }
  }

  void find() {
    for (CallId call : timeline_.in_order()) by_id(call);
    // A resumed subagent is asked something new in the conversation it had before, whether or not
    // the log has that.
    for (bool by_text : {true, false})
      for (CallId call : timeline_.in_order())
        if (!spawned_[call.index] && timeline_[call].request != root_of(call))
          by_prompt(call, timeline_[call].request, true, by_text);
    for (bool by_text : {true, false})
      for (CallId call : timeline_.in_order())
        if (heads_[call.index] && !spawned_[call.index])
          by_prompt(call, root_of(call), false, by_text);
    settle(-1);
    for (bool by_text : {true, false})
      for (CallId call : timeline_.in_order())
        if (heads_[call.index] && !spawned_[call.index])
          by_prompt(call, root_of(call), false, by_text, true);
    settle(kOfBeginning);
  }

 private:
  /// The tool uses of one id.
  struct Named {
    SpawnGroup uses{};
    CallId first{};  ///< the first call that names them
  };

  /// `worth`: of the links, but for those to what was answered before; -1: what the rule is worth.
  void settle(double worth) {
    for (SpawnMatch::Settled& match : match_.settle(Rule::prompt, out_)) {
      const bool is_in_time = in_time(timeline_, match_[match.spawn], match.link.to);
      const double given = is_in_time ? worth : kOfAnswered;
      if (given >= 0 && match.link.given_confidence < 0)
        match.link.given_confidence = given / (1 + match.link.rivals);
      out_.links.push_back(match.link);
    }
  }

  const ToolUse& use_of(const Spawn& spawn) const {
    return timeline_.trace().tool_uses[spawn.use.index];
  }

  MessageId root_of(CallId call) const { return timeline_.root_of(timeline_[call].request); }

  void by_id(CallId call) {
    StringId id = timeline_[call].spawned_by;
    if (!id || !heads_[call.index]) return;
    const auto found = by_id_.find(id.index);
    if (found == by_id_.end()) return;
    Named& named = found->second;
    const auto& spawns = named.uses.spawns;
    size_t& first_open = named.uses.first_open;
    while (first_open < spawns.size() && match_.is_taken(spawns[first_open])) ++first_open;
    const auto is_before = [&](size_t nth) {
      return nth < spawns.size() && timeline_.before(match_[spawns[nth]].call, call);
    };
    // One tool use may start several, as that of a workflow does, if all of them name it; but an
    // agent and one that it started may call their tool uses the same.
    const bool is_shared = named.first && timeline_[call].agent != timeline_[named.first].agent;
    if (!named.first) named.first = call;
    size_t nth = first_open;
    if (!is_before(nth) && is_shared) nth = 0;
    if (!is_before(nth)) return;
    const size_t i = spawns[nth];
    match_.take(i);
    spawned_[call.index] = true;
    Link link = spawn_link(timeline_, match_[i], call, Rule::agent_id);
    link.resumed = static_cast<bool>(use_of(match_[i]).resume);
    out_.links.push_back(link);
  }

  /// `only_resumed`: by the last message; a subagent that is new is known by its first.
  /// `by_beginning`: what the message begins with is a prompt.
  void by_prompt(CallId call, MessageId message, bool only_resumed, bool by_text,
                 bool by_beginning = false) {
    if (!message) return;
    auto fits = [this, only_resumed](const Spawn& spawn, CallId head) {  // kept until settled
      return (!only_resumed || use_of(spawn).resume) && timeline_.compatible(spawn.call, head) &&
             may_wait(spawn, head);
    };
    for (const Prompt& prompt : timeline_.prompts_in(message)) {
      if (prompt.is_beginning != by_beginning) continue;
      auto same = by_prompt_.find(prompt.hash.index);
      if (same != by_prompt_.end() && match_.take(same->second, call, by_text, fits)) {
        spawned_[call.index] = true;
        return;
      }
    }
  }

  /// The same prompt may be given again on another day, and by others.
  bool may_wait(const Spawn& spawn, CallId head) const {
    constexpr Duration kLongestWait = std::chrono::hours(1),
                       kInBackground = std::chrono::minutes(10);
    if (!in_time(timeline_, spawn, head)) {
      const Duration late = elapsed(spawn.answered, timeline_[head].start);
      return !spawn.failed && (late == kNoDuration || late < kInBackground);
    }
    const StringId session = timeline_[head].session;
    const Duration gap = timeline_.gap(spawn.call, head);
    return spawn.answered != kNoTime || gap == kNoDuration || gap <= kLongestWait ||
           (session && session == timeline_[spawn.call].session);
  }

  const Timeline& timeline_;
  Findings& out_;
  SpawnMatch match_;
  std::vector<bool> heads_;
  std::vector<bool> spawned_;
  std::unordered_map<uint32_t, SpawnGroup> by_prompt_;
  std::unordered_map<uint32_t, Named> by_id_;
};

void link_spawns(const Timeline& timeline, const LinkOptions& linking, Findings& out) {
  SpawnsByPrompt(timeline, linking, out).find();
}

}  // namespace

extern constinit const Linker kSpawnLinker = {
    .name = "spawn",
    .summary = "a subagent whose first message is the prompt of a tool use",
    .find = link_spawns,
};

}  // namespace xtrace
