#include "link/calls/agents.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace xtrace {

namespace {

void find_conversations(const Timeline& timeline, const Findings& findings, Agents& agents) {
  UnionFind joined = join_conversations(timeline, findings);
  agents.conversation_of.resize(timeline.trace().calls.size());
  std::unordered_map<uint32_t, uint32_t> known;
  for (CallId id : timeline.in_order()) {
    uint32_t next = static_cast<uint32_t>(agents.conversations.size());
    auto [number, is_new] = known.emplace(joined.find(id.index), next);
    if (is_new) agents.conversations.push_back({next + 1, {}, next});
    agents.conversations[number->second].calls.push_back(id);
    agents.conversation_of[id.index] = number->second;
  }
}

/// Tells which calls of a conversation are whose.
class AgentFinder {
 public:
  AgentFinder(const Timeline& timeline, const Findings& findings, Agents& agents)
      : timeline_(timeline), agents_(agents), previous_(timeline.trace().calls.size()) {
    for (const Link& link : findings.links)
      if ((link.kind == LinkKind::continuation || link.kind == LinkKind::retry) &&
          timeline.before(link.from, link.to))
        previous_[link.to.index] = link.from;
  }

  void find() {
    agents_.agent_of.resize(previous_.size());
    std::vector<bool> has_agent(agents_.conversations.size());
    for (CallId id : timeline_.in_order()) {
      const uint32_t of = agents_.conversation_of[id.index];
      Conversation& conversation = agents_.conversations[of];
      if (!has_agent[of]) conversation.agent = add({});
      const uint32_t agent = has_agent[of] ? agent_of(id, conversation) : conversation.agent;
      has_agent[of] = true;
      agents_.agent_of[id.index] = agent;
      agents_.all[agent].calls.push_back(id);
      if (const Call& call = timeline_[id]; call.agent_type && !told_[agent].agent_type)
        told_[agent] = call;
    }
  }

 private:
  struct Told {
    StringId agent_type, agent;
    Told& operator=(const Call& call) {
      agent_type = call.agent_type;
      agent = call.agent;
      return *this;
    }
  };

  uint32_t add(CallId took_over_from) {
    agents_.all.emplace_back().took_over_from = took_over_from;
    told_.emplace_back();
    return static_cast<uint32_t>(agents_.all.size() - 1);
  }

  bool may_be(uint32_t agent, const Call& call) const {
    const Told& told = told_[agent];
    const bool is_same = call.agent && call.agent == told.agent;
    return is_same || !call.agent_type || !told.agent_type || call.agent_type == told.agent_type;
  }

  uint32_t agent_of(CallId id, const Conversation& conversation) {
    constexpr int kLooked = 4096;  // calls; each may be another agent's
    const Call& call = timeline_[id];
    const CallId before = previous_[id.index] ? previous_[id.index] : conversation.calls.front();
    CallId at = before;
    for (int i = 0; i < kLooked && at; ++i, at = previous_[at.index])
      if (const uint32_t agent = agents_.agent_of[at.index]; may_be(agent, call)) return agent;
    return add(before);
  }

  const Timeline& timeline_;
  Agents& agents_;
  std::vector<CallId> previous_;  ///< by call: that it goes on from
  std::vector<Told> told_;        ///< by agent: what the log calls it
};

/// Names the agents, from the surest source to the last resort.
class AgentNamer {
 public:
  AgentNamer(const Timeline& timeline, const Sessions& sessions, Agents& agents)
      : timeline_(timeline), sessions_(sessions), agents_(agents), named_(agents.all.size()) {}

  void name_all(const Findings& findings) {
    find_ids(findings);
    by_log();
    by_spawn(findings);
    by_known_prompt(findings);
    find_main();
    by_prompt_hash();
    number();
  }

 private:
  void name(size_t i, std::string_view type, TypeFrom from) {
    agents_.all[i].type = type;
    agents_.all[i].type_from = from;
    named_[i] = true;
  }

