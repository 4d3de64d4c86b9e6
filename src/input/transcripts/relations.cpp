#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "facts/made_id.h"
#include "facts/rows.h"
#include "input/transcripts/fill_in.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

void find_parents(RawTrace& trace) {
  std::unordered_map<uint32_t, StringId> prompt_of;  // by session, of the unclaimed ones
  for (const AgentRelation& relation : trace.relations)
    if (relation.kind == AgentRelation::Kind::unclaimed)
      prompt_of.emplace(relation.agent.index, StringId{});
  if (prompt_of.empty()) return;
  std::unordered_map<uint32_t, std::set<StringId>> sessions_of;  // by prompt of a tool
  for (const Utterance& said : trace.utterances) {
    if (!said.message || !said.session) continue;
    for (const ToolUse& use : rows_of(trace.tool_uses, said.message))
      if (use.prompt) sessions_of[use.prompt.index].insert(said.session);
    const auto lost = prompt_of.find(said.session.index);
    if (lost == prompt_of.end() || lost->second) continue;
    for (const Prompt& prompt : rows_of(trace.prompts, said.message)) lost->second = prompt.hash;
  }
  std::erase_if(trace.relations, [&](AgentRelation& relation) {
    if (relation.kind != AgentRelation::Kind::unclaimed) return false;
    const auto told = sessions_of.find(prompt_of[relation.agent.index].index);
    const bool is_known = told != sessions_of.end() && told->second.size() == 1 &&
                          *told->second.begin() != relation.agent;
    if (is_known) relation.session = *told->second.begin();
    return !is_known;
  });
}

void name_starts(RawTrace& trace) {
  const Utterance *answer = nullptr, *told = nullptr;  // told: with results
  size_t results = 0;                                  // since that answer
  const auto follow = [&](const Utterance& said) {
    if (answer != nullptr && answer->source.file != said.source.file) answer = told = nullptr;
    if (said.kind == Kind::answered && said.message) {
      answer = &said, told = nullptr, results = 0;
    } else if (said.kind == Kind::asked && said.message) {
      told = &said;
      results += rows_of(trace.tool_results, said.message).size();
    }
  };
  for_each_in_order(trace, follow, [&](AgentRelation& relation) {
    const bool is_start = relation.kind == AgentRelation::Kind::started && relation.agent &&
                          !relation.tool_use && told != nullptr && answer != nullptr &&
                          is_of_record(relation.source, told->source) && results > 0;
    if (!is_start) return;
    const std::span<ToolUse> uses = rows_to_change(trace.tool_uses, answer->message);
    const std::span<ToolResult> given = rows_to_change(trace.tool_results, told->message);
    if (results > uses.size() || given.size() != 1) return;
    ToolUse& use = uses[results - 1];
    if (!use.id && !given[0].tool_use)
      use.id = given[0].tool_use =
          trace.strings.intern(std::string(kByOrder).append(trace.strings[relation.agent]));
    if (use.id == given[0].tool_use) relation.tool_use = use.id;
  });
}

/// `NAME` of `NAME@TEAM`.
std::string_view name_in(std::string_view path) {
  return path.substr(0, path.find('@'));
}

/// An agent whose records name a path was started by the last tool use that is recorded with that
/// path, or in its session with the name in it, before the agent said anything.
void name_starts_by_path(RawTrace& trace) {
  using Key = std::pair<StringId, std::string_view>;  // no session: a path; else a name
  std::map<Key, std::vector<const AgentRelation*>> starts;
  for (const AgentRelation& relation : trace.relations) {
    if (!relation.path || !relation.tool_use || relation.agent) continue;
    const std::string_view path = trace.strings[relation.path];
    starts[{StringId(), path}].push_back(&relation);
    if (relation.session) starts[{relation.session, name_in(path)}].push_back(&relation);
  }
  if (starts.empty()) return;
  const auto needs_start = [](const AgentRelation& relation) {
    return relation.path && !relation.tool_use && relation.agent;
  };
  std::unordered_map<uint32_t, Time> began_at;  // by agent
  for (const AgentRelation& relation : trace.relations)
    if (needs_start(relation)) began_at.emplace(relation.agent.index, kNoTime);
  for (const Utterance& said : trace.utterances) {
    if (said.time == kNoTime) continue;
    const auto began = began_at.find((said.agent ? said.agent : said.session).index);
    if (began != began_at.end() && (began->second == kNoTime || said.time < began->second))
      began->second = said.time;
  }
  for (AgentRelation& relation : trace.relations) {
    if (!needs_start(relation)) continue;
    const std::string_view path = trace.strings[relation.path];
    const bool is_session = relation.session == relation.agent;
    const auto known =
        starts.find(is_session ? Key{{}, path} : Key{relation.session, name_in(path)});
    if (known == starts.end()) continue;
    const Time began = began_at[relation.agent.index];
    const AgentRelation* found = nullptr;
    for (const AgentRelation* start : known->second)
      if (known->second.size() == 1 || (start->time != kNoTime && start->time <= began))
        found = start;
    if (found == nullptr || found->session == relation.agent) continue;
    relation.tool_use = found->tool_use;
    relation.session = found->session;
    if (!relation.agent_type) relation.agent_type = found->agent_type;
  }
}

}  // namespace

void settle_relations(RawTrace& trace) {
  if (trace.relations.empty()) return;
  find_parents(trace);
  name_starts(trace);
  name_starts_by_path(trace);
}

}  // namespace xtrace
