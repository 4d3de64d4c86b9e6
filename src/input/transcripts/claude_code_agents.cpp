#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "input/calls/answer.h"
#include "input/calls/quote.h"
#include "input/common/moments.h"
#include "input/common/shard.h"
#include "input/transcripts/claude_code_parts.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

namespace {

/// A line is written when its part of the answer is there. Up to then the vendor had told the count
/// that a stream opens with, which is seldom more than this; the last one is lost unless a later
/// line has it, with the reason why the model stopped.
constexpr int64_t kFirstCount = 10;

/// Where the notes are in their line, as it is kept and as it is printed.
constexpr std::string_view kNotes[] = {"toolUseResult", "tool_use_result"};

/// The last answer of the subagent with what that call used up, which the client tells nowhere else
/// where it tells of a subagent's steps as they come.
/// `about`: where it is told, of which agent.
void read_closing(json::element noted, const Part& line, const Utterance& about,
                  RecordContext& context) {
  Answer answer;
  read_anthropic_answer(noted, answer);
  const Tokens& used = answer.tokens;
  const bool is_told =
      std::max({used.input, used.output, used.cache_read, used.cache_creation}) > 0;
  if (!about.agent || !is_told) return;
  Utterance closing = about;
  closing.kind = Utterance::Kind::closing;
  closing.form = Utterance::Form::whole;
  closing.outcome = Outcome::ok;
  closing.tokens = answer.tokens;
  closing.output_is_low = has_first_count(answer);
  answer.message.role = Message::Role::assistant;
  for (std::string_view key : kNotes) {
    const Part place = line.text.empty() ? Part{} : line.field(key);
    if (place.text.empty()) continue;
    closing.source = place.at;
    closing.sizes = note_sizes(answer.message, true, context.shard);
  }
  add_utterance(closing, answer.message, context);
}

}  // namespace

void read_subagent_report(json::element noted, const Part& line, const Utterance& said,
                          StringId tool_use, RecordContext& context) {
  Shard& shard = context.shard;
  Utterance about;
  about.source = said.source;
  about.session = said.session;
  about.time = said.time;
  about.decimals = said.decimals;
  about.tool_use = tool_use;
  about.in_subagent = true;
  AgentRelation report = relation_of(about, AgentRelation::Kind::reported);
  report.tool_use = tool_use;
  bool is_agent = false;
  json::fields(noted, [&](std::string_view key, json::element value) {
    if (key == "agentId")
      report.agent = shard.intern(json::text(value)), is_agent = true;
    else if (key == "runId")  // of a workflow, whose agents' files are in a folder of that name
      report.agent = shard.intern(json::text(value)), report.kind = AgentRelation::Kind::started,
      is_agent = true;
    else if (key == "agentType")
      report.agent_type = shard.intern(json::text(value));
    else if (key == "totalDurationMs")
      report.took = read_milliseconds(value);
    else if (key == "totalToolUseCount")
      is_agent = true;
    else if (key == "prompt" && !json::text(value).empty())
      report.prompt = intern_prompt(json::text(value), shard);
  });
  if (!is_agent) return;
  shard.add(report);
  about.agent = report.agent;
  if (report.kind == AgentRelation::Kind::reported) read_closing(noted, line, about, context);
}

StringId intern_prompt(std::string_view prompt, Shard& shard) {
  return shard.made_once(hash_of(prompt), [&] { return prompt_hash(prompt); });
}

bool has_first_count(const Answer& answer) {
  return answer.stop_reason.empty() && answer.tokens.output >= 0 &&
         answer.tokens.output <= kFirstCount;
}

void note_spawned_teammate(json::element noted, const Utterance& said, StringId tool_use,
                           Shard& shard) {
  if (!tool_use || json::text_at(noted, "status") != "teammate_spawned") return;
  AgentRelation spawn = relation_of(said, AgentRelation::Kind::started);
  spawn.tool_use = tool_use;
  spawn.path = shard.intern(json::text_at(noted, "agent_id"));
  spawn.agent_type = shard.intern(json::text_at(noted, "agent_type"));
  if (spawn.path) shard.add(spawn);
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
  AgentRelation teammate = relation_of(said, AgentRelation::Kind::started, said.session);
  teammate.path = id;
  shard.add(teammate);
}

StringId teammate_named(json::element about, Shard& shard) {
  const std::string_view name = json::text_at(about, "name");
  if (name.empty()) return {};
  return shard.intern(fmt::format("{}@{}", name, json::text_at(about, "teamName")));
}

}  // namespace xtrace
