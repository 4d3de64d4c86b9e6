#include "input/transcripts/subagent_report.h"

#include <algorithm>

#include "base/hash.h"
#include "input/calls/answer.h"
#include "input/calls/quote.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/part.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

namespace {

/// A line is written when its part of the answer is there. Up to then the vendor had told the count
/// that a stream opens with, which is seldom more than this; the last one is lost unless a later
/// line has it, with the reason why the model stopped.
constexpr int64_t kFirstCount = 10;

/// The last answer of the subagent with what that call used up, which the client tells nowhere else
/// where it tells of a subagent's steps as they come.
void read_closing(json::element noted, std::string_view record, const Utterance& report,
                  RecordContext& context) {
  Answer answer;
  read_anthropic_answer(noted, answer);
  const Tokens& used = answer.tokens;
  const bool is_told =
      std::max({used.input, used.output, used.cache_read, used.cache_creation}) > 0;
  if (!report.agent || !is_told) return;
  Utterance closing;
  closing.kind = Utterance::Kind::closing;
  closing.source = report.source;
  closing.session = report.session;
  closing.time = report.time;
  closing.decimals = report.decimals;
  closing.agent = report.agent;
  closing.tool_use = report.tool_use;
  closing.in_subagent = closing.is_whole = true;
  closing.outcome = Outcome::ok;
  closing.tokens = answer.tokens;
  closing.output_is_low = has_first_count(answer);
  answer.message.role = Message::Role::assistant;
  if (!record.empty()) {
    const Part place = Part{record, report.source}.field("toolUseResult");
    if (!place.text.empty()) {
      closing.source = place.at;
      closing.sizes = note_sizes(answer.message, true, context.shard);
    }
  }
  add_utterance(closing, answer.message, context);
}

}  // namespace

void read_subagent_report(json::element noted, std::string_view record, const Utterance& said,
                          StringId tool_use, RecordContext& context) {
  Shard& shard = context.shard;
  Utterance report;
  report.kind = Utterance::Kind::report;
  report.source = said.source;
  report.session = said.session;
  report.time = said.time;
  report.decimals = said.decimals;
  report.tool_use = tool_use;
  report.in_subagent = true;
  bool is_agent = false;
  json::fields(noted, [&](std::string_view key, json::element value) {
    if (key == "agentId")
      report.agent = shard.intern(json::text(value)), is_agent = true;
    else if (key == "runId")  // of a workflow, whose agents' files stand in a folder of that name
      report.agent = shard.intern(json::text(value)), report.kind = Utterance::Kind::agent,
      is_agent = true;
    else if (key == "agentType")
      report.agent_type = shard.intern(json::text(value));
    else if (key == "totalDurationMs")
      report.took = read_milliseconds(value);
    else if (key == "totalToolUseCount")
      is_agent = true;
    else if (key == "prompt" && !json::text(value).empty())
      report.prompt = told_prompt(json::text(value), shard);
  });
  if (!is_agent) return;
  shard.add(report);
  if (report.kind == Utterance::Kind::report) read_closing(noted, record, report, context);
}

StringId told_prompt(std::string_view prompt, Shard& shard) {
  return shard.made_once(hash_of(prompt), [&] { return prompt_hash(prompt); });
}

bool has_first_count(const Answer& answer) {
  return answer.stop_reason.empty() && answer.tokens.output >= 0 &&
         answer.tokens.output <= kFirstCount;
}

}  // namespace xtrace
