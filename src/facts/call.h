#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/id.h"
#include "base/time.h"
#include "facts/record.h"
#include "facts/server_tools.h"
#include "facts/terms.h"

namespace xtrace {

/// Unknown, for counts that may be missing. None of them can be negative.
inline constexpr int64_t kNoCount = -1;
/// Of what a sum takes in: nothing of what is not known.
inline int64_t at_least_none(int64_t count) {
  return count < 0 ? 0 : count;
}

/// Of Tokens::most_sent.
inline constexpr int64_t kSeveralCalls = 0;

/// What one model call used up, as the vendor's final word on it has it.
struct Tokens {
  int64_t input = kNoCount;  ///< without what came from or went to a cache, for every vendor
  int64_t output = kNoCount;
  int64_t cache_read = kNoCount;
  int64_t cache_creation = kNoCount;
  int64_t cache_creation_1h = kNoCount;  ///< of these, what is kept for an hour
  /// At once, where it was asked more than once for one answer; kSeveralCalls: counts of several
  /// calls, of which the longest prompt is not known.
  int64_t most_sent = kNoCount;
  ServerToolUses server_tools{};  ///< each of which may cost a fee
  Terms terms{};                  ///< on which the price of each depends; only with counts

  bool operator==(const Tokens&) const = default;
};

/// The sum of the counts that are known, or the largest there is; -1 if none is known.
inline int64_t sum_of_known(std::initializer_list<int64_t> counts) {
  int64_t sum = kNoCount;
  for (int64_t count : counts)
    if (count >= 0 && __builtin_add_overflow(std::max<int64_t>(sum, 0), count, &sum))
      sum = INT64_MAX;
  return sum;
}

/// What went to the model, whether or not a cache held it: what every answer calls `in`.
inline int64_t tokens_sent(const Tokens& tokens) {
  return sum_of_known({tokens.input, tokens.cache_read, tokens.cache_creation});
}

/// How much of its window the model was sent at most.
inline int64_t most_sent(const Tokens& tokens) {
  return tokens.most_sent >= 0 ? tokens.most_sent : tokens_sent(tokens);
}

/// Of all kinds.
inline int64_t total_of(const Tokens& tokens) {
  return sum_of_known({tokens.input, tokens.output, tokens.cache_read, tokens.cache_creation});
}

/// Is there an answer at all? It has words or asks for tools, or it put out tokens, or the log
/// states how it ended. An aborted one has none of these.
constexpr bool is_answer(bool says_something, const Tokens& tokens, std::string_view stop_reason) {
  return says_something || tokens.output > 0 || !(stop_reason.empty() || stop_reason == "unknown");
}

/// A request to a model and its answer. All names are as the log has them; nowhere: not given.
struct Call {
  Time start = kNoTime;
  Duration duration = kNoDuration;
  Extent source;
  StringId id;          ///< as the record names itself; made unique by the graph
  uint64_t digest = 0;  ///< of the record's bytes: two equal records of a log are one call
  Outcome outcome = Outcome::unknown;
  uint8_t decimals = 3;  ///< digits of a second the log gave for its start
  MessageId request;     ///< the last message asked with; its history is what precedes it
  MessageId answer;      ///< a message after `request`; nowhere: none on record
  StringId model;        ///< that answered; if nobody did, that was asked
  StringId asked_model;
  StringId provider;      ///< who the log says sells it
  CallId previous;        ///< that it continues, if the log is a transcript; else links show it
  StringId agent;         ///< an explicit id of the agent's instance
  StringId parent_agent;  ///< that of the agent which started it
  StringId session;       ///< an explicit id of the session
  StringId user;          ///< the user that the request names to the vendor
  StringId agent_type;    ///< explicit, with its looks
  StringId agent_label;
  StringId agent_color;
  StringId skill;          ///< whose instructions were in effect, if the record names it
  StringId response;       ///< the answer's own id, where other records may name it
  StringId follows;        ///< the answer that the request says it goes on from
  StringId spawned_by;     ///< the tool use that started this agent, if the log says so
  StringId system_prompt;  ///< its hash, 16 hex digits
  StringId stop_reason;
  StringId error;  ///< the class of the error, never its text
  Tokens tokens;
  int64_t cost = kNoCount;  ///< as the log itself states it, in billionths of a dollar
  double temperature = -1;  ///< -1: not given
  int64_t max_tokens = kNoCount;
  int64_t context_limit = kNoCount;  ///< how many tokens fit into the model's window, by the log
  uint64_t tools =
      0;  ///< names the tools that the request offers, in their order; 0: it offers none
  uint32_t message_count = 0;
  uint32_t first_place = 0, places = 0;  ///< in Trace::places, if it is on several lines
  TaskStepId task_step;                  ///< if it gives one
  uint16_t rivals = 0;         ///< other agents that may have made it, if it is unknown which did
  bool in_transcript = false;  ///< lines of a transcript record it
  bool in_subagent = false;    ///< the log says that a subagent made it
  bool is_compacted = false;   ///< a summary replaces the messages of `previous`
  bool is_pruned = false;      ///< some tool outputs of before are left out, and nothing else
  bool sums_up = false;        ///< the log says that it made a summary of what was said before
  bool is_dispatch = false;  ///< no model was asked: the program asked for the tools of its answer
  bool output_is_low = false;  ///< the log kept the first count of a stream, and not the last
  bool is_converted = false;   ///< with all that leads to it, by Trace::converted_links
  // Of one that is converted, whose log has no messages:
  bool begins_turn = false;      ///< it brings no results and tries nothing again
  bool answers_user = false;     ///< it brings words of the user
  bool answer_is_lossy = false;  ///< tool uses in it lost their ids on the way into the log
  bool is_thought = false;       ///< a log of what the model thought records it
  /// Milliseconds that the provider asked to wait before the next attempt, of one that failed.
  uint32_t asked_to_wait = kNoWait;
  static constexpr uint32_t kNoWait = UINT32_MAX;  ///< it did not ask

  Time end() const { return after(start, duration); }
};

}  // namespace xtrace
