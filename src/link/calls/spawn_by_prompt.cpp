#include <algorithm>
#include <unordered_map>

#include "link/calls/linkers.h"
#include "link/calls/spawn.h"

namespace xtrace {

namespace {

/// Connects tool uses that start subagents with the calls that began by saying their prompt. Every
/// tool use starts one subagent and every subagent was started once.
class SpawnsByPrompt {
 public:
  SpawnsByPrompt(const Timeline& timeline, const LinkOptions& linking, Findings& out)
      : timeline_(timeline),
        out_(out),
        spawns_(find_spawns(timeline, linking, out)),
        claimed_(spawns_.size()),
        heads_(find_heads(timeline, out)),
        spawned_(timeline.trace().calls.size()) {
    for (size_t i = 0; i < spawns_.size(); ++i) {
      const ToolUse& use = use_of(spawns_[i]);
      if (use.prompt) by_prompt_[use.prompt.index].push_back(i);
      if (use.id) by_id_[use.id.index].push_back(i);
    }
    find_roots();
  }

  void find() {
    for (CallId call : timeline_.in_order()) by_id(call);
    // A resumed subagent is asked something new in the conversation it had before, whether or not
    // the log has that.
    for (CallId call : timeline_.in_order())
      if (!spawned_[call.index] && timeline_[call].request != root_of(call))
        by_prompt(call, timeline_[call].request, true);
    for (CallId call : timeline_.in_order())
      if (heads_[call.index] && !spawned_[call.index]) by_prompt(call, root_of(call), false);
  }

 private:
  const ToolUse& use_of(const Spawn& spawn) const {
    return timeline_.trace().tool_uses[spawn.use.index];
  }

  /// The first message of every path; messages stand behind the ones before them.
  void find_roots() {
    const std::vector<Message>& messages = timeline_.trace().messages;
    for (size_t i = 0; i < messages.size(); ++i)
      roots_.push_back(messages[i].before ? roots_[messages[i].before.index] : MessageId(i));
  }
  MessageId root_of(CallId call) const {
    MessageId request = timeline_[call].request;
    return request ? roots_[request.index] : MessageId{};
  }

  void by_id(CallId call) {
    StringId id = timeline_[call].spawned_by;
    if (!id || !heads_[call.index]) return;
    std::unordered_map<uint32_t, std::vector<size_t>>::const_iterator named = by_id_.find(id.index);
    if (named == by_id_.end()) return;
    for (size_t i : named->second)
      if (!claimed_[i] && timeline_.before(spawns_[i].call, call))
        return claim({i}, call, Rule::agent_id);
  }

  /// `only_resumed`: by the last message; a subagent that is new is known by its first.
  void by_prompt(CallId call, MessageId message, bool only_resumed) {
    if (!message) return;
    std::vector<size_t> fitting;
    for (const Prompt& prompt : timeline_.prompts_in(message)) {
      std::unordered_map<uint32_t, std::vector<size_t>>::iterator same =
          by_prompt_.find(prompt.hash.index);
      if (same == by_prompt_.end()) continue;
      // Claimed ones never come free again; dropping them keeps thousands of twins affordable.
      std::erase_if(same->second, [&](size_t i) { return claimed_[i]; });
      constexpr size_t kLooked = 64;
      for (size_t i : same->second) {
        if (fitting.size() == kLooked || !timeline_.before(spawns_[i].call, call)) break;
        bool resumes = static_cast<bool>(use_of(spawns_[i]).resume);
        if ((resumes || !only_resumed) && timeline_.compatible(spawns_[i].call, call))
          fitting.push_back(i);
      }
    }
    if (!fitting.empty()) claim(fitting, call, Rule::prompt);
  }

  /// A subagent that was already heard out by then is the less likely one, though one that works in
  /// the background is answered for at once. Then the nearest; of those in one answer, the first.
  std::pair<bool, uint32_t> cost(size_t i, CallId call) const {
    return {!in_time(timeline_, spawns_[i], call), UINT32_MAX - timeline_.rank(spawns_[i].call)};
  }

  void claim(std::vector<size_t> fitting, CallId call, Rule rule) {
    std::stable_sort(fitting.begin(), fitting.end(),
                     [&](size_t a, size_t b) { return cost(a, call) < cost(b, call); });
    const Spawn& spawn = spawns_[fitting.front()];
    Link link = spawn_link(timeline_, spawn, call, rule);
    link.resumed = static_cast<bool>(use_of(spawn).resume);
    for (size_t i = 1; i < fitting.size(); ++i) {
      const Spawn& rival = spawns_[fitting[i]];
      if (!out_.name_rival(link, rival.call, rival.use, fitting.size())) break;
      // Twins of one answer leave no doubt about where the subagent came from.
      if (rival.call != spawn.call) ++link.rivals;
    }
    claimed_[fitting.front()] = true;
    spawned_[call.index] = true;
    out_.links.push_back(link);
  }

  const Timeline& timeline_;
  Findings& out_;
  std::vector<Spawn> spawns_;
  std::vector<bool> claimed_;
  std::vector<bool> heads_;
  std::vector<bool> spawned_;
  std::vector<MessageId> roots_;
  std::unordered_map<uint32_t, std::vector<size_t>> by_prompt_;  ///< indices into spawns_
  std::unordered_map<uint32_t, std::vector<size_t>> by_id_;
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