  /// The calls' own word goes before that of a result, which names whom a tool use started.
  void find_ids(const Findings& findings) {
    for (Agent& agent : agents_.all)
      for (CallId id : agent.calls) {
        if (!agent.id) agent.id = timeline_[id].agent;
        if (!agent.parent) agent.parent = timeline_[id].parent_agent;
      }
    const std::map<StringId, StringId> told = subagents_named(timeline_.trace());
    for (const Link& link : findings.links) {
      if (link.kind != LinkKind::subagent_spawn) continue;
      Agent& agent = agents_.all[agents_.agent_of[link.to.index]];
      auto named = told.find(timeline_.trace().tool_uses[link.tool_use.index].id);
      if (!agent.id && named != told.end()) agent.id = named->second;
    }
  }

  void by_log() {
    for (size_t i = 0; i < agents_.all.size(); ++i)
      for (CallId id : agents_.all[i].calls) {
        const Call& call = timeline_[id];
        if (!call.agent_type) continue;
        name(i, timeline_.trace()[call.agent_type], TypeFrom::log);
        agents_.all[i].label = call.agent_label;
        agents_.all[i].color = call.agent_color;
        break;
      }
  }

  void by_spawn(const Findings& findings) {
    for (const Link& link : findings.links) {
      if (link.kind != LinkKind::subagent_spawn) continue;
      uint32_t i = agents_.agent_of[link.to.index];
      agents_.all[i].spawned = true;
      if (named_[i]) continue;
      StringId type = timeline_.trace().tool_uses[link.tool_use.index].subagent_type;
      std::string_view unnamed = link.rule == Rule::tool_argument ? "helper" : "subagent";
      name(i, type ? timeline_.trace()[type] : unnamed, TypeFrom::spawn);
    }
    // Who takes over from a subagent follows it, and works for the same spawner.
    for (Agent& agent : agents_.all)
      if (agent.took_over_from)
        agent.spawned |= agents_.all[agents_.agent_of[agent.took_over_from.index]].spawned;
  }

  StringId prompt_of(size_t i) const {
    return timeline_[agents_.all[i].calls.front()].system_prompt;
  }

  /// A prompt that several types share, or an agent and those that it starts, names none of them.
  void by_known_prompt(const Findings& findings) {
    constexpr size_t kSeveral = SIZE_MAX;
    std::unordered_map<uint32_t, size_t> known;
    for (size_t i = 0; i < named_.size(); ++i) {
      if (!named_[i] || !prompt_of(i)) continue;
      const auto [same, is_new] = known.emplace(prompt_of(i).index, i);
      if (!is_new && same->second != kSeveral &&
          agents_.all[same->second].type != agents_.all[i].type)
        same->second = kSeveral;
    }
    std::vector<bool> starts_its_like(named_.size());
    for (const Link& link : findings.links) {
      if (link.kind != LinkKind::subagent_spawn) continue;
      const uint32_t by = agents_.agent_of[link.from.index];
      if (prompt_of(by) == prompt_of(agents_.agent_of[link.to.index])) starts_its_like[by] = true;
    }
    for (size_t i = 0; i < named_.size(); ++i) {
      if (named_[i] || !prompt_of(i) || starts_its_like[i]) continue;
      std::unordered_map<uint32_t, size_t>::const_iterator same = known.find(prompt_of(i).index);
      if (same != known.end() && same->second != kSeveral)
        name(i, agents_.all[same->second].type, TypeFrom::system_prompt);
    }
  }

  bool works_with_tools(size_t i) const {
    for (CallId id : agents_.all[i].calls) {
      const Call& call = timeline_[id];
      if (call.tools != 0 || (call.answer && !timeline_.uses_in(call.answer).empty())) return true;
    }
    return false;
  }

  /// In each session: who made most calls of those that nobody spawned, one with tools before one
  /// without; and all others with its system prompt.
  void find_main() {
    std::map<uint32_t, size_t> longest;  // session -> agent
    auto weight = [&](size_t i) {
      return std::pair(works_with_tools(i), agents_.all[i].calls.size());
    };
    for (size_t i = 0; i < named_.size(); ++i) {
      if (named_[i] || in_subagent(i)) continue;
      auto [best, first] = longest.emplace(session_of(i), i);
      if (!first && weight(i) > weight(best->second)) best->second = i;
    }
    for (size_t i = 0; i < named_.size(); ++i) {
      std::map<uint32_t, size_t>::const_iterator best = longest.find(session_of(i));
      if (named_[i] || in_subagent(i) || best == longest.end()) continue;
      bool same = prompt_of(i) == prompt_of(best->second) &&
                  works_with_tools(i) == works_with_tools(best->second);
      if (i == best->second || same) name(i, "main", TypeFrom::main);
    }
  }

