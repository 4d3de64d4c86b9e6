#include "input/transcripts/teammates.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "input/common/shard.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

std::string_view name_in(std::string_view id) {
  return id.substr(0, id.find('@'));
}

/// Who was started, and with which tool use.
class Teammates {
 public:
  explicit Teammates(RawTrace& trace) : trace_(trace) {}

  void join() {
    for (Utterance& said : trace_.utterances)
      if (is_spawn(said)) note(said);
    if (by_id_.empty()) return;
    note_beginnings();
    for (Utterance& said : trace_.utterances)
      if (is_teammate(said)) find(said);
  }

 private:
  static bool is_spawn(const Utterance& said) {
    return said.kind == Kind::agent && said.item && said.tool_use && !said.agent;
  }
  static bool is_teammate(const Utterance& said) {
    return said.kind == Kind::agent && said.item && !said.tool_use && said.agent;
  }
  static bool has_session(const Utterance& teammate) { return teammate.session == teammate.agent; }

  void note(Utterance& spawn) {
    by_id_[spawn.item].push_back(&spawn);
    by_name_[{spawn.session, name_in(trace_.strings[spawn.item])}].push_back(&spawn);
  }

  void note_beginnings() {
    for (const Utterance& said : trace_.utterances)
      if (is_teammate(said)) began_.emplace(said.agent.index, kNoTime);
    for (const Utterance& said : trace_.utterances) {
      if (said.time == kNoTime || said.kind == Kind::agent) continue;
      const auto began = began_.find((said.agent ? said.agent : said.session).index);
      if (began != began_.end() && (began->second == kNoTime || said.time < began->second))
        began->second = said.time;
    }
  }

  /// Of several of one name, the last that was started before it said anything.
  void find(Utterance& teammate) {
    const Utterance* found = nullptr;
    const std::vector<const Utterance*>& spawns =
        has_session(teammate)
            ? by_id_[teammate.item]
            : by_name_[{teammate.session, name_in(trace_.strings[teammate.item])}];
    const Time began = began_[teammate.agent.index];
    for (const Utterance* spawn : spawns)
      if (spawns.size() == 1 || (spawn->time != kNoTime && spawn->time <= began)) found = spawn;
    if (found == nullptr || found->session == teammate.agent) return;
    teammate.tool_use = found->tool_use;
    teammate.session = found->session;
    teammate.in_subagent = true;
    if (!teammate.agent_type) teammate.agent_type = found->agent_type;
  }

  RawTrace& trace_;
  std::map<StringId, std::vector<const Utterance*>> by_id_;
  std::map<std::pair<StringId, std::string_view>, std::vector<const Utterance*>> by_name_;
  std::unordered_map<uint32_t, Time> began_;  ///< by agent
};

}  // namespace

void note_spawned_teammate(json::element noted, const Utterance& said, StringId tool_use,
                           Shard& shard) {
  if (!tool_use || json::text_at(noted, "status") != "teammate_spawned") return;
  Utterance spawn;
  spawn.kind = Kind::agent;
  spawn.source = said.source;
  spawn.session = said.session;
  spawn.time = said.time;
  spawn.tool_use = tool_use;
  spawn.item = shard.intern(json::text_at(noted, "agent_id"));
  spawn.agent_type = shard.intern(json::text_at(noted, "agent_type"));
  if (spawn.item) shard.add(spawn);
}

void note_session_of_teammate(const Utterance& said, std::string_view name, std::string_view team,
                              Shard& shard) {
  constexpr std::string_view kLead = "team-lead";
  if (name.empty() || team.empty() || name == kLead || said.in_subagent || !said.session) return;
  bool is_new = false;
  const uint64_t key = chain(hash_of(shard[said.session]), chain(hash_of(name), hash_of(team)));
  const StringId id = shard.made_once(key, [&] {
    is_new = true;
    return fmt::format("{}@{}", name, team);
  });
  if (!is_new) return;
  Utterance teammate;
  teammate.kind = Kind::agent;
  teammate.source = said.source;
  teammate.session = teammate.agent = said.session;
  teammate.item = id;
  shard.add(teammate);
}

StringId teammate_named(json::element about, Shard& shard) {
  const std::string_view name = json::text_at(about, "name");
  if (name.empty()) return {};
  return shard.intern(fmt::format("{}@{}", name, json::text_at(about, "teamName")));
}

void join_teammates(RawTrace& trace) {
  Teammates(trace).join();
}

}  // namespace xtrace
