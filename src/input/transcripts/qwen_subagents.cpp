#include "input/transcripts/qwen_subagents.h"

#include <set>
#include <utility>

#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

namespace {

constexpr UsageShape kCounts = {.input = "input_token_count",
                                .output = "output_token_count",
                                .cache_read = "cached_content_token_count",
                                .reasoning = "thoughts_token_count",
                                .total = "total_token_count",
                                .input_has_cache = true,
                                .output_has_reasoning = false};

/// `AGENT` of `SESSION#AGENT#N`; the chat's own prompts have more of the marks in between.
std::string_view agent_of(std::string_view prompt, std::string_view session) {
  if (session.empty() || !prompt.starts_with(session)) return {};
  prompt.remove_prefix(session.size());
  const size_t end = prompt.rfind('#');
  if (!prompt.starts_with('#') || end == 0) return {};
  const std::string_view agent = prompt.substr(1, end - 1);
  return agent.find('#') == agent.npos ? agent : std::string_view{};
}

bool is_in_telemetry(const Utterance& said) {
  return said.kind == Utterance::Kind::answered && said.in_subagent && is_aside(said) &&
         !said.message && said.agent;
}

}  // namespace

void read_qwen_telemetry(json::element line, const Extent& at, Shard& shard) {
  json::element event, value;
  if (!json::follow(line, "systemPayload/uiEvent", event) ||
      json::text_at(event, "event.name") != "qwen-code.api_response")
    return;
  const std::string_view session = json::text_at(line, "sessionId");
  const std::string_view agent = agent_of(json::text_at(event, "prompt_id"), session);
  if (agent.empty()) return;
  Utterance said;
  said.kind = Utterance::Kind::answered;
  said.outcome = Outcome::ok;
  said.form = Utterance::Form::aside;
  said.in_subagent = true;
  said.source = at;
  said.session = shard.intern(session);
  said.agent = shard.intern(agent);
  said.agent_type = shard.intern(agent.substr(0, agent.rfind('-')));
  said.answer = shard.intern(json::text_at(event, "response_id"));
  said.model = shard.intern(json::text_at(event, "model"));
  said.tokens = read_usage(event, kCounts);
  read_time_on(line, "timestamp", said);
  if (json::find(event, "duration_ms", value)) said.took = read_milliseconds(value);
  if (said.took != kNoDuration) said.time = after(said.time, -said.took);
  shard.add(said);
}

void drop_duplicate_qwen_calls(RawTrace& trace) {
  std::set<std::pair<StringId, StringId>> told;  // by session: subagents, and their types
  const auto is_qwen = [&](const Utterance& said) {
    return said.in_subagent && trace.sources[said.source.file].format == "qwen-code";
  };
  for (const Utterance& said : trace.utterances) {
    if (!is_qwen(said) || is_in_telemetry(said)) continue;
    told.insert({said.session, said.agent});
    if (said.agent_type) told.insert({said.session, said.agent_type});
  }
  if (told.empty()) return;
  for (Utterance& said : trace.utterances)
    if (is_qwen(said) && is_in_telemetry(said) &&
        (told.contains({said.session, said.agent}) ||
         told.contains({said.session, said.agent_type})))
      said.kind = Utterance::Kind::silent;
}

}  // namespace xtrace