  bool in_subagent(size_t i) const { return timeline_[agents_.all[i].calls.front()].in_subagent; }

  uint32_t session_of(size_t i) const { return sessions_.of[agents_.all[i].calls.front().index]; }

  void by_prompt_hash() {
    for (size_t i = 0; i < named_.size(); ++i) {
      if (named_[i]) continue;
      std::string hash(timeline_.trace()[prompt_of(i)].substr(0, 8));
      if (in_subagent(i) && hash.empty())
        name(i, "subagent", TypeFrom::log);
      else
        name(i, hash.empty() ? "no-prompt" : "prompt-" + hash, TypeFrom::system_prompt);
    }
  }

  /// In each session by itself, so that a name stays when other sessions are read beside it.
  void number() {
    std::map<std::pair<uint32_t, std::string_view>, uint32_t> count, next;
    auto kind = [&](size_t i) {
      return std::pair(session_of(i), std::string_view(agents_.all[i].type));
    };
    for (size_t i = 0; i < agents_.all.size(); ++i) ++count[kind(i)];
    for (size_t i = 0; i < agents_.all.size(); ++i)
      if (count[kind(i)] > 1) agents_.all[i].nth = ++next[kind(i)];
  }

  const Timeline& timeline_;
  const Sessions& sessions_;
  Agents& agents_;
  std::vector<bool> named_;
};

/// Its transcript shows that no subagent made it, and so who did.
bool is_of_main_thread(const Call& call) {
  return call.in_transcript && !call.in_subagent && !call.is_converted && call.session;
}

}  // namespace

UnionFind join_conversations(const Timeline& timeline, const Findings& findings) {
  UnionFind joined(timeline.trace().calls.size());
  // What a fork or a resumption says is its own session's, though it goes on with another's.
  const auto is_other_session = [&](const Link& link) {
    const StringId from = timeline[link.from].session, to = timeline[link.to].session;
    return timeline[link.to].in_transcript && from && to && from != to;
  };
  for (const Link& link : findings.links)
    if ((link.kind == LinkKind::continuation || link.kind == LinkKind::retry) &&
        !is_other_session(link))
      joined.join(link.from.index, link.to.index);
  // What an agent was told after it had ended is said in the conversation it had. So is what a user
  // says who goes back to before the first answer, and what was tried then.
  std::map<std::pair<StringId, StringId>, CallId> first_of;
  std::map<std::pair<StringId, uint32_t>, CallId> first_of_main;  // by session and file
  for (CallId id : timeline.in_order()) {
    const Call& call = timeline[id];
    if (!call.agent && is_of_main_thread(call)) {
      auto [first, is_new] = first_of_main.emplace(std::pair(call.session, call.source.file), id);
      if (!is_new) joined.join(first->second.index, id.index);
    }
    if (!call.agent) continue;
    auto [first, is_new] = first_of.emplace(std::pair(call.session, call.agent), id);
    if (!is_new) joined.join(first->second.index, id.index);
  }
  return joined;
}

std::map<StringId, StringId> subagents_named(const Trace& trace) {
  std::map<StringId, StringId> named;
  for (const ToolResult& result : trace.tool_results)
    if (result.agent && result.tool_use) named.emplace(result.tool_use, result.agent);
  for (const ToolUse& use : trace.tool_uses)
    if (use.agent && use.id) named.emplace(use.id, use.agent);
  return named;
}

Agents find_agents(const Timeline& timeline, const Findings& findings, const Sessions& sessions) {
  Agents agents;
  find_conversations(timeline, findings, agents);
  AgentFinder(timeline, findings, agents).find();
  AgentNamer(timeline, sessions, agents).name_all(findings);
  return agents;
}

std::string agent_name(const Agent& agent) {
  return agent.nth == 0 ? agent.type : fmt::format("{}#{}", agent.type, agent.nth);
}

}  // namespace xtrace
